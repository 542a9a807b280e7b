/**
 * The same unit for all units that differ only in case, such as `k`, `K` and the Kelvin sign. It can unify more units than
 * the linear engine does, but not fewer. Surrogates are unchanged.
 */
export function foldedUnit(unit: number): number {
  return foldings()[unit] ?? unit;
}

/** Letters that have one other case in the engine but several letters in ECMAScript. Literals do not contain them. */
const IRREGULAR = new Set([0x0390, 0x03b0, 0x1fd3, 0x1fe3, 0xfb05, 0xfb06]);

/** A search for the folded unit finds every unit that the engine treats as equal. */
export function isFoldable(unit: number): boolean {
  return !IRREGULAR.has(unit) && (unit < 0xd800 || unit > 0xdfff);
}

const UNITS = 0x10000;

/** All units with a case are within these ranges. The others are most of the table. */
const CASED = [
  [0x41, 0x587],
  [0x10a0, 0x2def],
  [0xa640, 0xabbf],
  [0xfb00, 0xff5a],
] as const;

let table: Uint16Array | undefined;

/** A table of all units, created on first use. */
function foldings() {
  if (table === undefined) {
    table = new Uint16Array(UNITS).map((_, unit) => unit);
    for (const [first, last] of CASED) for (let unit = first; unit <= last; unit++) table[unit] = fold(unit);
  }
  return table;
}

function fold(unit: number) {
  const large = single(String.fromCharCode(unit).toUpperCase(), unit);
  return single(String.fromCharCode(large).toLowerCase(), large);
}

function single(text: string, otherwise: number) {
  return text.length === 1 ? text.charCodeAt(0) : otherwise;
}

/** Limits the classes of units. Class 0 contains all units that are in no literal. A small number keeps the tables small. */
const MAX_CLASSES = 128;

/** The first classes, which units beyond ASCII share by their last bits. Sharing can cause needless searches. */
const SHARED = 64;

/** The class of every UTF-16 unit, and the number of classes. */
export interface UnitClasses {
  readonly classes: Uint8Array;
  readonly count: number;
}

/** The classes for these folded literals. Units that differ only in case have the same class. */
export function unitClasses(literals: readonly string[]): UnitClasses {
  const classOfFolded = new Uint8Array(UNITS);
  let next = 1 + SHARED;
  for (const literal of literals) {
    for (let index = 0; index < literal.length; index++) {
      const unit = literal.charCodeAt(index);
      if (classOfFolded[unit] !== 0) continue;
      const own = unit < 0x80 && next < MAX_CLASSES;
      classOfFolded[unit] = own ? next : 1 + (unit % SHARED);
      if (own) next += 1;
    }
  }
  const folded = foldings();
  const classes = new Uint8Array(UNITS);
  for (let unit = 0; unit < UNITS; unit++) classes[unit] = classOfFolded[folded[unit] ?? 0] ?? 0;
  return { classes, count: next };
}
