import type { ApprovalStatus, ApprovalVerdict, Resolution } from '../approvals.js';

export interface PendingApproval {
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

export interface ApprovalListData {
  readonly pending: readonly PendingApproval[];
  readonly next_cursor: number | null;
}

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
}

export interface ApprovalFacts {
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

export interface ApprovalHistoryData {
  readonly entries: readonly ApprovalFacts[];
  readonly next_cursor: number | null;
}

export interface ApprovalDetailData {
  readonly approval: ApprovalFacts & {
    /** `null` after erasure. */
    readonly arguments: Readonly<Record<string, unknown>> | null;
    readonly result: unknown;
    /** Run attempts. */
    readonly attempts: number;
  };
}

export interface ApprovalResolutionData {
  readonly approval_id: number;
  readonly run_id: string | null;
  readonly tool: string;
  readonly status: Resolution;
  readonly resolved_by: string;
  readonly resolved_at: string;
  readonly reason: string;
}
