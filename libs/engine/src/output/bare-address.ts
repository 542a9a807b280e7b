import type { Span } from '../../../contracts/src/span.js';
import { hostAt } from './link-target.js';

const BEGINS = /https?:\/\/|(?<![A-Za-z0-9])www\.|(?<![A-Za-z0-9:/])\/\/(?=[a-z0-9-]{1,63}\.[a-z])/gi;
const ADDRESS = /[^\s<>"'`[\]]+/y;

/** With its scheme, and what may stand behind it. */
const LONGEST_HOST = 300;

export interface BareAddress {
  readonly span: Span;
  /** `null` where it can be read in more than one way. */
  readonly host: string | null;
}

/** The first address that stands in the text from `at` up to `end`: renderers make links of them. */
export function bareAddress(text: string, at: number, end: number, goesOn: boolean): BareAddress | null {
  BEGINS.lastIndex = at;
  const found = BEGINS.exec(text);
  if (found === null || found.index >= end) return null;
  const { index: start } = found;
  const host = hostOf(text, start);
  const written = addressAt(text, start);
  const isCut = goesOn && start + written.length === text.length;
  const address = isCut ? written : withoutPunctuation(written);
  return { span: [start, start + address.length], host };
}

/**
 * Where it is the target of a link, an address ends with its bracket, and what follows is another one: where the first
 * begins whose host is not known.
 */
export function strangerIn(
  text: string,
  [start, end]: Span,
  knows: (host: string | null) => boolean,
): number | null {
  const bracket = text.slice(start, end).indexOf(')');
  if (bracket === -1) return null;
  const rest = text.slice(start + bracket, end);
  BEGINS.lastIndex = 0;
  for (const { index } of rest.matchAll(BEGINS)) {
    if (!knows(hostOf(rest, index))) return start + bracket + index;
  }
  return null;
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
