export const HOLD_KINDS = ['principal', 'run', 'application', 'entries', 'period'] as const;

/** The records that a hold protects: audit entries with everything that belongs to them, and approvals. */
export type HoldScope =
  | { readonly kind: 'principal'; readonly principalId: string }
  | { readonly kind: 'run'; readonly runId: string }
  | { readonly kind: 'application'; readonly application: string }
  /** Audit entries by id, both inclusive. */
  | { readonly kind: 'entries'; readonly firstId: number; readonly lastId: number }
  /** Both inclusive. */
  | { readonly kind: 'period'; readonly from: Date; readonly to: Date };

/** `principalId` is `null` after retention erased the principal of a released hold. */
export type RecordedHoldScope =
  | Exclude<HoldScope, { kind: 'principal' }>
  | { readonly kind: 'principal'; readonly principalId: string | null };

/** A hold to set. */
export interface NewHold {
  readonly scope: HoldScope;
  readonly reason: string;
  readonly setBy: string;
}

/** A hold, which protects records from erasure until it is released. */
export interface Hold extends Omit<NewHold, 'scope'> {
  readonly id: number;
  readonly scope: RecordedHoldScope;
  readonly setAt: Date;
  readonly releasedBy: string | null;
  readonly releasedAt: Date | null;
}

/** Whether this call released the hold, or an earlier one did. */
export type HoldRelease =
  | { readonly kind: 'released'; readonly hold: Hold }
  | { readonly kind: 'already_released'; readonly hold: Hold };
