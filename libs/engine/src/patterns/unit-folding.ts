/**
 * One UTF-16 unit for all that differ in case alone: `k`, `K` and the Kelvin sign are one. It may put together
 * more than the linear engine does, never less. A surrogate is itself.
 */
export function foldedUnit(unit: number): number {
  return foldings()[unit] ?? unit;
}

/** Letters whose other case the engine knows and ECMAScript spells with several letters: no literal holds them. */
const UNEVEN = new Set([0x0390, 0x03b0, 0x1fd3, 0x1fe3, 0xfb05, 0xfb06]);

/** Whether looking for the folded unit finds all that the engine takes for it. */
export function foldsEvenly(unit: number): boolean {
  return !UNEVEN.has(unit) && (unit < 0xd800 || unit > 0xdfff);
}

let table: Uint16Array | undefined;

/** Made on first use, and then as fast as an array. */
function foldings(): Uint16Array {
  table ??= Uint16Array.from({ length: 0x10000 }, (_, unit) => fold(unit));
  return table;
}

function fold(unit: number): number {
  if (unit >= 0xd800 && unit <= 0xdfff) return unit;
  const large = single(String.fromCharCode(unit).toUpperCase(), unit);
  return single(String.fromCharCode(large).toLowerCase(), large);
}

function single(text: string, otherwise: number): number {
  return text.length === 1 ? text.charCodeAt(0) : otherwise;
}

/** Classes of units that a literal can hold, 0 being all others: few, so that tables stay small. */
export const MAX_CLASSES = 128;

/** ASCII has classes of its own; the rest shares these by its last bits. Sharing costs a needless look. */
const SHARED = 32;

/** The class of every UTF-16 unit, for literals that are folded. Units that differ in case alone share one. */
export function unitClasses(literals: readonly string[]): Uint8Array {
  const classOfFolded = new Map<number, number>();
  let next = 1;
  for (const literal of literals) {
    for (let index = 0; index < literal.length; index++) {
      const unit = literal.charCodeAt(index);
      if (classOfFolded.has(unit)) continue;
      const own = unit < 0x80 && next < MAX_CLASSES - SHARED;
      classOfFolded.set(unit, own ? next : MAX_CLASSES - SHARED + (unit % SHARED));
      if (own) next += 1;
    }
  }
  return Uint8Array.from(foldings(), (folded) => classOfFolded.get(folded) ?? 0);
}
