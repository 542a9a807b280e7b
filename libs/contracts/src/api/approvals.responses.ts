import type { ErrorCode } from '../errors.js';
import type { ApprovalStatus, ApprovalVerdict, Resolution } from '../approvals.js';

/** What an approver sees of a pending call besides its arguments. */
export interface ApprovalReview {
  /** What the model requested, before the firewall overwrote owner keys; `null` after erasure. */
  readonly requested_arguments: Readonly<Record<string, unknown>> | null;
  /** Owner keys of the request that were replaced; `path` is a JSON pointer. */
  readonly overwritten: readonly { readonly path: string; readonly from: unknown; readonly to: unknown }[];
  /** Whether the caller can approve the call now. The rights that `api.middleware` checks are not included. */
  readonly can_decide: boolean;
  readonly cannot_decide_reason: CannotDecide | null;
}

/** `path` is a JSON pointer; `null` stands for an argument that is missing. */
export interface ArgumentChange {
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** The error code that an approval would return, or `already_voted`. */
export type CannotDecide = ErrorCode | 'already_voted';

/** A vote or a decision, with its author. */
export interface ApprovalRecordData {
  readonly decision: ApprovalVerdict;
  readonly decided_by: string;
  readonly decided_at: string;
  readonly reason: string | null;
  /** `false`: the vote does not count, because its MAC is invalid or its author lost the right to decide. */
  readonly counts: boolean;
}

interface ApprovalLinks {
  /** The audit entry of the request. */
  readonly audit_id: number | null;
  readonly policy: ApprovalPolicyData;
  /** Oldest first. */
  readonly decisions: readonly ApprovalRecordData[];
  /** The approval that this proposal replaced. */
  readonly supersedes: number | null;
  /** The proposal that replaced this call. */
  readonly superseded_by: number | null;
  /** The operator who made this proposal. */
  readonly edited_by: string | null;
  readonly edit_reason: string | null;
}

/** A call that waits for a decision, as `GET /approvals` lists it. */
export interface PendingApproval extends ApprovalReview, ApprovalLinks {
  readonly approval_id: number;
  readonly token: string | null;
  readonly run_id: string | null;
  readonly step_name: string;
  readonly status: ApprovalStatus;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly arguments_digest: string;
  readonly reversible: boolean;
  readonly warnings: readonly string[];
  readonly principal_id: string | null;
  readonly application: string | null;
  readonly policy_revision: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly requested_ago: string;
  readonly expires_in: string;
}

/** Response of `GET /approvals`. */
export interface ApprovalListData {
  readonly pending: readonly PendingApproval[];
  readonly next_cursor: number | null;
}

/** What the policy requires before the call runs, and how many approvals are given. */
export interface ApprovalPolicyData {
  /** Number of the rule that decided; `null` where none did. */
  readonly rule: number | null;
  readonly needed: number;
  readonly given: number;
  /** Only its members may decide; `null`: every operator who may write. */
  readonly group: string | null;
  /** Whether every approval and rejection needs a reason. */
  readonly reason_required: boolean;
}

/** Response of `POST /approvals/{token}/approve` and `/reject`. */
export interface ApprovalDecisionData {
  readonly decision: ApprovalVerdict;
  readonly approval_id: number;
  readonly run_id: string | null;
  readonly tool: string;
  readonly status: ApprovalStatus;
  readonly decided_by: string;
  readonly decided_at: string;
  readonly result: unknown;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly policy: ApprovalPolicyData;
}

/** What every response about an approval contains. */
export interface ApprovalFacts extends ApprovalLinks {
  readonly approval_id: number;
  readonly run_id: string | null;
  readonly step_name: string;
  readonly status: ApprovalStatus;
  readonly tool: string;
  readonly arguments_digest: string;
  readonly reversible: boolean;
  readonly idempotent: boolean;
  readonly warnings: readonly string[];
  readonly principal_id: string | null;
  readonly application: string | null;
  readonly request_id: string | null;
  readonly policy_revision: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly decision: ApprovalVerdict | null;
  readonly decided_by: string | null;
  readonly decided_at: string | null;
  readonly reason: string | null;
  readonly finished_at: string | null;
  readonly resolved_by: string | null;
  readonly resolved_at: string | null;
  readonly resolved_reason: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Response of `GET /approvals/history`. */
export interface ApprovalHistoryData {
  readonly entries: readonly ApprovalFacts[];
  readonly next_cursor: number | null;
}

/** Response of `GET /approvals/{approval_id}`. */
export interface ApprovalDetailData {
  readonly approval: ApprovalFacts &
    ApprovalReview & {
      /** `null` after erasure. */
      readonly arguments: Readonly<Record<string, unknown>> | null;
      readonly result: unknown;
      /** Run attempts. */
      readonly attempts: number;
      /** How the arguments differ from those of the superseded call; `null` if this is not a proposal. */
      readonly changes: readonly ArgumentChange[] | null;
    };
}

/** Response of a proposal of other arguments for a pending call. */
export interface ApprovalProposalData {
  readonly approval_id: number;
  readonly supersedes: number;
  readonly token: string | null;
  readonly run_id: string | null;
  readonly tool: string;
  readonly status: ApprovalStatus;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly arguments_digest: string;
  readonly overwritten: ApprovalReview['overwritten'];
  readonly policy: ApprovalPolicyData;
  readonly edited_by: string;
  readonly edit_reason: string;
  readonly expires_at: string;
}

/** Response after an unknown outcome was resolved. */
export interface ApprovalResolutionData {
  readonly approval_id: number;
  readonly run_id: string | null;
  readonly tool: string;
  readonly status: Resolution;
  readonly resolved_by: string;
  readonly resolved_at: string;
  readonly reason: string;
}
