import type { Commitments } from '../../../../../contracts/src/audit.js';

export const DISCREPANCIES = [
  'altered',
  'missing',
  'reordered',
  'text_altered',
  'text_missing',
  'counts',
  'unrecorded_removal',
] as const;

/**
 * `altered`: a row is not what was sealed, or does not follow the one before; or a refused call or a setting is not
 * what there is on record of it. `missing`: rows of a writer are gone, and
 * no retention run removed them. `reordered`: a row stands before one that was written earlier. `text_altered`: a text
 * or a name is not what was committed to. `text_missing`: a text is gone that nobody erased. `counts`: an hour or a day
 * has more or fewer rows than were counted. `unrecorded_removal`: more is erased or removed than runs account for.
 */
export type Discrepancy = (typeof DISCREPANCIES)[number];

export interface VerificationFinding {
  readonly kind: Discrepancy;
  /** Of the audit entry; `null` where it is about none. */
  readonly id: number | null;
  readonly message: string;
}

export interface VerificationReport {
  readonly entries: number;
  readonly writers: number;
  /** Texts that retention erased: nothing can be said of them any more. */
  readonly erased: number;
  /** Entries of principals who were forgotten. */
  readonly forgotten: number;
  /** Rows that retention deleted. */
  readonly removed: number;
  /** Rows whose writer had not been heard of for so long that its last seal was not kept in memory. */
  readonly unfollowed: number;
  /** The first thousand. */
  readonly findings: readonly VerificationFinding[];
  readonly furtherFindings: number;
}

/** Which texts are not what was committed to; `null` where the salt is gone. */
export type CommitmentCheck = (
  commitments: Commitments,
  texts: { readonly prompt: string; readonly matchedText: string | null; readonly principal: string | null },
  salt: string | null,
) => readonly string[] | null;

/** Told how many entries of how many are done. */
export type VerificationListener = (done: number, all: number) => void;

const MOST_FINDINGS = 1_000;

export class Findings {
  private readonly kept: VerificationFinding[] = [];
  private dropped = 0;

  add(kind: Discrepancy, id: number | null, message: string): void {
    if (this.kept.length < MOST_FINDINGS) this.kept.push({ kind, id, message });
    else this.dropped += 1;
  }

  report(): Pick<VerificationReport, 'findings' | 'furtherFindings'> {
    return { findings: this.kept, furtherFindings: this.dropped };
  }
}
