import type { Utf16Span } from '#contracts/common/spans.js';
import { matchAt } from '../../../text/next-match.js';

/** The texts that replace findings. They are never changed again. */
export class Placeholders {
  private readonly longest: number;
  private readonly pattern: RegExp;
  private readonly sticky: RegExp;

  constructor(placeholders: readonly string[]) {
    this.longest = Math.max(0, ...placeholders.map(({ length }) => length));
    const any = [...new Set(placeholders)].map(escapeRegExp).join('|') || '(?!)';
    this.pattern = new RegExp(any, 'g');
    this.sticky = new RegExp(any, 'y');
  }

  /** The number of units of the placeholder at a place; 0 if there is none. */
  lengthAt(text: string, place: number): number {
    return matchAt(this.sticky, text, place).length;
  }

  /** All placeholders in a text, in order. */
  spansIn(text: string): readonly Utf16Span[] {
    return Array.from(text.matchAll(this.pattern), ({ index, 0: { length } }) => [index, index + length]);
  }

  /** The last place up to `limit` that is not inside a placeholder. */
  placeBefore(text: string, limit: number): number {
    if (limit <= 0 || limit >= text.length) return limit;
    const start = Math.max(0, limit - this.longest);
    const inside = this.spansIn(text.slice(start, limit + this.longest)).find(
      (span) => start + span[0] < limit && start + span[1] > limit,
    );
    return inside === undefined ? limit : start + inside[0];
  }
}

function escapeRegExp(text: string) {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
