import type { CommitmentColumns } from '../database/entry-columns.js';

/**
 * - `altered`: a row does not match its hash or its keyed digest, or a rejection, a setting or an approval differs from its
 *   record, or an approval does not match its digests.
 * - `missing`: rows of a writer, or the records of an approval, are missing, and no retention run deleted them.
 * - `reordered`: a row has a higher id than a later row of its writer.
 * - `text_altered`: a text or a name does not match its commitment.
 * - `text_missing`: the text of an entry is missing.
 * - `counts`: the counts of an hour or a day differ from its rows.
 * - `log`: the transparency log differs from a checkpoint or from the rows.
 * - `unrecorded_removal`: more is erased or deleted than retention runs recorded.
 */
export type Discrepancy =
  | 'altered'
  | 'missing'
  | 'reordered'
  | 'text_altered'
  | 'text_missing'
  | 'counts'
  | 'log'
  | 'unrecorded_removal';

/** One discrepancy that a verification found. */
export interface VerificationFinding {
  readonly kind: Discrepancy;
  /** The id of the audit entry; `null` if the finding is not about an entry. */
  readonly id: number | null;
  /** `null` if the finding is not about an approval. */
  readonly approvalId: number | null;
  readonly message: string;
}

export interface LogReport {
  readonly leaves: number;
  readonly checkpoints: number;
  /** The first leaves, which have a keyed digest. */
  readonly sealed: number;
  /** Leaves whose rows retention deleted. */
  readonly gone: number;
}

/** The result of a verification. */
export interface VerificationReport {
  readonly entries: number;
  readonly writers: number;
  /** Texts that retention erased. They cannot be checked. */
  readonly erased: number;
  /** Entries whose principal was erased. */
  readonly forgotten: number;
  /** Rows that retention deleted. */
  readonly removed: number;
  /** Rows before which a gap was not checked, because too many writers appended between them and the row before. */
  readonly unfollowed: number;
  readonly approvals: number;
  /** Events, reservations and settings without a keyed digest. `undefined`: no digests were compared. */
  readonly unsealed: number | undefined;
  /** `null`: there is no transparency log. */
  readonly log: LogReport | null;
  /** The first thousand. */
  readonly findings: readonly VerificationFinding[];
  readonly furtherFindings: number;
}

/** Receives how many entries of how many are checked. */
export type VerificationListener = (done: number, all: number) => void;

/** A row of evidence with its content and principal, under the names of the columns. */
export interface StoredEntry extends CommitmentColumns {
  readonly id: number;
  readonly writer: string;
  readonly sequence: number;
  readonly row_hash: Buffer;
  readonly occurred_at: Date;
  readonly day: string;
  readonly control: string;
  readonly outcome: string;
  readonly principal_ref: number | null;
  /** `null` if there is no principal, or it was erased. */
  readonly principal: string | null;
  /** `null` if there is no row of content. */
  readonly storage: string | null;
  readonly prompt: string | null;
  readonly matched_text: string | null;
  readonly policy: string | null;
  readonly salt: Buffer | null;
  readonly [column: string]: unknown;
}

const MAX_FINDINGS = 1_000;

export class Findings {
  private readonly kept: VerificationFinding[] = [];
  private dropped = 0;

  add(kind: Discrepancy, id: number | null, message: string): void {
    this.keep({ kind, id, approvalId: null, message });
  }

  addApproval(kind: Discrepancy, approvalId: number, message: string): void {
    this.keep({ kind, id: null, approvalId, message: `Approval ${approvalId}: ${message}` });
  }

  private keep(finding: VerificationFinding) {
    if (this.kept.length < MAX_FINDINGS) this.kept.push(finding);
    else this.dropped += 1;
  }

  report(): Pick<VerificationReport, 'findings' | 'furtherFindings'> {
    return { findings: this.kept, furtherFindings: this.dropped };
  }
}
