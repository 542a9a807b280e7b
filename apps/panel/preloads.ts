import type { HtmlTagDescriptor, Plugin, Rollup } from 'vite';
import { withImports } from './budgets.js';

/**
 * Names the scripts of the frame in the page, and those of each screen in `preloads.json`, from which the server adds
 * those of the requested screen. The browser then requests all of them at once.
 */
export const preloads: Plugin = {
  name: 'preloads',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const frame = framesOf(bundle);
      const screens = chunksOf(bundle)
        .filter(({ isDynamicEntry }) => isDynamicEntry)
        .map((chunk): [string, readonly string[]] => [
          chunk.name,
          [...withImports(chunk, bundle)].filter((name) => !frame.has(name)),
        ]);
      const source = JSON.stringify(Object.fromEntries(screens));
      this.emitFile({ type: 'asset', fileName: 'preloads.json', source });
    },
  },
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const entry = chunksOf(bundle).find(({ isEntry }) => isEntry)?.fileName;
      return [...framesOf(bundle)]
        .filter((name) => name !== entry)
        .map((name): HtmlTagDescriptor => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `./${name}` },
          injectTo: 'head',
        }));
    },
  },
};

function chunksOf(bundle: Rollup.OutputBundle): readonly Rollup.OutputChunk[] {
  return Object.values(bundle).filter((file): file is Rollup.OutputChunk => file.type === 'chunk');
}

/** The entry and what it imports. */
function framesOf(bundle: Rollup.OutputBundle): ReadonlySet<string> {
  const entry = chunksOf(bundle).find(({ isEntry }) => isEntry);
  if (entry === undefined) throw new Error('The entry is missing.');
  return withImports(entry, bundle);
}
