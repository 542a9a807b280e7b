import type { Finding } from '#contracts/output/output.js';
import type { Edit } from './traced-text.js';

/** The maximum look-ahead of a pass, in UTF-16 units. */
export const LOOK_AHEAD = 1024;

/** A part of a text. The text before it is released and no longer available. */
export interface Stretch {
  readonly text: string;
  /** Constructs that begin after this place are judged later, with more look-ahead. The length of a complete stretch. */
  readonly judged: number;
  /** Set if the text is judged again, with what follows. */
  readonly isPreview?: boolean;
}

/** For a removal that reaches the end of a stretch: how many units at the start of the next stretch belong to it. */
export type Rest = (next: string) => number;

/** The result of one pass over a stretch. Every finding has an edit. Spans refer to the stretch before the edits. */
export interface PassResult {
  readonly edits: readonly Edit[];
  readonly findings: readonly Finding[];
  /** Set if the last edit reaches the end of the stretch and its removal may continue after it. */
  readonly rest?: Rest | undefined;
}

export const UNCHANGED: PassResult = { edits: [], findings: [] };

export const ALWAYS = /^/;

/**
 * One pass over one text, which arrives in stretches. Linear in the length of every text. A stretch without edits is
 * clean, and stays clean at every split of the text.
 */
export abstract class Pass {
  abstract judge(stretch: Stretch): PassResult;

  /** Whether the text was built to be expensive. It is then held in long stretches, which cost less. */
  get isCrowded(): boolean {
    return false;
  }

  /**
   * The last place up to `limit` where a clean stretch may be split, because no decision before it depends on text
   * after it; 0 if there is none. No pass changes the text before `stable` any more.
   */
  partBefore(_text: string, limit: number, _stable: number): number {
    return limit;
  }

  /** What a word contains in which a change can begin. Every other word stays as it is. If it matches an empty text, no word does. */
  begins = /(?!)/;

  /** Whether the pass could change a text from a place on, before which it becomes `_before`; `null`: what follows decides. */
  couldChange(text: string, from: number, _before: string): boolean | null {
    return this.begins.test(text.slice(from));
  }

  /** Called when the text up to `end` is released. */
  abstract settle(text: string, end: number): void;
}
