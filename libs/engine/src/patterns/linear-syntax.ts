import type { AST } from '@eslint-community/regexpp';

/** The reason why a pattern cannot run. The message continues "The pattern …" and is safe to return to clients. */
export class PatternError extends Error {
  override readonly name: string = 'PatternError';
}

/** The flags in force for `^`, `$` and `.`. Modifiers such as `(?ms-i:…)` change them within a group. */
export interface Reading {
  readonly multiline: boolean;
  readonly dotAll: boolean;
}

/** A part of a pattern in RE2 syntax with its minimum length. */
interface Piece {
  readonly text: string;
  readonly width: number;
}

const MAX_REPEATS = 1000;

const unsupported = (what: string) =>
  new PatternError(`uses ${what}, which the linear engine does not support`);

const ANYTHING = '(?s:.)';
const NOTHING = '[^\\x{0}-\\x{10ffff}]';

/** The name of the group for context before a match. Replaces look-behind. */
const CONTEXT_GROUP = 'before';

/** Translates ECMAScript to RE2 syntax with the same meaning. Only the `before` group captures. */
export function toLinearSyntax(pattern: AST.Pattern, reading: Reading): Piece {
  return alternatives(pattern.alternatives, reading);
}

function alternatives(branches: readonly AST.Alternative[], reading: Reading): Piece {
  const pieces = branches.map((branch) => branch.elements.map((element) => piece(element, reading)));
  const widths = pieces.map((branch) => branch.reduce((sum, { width }) => sum + width, 0));
  return {
    text: pieces.map((branch) => branch.map(({ text }) => text).join('')).join('|'),
    width: Math.min(...widths),
  };
}

function piece(element: AST.Element, reading: Reading): Piece {
  switch (element.type) {
    case 'Character':
      return character(element.value);
    case 'CharacterSet':
      return { text: characterSet(element, reading), width: 1 };
    case 'CharacterClass':
      return characterClass(element);
    case 'ExpressionCharacterClass':
      throw unsupported('a set operation in a character class');
    case 'CapturingGroup': {
      const inside = alternatives(element.alternatives, reading);
      if (element.name !== CONTEXT_GROUP) return group('', inside);
      return { text: `(${inside.text})`, width: 0 };
    }
    case 'Group':
      return modifiedGroup(element, reading);
    case 'Quantifier':
      return quantified(element, reading);
    case 'Assertion':
      return assertion(element, reading);
    default:
      element satisfies AST.Backreference;
      throw unsupported('a back-reference');
  }
}

function character(codePoint: number): Piece {
  return { text: literal(codePoint), width: 1 };
}

function group(flags: string, inside: Piece): Piece {
  return { text: `(?${flags}:${inside.text})`, width: inside.width };
}

function modifiedGroup(element: AST.Group, reading: Reading): Piece {
  const { add, remove } = element.modifiers ?? { add: null, remove: null };
  const within: Reading = {
    multiline: (reading.multiline || add?.multiline === true) && remove?.multiline !== true,
    dotAll: (reading.dotAll || add?.dotAll === true) && remove?.dotAll !== true,
  };
  const flags = add?.ignoreCase === true ? 'i' : remove?.ignoreCase === true ? '-i' : '';
  return group(flags, alternatives(element.alternatives, within));
}

function quantified(element: AST.Quantifier, reading: Reading): Piece {
  const { min, max, greedy } = element;
  if (min > MAX_REPEATS || (max !== Infinity && max > MAX_REPEATS)) {
    throw new PatternError(`repeats something more than ${MAX_REPEATS} times`);
  }
  const inside = piece(element.element, reading);
  const count = max === Infinity ? `{${min},}` : `{${min},${max}}`;
  return { text: `(?:${inside.text})${count}${greedy ? '' : '?'}`, width: inside.width * min };
}

function assertion(element: AST.Assertion, reading: Reading): Piece {
  switch (element.kind) {
    case 'lookahead':
      throw unsupported('a look-ahead');
    case 'lookbehind':
      throw unsupported('a look-behind');
    case 'word':
      return { text: element.negate ? '\\B' : '\\b', width: 0 };
    // With `m`, only U+000A ends a line, because RE2 supports no other line end.
    case 'start':
      return { text: reading.multiline ? '(?m:^)' : '\\A', width: 0 };
    default:
      element.kind satisfies 'end';
      return { text: reading.multiline ? '(?m:$)' : '\\z', width: 0 };
  }
}

/** Uses a negated class if it is shorter, because a case-insensitive class costs its width. */
function characterSet(set: AST.CharacterSet, reading: Reading) {
  if (set.kind === 'any') return reading.dotAll ? ANYTHING : caseless(`[^${classBody(LINE_END)}]`);
  if (set.kind === 'space') return caseless(`[${set.negate ? '^' : ''}${classBody(SPACE)}]`);
  return set.kind === 'digit' ? caseless(`[${setBody(set)}]`) : `[${setBody(set)}]`;
}

