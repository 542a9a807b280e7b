/** Whatever is said of a target, is said by so much of it. */
const LONGEST_TARGET = 900;

/** A scheme that is written longer than this, in whatever encoding, is written to hide it. */
const LONGEST_SCHEME = 256;
/** Blanks, line breaks, and the mark of a quote in the next line: of more than these, they are there to hide it. */
const MOST_BLANKS = 256;
const LEADING = /[\s\p{Cc}>]{0,256}<?[\s\p{Cc}]{0,256}/uy;
const STILL_BLANK = /[\s\p{Cc}>]/uy;
const BEFORE_COLON = /[^[\]()<>"/:]{0,257}/y;

/** A path of the page's own site, and nothing that could carry data elsewhere. */
const LOCAL = /\s{0,256}\.{0,2}\/?[A-Za-z0-9_\-.][A-Za-z0-9_\-./]{0,511}(?=[\s)])/y;

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

const TITLE =
  /[ \t\r\n]{0,256}(?:"(?:[^"\\]|\\.){0,1000}"|'(?:[^'\\]|\\.){0,1000}'|\((?:[^()\\]|\\.){0,1000}\))/sy;
const TITLE_OR_PART =
  /[ \t\r\n]{0,256}(?:"(?:[^"\\]|\\.){0,1000}|'(?:[^'\\]|\\.){0,1000}|\((?:[^()\\]|\\.){0,1000})?/sy;
const SPACE = /[ \t\r\n]{0,256}/y;
const BLANKS = /[\s\p{Cc}>]{0,256}/uy;
const ANGLED = /<[^<>\r\n]*>/y;
const ANGLED_OR_PART = /[\s\p{Cc}>]{0,256}<[^<>\r\n]*>?/uy;
const DEFINED = /[\s\p{Cc}>]{0,256}(?:<[^<>\r\n]{0,512}|\S{0,512})/uy;

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function lengthAt(pattern: RegExp, text: string, at: number): number {
  return matchAt(pattern, text, at)?.length ?? 0;
}

/** `javascript:`, however it is written; empty where the target has no scheme, `null` where it hides one. */
export function schemeAt(text: string, at: number): string | null {
  const start = at + lengthAt(LEADING, text, at);
  const written = matchAt(BEFORE_COLON, text, start) ?? '';
  if (written.length > LONGEST_SCHEME) return null;
  if (start - at >= MOST_BLANKS && matchAt(STILL_BLANK, text, start) !== undefined) return null;
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
  const start = at + lengthAt(BLANKS, text, at);
  WITH_PLAIN_HOST.lastIndex = start;
  return WITH_PLAIN_HOST.exec(text)?.[1]?.toLowerCase() ?? null;
}

/** Whether a target names a host, in whatever way. A backslash is dropped, or is a slash: that depends on the reader. */
export function leadsElsewhere(text: string, at: number): boolean {
  const start = at + lengthAt(BLANKS, text, at);
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

/** How a link's target, which begins after `(`, is seen. */
export interface SeenTarget {
  /** Behind its `)`, or behind its address where it is not closed. */
  readonly end: number;
  /** A title or an address that does not end in what is looked at may still be closed. */
  readonly mayBeClosed: boolean;
  /** Behind everything that says so. */
  readonly seenUntil: number;
}

export function seenTarget(text: string, at: number): SeenTarget {
  const end = endOfLinkTarget(text, at);
  const seenUntil = sightOfTarget(text, at, end);
  const limit = at + LONGEST_TARGET;
  if (seenUntil <= limit || text.length <= limit) {
    return { end, mayBeClosed: text[end - 1] === ')', seenUntil };
  }
  return { end: endOfLinkTarget(text.slice(0, limit), at), mayBeClosed: true, seenUntil: limit };
}

/** Behind everything that decides about the target of a definition. */
export function sightOfDefinition(text: string, at: number): number {
  return Math.max(sightOfScheme(text, at), at + lengthAt(DEFINED, text, at) + 1);
}

function sightOfScheme(text: string, at: number): number {
  const start = at + lengthAt(LEADING, text, at);
  return start + lengthAt(BEFORE_COLON, text, start) + 1;
}

function sightOfTarget(text: string, at: number, end: number): number {
  const angled = at + lengthAt(ANGLED_OR_PART, text, at);
  const address = endOfAddress(text, at);
  const sight = Math.max(end, sightOfScheme(text, at), text[angled - 1] === '>' ? angled : angled + 1);
  if (end > address) return sight;
  const title = address + lengthAt(TITLE, text, address);
  return Math.max(
    sight,
    address + lengthAt(TITLE_OR_PART, text, address) + 1,
    title + lengthAt(SPACE, text, title) + 1,
  );
}

/** Behind a link's target, which begins after `(`: behind its `)`, or behind its address where it is not closed. */
export function endOfLinkTarget(text: string, at: number): number {
  const address = endOfAddress(text, at);
  const title = address + lengthAt(TITLE, text, address);
  const end = title + lengthAt(SPACE, text, title);
  return text[end] === ')' ? end + 1 : address;
}

/** Behind an address: in angle brackets, or up to whitespace or a parenthesis that it did not open. */
export function endOfAddress(text: string, at: number): number {
  const start = at + lengthAt(BLANKS, text, at);
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
