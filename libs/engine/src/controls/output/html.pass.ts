/** HTML in an output: escaped, or reduced to harmless tags as a browser parses them. `sanitizer.ts` puts the passes in order. */
import { html, parseFragment, type DefaultTreeAdapterTypes, type Token } from 'parse5';
import type { Finding } from '#contracts/output/output.js';
import type { Utf16Span } from '#contracts/common/spans.js';
import type { CodeRegions } from './code-regions.js';
import type { LinkPolicy } from './link-policy.js';
import { matchAt } from '../../text/next-match.js';
import { Pass, UNCHANGED, type PassResult, type Stretch } from './pass.js';
import type { Edit } from '../../text/mapped-text.js';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** Only these can begin markup after `<`; prose and code such as `a < b` stay readable. */
const BEGINS_MARKUP = /[A-Za-z/!?]/;

const HARMLESS_NAMES =
  'a abbr b blockquote br cite code dd del dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li mark ol p pre q s samp ' +
  'small strong sub sup u ul var';
/** What a tag may contain that stays: no sign with which code or another tag begins for some renderer, no words as in `a<i and i>0`. */
const REST_OF_TAG = String.raw`(?!\s+[^\s=<>/][^=<>]*>)[^<>\x60\\$\r\n]{0,700}`;
const TAG = new RegExp(`^</?[A-Za-z0-9]+${REST_OF_TAG}>$`);
/** Elements that do not change how following text is parsed, load nothing and run nothing. */
const HARMLESS: ReadonlySet<string> = new Set(HARMLESS_NAMES.split(' '));
/** The beginnings of HTML, if harmless tags stay, and if all stays. */
export const HARMLESS_HTML = new RegExp(
  `</?(?:${HARMLESS_NAMES.replaceAll(' ', '|')})(?![A-Za-z0-9])${REST_OF_TAG}>`,
  'iy',
);
export const ANY_HTML = /<[A-Za-z/!?]/y;

const BARE_TAG = /<\/?([A-Za-z][A-Za-z0-9]{0,15})>/g;
/** The start of a tag that is not bare. */
const FULL_TAG = /<([A-Za-z][A-Za-z0-9]{0,15})[^A-Za-z0-9>]/g;
const VOID_TAG = /^<(?:br|hr) ?\/?>$/i;

/** An even number: of a longer run of backslashes before `<`, all stay. */
const MAX_BACKSLASHES = 64;

const BEGINS_AUTOLINK = /[HMhm]/;
/** A link to every Markdown renderer, and an unknown element without attributes to a browser. */
const AUTOLINK =
  /<(?:https?:\/\/|mailto:)[A-Za-z0-9\-._~:/@%+()]{1,400}(?:\?[a-z0-9=&%._\-+,;:!/@]{0,200})?(?:#[a-z0-9\-._~%:@/]{0,200})?>/iy;

/** Addresses that mean the same without angle brackets, as a target and as a text. */
const TARGET = /^[^()~]*(?:\([^()~]*\)[^()~]*)?$/;
const TEXT = /^(?:[^()_~]|(?<=[A-Za-z0-9])_(?=[A-Za-z0-9]))*$/;
const IS_TARGET = /\][(:][ \t]*$/;

/** Without quotes, blanks, or anything that Markdown gives a meaning. */
const PLAIN_ADDRESS = /^(?:https?:\/\/|mailto:|\/(?!\/)|#)[A-Za-z0-9\-._~:/?#@&*+,;=%]{1,500}$/;

/**
 * Escapes what a browser reads as markup, except, with a policy, tags of harmless elements, which lose all but a few
 * harmless attributes. Code is exempt only where `code` finds it.
 */
export class HtmlPass extends Pass {
  /**
   * @param code regions that stay as they are; `null`: escape everywhere
   * @param policy decides which autolinks stay under `markdown`
   * @param kept decides which links kept tags may have; `null`: no tag is kept
   */
  constructor(
    private readonly code: CodeRegions | null,
    private readonly kept: LinkPolicy | null,
    private readonly policy: LinkPolicy,
  ) {
    super();
  }

  override judge({ text, judged }: Stretch): PassResult {
    const first = text.indexOf('<');
    if (first === -1 || first >= judged) return UNCHANGED;
    const edits: Edit[] = [];
    const findings: Finding[] = [];
    const regions = this.code?.of(text) ?? [];
    const kept =
      this.kept === null ? new Map<number, Edit>() : keptTags(withoutCode(text, regions), this.kept);
    const add = (edit: Edit, span = edit.span) => {
      edits.push(edit);
      findings.push({ kind: 'html_stripped', detector: 'html', span });
    };
    let region = 0;
    for (let at = first; at !== -1 && at < judged; at = text.indexOf('<', at + 1)) {
      while ((regions[region]?.[1] ?? Infinity) <= at) region++;
      if ((regions[region]?.[0] ?? Infinity) <= at) continue;
      if (!BEGINS_MARKUP.test(text.charAt(at + 1))) {
        const escaped = this.kept === null ? null : escapedSignAt(text, at);
        if (escaped !== null) add(escaped);
        continue;
      }
      const autolink = this.autolinkAt(text, at);
      if (autolink !== null) {
        if (this.code !== null) continue;
        add(autolink);
        at = autolink.span[1] - 1;
        continue;
      }
      const tag = kept.get(at);
      const edit = tag ?? escapedSignAt(text, at) ?? { span: [at, at + 1] as const, replacement: '&lt;' };
      const [start, end] = edit.span;
      if (tag !== undefined) at = end - 1;
      if (text.slice(start, end) !== edit.replacement)
        add(edit, tag === undefined ? [start, endOfTag(text, start)] : tag.span);
    }
    return { edits, findings };
  }

  /** The autolink that begins at `at`, and the same link without angle brackets; `null` if there is none. */
  private autolinkAt(text: string, at: number): Edit | null {
    if (!BEGINS_AUTOLINK.test(text.charAt(at + 1))) return null;
    const autolink = matchAt(AUTOLINK, text, at);
    if (autolink === '' || this.policy.forbidsLink(text, at + 1)) return null;
    const address = autolink.slice(1, -1);
    const isTarget = IS_TARGET.test(text.slice(Math.max(0, at - 8), at));
    if (this.code === null && !(isTarget ? TARGET : TEXT).test(address)) return null;
    // Directly after a word, the brackets could be the label of a directive such as `:name[label]`.
    const gap = /[^\s\p{P}\p{S}]|[-_]/u.test(text.charAt(at - 1)) ? ' ' : '';
    return {
      span: [at, at + autolink.length],
      replacement: isTarget ? address : `${gap}[${address}](${address})`,
    };
  }

  override partBefore(text: string, limit: number) {
    let place = limit;
    while (text[place - 1] === '<' || text[place - 1] === '\\') place--;
    const at = this.kept === null ? -1 : text.lastIndexOf('<', place - 1);
    return at >= 0 && BEGINS_MARKUP.test(text.charAt(at + 1)) && endOfTag(text, at) > place ? at : place;
  }

  override settle() {
    // Each tag is judged independently.
  }
}

/** The end of the tag; a tag that is not closed before the next one ends after its bracket. */
function endOfTag(text: string, start: number) {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '>') return at + 1;
    if (text[at] === '<') break;
  }
  return start + 1;
}

