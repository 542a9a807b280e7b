import { html, parseFragment, type DefaultTreeAdapterTypes, type Token } from 'parse5';
import { hostAt } from './link-target.js';
import type { LinkPolicy } from './link-policy.js';
import type { Edit } from './traced-text.js';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** None of them changes how what follows is read, loads anything, or can be told to run anything. */
const HARMLESS: ReadonlySet<string> = new Set(
  (
    'a abbr b blockquote br cite code dd del dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li mark ol p pre q s samp ' +
    'small strong sub sup u ul var'
  ).split(' '),
);

const BARE_TAG = /<\/?([A-Za-z][A-Za-z0-9]{0,15})>/g;
const VOID_TAG = /^<(?:br|hr) ?\/?>$/i;

/** No quotes, no blanks, nothing that markdown might read on its own. */
const PLAIN_ADDRESS = /^(?:https?:\/\/|mailto:|\/(?!\/)|#)[A-Za-z0-9\-._~:/?#@$&*+,;=%]{1,500}$/;

/**
 * Where the tags stand that may stay, and how they are to be written. The tree tells what a browser takes for a tag;
 * a bare tag of a harmless element is harmless wherever it stands.
 */
export function keptTags(text: string, policy: LinkPolicy): ReadonlyMap<number, Edit> {
  const kept = new Map<number, Edit>();
  for (const { index, 0: tag, 1: name = '' } of text.matchAll(BARE_TAG)) {
    if (HARMLESS.has(name.toLowerCase())) {
      kept.set(index, { span: [index, index + tag.length], replacement: tag });
    }
  }
  const waiting: Node[] = [parseFragment(text, { sourceCodeLocationInfo: true })];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ('content' in node) waiting.push(node.content);
    if ('childNodes' in node) waiting.push(...node.childNodes);
    if ('tagName' in node) keep(node, text, policy, kept);
  }
  return kept;
}

function keep(element: Element, text: string, policy: LinkPolicy, kept: Map<number, Edit>): void {
  const start = element.sourceCodeLocation?.startTag;
  if (start === undefined || element.namespaceURI !== html.NS.HTML || !HARMLESS.has(element.tagName)) return;
  const written = text.slice(start.startOffset, start.endOffset);
  const attributes = element.attrs.filter((attribute) => isHarmless(element.tagName, attribute, policy));
  const harmless = attributes
    .map(({ name, value }) => ` ${name}="${value.replaceAll('&', '&amp;')}"`)
    .join('');
  const plain = `<${element.tagName}${harmless}>`;
  const replacement =
    written.toLowerCase() === plain.toLowerCase() || VOID_TAG.test(written) ? written : plain;
  kept.set(start.startOffset, { span: [start.startOffset, start.endOffset], replacement });
}

function isHarmless(tag: string, { name, value }: Token.Attribute, policy: LinkPolicy): boolean {
  switch (`${tag} ${name}`) {
    case 'a href':
      return (
        PLAIN_ADDRESS.test(value) &&
        (!policy.namesHosts || /^[/#]/.test(value) || policy.knows(hostAt(value, 0)))
      );
    case 'code class':
      return /^language-[A-Za-z0-9+-]{1,30}$/.test(value);
    case 'ol start':
      return /^\d{1,6}$/.test(value);
    default:
      return false;
  }
}
