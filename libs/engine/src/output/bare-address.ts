import type { Span } from '../../../contracts/src/text.js';
import { hostAt } from './link-target.js';

const BEGINS = /https?:\/\/|(?<![A-Za-z0-9])www\.|(?<![A-Za-z0-9:/])\/\/(?=[a-z0-9-]{1,63}\.[a-z])/gi;
const ADDRESS = /[^\s<>"'`[\]]+/y;
const ALLOWED = /[^\s<>"'`[\])]*/y;

/** With its scheme, and what may stand behind it. */
const LONGEST_HOST = 300;

export interface BareAddress {
  readonly span: Span;
  /** `null` where it can be read in more than one way. */
  readonly host: string | null;
  /** Behind everything that says which host it is. */
  readonly seenUntil: number;
}

/**
 * The first address that stands in the text from `at` up to `end`: renderers make links of them. It may have begun in
 * what stands before the text.
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
  BEGINS.lastIndex = at;
  let found = BEGINS.exec(whole);
  while (found !== null && BEGINS.lastIndex <= known) found = BEGINS.exec(whole);
  if (found === null || found.index - known >= end) return null;
  const { index: start } = found;
  const written = addressAt(whole, start);
  const isCut = goesOn && start + written.length === whole.length;
  const address = isCut ? written : withoutPunctuation(written);
  const stop = start + Math.max(address.length, found[0].length) - known;
  return {
    span: [Math.max(0, start - known), stop],
    host: hostOf(whole, start),
    seenUntil: start + Math.min(written.length + 1, LONGEST_HOST) - known,
  };
}

/**
 * Behind what stands from `at` on of the address of an allowed host. Where it is the target of a link, it ends with its
 * bracket, and what follows may be another one.
 */
export function endOfAllowed(text: string, at: number): number {
  ALLOWED.lastIndex = at;
  return at + (ALLOWED.exec(text)?.[0].length ?? 0);
}

function hostOf(text: string, start: number): string | null {
  const head = withoutPunctuation(addressAt(text.slice(start, start + LONGEST_HOST), 0));
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

/** What stands behind an address rather than in it is left out. */
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
