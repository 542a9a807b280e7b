import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

const OWN = 'https://own.example';
const RUNS_CODE = new Set(['javascript:', 'data:', 'vbscript:']);
const ORDINARY = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/**
 * @typedef {object} Seen one link, image or definition, as micromark with the extensions of GFM sees it
 * @property {'link' | 'autolink' | 'image' | 'definition' | 'reference' | 'image reference'} kind
 * @property {readonly [number, number]} span
 * @property {string} url
 * @property {string | null} label of what is defined, or refers to a definition
 * @property {boolean} forbidden
 */

/**
 * @param {string} text
 * @param {readonly string[]} hosts allowed ones; with none, every ordinary link is
 */
export function oracle(text, hosts) {
  /** @type {Omit<Seen, 'forbidden'>[]} */
  const seen = [];
  const code = [];
  const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const waiting = [{ node: tree, inside: [] }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, inside } = next;
    if ('children' in node) {
      for (const child of node.children) waiting.push({ node: child, inside: [...inside, node.type] });
    }
    // What GFM makes of an address of mail has no position.
    if (node.position === undefined) continue;
    const span = [node.position.start.offset, node.position.end.offset];
    if (node.type === 'code' || node.type === 'inlineCode') code.push({ span, inside });
    const kind = kindOf(node, text[span[0]]);
    if (kind !== null) seen.push({ kind, span, url: node.url ?? '', label: node.identifier ?? null });
  }
  return { seen: resolved(seen, hosts), code };
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

/** With the targets of references: of two definitions the first one counts. */
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
