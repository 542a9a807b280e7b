/** How an approval can end. `outcome_unknown` may still be settled by an operator: it is told again then. */
export const OUTCOME_STATUSES = [
  'executed',
  'failed',
  'outcome_unknown',
  'rejected',
  'expired',
  'superseded',
] as const;

export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number];

/** What became of a parked call, for the code that waits for it: on any instance, before or after a restart. */
export interface ApprovalOutcome {
  readonly approvalId: number;
  readonly reference: string;
  readonly status: OutcomeStatus;
  readonly tool: string;
  readonly runId: string | null;
  readonly stepName: string;
  readonly principalId: string | null;
  readonly application: string | null;
  /** What the tool returned, as it is stored: secrets redacted, at most 16 KiB. */
  readonly result: unknown;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly decidedBy: string | null;
  /** Why, in the words of whoever decided. */
  readonly reason: string | null;
  /** What the model may be told. */
  readonly message: string;
}

/** Goes on with whatever waited. What throws, or takes longer than two minutes, is told again. */
export type OutcomeHandler = (outcome: ApprovalOutcome) => void | Promise<void>;
