// Every supported renderer, in the configurations that hosts use. The configurations are the permissive ones: what is
// inert here is inert in stricter ones.
import { createRequire } from 'node:module';
import texmath from 'markdown-it-texmath';
import vscodeKatex from '@vscode/markdown-it-katex';
import * as commonmark from 'commonmark';
import * as katex from 'katex';
import MarkdownIt from 'markdown-it';
import container from 'markdown-it-container';
import footnote from 'markdown-it-footnote';
import { Marked } from 'marked';
import { micromark } from 'micromark';
import { directive, directiveHtml } from 'micromark-extension-directive';
import { frontmatter, frontmatterHtml } from 'micromark-extension-frontmatter';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { math, mathHtml } from 'micromark-extension-math';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown from 'react-markdown';
import rehypeKatex from 'rehype-katex';
import rehypeRaw from 'rehype-raw';
import rehypeStringify from 'rehype-stringify';
import remarkDirective from 'remark-directive';
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { Remarkable } from 'remarkable';
import remarkableLinkifyModule from 'remarkable/dist/cjs/linkify.js';
import showdown from 'showdown';
import snarkdown from 'snarkdown';
import { Streamdown } from 'streamdown';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { mathJaxRenderers } from './mathjax.mjs';
import { renderTex, texSpans } from './tex.mjs';

const require = createRequire(import.meta.url);
const remarkableLinkify = remarkableLinkifyModule.linkify;
const KATEX = { trust: true, throwOnError: false, strict: 'ignore' };

/**
 * @typedef {object} Renderer
 * @property {string} name
 * @property {string} version
 * @property {boolean} underMarkdown Whether it is supported under the rendering `markdown`, and not under `any` alone.
 * @property {boolean} readsCode It reads TeX in what Markdown calls code, so the rendering `markdown` is not safe for it there.
 * @property {boolean} isMath It makes names of the page (`id`, `class`, `data-…`) from TeX.
 * @property {boolean} isSlow Left out of the fuzz run.
 * @property {(text: string) => string} render
 */

/** @type {Renderer[]} */
export const RENDERERS = [];

/** @param {string} name @param {string} packageName @param {(text: string) => string} render @param {Partial<Renderer>} [more] */
function add(name, packageName, render, more = {}) {
  const { version } = require(`./node_modules/${packageName}/package.json`);
  const isMath = /katex|texmath|math/i.test(name);
  RENDERERS.push({
    name,
    version,
    underMarkdown: true,
    readsCode: false,
    isMath,
    isSlow: false,
    render,
    ...more,
  });
}

// --- marked
const marked = (options) => {
  const instance = new Marked({ async: false, ...options });
  return (text) => /** @type {string} */ (instance.parse(text));
};
add('marked', 'marked', marked({ gfm: true }));
add('marked, breaks', 'marked', marked({ gfm: true, breaks: true }));
add('marked, no gfm', 'marked', marked({ gfm: false }));

// --- markdown-it
const markdownIt = (options, ...plugins) => {
  const instance = new MarkdownIt(options);
  // Version 14 and older linked addresses without a scheme by default.
  if (options.linkify) instance.linkify.set({ fuzzyLink: true, fuzzyIP: true, fuzzyEmail: true });
  for (const [plugin, ...rest] of plugins) instance.use(plugin, ...rest);
  return (text) => instance.render(text);
};
add('markdown-it', 'markdown-it', markdownIt({}));
add('markdown-it, linkify', 'markdown-it', markdownIt({ linkify: true, typographer: true, breaks: true }));
add('markdown-it, html', 'markdown-it', markdownIt({ html: true, linkify: true }));
add('markdown-it, commonmark', 'markdown-it', markdownIt('commonmark'));
add('markdown-it, footnote', 'markdown-it-footnote', markdownIt({ html: true, linkify: true }, [footnote]));
add(
  'markdown-it, container',
  'markdown-it-container',
  markdownIt(
    { html: true, linkify: true },
    [container, 'any', { validate: () => true }],
    [container, 'math', { marker: '$', validate: () => true }],
  ),
);
add(
  'markdown-it, katex',
  '@vscode/markdown-it-katex',
  markdownIt({ html: true, linkify: true }, [
    vscodeKatex.default ?? vscodeKatex,
    { ...KATEX, enableFencedBlocks: true, enableBareBlocks: true },
  ]),
);
add(
  'markdown-it, texmath',
  'markdown-it-texmath',
  markdownIt({ html: true, linkify: true }, [
    texmath,
    { engine: katex.default, delimiters: ['dollars', 'brackets', 'beg_end'], katexOptions: { ...KATEX } },
  ]),
);
add(
  'markdown-it, texmath gitlab',
  'markdown-it-texmath',
  markdownIt({ html: true, linkify: true }, [
    texmath,
    {
      engine: katex.default,
      delimiters: ['doxygen', 'gitlab', 'julia', 'kramdown'],
      katexOptions: { ...KATEX },
    },
  ]),
);

