/** Named references of ASCII characters, spaces, dashes and invisible characters. Others hide no finding. */
const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Tab: '\t',
    NewLine: '\n',
    excl: '!',
    quot: '"',
    QUOT: '"',
    num: '#',
    dollar: '$',
    percnt: '%',
    amp: '&',
    AMP: '&',
    apos: "'",
    lpar: '(',
    rpar: ')',
    ast: '*',
    midast: '*',
    plus: '+',
    comma: ',',
    period: '.',
    sol: '/',
    colon: ':',
    semi: ';',
    lt: '<',
    LT: '<',
    equals: '=',
    gt: '>',
    GT: '>',
    quest: '?',
    commat: '@',
    lsqb: '[',
    lbrack: '[',
    bsol: '\\',
    rsqb: ']',
    rbrack: ']',
    Hat: '^',
    lowbar: '_',
    UnderBar: '_',
    grave: '`',
    DiacriticalGrave: '`',
    lcub: '{',
    lbrace: '{',
    verbar: '|',
    vert: '|',
    VerticalLine: '|',
    rcub: '}',
    rbrace: '}',
    fjlig: 'fj',
    nbsp: ' ',
    NonBreakingSpace: ' ',
    ensp: ' ',
    emsp: ' ',
    emsp13: ' ',
    emsp14: ' ',
    numsp: ' ',
    puncsp: ' ',
    thinsp: ' ',
    ThinSpace: ' ',
    hairsp: ' ',
    VeryThinSpace: ' ',
    MediumSpace: ' ',
    hyphen: '-',
    dash: '-',
    ndash: '-',
    mdash: '-',
    minus: '-',
    horbar: '-',
    shy: '',
    ZeroWidthSpace: '',
    NegativeVeryThinSpace: '',
    NegativeThinSpace: '',
    NegativeMediumSpace: '',
    NegativeThickSpace: '',
    zwj: '',
    zwnj: '',
    lrm: '',
    rlm: '',
    NoBreak: '',
    ApplyFunction: '',
    af: '',
    InvisibleTimes: '',
    it: '',
    InvisibleComma: '',
    ic: '',
  }),
);
const NAME = /&[A-Za-z][A-Za-z0-9]{1,31};?/y;
const MAX_DECIMALS = 7;
const MAX_HEXADECIMALS = 6;
const SEMICOLON = 0x3b;

/** Browsers accept these without a semicolon. */
const WITHOUT_SEMICOLON = /^&(?:amp|AMP|gt|GT|lt|LT|nbsp|quot|QUOT|shy)/;

/** The reading of an ampersand. */
export interface ReadReference {
  /** `null` if it begins no reference. */
  readonly character: string | null;
  /** Units read, at least one. */
  readonly length: number;
}

/** Reads `&#95;`, `&#x5F;` or `&lowbar;`, also without a semicolon where browsers do. */
export function referenceAt(source: string, start: number): ReadReference {
  return source.charAt(start + 1) === '#'
    ? numericReferenceAt(source, start)
    : namedReferenceAt(source, start);
}

function namedReferenceAt(source: string, start: number): ReadReference {
  NAME.lastIndex = start;
  if (!NAME.test(source)) return { character: null, length: 1 };
  const reference = source.slice(start, NAME.lastIndex);
  const character = reference.endsWith(';') ? NAMED.get(reference.slice(1, -1)) : undefined;
  if (character !== undefined) return { character, length: reference.length };
  const [legacy] = WITHOUT_SEMICOLON.exec(reference) ?? [];
  if (legacy === undefined) return { character: null, length: reference.length };
  return { character: NAMED.get(legacy.slice(1)) ?? null, length: legacy.length };
}

/** Any number of zeros, and at most seven decimal or six hexadecimal digits. */
function numericReferenceAt(source: string, start: number): ReadReference {
  const isHexadecimal = (source.charCodeAt(start + 2) | 0x20) === 0x78;
  const base = isHexadecimal ? 16 : 10;
  const digitsStart = start + (isHexadecimal ? 3 : 2);
  let place = digitsStart;
  while (source.charCodeAt(place) === 0x30) place++;
  const limit = place + (isHexadecimal ? MAX_HEXADECIMALS : MAX_DECIMALS);
  let code = 0;
  for (; place < limit; place++) {
    const digit = digitOf(source.charCodeAt(place));
    if (digit >= base) break;
    code = code * base + digit;
  }
  if (place === digitsStart) return { character: null, length: 1 };
  if (source.charCodeAt(place) === SEMICOLON) place++;
  return { character: characterOf(code), length: place - start };
}

/** The value of a digit of any base; 36 for other characters. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a ? lower - 0x57 : 36;
}

/** `null` if it is not a character. */
function characterOf(code: number): string | null {
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return null;
  return code === 0 ? '' : String.fromCodePoint(code);
}