/** Masks tags in code, which a browser does not read as tags. Keeps the length, so that places stay valid. */
function withoutCode(text: string, regions: readonly Utf16Span[]) {
  let masked = '';
  let read = 0;
  for (const [start, end] of regions) {
    masked += text.slice(read, start) + ' '.repeat(end - start);
    read = end;
  }
  return masked + text.slice(read);
}

/**
 * Some renderers escape everything from `\<` to the next `>`. If that ends a kept tag, the tag goes on, and the text
 * after it becomes attributes. With a character reference they do not.
 */
function escapedSignAt(text: string, at: number): Edit | null {
  let start = at;
  while (text[start - 1] === '\\' && at - start < MAX_BACKSLASHES) start--;
  const backslashes = at - start;
  if (backslashes === 0) return null;
  return { span: [at - (backslashes % 2), at + 1], replacement: '&lt;' };
}

/**
 * The tags that may stay, by their start, with their canonical form. The parsed tree contains the tags that a browser
 * reads; a bare tag of a harmless element is harmless everywhere.
 */
function keptTags(text: string, policy: LinkPolicy): ReadonlyMap<number, Edit> {
  const kept = new Map<number, Edit>();
  BARE_TAG.lastIndex = 0;
  for (let found = BARE_TAG.exec(text); found !== null; found = BARE_TAG.exec(text)) {
    const { index, 0: tag, 1: name = '' } = found;
    if (HARMLESS.has(name.toLowerCase()) && text[index - 1] !== '<')
      kept.set(index, { span: [index, index + tag.length], replacement: tag });
  }
  if (!hasFullTag(text)) return kept;
  const waiting: Node[] = [parseFragment(text, { sourceCodeLocationInfo: true })];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ('content' in node) waiting.push(node.content);
    if ('childNodes' in node) for (const child of node.childNodes) waiting.push(child);
    if ('tagName' in node) keep(node, text, policy, kept);
  }
  return kept;
}

/** Whether a harmless element may have attributes; only then the tree of the text matters. */
function hasFullTag(text: string) {
  FULL_TAG.lastIndex = 0;
  for (let found = FULL_TAG.exec(text); found !== null; found = FULL_TAG.exec(text)) {
    if (HARMLESS.has((found[1] ?? '').toLowerCase())) return true;
    FULL_TAG.lastIndex--;
  }
  return false;
}

function keep(element: Element, text: string, policy: LinkPolicy, kept: Map<number, Edit>): void {
  const start = element.sourceCodeLocation?.startTag;
  // Some renderers decode `\\<`, so that what follows is part of another tag.
  if (
    start === undefined ||
    text[start.startOffset - 1] === '<' ||
    element.namespaceURI !== html.NS.HTML ||
    !HARMLESS.has(element.tagName)
  )
    return;
  const written = text.slice(start.startOffset, start.endOffset);
  if (!TAG.test(written)) return;
  const attributes = element.attrs.filter((attribute) => isHarmless(element.tagName, attribute, policy));
  const harmless = attributes
    .map(({ name, value }) => ` ${name}="${value.replaceAll('&', '&amp;')}"`)
    .join('');
  const plain = `<${element.tagName}${harmless}>`;
  const replacement =
    written.toLowerCase() === plain.toLowerCase() || VOID_TAG.test(written) ? written : plain;
  kept.set(start.startOffset, { span: [start.startOffset, start.endOffset], replacement });
}

function isHarmless(tag: string, { name, value }: Token.Attribute, policy: LinkPolicy) {
  switch (`${tag} ${name}`) {
    case 'a href':
      return PLAIN_ADDRESS.test(value) && !policy.forbidsLink(value, 0);
    case 'code class':
      return /^language-[A-Za-z0-9+-]{1,30}$/.test(value);
    case 'ol start':
      return /^\d{1,6}$/.test(value);
    default:
      return false;
  }
}
