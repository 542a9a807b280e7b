import type { Span } from '#contracts/text.js';
import { hostAt } from './link-policy.js';

const EXPLICIT = String.raw`(?:https?|ftp)\\?:\\?\/\\?\/|(?<![A-Za-z0-9])www\\?\.|www\\?\.(?=[\p{L}\p{N}])|(?<![A-Za-z0-9:/])\/\/(?=[^\s/<>]{1,63}\.\p{L})`;
/** Some renderers accept symbols in a domain, except those that no address may contain. */
const SYMBOL = String.raw`(?![<>^|\x60])\p{S}`;
/** Renderers that guess addresses accept these domains of the top level, and every one of two letters. */
const GUESSED = String.raw`(?<![\p{L}\p{N}])(?<![\p{L}\p{N}][._-]{1,8})(?<![\p{L}\p{N}_.%+-]@)(?:(?:[\p{L}\p{N}]|${SYMBOL})(?:[\p{L}\p{N}_-]|${SYMBOL}){0,62}\.){1,8}(?:biz|com|edu|gov|net|org|pro|web|xxx|aero|asia|coop|info|museum|name|shop|рф|[a-z]{2}|xn--[a-z0-9-]{1,59})(?![\p{L}\p{N}_-])`;
const BEGINS = new RegExp(`(${EXPLICIT})|${GUESSED}`, 'giu');
const ADDRESS = /[^\s<>"'`[\]]+/y;
const ALLOWED = /[^\s<>"'`[\])]*/y;

/** With its scheme, and what may follow it. */
const MAX_HOST = 300;

export interface BareAddress {
  readonly span: Span;
  /** `null` where it can be read in more than one way. */
  readonly host: string | null;
  /** It has a scheme, `www.` or `//`. */
  readonly isExplicit: boolean;
  /** Where the search for the next one may begin if this one is allowed: a link's target ends with its bracket. */
  readonly resumeAt: number;
  /** The end of the text that the host depends on. */
  readonly seenUntil: number;
}

/**
 * The first address in the text from `at` up to `end` that renderers make a link of. It may have begun in `before`,
 * the end of the preceding text.
 */
export function bareAddress(
  text: string,
  at: number,
  end: number,
  before: string,
  goesOn: boolean,
): BareAddress | null {
  const whole = before + text;
  const known = before.length;
  BEGINS.lastIndex = at + (at === 0 ? 0 : known);
  let found = BEGINS.exec(whole);
  while (found !== null && BEGINS.lastIndex <= known) found = BEGINS.exec(whole);
  if (found === null || found.index - known >= end) return null;
  const { index: start } = found;
  const isExplicit = found[1] !== undefined;
  const written = isExplicit ? addressAt(whole, start) : found[0];
  const isCut = goesOn && start + written.length === whole.length;
  const address = isCut || !isExplicit ? written : withoutPunctuation(written);
  const stop = start + Math.max(address.length, found[0].length) - known;
  const host = isExplicit ? hostOf(whole, start) : found[0].toLowerCase();
  return {
    span: [Math.max(0, start - known), stop],
    host,
    isExplicit,
    resumeAt: isExplicit ? endOfAllowed(whole, start) - known : stop,
    seenUntil: start + Math.min(written.length + 1, MAX_HOST) - known,
  };
}

function endOfAllowed(text: string, start: number): number {
  ALLOWED.lastIndex = start;
  return start + Math.max(1, ALLOWED.exec(text)?.[0].length ?? 0);
}

function hostOf(text: string, start: number): string | null {
  const head = withoutPunctuation(addressAt(text.slice(start, start + MAX_HOST), 0));
  return hostAt(withScheme(head), 0);
}

function withScheme(address: string): string {
  if (address.startsWith('//')) return `http:${address}`;
  return /^www\./i.test(address) ? `http://${address}` : address;
}

function addressAt(text: string, start: number): string {
  ADDRESS.lastIndex = start;
  return ADDRESS.exec(text)?.[0] ?? '';
}

/** Without the punctuation that ends a sentence rather than an address. */
function withoutPunctuation(address: string): string {
  let surplus = 0;
  for (const unit of address) surplus += unit === ')' ? 1 : unit === '(' ? -1 : 0;
  let end = address.length;
  for (; end > 0; end--) {
    const last = address.charAt(end - 1);
    if (last === ')' && surplus-- > 0) continue;
    if (!/[?!.,:;*_~]/.test(last)) break;
  }
  return address.slice(0, end);
}
