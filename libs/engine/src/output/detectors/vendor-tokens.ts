import type { Span } from '#contracts/text.js';
import { isMixed } from './randomness.js';
import { VENDOR_TOKENS } from './vendor-tokens.data.js';

// Finds the tokens of the table. A place is read only if a prefix stands there, and up to the length of a token.

/** The alphabets of the table. */
const ALPHABETS: Readonly<Record<string, string>> = {
  digit: '[0-9]',
  hex: '[0-9a-f]',
  lower: '[0-9a-z]',
  upper: '[0-9A-Z]',
  letter: '[A-Za-z]',
  alnum: '[0-9A-Za-z]',
  bech32: '[02-9AC-HJ-NP-Z]',
  hyphened: '[0-9A-Za-z-]',
  path: '[0-9A-Za-z/]',
  name: '[0-9a-z_-]',
  word: '[0-9A-Za-z_-]',
  dotted: '[0-9A-Za-z_.-]',
  azure: '[0-9A-Za-z_~.-]',
  base64: '[0-9A-Za-z+/]',
  padded: '[0-9A-Za-z+/=_-]',
};

/** A line break within a token, also in a quote or after a backslash. */
const LINE_BREAK = String.raw`\\?\r?\n[ \t>]{0,8}`;
const LINES = new RegExp(LINE_BREAK);
/** Two to four lines without blanks, as far as a token can reach. */
const CUT = new RegExp(`[^\\s"'<>|\\\\]{8,200}(?:${LINE_BREAK}[^\\s"'<>|\\\\]{1,200}){1,3}`, 'y');
const MIN_LINE = 4;
/** Two lines of words have fewer digits than two lines of a token. */
const MIN_DIGITS = 3;
/** The end of a sample such as `xxxx`. */
const SAMPLE = /(.)\1{11}$/;

interface Form {
  readonly name: string;
  readonly prefix: string;
  readonly isMixed: boolean;
  /** Matches at the place of the prefix. The group is what stands before it. */
  readonly pattern: RegExp;
  /** The same over several lines. */
  readonly lines: RegExp;
}

export interface VendorTokenMatch {
  readonly name: string;
  readonly span: Span;
}

/** Writes a form as a regular expression. `unit` writes one character of an alphabet. */
function sourceOf(form: string, unit: (alphabet: string) => string = (alphabet) => alphabet): string {
  return form
    .replaceAll(/[.$]/g, String.raw`\$&`)
    .replaceAll(/([a-z]+\d*)(?=\{)/g, (_, name: string) => unit(ALPHABETS[name] ?? name));
}

const END = '(?![0-9A-Za-z])';
const formsByPair = new Map<number, Form[]>();
for (const [name, prefixes, body, , , check, before] of VENDOR_TOKENS)
  for (const prefix of prefixes.split(' ')) {
    const [alphabet = ''] = before?.split('{') ?? [];
    const start =
      (before === undefined ? '' : `(?<=(?<!${ALPHABETS[alphabet]})(${sourceOf(before)}))`) + sourceOf(prefix);
    const inLines = sourceOf(body, (unit) => `(?:(?:${LINE_BREAK})?${unit})`).replaceAll('}', '}?');
    const pair = pairOf(prefix);
    const forms = formsByPair.get(pair) ?? [];
    formsByPair.set(pair, forms);
    forms.push({
      name,
      prefix,
      isMixed: check === 'mixed',
      pattern: new RegExp(start + sourceOf(body) + END, 'y'),
      lines: new RegExp(start + inLines + END, 'y'),
    });
  }

/** A number for the first two characters of a text. */
export function pairOf(text: string): number {
  return (text.charCodeAt(0) << 7) | text.charCodeAt(1);
}

/** The first two characters of all prefixes. Those of a prefix in the middle of a token can stand in a word. */
export const tokenPairs: ReadonlyMap<number, boolean> = new Map(
  Array.from(formsByPair, ([pair, [form]]) => [pair, form?.pattern.source.startsWith('(?<=') === true]),
);

/** Whether a prefix stands at a place. */
export function hasPrefix(text: string, at: number, pair: number): boolean {
  for (const { prefix } of formsByPair.get(pair) ?? []) if (text.startsWith(prefix, at)) return true;
  return false;
}

/** The token whose prefix stands at a place. */
export function tokenAt(text: string, at: number): VendorTokenMatch | null {
  for (const form of formsByPair.get(pairOf(text.slice(at, at + 2))) ?? []) {
    if (!text.startsWith(form.prefix, at)) continue;
    const span = matchAt(form.pattern, form, text, at) ?? matchInLines(form, text, at);
    if (span !== null) return { name: form.name, span };
  }
  return null;
}

function matchAt(pattern: RegExp, { prefix, isMixed: mustBeMixed }: Form, text: string, at: number): Span | null {
  pattern.lastIndex = at;
  const [token, before = ''] = pattern.exec(text) ?? [];
  if (token === undefined) return null;
  const own = before + token.slice(before === '' ? prefix.length : 0);
  if (SAMPLE.test(own) || (mustBeMixed && !isMixed(own))) return null;
  return [at - before.length, at + token.length];
}

/** A token that is divided by line breaks. Its first line is followed by a part of it only. */
function matchInLines(form: Form, text: string, at: number): Span | null {
  CUT.lastIndex = at;
  if (!CUT.test(text)) return null;
  const near = text.slice(0, CUT.lastIndex);
  const span = matchAt(form.lines, form, near, at);
  if (span === null) return null;
  const lines = near.slice(at, span[1]).split(LINES);
  const digits = near.slice(...span).match(/\d/g)?.length ?? 0;
  return lines.every(({ length }) => length >= MIN_LINE) && digits >= MIN_DIGITS ? span : null;
}
