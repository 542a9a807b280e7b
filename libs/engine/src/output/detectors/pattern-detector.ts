import { Detector } from '../../../../contracts/src/output.js';
import type { Span } from '../../../../contracts/src/text.js';

/** What a match must also be; it sees the part that would be replaced, and what stands before and behind it. */
export type Accepts = (found: string, before: string, behind: string) => boolean;

const LOOKED_AT_BEFORE = 48;
const LOOKED_AT_BEHIND = 16;

export interface PatternOptions {
  /** One of these stands in every match, so that a text without them is not searched. */
  readonly hints?: readonly string[];
  /** The same, where no words can tell. */
  readonly needs?: (text: string) => boolean;
  readonly accepts?: Accepts;
}

/**
 * Finds by a pattern of ours and a check. Every repetition in such a pattern has an upper bound, and no two of them
 * compete for the same characters, so that the walk is linear in the text. Where the pattern names a group `value`,
 * with which a match ends, that part alone is replaced.
 */
export class PatternDetector extends Detector {
  private readonly pattern: RegExp;
  private readonly hints: readonly string[] | null;
  private readonly needs: (text: string) => boolean;
  private readonly accepts: Accepts;

  constructor(
    override readonly name: string,
    override readonly kind: Detector['kind'],
    pattern: RegExp,
    { hints, needs = () => true, accepts = () => true }: PatternOptions = {},
  ) {
    super();
    this.pattern = new RegExp(pattern.source, `${pattern.flags.replace('g', '')}g`);
    this.hints = hints ?? null;
    this.needs = needs;
    this.accepts = accepts;
  }

  override find(text: string): readonly Span[] {
    if (this.hints !== null && !this.hints.some((hint) => text.includes(hint))) return [];
    if (!this.needs(text)) return [];
    const spans: Span[] = [];
    this.pattern.lastIndex = 0;
    for (let match = this.pattern.exec(text); match !== null; match = this.pattern.exec(text)) {
      const end = match.index + match[0].length;
      const start = end - (match.groups?.['value'] ?? match[0]).length;
      const before = text.slice(Math.max(0, start - LOOKED_AT_BEFORE), start);
      if (this.accepts(text.slice(start, end), before, text.slice(end, end + LOOKED_AT_BEHIND))) {
        spans.push([start, end]);
      } else {
        // What was refused may hide what begins within it. Between the halves of a character the search would go back.
        this.pattern.lastIndex = match.index + ((text.codePointAt(match.index) ?? 0) > 0xffff ? 2 : 1);
      }
    }
    return spans;
  }
}