// --- micromark
const micro = (extensions, htmlExtensions) => (text) =>
  micromark(text, {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions,
    htmlExtensions,
  });
const directiveAsElement = directiveHtml({
  '*'(node) {
    const attributes = Object.entries(node.attributes ?? {})
      .map(([name, value]) => ` ${name}="${this.encode(value)}"`)
      .join('');
    this.tag(`<${node.name}${attributes}>`);
    this.raw(node.type === 'containerDirective' ? (node.content ?? '') : (node.label ?? ''));
    this.tag(`</${node.name}>`);
  },
});
add('micromark', 'micromark', micro([], []));
add('micromark, gfm', 'micromark-extension-gfm', micro([gfm()], [gfmHtml()]));
add('micromark, math', 'micromark-extension-math', micro([gfm(), math()], [gfmHtml(), mathHtml(KATEX)]));
add(
  'micromark, directive',
  'micromark-extension-directive',
  micro([gfm(), directive()], [gfmHtml(), directiveAsElement]),
);
add(
  'micromark, frontmatter',
  'micromark-extension-frontmatter',
  micro([gfm(), frontmatter(['yaml', 'toml'])], [gfmHtml(), frontmatterHtml(['yaml', 'toml'])]),
);

// --- remark and rehype
const DIRECTIVES = new Set(['containerDirective', 'leafDirective', 'textDirective']);
/** What the documentation of remark-directive shows: each directive becomes the element of its name. */
const directivesToElements = () => (tree) => {
  visit(tree, (node) => {
    if (!DIRECTIVES.has(node.type)) return;
    node.data ??= {};
    node.data.hName = node.name;
    node.data.hProperties = Object.fromEntries(
      Object.entries(node.attributes ?? {}).map(([name, value]) => [name, value ?? '']),
    );
  });
};
const remark = (plugins, rehypePlugins = []) => {
  const processor = unified().use(remarkParse);
  for (const [plugin, ...rest] of plugins) processor.use(plugin, ...rest);
  processor.use(remarkRehype, { allowDangerousHtml: true });
  for (const [plugin, ...rest] of [[rehypeRaw], ...rehypePlugins]) processor.use(plugin, ...rest);
  processor.use(rehypeStringify).freeze();
  return (text) => String(processor.processSync(text));
};
add('remark, gfm', 'remark-gfm', remark([[remarkGfm]]));
add('remark, math', 'remark-math', remark([[remarkGfm], [remarkMath]], [[rehypeKatex, KATEX]]));
add(
  'remark, directive and frontmatter',
  'remark-directive',
  remark([[remarkGfm], [remarkFrontmatter, ['yaml', 'toml']], [remarkDirective], [directivesToElements]]),
);

// --- react-markdown and streamdown, without what they remove or block by default
const reactOf = (component, props) => (text) =>
  renderToStaticMarkup(createElement(component, props, text))
    // Beside each image, which is judged itself, React loads the same address in advance.
    .replace(/<link rel="preload"[^>]*>/g, '')
    // What streamdown shows until the target of a link has arrived.
    .replaceAll('"streamdown:incomplete-link"', '"#"');
