import { Beginnings, BLOCK_BITS } from '../patterns/beginnings.js';
import { UNITS_PER_PAUSE, type Resumable } from '../resumable.js';
import type { MappedText } from './mapped-text.js';

/** How far before a difference a match may begin that reaches it. */
const REACH = 4096;

/** Steps through what differs; beyond it the two have little in common, and all of it is worth reading. */
const MOST_STEPS = 50_000;

/**
 * Where a match may begin in `text` that was not to be found in `known`, when both were made from the same text:
 * in the 4096 units before a place where they differ. What is the same in both need not be read twice.
 */
export function* differences(text: MappedText, known: MappedText): Resumable<Beginnings> {
  const marks = new Marks(text.text.length);
  let steps = 0;
  let here = 0;
  let there = 0;
  let pause = UNITS_PER_PAUSE;
  while (here < text.text.length) {
    while (here < pause && here < text.text.length && sameUnit(text, here, known, there)) {
      here += 1;
      there += 1;
    }
    if (here >= pause) {
      pause += UNITS_PER_PAUSE;
      yield;
      continue;
    }
    const from = here;
    // Whichever stands behind goes on, until both stand at the same place and read the same again.
    while (
      here < text.text.length &&
      !(sameUnit(text, here, known, there) && origin(text, here) === origin(known, there))
    ) {
      steps += 1;
      if (steps > MOST_STEPS) return Beginnings.anywhere;
      if (there < known.text.length && origin(known, there) <= origin(text, here)) there += 1;
      else here += 1;
    }
    if (from < text.text.length) marks.add(Math.max(0, from - REACH), here);
  }
  if (there < known.text.length) marks.add(Math.max(0, here - REACH), here);
  return marks.beginnings();
}

function sameUnit(text: MappedText, here: number, known: MappedText, there: number): boolean {
  return there < known.text.length && text.text.charCodeAt(here) === known.text.charCodeAt(there);
}

function origin(text: MappedText, index: number): number {
  return text.toOriginal([index, index + 1])[0];
}

class Marks {
  private readonly bits: Uint32Array;

  constructor(length: number) {
    this.bits = new Uint32Array((length >> (BLOCK_BITS + 5)) + 1);
  }

  add(from: number, to: number): void {
    for (let block = from >> BLOCK_BITS; block <= to >> BLOCK_BITS; block++) {
      this.bits[block >> 5] = (this.bits[block >> 5] ?? 0) | (1 << (block & 31));
    }
  }

  beginnings(): Beginnings {
    return new Beginnings(this.bits);
  }
}
