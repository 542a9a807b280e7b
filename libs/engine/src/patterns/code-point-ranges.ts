/** Closed ranges of code points, ascending and apart. */
export type CodePointRanges = readonly (readonly [first: number, last: number])[];

const LAST = 0x10ffff;

/** White space and line ends as ECMAScript counts them. */
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
  if (next <= LAST) rest.push([next, LAST]);
  return rest;
}

const escaped = (codePoint: number): string => `\\x{${codePoint.toString(16)}}`;

/** The inside of a character class in RE2's syntax. */
export function classBody(ranges: CodePointRanges): string {
  return ranges
    .map(([first, last]) => (first === last ? escaped(first) : `${escaped(first)}-${escaped(last)}`))
    .join('');
}
