import type { Utf16Span } from '#contracts/common/spans.js';
import { ALPHABETS, VENDOR_TOKENS } from './vendor-tokens.data.js';

// Finds the tokens of the table. A place is read only if a prefix stands there, and up to the length of a token.

/** A line break within a token, also in a quote or after a backslash. */
const LINE_BREAK = String.raw`\\?\r?\n[ \t>]{0,8}`;
const LINES = new RegExp(LINE_BREAK);
/** Two to four lines without blanks, as far as a token can reach. */
const MAX_LINE = 200;
const CUT = new RegExp(
  `[^\\s"'<>|\\\\]{8,${MAX_LINE}}(?:${LINE_BREAK}[^\\s"'<>|\\\\]{1,${MAX_LINE}}){1,3}`,
  'y',
);
const MIN_LINE = 4;
/** Two lines of words have fewer digits than two lines of a token. */
const MIN_DIGITS = 3;
/** The end of a sample such as `xxxx`. */
const SAMPLE = /^(.)\1{11}$/;

interface Form {
  readonly name: string;
  readonly prefix: string;
  readonly isMixed: boolean;
  /** A 1 for each character that can follow the prefix, and how many of them follow at least. */
  readonly first: Uint8Array;
  readonly min: number;
  /** Matches at the place of the prefix. The group is what stands before it. */
  readonly pattern: RegExp;
  /** The same over several lines. */
  readonly lines: RegExp;
}

interface VendorTokenMatch {
  readonly name: string;
  readonly span: Utf16Span;
}

/** Writes a form as a regular expression. `unit` writes one character of an alphabet. */
function sourceOf(form: string, unit: (alphabet: string) => string = (alphabet) => alphabet) {
  return form
    .replaceAll(/[.$]/g, String.raw`\$&`)
    .replaceAll(/([a-z]+\d*)(?=\{)/g, (_, name: string) => unit(ALPHABETS[name] ?? name));
}

const END = '(?![0-9A-Za-z])';
/** Where the first two characters of a prefix can begin a token: at the beginning of a word, or anywhere. */
export const AT_WORD = 1;
export const IN_WORD = 2;
export const TOKEN_PAIRS = new Uint8Array(128 * 128);
/** Forms by the number of the first two characters of their prefix. */
const formsByPair: Form[][] = [];
for (const [name, prefixes, body, , , check, before] of VENDOR_TOKENS)
  for (const prefix of prefixes.split(' ')) {
    const [alphabet = ''] = before?.split('{') ?? [];
    const start =
      (before === undefined ? '' : `(?<=(?<!${ALPHABETS[alphabet]})(${sourceOf(before)}))`) +
      sourceOf(prefix);
    const inLines = sourceOf(body, (unit) => `(?:(?:${LINE_BREAK})?${unit})`).replaceAll('}', '}?');
    const [, first = '', min] = /^(\w+)\{(\d+)/.exec(body) ?? [];
    const follows = new RegExp(ALPHABETS[first] ?? '');
    const pair = pairOf(prefix);
    TOKEN_PAIRS[pair] = before === undefined ? AT_WORD : IN_WORD;
    (formsByPair[pair] ??= []).push({
      name,
      prefix,
      isMixed: check === 'mixed',
      first: Uint8Array.from({ length: 128 }, (_, code) => Number(follows.test(String.fromCharCode(code)))),
      min: Number(min),
      pattern: new RegExp(start + sourceOf(body) + END, 'y'),
      lines: new RegExp(start + inLines + END, 'y'),
    });
  }

/** A number for the first two characters of a text. */
export function pairOf(text: string): number {
  return (text.charCodeAt(0) << 7) | text.charCodeAt(1);
}

/** Whether a token could begin at a place. */
export function couldBegin(text: string, at: number, pair: number): boolean {
  for (const form of formsByPair[pair] ?? []) if (hasBeginning(form, text, at)) return true;
  return false;
}

/** Whether a prefix and the first part of a body stand at a place, or the beginning of the part and a line break. */
function hasBeginning({ prefix, first, min }: Form, text: string, at: number) {
  for (let place = 2; place < prefix.length; place++)
    if (text.charCodeAt(at + place) !== prefix.charCodeAt(place)) return false;
  const start = at + prefix.length;
  let end = start;
  while (end - start < min && first[text.charCodeAt(end)] === 1) end++;
  return end - start >= min || (end - start >= MIN_LINE && isLineEnd(text.charCodeAt(end)));
}

/** A line feed, a carriage return or a backslash. */
function isLineEnd(code: number) {
  return code === 0x0a || code === 0x0d || code === 0x5c;
}

/** The tokens of all names that begin before a place, given where tokens could begin. */
export function vendorTokens(
  text: string,
  places: readonly number[],
  until = text.length,
): readonly VendorTokenMatch[] {
  const found: VendorTokenMatch[] = [];
  let read = 0;
  for (const [index, place] of places.entries()) {
    if (place < read) continue;
    const token = tokenAt(text, place, places[index + 1] ?? Infinity);
    if (token === null || token.span[0] < read || token.span[0] >= until) continue;
    found.push(token);
    read = token.span[1];
  }
  return found;
}

/** The token that begins at a place. One that is divided by line breaks is the last that could begin in its line. */
function tokenAt(text: string, at: number, next: number): VendorTokenMatch | null {
  const pair = (text.charCodeAt(at) << 7) | text.charCodeAt(at + 1);
  for (const form of formsByPair[pair] ?? []) {
    if (!hasBeginning(form, text, at)) continue;
    const span = matchAt(form.pattern, form, text, at) ?? matchInLines(form, text, at, next);
    if (span !== null) return { name: form.name, span };
  }
  return null;
}

function matchAt(
  pattern: RegExp,
  { prefix, isMixed: mustBeMixed }: Form,
  text: string,
  at: number,
): Utf16Span | null {
  pattern.lastIndex = at;
  const [token, before = ''] = pattern.exec(text) ?? [];
  if (token === undefined) return null;
  const own = before + token.slice(before === '' ? prefix.length : 0);
  if (SAMPLE.test(own.slice(-12)) || (mustBeMixed && !isMixed(own))) return null;
  return [at - before.length, at + token.length];
}

/** A token that is divided by line breaks. Its first line is followed by a part of it only. */
function matchInLines(form: Form, text: string, at: number, next: number): Utf16Span | null {
  CUT.lastIndex = at;
  if (!text.slice(at, Math.min(next, at + MAX_LINE)).includes('\n') || !CUT.test(text)) return null;
  const offset = Math.max(0, at - MAX_LINE);
  const near = text.slice(offset, CUT.lastIndex);
  const span = matchAt(form.lines, form, near, at - offset);
  if (span === null) return null;
  const token = near.slice(...span);
  const isToken = token.split(LINES).every(({ length }) => length >= MIN_LINE);
  return isToken && token.split(/\d/).length > MIN_DIGITS ? [span[0] + offset, span[1] + offset] : null;
}

export function isMixed(text: string): boolean {
  return /\d/.test(text) && /[A-Za-z]/.test(text);
}
