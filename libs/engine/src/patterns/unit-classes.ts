import { foldings } from './unit-folding.js';

/** Classes of units that a literal can hold, 0 being all others: few, so that tables stay small. */
export const MOST_CLASSES = 128;

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
      const own = unit < 0x80 && next < MOST_CLASSES - SHARED;
      classOfFolded.set(unit, own ? next : MOST_CLASSES - SHARED + (unit % SHARED));
      if (own) next += 1;
    }
  }
  return Uint8Array.from(foldings(), (folded) => classOfFolded.get(folded) ?? 0);
}