/** Disables case folding for a class without cased members, because it would cost the width of the class. */
function caseless(text: string) {
  return `(?-i:${text})`;
}

function hasNoCase(member: AST.CharacterClassElement) {
  switch (member.type) {
    case 'Character':
      return isAsciiMark(member.value);
    case 'CharacterClassRange':
      return isAsciiMark(member.min.value) && isAsciiMark(member.max.value) && !spansLetters(member);
    case 'CharacterSet':
      return member.kind === 'space' || member.kind === 'digit';
    default:
      return false;
  }
}

const isAsciiMark = (codePoint: number) =>
  codePoint < 0x80 && !/[A-Za-z]/.test(String.fromCodePoint(codePoint));

const spansLetters = ({ min, max }: AST.CharacterClassRange) =>
  (min.value < 0x41 && max.value > 0x5a) || (min.value < 0x61 && max.value > 0x7a);

function characterClass(element: AST.CharacterClass): Piece {
  const body = element.elements.map(memberBody).join('');
  if (body === '') return { text: element.negate ? ANYTHING : NOTHING, width: 1 };
  const text = `[${element.negate ? '^' : ''}${body}]`;
  return { text: element.elements.every(hasNoCase) ? caseless(text) : text, width: 1 };
}

function memberBody(member: AST.CharacterClassElement) {
  switch (member.type) {
    case 'Character':
      return classBody([[member.value, member.value]]);
    case 'CharacterClassRange':
      return classBody([[member.min.value, member.max.value]]);
    case 'CharacterSet':
      return setBody(member);
    default:
      throw unsupported('a set operation in a character class');
  }
}

/** A class member. `\d` and `\w` of RE2 are those of ECMAScript; its `\s` is limited to ASCII. */
function setBody(set: AST.EscapeCharacterSet | AST.UnicodePropertyCharacterSet) {
  switch (set.kind) {
    case 'property':
      return `\\${set.negate ? 'P' : 'p'}{${re2Property(set.key, set.value)}}`;
    case 'digit':
      return set.negate ? '\\D' : '\\d';
    case 'word':
      return set.negate ? '\\W' : '\\w';
    default:
      return classBody(set.negate ? complement(SPACE) : SPACE);
  }
}

/** Inclusive ranges of code points, ascending and without overlap. */
type CodePointRanges = readonly (readonly [first: number, last: number])[];

const MAX_CODE_POINT = 0x10ffff;

/** `\s` of ECMAScript. */
const SPACE: CodePointRanges = [
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

const LINE_END: CodePointRanges = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];

function complement(ranges: CodePointRanges): CodePointRanges {
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
function literal(codePoint: number) {
  const plain = String.fromCodePoint(codePoint);
  return PLAIN.test(plain) ? plain : `\\x{${codePoint.toString(16)}}`;
}

/** The content of a character class in RE2 syntax. */
function classBody(ranges: CodePointRanges) {
  return ranges
    .map(([first, last]) => (first === last ? literal(first) : `${literal(first)}-${literal(last)}`))
    .join('');
}

/** Long names of the general categories, which RE2 supports by their short names only. */
const CATEGORIES = new Map(
  `
  Letter=L Cased_Letter=LC Uppercase_Letter=Lu Lowercase_Letter=Ll Titlecase_Letter=Lt
  Modifier_Letter=Lm Other_Letter=Lo Mark=M Combining_Mark=M Nonspacing_Mark=Mn Spacing_Mark=Mc
  Enclosing_Mark=Me Number=N Decimal_Number=Nd digit=Nd Letter_Number=Nl Other_Number=No
  Punctuation=P punct=P Connector_Punctuation=Pc Dash_Punctuation=Pd Open_Punctuation=Ps
  Close_Punctuation=Pe Initial_Punctuation=Pi Final_Punctuation=Pf Other_Punctuation=Po Symbol=S
  Math_Symbol=Sm Currency_Symbol=Sc Modifier_Symbol=Sk Other_Symbol=So Separator=Z
  Space_Separator=Zs Line_Separator=Zl Paragraph_Separator=Zp Other=C Control=Cc cntrl=Cc Format=Cf
  Surrogate=Cs Private_Use=Co`
    .trim()
    .split(/\s+/)
    .map((entry) => entry.split('=') as [long: string, short: string]),
);

/** The RE2 name of `\p{Script=Greek}`, `\p{General_Category=Letter}` or `\p{Alphabetic}`. */
function re2Property(key: string, value: string | null) {
  const name = value ?? key;
  return CATEGORIES.get(name) ?? name;
}
