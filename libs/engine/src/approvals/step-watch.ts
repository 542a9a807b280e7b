import type { ApprovalStatus } from '../../../contracts/src/approvals.js';

/** The points between which an instance may die, in their order. */
export type ApprovalStep =
  | `committing ${ApprovalStatus}`
  | `committed ${ApprovalStatus}`
  | 'checked'
  | 'claiming again'
  | 'claimed'
  | 'renewing'
  | 'renewed'
  | 'returned'
  | 'telling'
  | 'told';

/** Sees an approval pass each of them. For tests that pull the plug there; what it throws goes through. */
export type StepWatch = (step: ApprovalStep, approvalId: number) => void;
