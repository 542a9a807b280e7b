import type { Approval } from './approvals.js';

/** A call that waits for a human, for whoever has to be told. */
export interface ApprovalNotice extends Pick<
  Approval,
  | 'reference'
  | 'tool'
  | 'arguments'
  | 'argumentsDigest'
  | 'reversible'
  | 'warnings'
  | 'principalId'
  | 'application'
  | 'runId'
  | 'stepName'
  | 'createdAt'
  | 'expiresAt'
> {
  readonly approvalId: number;
  /**
   * Names the approval in the routes that decide. Set under `hitl.token_delivery: out_of_band` only, and here alone:
   * send it to the approver, and keep it out of logs.
   */
  readonly token: string | null;
}

/** The deployer's way to whoever decides: an e-mail, a chat, a pager. */
export abstract class ApprovalNotifier {
  /** Called once a call is parked, never within the request. At least once: what throws is tried again. */
  abstract notify(notice: ApprovalNotice): void | Promise<void>;
}
