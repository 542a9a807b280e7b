import type { Finding } from '#contracts/output.js';
import type { Edit } from './traced-text.js';

/** The farthest that a pass looks: whatever it judges by lies within this many units. */
export const SIGHT = 1024;

/** A part of a text as a pass sees it. What came before it is settled and gone. */
export interface Stretch {
  readonly text: string;
  /** Whatever begins behind this is judged later, when more can be seen; the whole length in a complete stretch. */
  readonly judged: number;
}

/** Of what was removed up to the end of a stretch: how many units at the start of the next one still belong to it. */
export type Rest = (next: string) => number;

/** What one pass makes of a stretch; findings without an edit do not occur. Spans are of the stretch as given. */
export interface PassResult {
  readonly edits: readonly Edit[];
  readonly findings: readonly Finding[];
  /** Set where the last edit reaches the end and what it removes may go on behind it. */
  readonly rest?: Rest | undefined;
}

/**
 * One pass over one text, which comes in stretches. Linear in the text, whatever the text is. A stretch that it leaves
 * alone is clean in its eyes, and stays so however the text is parted.
 */
export abstract class Pass {
  abstract judge(stretch: Stretch): PassResult;

  /**
   * The last place up to `limit` where a clean stretch may be parted, because nothing before it was judged by anything
   * behind it: 0 where there is none. No pass changes the text before `stable` any more.
   */
  partBefore(_text: string, limit: number, _stable: number): number {
    return limit;
  }

  /** The text up to `end` is settled and will not be seen again. */
  abstract settle(text: string, end: number): void;
}