/** Without the frames and buttons of streamdown. */
const PLAIN_ELEMENTS = Object.fromEntries(
  (
    'a abbr b blockquote br cite code dd del details div dl dt em form h1 h2 h3 h4 h5 h6 hr i iframe img input ins ' +
    'kbd li link mark object ol p pre q s samp script section small span strong style sub summary sup table tbody td ' +
    'th thead tr u ul var video'
  )
    .split(' ')
    .map((tag) => [tag, ({ node: _node, ...attributes }) => createElement(tag, attributes)]),
);
add('react-markdown', 'react-markdown', reactOf(ReactMarkdown, { remarkPlugins: [remarkGfm] }), {
  isSlow: true,
});
add(
  'react-markdown, html',
  'react-markdown',
  reactOf(ReactMarkdown, {
    remarkPlugins: [remarkGfm],
    rehypePlugins: [rehypeRaw],
    urlTransform: (address) => address,
  }),
);
add(
  'streamdown',
  'streamdown',
  reactOf(Streamdown, {
    components: PLAIN_ELEMENTS,
    rehypePlugins: [rehypeRaw],
    urlTransform: (address) => address,
  }),
);

// --- commonmark.js
const commonmarkOf = (options) => {
  const reader = new commonmark.Parser(options);
  const writer = new commonmark.HtmlRenderer({ safe: false, ...options });
  return (text) => writer.render(reader.parse(text));
};
add('commonmark.js', 'commonmark', commonmarkOf({}));
add('commonmark.js, smart', 'commonmark', commonmarkOf({ smart: true }));

// --- remarkable
const remarkable = (preset, options, linkify = false) => {
  const instance = new Remarkable(preset, options);
  if (linkify) instance.use(remarkableLinkify);
  return (text) => instance.render(text);
};
add('remarkable', 'remarkable', remarkable('default', {}));
add('remarkable, html', 'remarkable', remarkable('default', { html: true }));
add('remarkable, full', 'remarkable', remarkable('full', { html: true, breaks: true }, true));

// --- showdown and snarkdown: under `any` only
const showdownOf = (flavor) => {
  const instance = new showdown.Converter();
  instance.setFlavor(flavor);
  // By default `@name` becomes a link to github.com, which only the host's configuration decides.
  instance.setOption('ghMentionsLink', '/users/{u}');
  return (text) => instance.makeHtml(text);
};
add('showdown', 'showdown', showdownOf('vanilla'), { underMarkdown: false });
add('showdown, github', 'showdown', showdownOf('github'), { underMarkdown: false });
add('snarkdown', 'snarkdown', (text) => snarkdown(text), { underMarkdown: false });

// --- the text inserted as HTML: `any` promises it, and `markdown` where Markdown with raw HTML shows the same
add('innerHTML', 'parse5', (text) => text, { underMarkdown: false });

// --- TeX on a page: the delimiters are searched for in the shown text
const markedGfm = RENDERERS[0].render;
const katexOf = (tex, display) => katex.renderToString(tex, { ...KATEX, displayMode: display });
add('katex, text', 'katex', (text) => renderTex(texSpans(text), katexOf), { readsCode: true });
add('katex, after marked', 'katex', (text) => renderTex(texSpans(visibleTextOf(markedGfm(text))), katexOf));
add('katex, whole text', 'katex', (text) => (/\\[A-Za-z]/.test(text) ? katexOf(text, false) : ''), {
  readsCode: true,
});
for (const { name, packageName, convert } of mathJaxRenderers) {
  add(`${name}, text`, packageName, (text) => renderTex(texSpans(text), convert), {
    readsCode: true,
    isSlow: true,
  });
  add(`${name}, whole text`, packageName, (text) => (/\\[A-Za-z]/.test(text) ? convert(text, false) : ''), {
    readsCode: true,
    isSlow: true,
  });
}

/** What a reader sees outside code, as the auto-renderers of KaTeX and MathJax search it. */
function visibleTextOf(html) {
  return html
    .replace(/<(pre|code|script|style|textarea)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');
}
