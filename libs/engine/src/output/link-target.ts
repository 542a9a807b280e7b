/** A target that ends later than this may end beyond what is seen. */
export const LONGEST_TARGET = 900;

/** A scheme that is written longer than this, in whatever encoding, is written to hide it. */
const LONGEST_SCHEME = 256;
/** Blanks, line breaks, and the mark of a quote in the next line. */
const LEADING = /[\s\p{Cc}>]*<?[\s\p{Cc}]*/uy;
const BEFORE_COLON = /[^[\]()<>"/:]*/y;

/** A path of the page's own site, and nothing that could carry data elsewhere. */
const LOCAL = /\s*\.{0,2}\/?[A-Za-z0-9_\-.][A-Za-z0-9_\-./]{0,511}(?=[\s)])/y;

/** No user, no escapes, letters of ASCII. */
const WITH_PLAIN_HOST = /<?https?:\/\/([a-z0-9.-]{1,253})(?::\d{1,5})?(?=[/?#)>\s]|$)/iy;
const ELSEWHERE = /^(?:https?:|\/{2})/;
/** In angle brackets blanks belong to it. */
const WRITTEN = /<[^<>\r\n]{0,512}|\S{0,512}/y;

const ENTITY = /&#(\d{1,7});?|&#x([0-9a-f]{1,6});?|&(colon|tab|newline|amp|sol|bsol);/gi;
const NAMED: Readonly<Record<string, string>> = {
  colon: ':',
  tab: '\t',
  newline: '\n',
  amp: '&',
  sol: '/',
  bsol: '\\',
};

/** Open ones within an address; what has more is a link to no renderer that counts them. */
const MOST_PARENTHESES = 32;

const TITLE = /[ \t\r\n]*(?:"(?:[^"\\]|\\.){0,1000}"|'(?:[^'\\]|\\.){0,1000}'|\((?:[^()\\]|\\.){0,1000}\))/sy;
const SPACE = /[ \t\r\n]*/y;
const BLANKS = /[\s\p{Cc}>]*/uy;
const ANGLED = /<[^<>\r\n]*>/y;

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** `javascript:`, however it is written; empty where the target has no scheme, `null` where it hides one. */
export function schemeAt(text: string, at: number): string | null {
  const start = at + (matchAt(LEADING, text, at)?.length ?? 0);
  const written = matchAt(BEFORE_COLON, text, start) ?? '';
  if (written.length > LONGEST_SCHEME) return null;
  const colon = text[start + written.length] === ':' ? ':' : '';
  const plain = decoded(written + colon).replaceAll('\\', '');
  const scheme = plain.slice(0, plain.indexOf(':') + 1);
  return /[/?#]/.test(scheme) ? '' : scheme;
}

export function isLocalTarget(text: string, at: number): boolean {
  return matchAt(LOCAL, text, at) !== undefined;
}

/** The host to which a target leads; `null` where it can be read in more than one way, or not at all. */
export function hostAt(text: string, at: number): string | null {
  const start = at + (matchAt(BLANKS, text, at)?.length ?? 0);
  WITH_PLAIN_HOST.lastIndex = start;
  return WITH_PLAIN_HOST.exec(text)?.[1]?.toLowerCase() ?? null;
}

/** Whether a target names a host, in whatever way. A backslash is dropped, or is a slash: that depends on the reader. */
export function leadsElsewhere(text: string, at: number): boolean {
  const start = at + (matchAt(BLANKS, text, at)?.length ?? 0);
  const written = decoded(matchAt(WRITTEN, text, start)?.replace('<', '') ?? '');
  return ELSEWHERE.test(written.replaceAll('\\', '/')) || ELSEWHERE.test(written.replaceAll('\\', ''));
}

/** Entities and percent signs decoded, over and over, and all blanks dropped that browsers and renderers drop. */
function decoded(written: string): string {
  let text = written;
  for (let round = 0; round < 4; round++) {
    const next = text
      .replaceAll(ENTITY, (_, decimal?: string, hex?: string, name?: string) =>
        name === undefined ? character(decimal, hex) : (NAMED[name.toLowerCase()] ?? ''),
      )
      .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => character(undefined, hex));
    if (next === text) break;
    text = next;
  }
  return text.replaceAll(/[\s\p{Cc}\p{Cf}]/gu, '').toLowerCase();
}

function character(decimal: string | undefined, hex: string | undefined): string {
  const point = decimal === undefined ? Number.parseInt(hex ?? '0', 16) : Number(decimal);
  return point <= 0x10ffff ? String.fromCodePoint(point) : '';
}

/** Behind a link's target, which begins after `(`: behind its `)`, or behind its address where it is not closed. */
export function endOfLinkTarget(text: string, at: number): number {
  const address = endOfAddress(text, at);
  const title = address + (matchAt(TITLE, text, address)?.length ?? 0);
  const end = title + (matchAt(SPACE, text, title)?.length ?? 0);
  return text[end] === ')' ? end + 1 : address;
}

/** Behind an address: in angle brackets, or up to whitespace or a parenthesis that it did not open. */
export function endOfAddress(text: string, at: number): number {
  const start = at + (matchAt(BLANKS, text, at)?.length ?? 0);
  const angled = matchAt(ANGLED, text, start);
  if (angled !== undefined) return start + angled.length;
  let depth = 0;
  let end = start;
  for (; end < text.length; end++) {
    const unit = text.charCodeAt(end);
    if (unit <= 0x20) break;
    if (unit === 0x5c) end++;
    else if (unit === 0x28 && ++depth > MOST_PARENTHESES) break;
    else if (unit === 0x29 && depth-- === 0) break;
  }
  return Math.min(end, text.length);
}
