// What a reader sees of rendered HTML, in a form that can be compared.
import { parseFragment } from 'parse5';

const BLOCKS = new Set(
  'p div h1 h2 h3 h4 h5 h6 ul ol li table thead tbody tr th td blockquote pre hr section dl dt dd'.split(' '),
);

/**
 * A text that is equal for two renderings which look the same.
 * @param {string} html
 * @param {{ withoutCode?: boolean }} [options] `withoutCode` leaves out what is written within code.
 */
export function appearanceOf(html, { withoutCode = false } = {}) {
  const parts = [];
  walk(parseFragment(html), false);
  return parts.join('');

  function walk(node, isCode) {
    if (node.nodeName === '#text') {
      parts.push(isCode ? node.value : node.value.replace(/[ \t\r\n]+/g, ' '));
      return;
    }
    if (node.nodeName === '#comment') return;
    const tag = node.tagName;
    const inCode = isCode || tag === 'code' || tag === 'pre';
    if (tag !== undefined) {
      if (BLOCKS.has(tag)) trim();
      const attributes = node.attrs.map(({ name, value }) => ` ${name}=${JSON.stringify(value)}`).toSorted();
      parts.push(`<${tag}${attributes.join('')}>`);
    }
    if (!(withoutCode && inCode)) for (const child of node.childNodes) walk(child, inCode);
    if (tag !== undefined) {
      if (BLOCKS.has(tag)) trim();
      parts.push(`</${tag}>`);
    }
  }

  /** Whitespace between blocks is not shown. */
  function trim() {
    while (parts.at(-1) === ' ') parts.pop();
  }
}

/** The first place where two texts differ. */
export function difference(one, other) {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const around = (text) => JSON.stringify(text.slice(Math.max(0, at - 30), at + 50));
  return `${around(one)} became ${around(other)}`;
}
