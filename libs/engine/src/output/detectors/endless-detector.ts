import { Detector } from '../../../../contracts/src/output.js';

/** Finds what may be longer than a stretch of the text that is seen at once. */
export abstract class EndlessDetector extends Detector {
  /** Whether a blank line ends it. */
  abstract readonly crossesBlankLines: boolean;

  /** Of a finding that reached the end of what was seen: how many units at the start of the next stretch belong to it. */
  abstract rest(next: string): number;
}
