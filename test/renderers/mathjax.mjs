// MathJax 3 and 4 in Node with what a page loads by default, and with the extensions that `autoload` would fetch. The
// browser run loads the same packages in a page.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const EXTENSIONS = ['html', 'color', 'bbox', 'unicode', 'action', 'enclose'];

/** @type {{ name: string, packageName: string, convert: (tex: string, display: boolean) => string }[]} */
export const mathJaxRenderers = [];

/** @param {string} name @param {string} packageName @param {string} entry @param {readonly string[]} extensions */
async function start(name, packageName, entry, extensions) {
  // Each version keeps its state in this global and refuses to start beside another version.
  delete globalThis.MathJax;
  const MathJax = await require(`${packageName}/${entry}`).init({
    loader: { load: ['input/tex', 'output/chtml', ...extensions.map((part) => `[tex]/${part}`)] },
    tex: { packages: { '[+]': extensions } },
    startup: { typeset: false },
  });
  const { adaptor, input } = MathJax.startup;
  mathJaxRenderers.push({
    name,
    packageName,
    convert: (tex, display) => {
      globalThis.MathJax = MathJax;
      // A colour that another text defined.
      input[0].parseOptions.packageData.get('color')?.model.userColors.clear();
      try {
        return adaptor.outerHTML(MathJax.tex2chtml(tex, { display }));
      } catch (error) {
        // The construct needs a component that is not loaded; a page would show the source.
        if (String(error).includes('retry')) return '';
        throw error;
      }
    },
  });
}

await start('MathJax 3', 'mathjax3', 'es5/node-main.js', [...EXTENSIONS, 'cancel']);
// In Node, version 4 sometimes runs `cancel` before `enclose`, which it needs.
await start('MathJax 4', 'mathjax', 'node-main.cjs', EXTENSIONS);
