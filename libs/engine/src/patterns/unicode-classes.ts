/** Inclusive ranges of code points, ascending and without overlap. */
type CodePointRanges = readonly (readonly [first: number, last: number])[];

const MAX_CODE_POINT = 0x10ffff;

/** `\s` of ECMAScript. */
export const SPACE: CodePointRanges = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];

export const LINE_END: CodePointRanges = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];

export function complement(ranges: CodePointRanges): CodePointRanges {
  const rest: [number, number][] = [];
  let next = 0;
  for (const [first, last] of ranges) {
    if (first > next) rest.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= MAX_CODE_POINT) rest.push([next, MAX_CODE_POINT]);
  return rest;
}

/** Letters, digits and the space have no special meaning in RE2, and it parses them faster than their codes. */
const PLAIN = /^[\p{L}\d ]$/u;

/** A character in RE2 syntax, inside or outside of a class. */
export function literal(codePoint: number): string {
  const plain = String.fromCodePoint(codePoint);
  return PLAIN.test(plain) ? plain : `\\x{${codePoint.toString(16)}}`;
}

/** The content of a character class in RE2 syntax. */
export function classBody(ranges: CodePointRanges): string {
  return ranges
    .map(([first, last]) => (first === last ? literal(first) : `${literal(first)}-${literal(last)}`))
    .join('');
}

/** Long names of the general categories, which RE2 supports by their short names only. */
const CATEGORIES: Readonly<Record<string, string>> = {
  Letter: 'L',
  Cased_Letter: 'LC',
  Uppercase_Letter: 'Lu',
  Lowercase_Letter: 'Ll',
  Titlecase_Letter: 'Lt',
  Modifier_Letter: 'Lm',
  Other_Letter: 'Lo',
  Mark: 'M',
  Combining_Mark: 'M',
  Nonspacing_Mark: 'Mn',
  Spacing_Mark: 'Mc',
  Enclosing_Mark: 'Me',
  Number: 'N',
  Decimal_Number: 'Nd',
  digit: 'Nd',
  Letter_Number: 'Nl',
  Other_Number: 'No',
  Punctuation: 'P',
  punct: 'P',
  Connector_Punctuation: 'Pc',
  Dash_Punctuation: 'Pd',
  Open_Punctuation: 'Ps',
  Close_Punctuation: 'Pe',
  Initial_Punctuation: 'Pi',
  Final_Punctuation: 'Pf',
  Other_Punctuation: 'Po',
  Symbol: 'S',
  Math_Symbol: 'Sm',
  Currency_Symbol: 'Sc',
  Modifier_Symbol: 'Sk',
  Other_Symbol: 'So',
  Separator: 'Z',
  Space_Separator: 'Zs',
  Line_Separator: 'Zl',
  Paragraph_Separator: 'Zp',
  Other: 'C',
  Control: 'Cc',
  cntrl: 'Cc',
  Format: 'Cf',
  Surrogate: 'Cs',
  Private_Use: 'Co',
};

/** The RE2 name of `\p{Script=Greek}`, `\p{General_Category=Letter}` or `\p{Alphabetic}`. */
export function re2Property(key: string, value: string | null): string {
  const name = value ?? key;
  return CATEGORIES[name] ?? name;
}
