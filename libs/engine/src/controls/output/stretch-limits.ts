import { LOOK_AHEAD, type Pass } from './pass.js';

/** Units that are held back at most. */
const MAX_HELD = 2 * LOOK_AHEAD;

/** In a paragraph of very many parts, more is held, because every part is judged with look-ahead. */
const MANY_PARTS = 64;
const MAX_HELD_OF_MANY = 4 * LOOK_AHEAD;

/** Units that are held back at most of a text that was built to be expensive. */
const MAX_HELD_CROWDED = 16 * LOOK_AHEAD;

/** Short paragraphs are processed together: every stretch has a cost. */
const MIN_STRETCH = 16;

/** In a text of very many paragraphs, more of them are processed together. */
const MANY_STRETCHES = 1000;
const MIN_STRETCH_OF_MANY = 256;

/** What a finding costs more than ordinary text, and what a text may cost in any case, in units of text. */
const UNITS_PER_FINDING = 30;
const FREE_UNITS = 20_000;

/**
 * Decides where the stretches of one text end, and how much of it is held back until then. Only the characters of the
 * text count, not its chunks.
 */
export class StretchLimits {
  private stretches = 0;
  private parts = 0;
  /** What the findings cost, less the length of the released text, in units. */
  private extraCost = 0;

  constructor(private readonly passes: readonly Pass[]) {}

  /** Whether the text was built to be expensive. It is held in long stretches, which cost less. */
  get isCrowded(): boolean {
    return this.extraCost > FREE_UNITS || this.passes.some(({ isCrowded }) => isCrowded);
  }

  get maxHeld(): number {
    if (this.isCrowded) return MAX_HELD_CROWDED;
    return this.parts < MANY_PARTS ? MAX_HELD : MAX_HELD_OF_MANY;
  }

  /** The end of the first stretch that ends at a blank line within `added`; -1 if there is none. */
  endOfStretch(held: string, added: string): number {
    if (this.isCrowded) return -1;
    return endOfBlankLine(held, added, this.stretches < MANY_STRETCHES ? MIN_STRETCH : MIN_STRETCH_OF_MANY);
  }

  /** Counts a stretch that ended at a blank line. */
  countStretch(): void {
    this.stretches++;
  }

  /** Counts a part that ended within a paragraph. */
  countPart(): void {
    this.parts++;
  }

  countFindings(count: number): void {
    this.extraCost += UNITS_PER_FINDING * count;
  }

  /** Counts a construct that had to be divided, whose text is cleaned twice. */
  countDivision(units: number): void {
    this.extraCost += 2 * units;
  }

  countReleased(units: number): void {
    this.extraCost -= units;
  }
}

/** A line end, blanks, and another line end. The first part of a CRLF ends no line, and a CR ends one only if a character other than LF follows. */
const BLANK_LINE = /(?:\n|\r(?!\n))[ \t]*(?:\n|\r\n|\r(?=[^\n]))/g;

/** The end of the first blank line that ends within `added` and after `minLength` units; -1 if there is none. */
function endOfBlankLine(held: string, added: string, minLength: number): number {
  // A blank line consists of line ends and blanks only, so one that ends in `added` has a line end there.
  if (!/[\r\n]/.test(added) && !held.endsWith('\r')) return -1;
  const text = held + added;
  // Only the first of several blank lines ends a stretch; the others begin the next one.
  let begins = 0;
  while (isBlankOrLineEnd(text.charCodeAt(begins))) begins++;
  if (begins === text.length) return -1;
  BLANK_LINE.lastIndex = begins;
  while (BLANK_LINE.test(text)) {
    const { lastIndex } = BLANK_LINE;
    // Whether a carriage return ends a line is known only with the next character.
    const isNew = lastIndex > held.length || (lastIndex === held.length && held.endsWith('\r'));
    if (isNew && lastIndex >= minLength) return lastIndex;
    // The end of one blank line may begin the next.
    BLANK_LINE.lastIndex--;
  }
  return -1;
}

function isBlankOrLineEnd(code: number) {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}
