import { Detector } from '../../../../contracts/src/output.js';
import type { Span } from '../../../../contracts/src/span.js';

/** What a match must also be; it sees the part that would be replaced, and what stands before it. */
export type Accepts = (found: string, before: string) => boolean;

const LOOKED_AT_BEFORE = 24;

/**
 * Finds by a pattern of ours and a check. Every repetition in such a pattern has an upper bound, and no two of them
 * compete for the same characters, so that the walk is linear in the text. Where the pattern names a group `value`,
 * that part alone is replaced.
 */
export class PatternDetector extends Detector {
  private readonly pattern: RegExp;

  constructor(
    override readonly name: string,
    override readonly kind: Detector['kind'],
    pattern: RegExp,
    private readonly accepts: Accepts = () => true,
  ) {
    super();
    this.pattern = new RegExp(pattern.source, `${pattern.flags.replaceAll(/[dg]/g, '')}dg`);
  }

  override find(text: string): readonly Span[] {
    const spans: Span[] = [];
    for (const match of text.matchAll(this.pattern)) {
      const [start, end] = match.indices?.groups?.['value'] ?? [match.index, match.index + match[0].length];
      const before = text.slice(Math.max(0, start - LOOKED_AT_BEFORE), start);
      if (this.accepts(text.slice(start, end), before)) spans.push([start, end]);
    }
    return spans;
  }
}
