// Shows every payload in Chromium, as every renderer shows it: in both HTML modes, under `any` and `markdown`, whole
// and as released prefixes. No script runs, no request leaves for a foreign host, and no handler fires when every
// element is clicked and hovered. KaTeX, MathJax and Mermaid run in the page.
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { HTML_MODES, chunksOf, prefixesOf, sanitize, sanitizeChunks, somePrefixesOf } from './engine.mjs';
import { render } from './judge.mjs';
import { openPages } from './pages.mjs';
import { MERMAID_PAYLOADS, PAYLOADS } from './payloads.mjs';
import { RENDERERS } from './renderers.mjs';

const { values } = parseArgs({
  options: {
    /** Shows unsanitized payloads, to verify that the page detects them. */
    unsanitized: { type: 'boolean' },
    family: { type: 'string' },
    /** Shows every n-th payload only. */
    every: { type: 'string' },
    /** Shows every prefix. */
    all: { type: 'boolean' },
    /** Stops after so many failures. */
    most: { type: 'string' },
    show: { type: 'string' },
  },
});
const shown = Number(values.show ?? 40);
const every = Number(values.every ?? 1);
const most = Number(values.most ?? 500);
const GROUP = 100;
/** Items shown at once. MathJax and Mermaid take long for each. */
const batchOf = (page) => (/^(?:mathjax|mermaid)/.test(page) ? 40 : 400);
const BEFORE = 'Here is what you asked for.\n\n';
const AFTER = `\n\n${'Some more words follow it. '.repeat(8)}\n\nThe end.`;
const TEX = /\\[A-Za-z([]|\$/;
const IN_NODE = RENDERERS.filter(({ name }) => !/^(?:katex|MathJax)/.test(name));

/**
 * @typedef {object} Item
 * @property {string} page Which page shows it.
 * @property {'html' | 'text' | 'tex'} kind HTML, text to be searched for TeX, or TeX as a whole.
 * @property {string} content
 * @property {string} renderer
 * @property {string} how
 * @property {string} payload
 */

const pages = await openPages();
await pages.proveThatAttacksAreSeen();

let passed = 0;
/** @type {{ item: Item, found: string[] }[]} */
const failures = [];
const shownAlready = new Set();
const payloads = [
  ...PAYLOADS,
  ...MERMAID_PAYLOADS.map((text) => ({ family: 'mermaid', text, inCode: true, namesHost: false })),
].filter(
  ({ family, namesHost }, index) =>
    !namesHost && index % every === 0 && (values.family === undefined || family.includes(values.family)),
);

for (let start = 0; start < payloads.length && failures.length < most; start += GROUP) {
  const group = payloads.slice(start, start + GROUP);
  /** @type {Map<string, Item[]>} */
  const byPage = new Map();
  for (const item of group.flatMap(itemsOf)) {
    const key = createHash('sha256').update(`${item.page}\n${item.kind}\n${item.content}`).digest('base64');
    if (shownAlready.has(key)) continue;
    shownAlready.add(key);
    const items = byPage.get(item.page) ?? [];
    items.push(item);
    byPage.set(item.page, items);
  }
  for (const [page, items] of byPage) {
    const size = batchOf(page);
    for (let at = 0; at < items.length; at += size) await judge(page, items.slice(at, at + size));
  }
  console.log(
    `${Math.min(start + GROUP, payloads.length)} of ${payloads.length} payloads, ${passed} shown, ` +
      `${failures.length} failures (${Math.round(performance.now() / 1000)} s)`,
  );
}
await pages.close();
if (failures.length >= most) console.log(`Stopped after ${most} failures. The rest was not shown.`);

const seen = new Set();
const byRenderer = new Map();
for (const { item, found } of failures) {
  if (!byRenderer.has(item.renderer)) byRenderer.set(item.renderer, new Set());
  byRenderer.get(item.renderer).add(item.payload);
  if (seen.has(item.payload) || seen.size >= shown) continue;
  seen.add(item.payload);
  console.log(`FAILED ${item.renderer} | ${item.how} | ${found.slice(0, 6).join(', ')}`);
  console.log(`  ${JSON.stringify(item.payload)}\n  ${JSON.stringify(item.content.slice(0, 400))}`);
}
for (const [renderer, texts] of [...byRenderer].toSorted((a, b) => b[1].size - a[1].size)) {
  console.log(`  ${renderer}: ${texts.size} payloads`);
}
console.log(`${new Set(failures.map(({ item }) => item.payload)).size} of ${payloads.length} payloads act`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 && passed > 0 ? 0 : 1;

/** @returns {Item[]} */
function itemsOf(payload) {
  if (values.unsanitized) return shownTexts(payload, payload.text, 'any', 'not sanitized');
  /** @type {Item[]} */
  const items = [];
  for (const mode of HTML_MODES) {
    for (const rendering of /** @type {const} */ (['any', 'markdown'])) {
      const options = { mode, rendering };
      const whole = sanitize(payload.text, options).text;
      const prefixes = new Set([
        ...prefixesOf(sanitizeChunks(chunksOf(payload.text, 7), options)),
        ...prefixesOf(sanitizeChunks(chunksOf(BEFORE + payload.text + AFTER, 9), options)),
      ]);
      prefixes.delete(whole);
      items.push(...shownTexts(payload, whole, rendering, `${mode}, ${rendering}`));
      for (const prefix of values.all ? prefixes : somePrefixesOf(prefixes, options)) {
        items.push(...shownTexts(payload, prefix, rendering, `${mode}, ${rendering}, prefix`));
      }
    }
  }
  return items;
}

/** One text as every renderer shows it. @returns {Item[]} */
function shownTexts({ text: payload, inCode, family }, text, rendering, how) {
  /** @type {Item[]} */
  const items = [];
  const add = (page, kind, content, renderer) => {
    if (content !== null) items.push({ page, kind, content, renderer, how, payload });
  };
  const hasTex = TEX.test(text);
  const hasDiagram = /mermaid|mmd/i.test(text);
  for (const renderer of IN_NODE) {
    if (rendering === 'markdown' && !renderer.underMarkdown) continue;
    const html = render(renderer, text);
    // KaTeX and MathJax search a page after Markdown was rendered; so does Mermaid.
    add('plain', 'html', html, renderer.name);
    const isCommon = renderer.name === 'marked' || renderer.name === 'markdown-it, html';
    if (hasTex && isCommon) {
      for (const page of ['katex', 'mathjax3', 'mathjax4'])
        add(page, 'html', html, `${page} after ${renderer.name}`);
    }
    if (hasDiagram && (isCommon || family === 'mermaid')) {
      for (const page of ['mermaid strict', 'mermaid loose'])
        add(page, 'html', html, `${page} after ${renderer.name}`);
    }
  }
  if (hasTex && (rendering === 'any' || !inCode)) {
    for (const page of ['katex', 'mathjax3', 'mathjax4']) {
      add(page, 'text', text, `${page}, text`);
      if (/\\[A-Za-z]/.test(text)) add(page, 'tex', text, `${page}, whole text`);
    }
  }
  return items;
}

/** Tests a batch at once. If something acts and it is unclear what, each half is tested again. */
async function judge(page, items) {
  if (items.length === 0 || failures.length >= most) return;
  const found = await pages.show(page, items);
  if (found.length === 0) {
    passed += items.length;
    return;
  }
  /** @type {Map<number, string[]>} */
  const certain = new Map();
  for (const { index, what } of found) {
    if (index === null || items[index] === undefined) continue;
    certain.set(index, [...(certain.get(index) ?? []), what]);
  }
  if (items.length === 1) certain.set(0, [...new Set(found.map(({ what }) => what))]);
  for (const [index, what] of certain) failures.push({ item: items[index], found: what });
  const rest = items.filter((_, index) => !certain.has(index));
  if (certain.size > 0) return judge(page, rest);
  const half = Math.ceil(items.length / 2);
  await judge(page, items.slice(0, half));
  await judge(page, items.slice(half));
}
