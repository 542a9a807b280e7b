import type { Span } from '#contracts/common/text.js';
import { isAsciiLetterOrDigit } from '../../../text/characters.js';

/** The usual form. */
const BRACKETED = /^\[[A-Za-z0-9_]+\]$/;
const [OPEN_BRACKET, CLOSE_BRACKET, UNDERSCORE] = [0x5b, 0x5d, 0x5f];

/** The texts that replace findings. They are never changed again. */
export class Placeholders {
  private readonly bracketed: ReadonlySet<string>;
  private readonly longest: number;
  private readonly lengths: ReadonlySet<number>;
  /** Match any placeholder, if a detector has one of another form. */
  private readonly pattern: RegExp | null;
  private readonly sticky: RegExp;

  constructor(placeholders: readonly string[]) {
    this.bracketed = new Set(placeholders);
    this.longest = Math.max(0, ...placeholders.map(({ length }) => length));
    this.lengths = new Set(placeholders.map(({ length }) => length));
    const isUsual = placeholders.every((placeholder) => BRACKETED.test(placeholder));
    this.pattern = isUsual ? null : new RegExp([...this.bracketed].map(escapeRegExp).join('|'), 'g');
    this.sticky = new RegExp(this.pattern ?? '(?!)', 'y');
  }

  /** The number of units of the placeholder at a place; 0 if there is none. */
  lengthAt(text: string, place: number): number {
    if (this.pattern !== null) return this.matchedLengthAt(text, place);
    if (text.charCodeAt(place) !== OPEN_BRACKET) return 0;
    let end = place + 1;
    while (end < place + this.longest && isNameUnit(text.charCodeAt(end))) end++;
    const length = end + 1 - place;
    if (!this.lengths.has(length) || text.charCodeAt(end) !== CLOSE_BRACKET) return 0;
    return this.bracketed.has(text.slice(place, end + 1)) ? length : 0;
  }

  /** All placeholders in a text, in order. */
  spansIn(text: string): readonly Span[] {
    if (this.pattern !== null)
      return Array.from(text.matchAll(this.pattern), ({ index, 0: { length } }) => [index, index + length]);
    const spans: Span[] = [];
    for (let place = text.indexOf('['); place !== -1;) {
      const length = this.lengthAt(text, place);
      if (length > 0) spans.push([place, place + length]);
      place = text.indexOf('[', place + Math.max(1, length));
    }
    return spans;
  }

  /** The last place up to `limit` that is not inside a placeholder. */
  placeBefore(text: string, limit: number): number {
    const start = Math.max(0, limit - this.longest);
    const inside = this.spansIn(text.slice(start, limit + this.longest)).find(
      (span) => start + span[0] < limit && start + span[1] > limit,
    );
    return inside === undefined ? limit : start + inside[0];
  }

  private matchedLengthAt(text: string, place: number): number {
    this.sticky.lastIndex = place;
    return this.sticky.test(text) ? this.sticky.lastIndex - place : 0;
  }
}

function isNameUnit(code: number): boolean {
  return isAsciiLetterOrDigit(code) || code === UNDERSCORE;
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
