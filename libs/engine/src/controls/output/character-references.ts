/** Character references of HTML, such as `&#95;`, as far as they can hide a finding. Read by the view of rendered text. */
import { matchAt } from '../../text/next-match.js';

/** The names of references to ASCII characters, spaces, dashes and invisible characters. Others hide no finding. */
const NAMES: Readonly<Record<string, string>> = {
  '\t': 'Tab',
  '\n': 'NewLine',
  '!': 'excl',
  '"': 'quot QUOT',
  '#': 'num',
  $: 'dollar',
  '%': 'percnt',
  '&': 'amp AMP',
  "'": 'apos',
  '(': 'lpar',
  ')': 'rpar',
  '*': 'ast midast',
  '+': 'plus',
  ',': 'comma',
  '.': 'period',
  '/': 'sol',
  ':': 'colon',
  ';': 'semi',
  '<': 'lt LT',
  '=': 'equals',
  '>': 'gt GT',
  '?': 'quest',
  '@': 'commat',
  '[': 'lsqb lbrack',
  '\\': 'bsol',
  ']': 'rsqb rbrack',
  '^': 'Hat',
  _: 'lowbar UnderBar',
  '`': 'grave DiacriticalGrave',
  '{': 'lcub lbrace',
  '|': 'verbar vert VerticalLine',
  '}': 'rcub rbrace',
  fj: 'fjlig',
  ' ': 'nbsp NonBreakingSpace ensp emsp emsp13 emsp14 numsp puncsp thinsp ThinSpace hairsp VeryThinSpace MediumSpace',
  '-': 'hyphen dash ndash mdash minus horbar',
  '': 'shy ZeroWidthSpace NegativeVeryThinSpace NegativeThinSpace NegativeMediumSpace NegativeThickSpace zwj zwnj lrm rlm NoBreak ApplyFunction af InvisibleTimes it InvisibleComma ic',
};
const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMES).flatMap(([character, names]) => names.split(' ').map((name) => [name, character])),
);
const NAME = /&[A-Za-z][A-Za-z0-9]{1,31};?/y;
/** Any number of zeros, and at most seven decimal or six hexadecimal digits. */
const NUMBER = /&#(?:[xX](?=[0-9a-fA-F])0*([0-9a-fA-F]{0,6})|(?=\d)0*(\d{0,7}));?/y;
/** Browsers accept these without a semicolon. */
const WITHOUT_SEMICOLON = /^&(?:amp|AMP|gt|GT|lt|LT|nbsp|quot|QUOT|shy)/;

/** The reading of an ampersand. */
interface ReadReference {
  /** `null` if it begins no reference. */
  readonly character: string | null;
  /** Units read, at least one. */
  readonly length: number;
}

/** Reads `&#95;`, `&#x5F;` or `&lowbar;`, also without a semicolon where browsers do. */
export function referenceAt(source: string, start: number): ReadReference {
  NUMBER.lastIndex = start;
  const number = NUMBER.exec(source);
  if (number === null) return namedReferenceAt(source, start);
  const [{ length }, hexadecimals, decimals = hexadecimals] = number;
  const code = Number.parseInt(`0${decimals}`, hexadecimals === undefined ? 10 : 16);
  return { character: characterOf(code), length };
}

function namedReferenceAt(source: string, start: number): ReadReference {
  const reference = matchAt(NAME, source, start);
  const character = reference.endsWith(';') ? NAMED.get(reference.slice(1, -1)) : undefined;
  if (character !== undefined) return { character, length: reference.length };
  const [legacy] = WITHOUT_SEMICOLON.exec(reference) ?? [];
  if (legacy === undefined) return { character: null, length: reference.length || 1 };
  return { character: NAMED.get(legacy.slice(1)) ?? null, length: legacy.length };
}

/** `null` if it is not a character. */
function characterOf(code: number) {
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return null;
  return code === 0 ? '' : String.fromCodePoint(code);
}
