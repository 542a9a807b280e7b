import type { Actor } from './actor.js';
import type { Decision } from './audit.js';
import type { ToolArguments } from './firewall.js';
import type { Page, PageRequest } from './page.js';

/**
 * pending → approved → executing → executed | failed | outcome_unknown
 * pending → rejected | expired | superseded;  approved → superseded
 */
export const APPROVAL_STATUSES = [
  'pending',
  'approved',
  'executing',
  'executed',
  'failed',
  'outcome_unknown',
  'rejected',
  'expired',
  'superseded',
] as const;

export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

export type ApprovalVerdict = 'approved' | 'rejected';

/** How a run of an approved call ends. */
export type RunEnd = Extract<ApprovalStatus, 'executed' | 'failed' | 'outcome_unknown' | 'superseded'>;

export interface NewApproval {
  /** Random and unguessable, yet no secret: the token is derived from it, and the tool gets it as its idempotency key. */
  readonly reference: string;
  /** SHA-256 of the token, hex. The token itself is in no store. */
  readonly tokenHash: string;
  readonly runId: string | null;
  readonly stepName: string;
  readonly tool: string;
  /** Fingerprint of the tool and its schema. */
  readonly toolFingerprint: string;
  /**
   * Exactly what will run: the one thing that hygiene leaves as it is, because an approver must see all of it and a
   * cleaned argument would be another call. Evidence, warnings, events and logs of the same call are clean.
   */
  readonly arguments: ToolArguments;
  /** SHA-256 of the canonical arguments (RFC 8785), hex. */
  readonly argumentsDigest: string;
  readonly reversible: boolean;
  readonly idempotent: boolean;
  readonly warnings: readonly string[];
  readonly principalId: string | null;
  readonly application: string | null;
  readonly requestId: string | null;
  readonly policyRevision: string;
  /** Expiry is this far from the store's own clock. */
  readonly ttlMs: number;
}

export interface RunResult {
  readonly result: unknown;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface Approval extends Omit<NewApproval, 'ttlMs'>, RunResult {
  readonly id: number;
  readonly status: ApprovalStatus;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly decision: ApprovalVerdict | null;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly reason: string | null;
  readonly finishedAt: Date | null;
}

export interface DecideCommand {
  readonly verdict: ApprovalVerdict;
  readonly actor: Actor;
  readonly reason: string | null;
  /** Builds the evidence of whichever step was taken; called inside the transaction, committed with it. */
  readonly evidence: (approval: Approval) => Decision;
}

export type DecideResult =
  /** This call decided. */
  | { readonly kind: 'decided'; readonly approval: Approval }
  /** Someone decided before (or it was superseded); nothing changed. */
  | { readonly kind: 'already_decided'; readonly approval: Approval }
  /** Its time was up by the store's clock. The first caller to see it moves it to `expired`, with evidence. */
  | { readonly kind: 'expired'; readonly approval: Approval; readonly moved: boolean }
  | { readonly kind: 'unknown' };

/** Parked calls. Every transition is one compare-and-set judged by the store's own clock. */
export abstract class ApprovalStore {
  /**
   * Parks a call together with its evidence. The same call (run, step, tool and arguments digest) of the same
   * non-null run that is still pending is one approval: it is answered again with `created: false`, and nothing is written.
   * Refuses with `null` where the principal has `maxOpen` pending ones already; a call without a principal is not counted.
   */
  abstract park(
    call: NewApproval,
    evidence: (approval: Approval) => Decision,
    maxOpen: number,
  ): Promise<{ readonly approval: Approval; readonly created: boolean } | null>;

  /** Pending and not expired, newest first. */
  abstract pending(page: PageRequest): Promise<Page<Approval>>;

  abstract find(id: number): Promise<Approval | null>;

  abstract findByTokenHash(tokenHash: string): Promise<Approval | null>;

  /** One conditional update decides; decision, evidence and outgoing event commit together. */
  abstract decide(tokenHash: string, command: DecideCommand): Promise<DecideResult>;

  /** approved → executing, by exactly one caller. `null`: another one has it, or it is not approved. */
  abstract claim(id: number): Promise<Approval | null>;

  /** Ends a run (executing → `end`), or a claimed-to-be-stale approval (approved → superseded), with its evidence. `null`: it was not in that state. */
  abstract finish(
    id: number,
    end: RunEnd,
    result: RunResult,
    evidence: (approval: Approval) => Decision,
  ): Promise<Approval | null>;
}
