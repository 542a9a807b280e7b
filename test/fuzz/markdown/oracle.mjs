import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

const OWN = 'https://own.example';
const RUNS_CODE = new Set(['javascript:', 'data:', 'vbscript:']);
const ORDINARY = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/**
 * @typedef {object} Seen a link, image or definition found by micromark with the extensions of GFM
 * @property {'link' | 'autolink' | 'image' | 'definition' | 'reference' | 'image reference'} kind
 * @property {readonly [number, number]} span
 * @property {string} url
 * @property {string | null} label of a definition or a reference
 * @property {boolean} forbidden
 */

/**
 * @param {string} text
 * @param {readonly string[]} hosts the allowed hosts; an empty list allows every ordinary link
 */
export function oracle(text, hosts) {
  /** @type {Omit<Seen, 'forbidden'>[]} */
  const seen = [];
  const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const waiting = [tree];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ('children' in node) waiting.push(...node.children);
    // A link that GFM creates from an email address has no position.
    if (node.position === undefined) continue;
    const span = [node.position.start.offset, node.position.end.offset];
    const kind = kindOf(node, text[span[0]]);
    if (kind !== null) seen.push({ kind, span, url: node.url ?? '', label: node.identifier ?? null });
  }
  return resolved(seen, hosts);
}

function kindOf({ type }, first) {
  switch (type) {
    case 'link':
      return first === '[' ? 'link' : 'autolink';
    case 'linkReference':
      return 'reference';
    case 'imageReference':
      return 'image reference';
    case 'image':
    case 'definition':
      return type;
    default:
      return null;
  }
}

/** Adds the targets of references. The first of several definitions of a label applies. */
function resolved(seen, hosts) {
  const inOrder = seen.toSorted((one, other) => one.span[0] - other.span[0]);
  const definitions = new Map(
    inOrder
      .filter(({ kind }) => kind === 'definition')
      .toReversed()
      .map(({ label, url }) => [label, url]),
  );
  return inOrder.map((one) => {
    const url = one.kind.endsWith('reference') ? (definitions.get(one.label) ?? '') : one.url;
    return { ...one, url, forbidden: isForbidden(one.kind, url, hosts) };
  });
}

function isForbidden(kind, url, hosts) {
  const base = `${OWN}/chat/`;
  if (!URL.canParse(url, base)) return false;
  const target = new URL(url, base);
  if (RUNS_CODE.has(target.protocol)) return true;
  const isElsewhere = target.origin !== OWN;
  if (kind.startsWith('image')) return isElsewhere && !isKnown(target, hosts);
  if (!ORDINARY.has(target.protocol)) return kind === 'link';
  return hosts.length > 0 && isElsewhere && target.protocol.startsWith('http') && !isKnown(target, hosts);
}

function isKnown({ protocol, host }, hosts) {
  return /^https?:$/.test(protocol) && hosts.includes(host);
}
