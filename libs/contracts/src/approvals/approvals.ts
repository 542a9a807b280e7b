// An approval: its states, its record, its votes and its outcome. `life-cycle.ts` of the engine says what follows on what.
import type { BudgetClaim } from './budgets.js';

/** Final statuses. An operator may still resolve `outcome_unknown`; handlers are then notified again. */
export const OUTCOME_STATUSES = [
  'executed',
  'failed',
  'outcome_unknown',
  'rejected',
  'expired',
  'superseded',
] as const;

/** The final state of an approval, as outcome handlers receive it. */
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number];

/** The states of the calls in the history. */
export const HISTORY_STATUSES = ['approved', 'executing', ...OUTCOME_STATUSES] as const;

export const APPROVAL_STATUSES = ['pending', ...HISTORY_STATUSES] as const;

/**
 * The state of an approval:
 * pending → approved → executing → executed | failed | outcome_unknown
 * pending → rejected | expired | superseded;  approved → superseded | outcome_unknown
 */
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** What a record of evidence is about: a step that left the approval pending, or the status that it reached. */
export const APPROVAL_STEPS = [
  'parked',
  'proposed',
  'voted',
  'reminded',
  'escalated',
  'approved',
  'rejected',
  'executed',
  'failed',
  'outcome_unknown',
  'expired',
  'superseded',
] as const;

/** A step of an approval that its audit entries record. */
export type ApprovalStep = (typeof APPROVAL_STEPS)[number];

export const VERDICTS = ['approved', 'rejected'] as const;

/** The decision about a pending call. */
export type ApprovalVerdict = (typeof VERDICTS)[number];

/** Final statuses of a run. */
export type RunEnd = Exclude<OutcomeStatus, 'rejected' | 'expired' | 'superseded'>;

/** How an operator can resolve an unknown outcome. */
export const RESOLUTIONS = ['executed', 'failed'] as const;

/** The state that an operator sets after an unknown outcome. */
export type Resolution = (typeof RESOLUTIONS)[number];

/** What the policy of a tool requires before one call may run. Sealed with the call. */
export interface ApprovalRequirement {
  /** Number of the rule, from 1; `null` where no rule decided. */
  readonly rule: number | null;
  /** Approvers needed. */
  readonly approvers: number;
  /** Only members of this group may decide; `null`: every operator who may write. */
  readonly group: string | null;
  readonly isReasonRequired: boolean;
}

/** One approver, as for every call without a policy. */
export const ONE_APPROVER: ApprovalRequirement = {
  rule: null,
  approvers: 1,
  group: null,
  isReasonRequired: false,
};

/** What approvers must know first, the gravest first. */
export const RISK_NAMES = [
  'suspect_run',
  'unvouched_value',
  'unusual_amount',
  'new_recipient',
  'personal_data',
] as const;

/**
 * `suspect_run`: the run read a text that gives orders to the assistant. `unvouched_value`: nobody vouched for the value
 * of an argument. `unusual_amount`: above the 95th percentile of this tool. `new_recipient`: an address to which this tool has
 * sent nothing yet. `personal_data`: the arguments contain some.
 */
export interface Risk {
  readonly name: (typeof RISK_NAMES)[number];
  /** A sentence for the approver. */
  readonly text: string;
}

/** The order by risk: a graver one first, then more of them. */
export function riskWeight(risks: readonly Risk[]): number {
  const found = RISK_NAMES.filter((name) => risks.some((risk) => risk.name === name));
  return found.length - 10 * [...RISK_NAMES, undefined].indexOf(found[0]);
}

/** An owner key of the request that the firewall replaced by the principal. */
export interface OverwrittenArgument {
  /** JSON pointer. */
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** A call that is to wait for approval. */
export interface NewApproval {
  /**
   * Random and unguessable, but not secret. The token is derived from it, and the tool receives it as its
   * idempotency key.
   */
  readonly reference: string;
  /** SHA-256 of the token, hex. No store contains the token. */
  readonly tokenHash: string;
  /** The encrypted token for the notifier; `null` where the token can be derived, and after it was delivered. */
  readonly encryptedToken: string | null;
  /** MAC of everything that is approved with the call. A row that was changed without the key does not run. */
  readonly callMac: string;
  readonly runId: string | null;
  readonly stepName: string;
  readonly tool: string;
  /** Fingerprint of the tool and its schema. */
  readonly toolFingerprint: string;
  /**
   * Exactly what will run. Not redacted, unlike evidence, warnings, events and logs of the same call: the approver
   * must see all of it, and changed arguments would be another call.
   */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** SHA-256 of the canonical arguments (RFC 8785), hex. */
  readonly argumentsDigest: string;
  /** What the model requested; `null` where the firewall changed nothing, and after erasure. */
  readonly requestedArguments: Readonly<Record<string, unknown>> | null;
  readonly overwritten: readonly OverwrittenArgument[];
  readonly reversible: boolean;
  readonly idempotent: boolean;
  /** What the tool says of the call: text and values in turns, text first. `null`: it says nothing. */
  readonly headline: readonly string[] | null;
  readonly warnings: readonly string[];
  readonly risk: readonly Risk[];
  readonly principalId: string | null;
  readonly application: string | null;
  readonly requestId: string | null;
  /** W3C `traceparent` of the span in which the call was requested; `null` without tracing. */
  readonly traceParent: string | null;
  readonly policyRevision: string;
  /** What the call adds to the budgets of its tool once it is approved. */
  readonly claims: readonly BudgetClaim[];
  readonly requirement: ApprovalRequirement;
  /** The approval that this proposal replaced. */
  readonly supersedes: number | null;
  /** The approval under which the call was first requested, for a proposal. */
  readonly firstId: number | null;
  /** Operators who edited the call, oldest first. They count as requesters. */
  readonly editors: readonly string[];
  /** The reason of the last edit. */
  readonly editReason: string | null;
  /** Time until expiry, by the store's clock. */
  readonly ttlMs: number;
}

/**
 * One approval of a call that needs several. The approver who completes them is recorded as a vote and as the
 * decision. A rejection needs no vote: one decides.
 */
export interface ApprovalVote {
  readonly id: number;
  readonly actorId: string;
  readonly reason: string | null;
  readonly votedAt: Date;
  /** MAC of the vote. A vote without a valid MAC does not count. */
  readonly voteMac: string;
  /** When a check showed that the approver lost the right to decide; the vote does not count. */
  readonly voidedAt: Date | null;
}

/** The result of a run, or its error. */
export interface RunResult {
  readonly result: unknown;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** An approval and the outcome of its call. */
export interface Approval extends Omit<NewApproval, 'ttlMs' | 'encryptedToken' | 'arguments'>, RunResult {
  readonly id: number;
  /** The audit entry of the request. */
  readonly auditId: number | null;
  /** `null` after erasure; such a call never runs. */
  readonly arguments: Readonly<Record<string, unknown>> | null;
  readonly status: ApprovalStatus;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly decision: ApprovalVerdict | null;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly reason: string | null;
  /** MAC of the decision. An approval whose MAC does not match does not run. */
  readonly decisionMac: string | null;
  /** Oldest first; empty for a call that needs one approver. */
  readonly votes: readonly ApprovalVote[];
  /** How many votes were recorded, void ones included. A vote is a compare-and-set on this number. */
  readonly voteCount: number;
  /**
   * Number of the current run attempt; 0 before the first. Only the holder of the current fence can finish the
   * run.
   */
  readonly fence: number;
  /** End of the lease of the instance that runs the call, by the store's clock. */
  readonly leaseUntil: Date | null;
  /** The proposal that replaced this call. Code that waits for the outcome then waits for the proposal. */
  readonly supersededBy: number | null;
  /** When the approval reached its outcome; for a resolved unknown outcome, when it was resolved. */
  readonly finishedAt: Date | null;
  /** How often notification of the outcome was attempted. */
  readonly notifyAttempts: number;
  readonly resolvedBy: string | null;
  readonly resolvedAt: Date | null;
  readonly resolvedReason: string | null;
}

/** The id of an approval. */
export type ApprovalId = Pick<Approval, 'id'>;

/** What lists of the history leave out, because it may be large or serves no reader. */
const NOT_IN_SUMMARY = [
  'arguments',
  'requestedArguments',
  'overwritten',
  'traceParent',
  'result',
  'callMac',
  'decisionMac',
  'claims',
] as const satisfies readonly (keyof Approval)[];

/** An approval as history lists show it. */
export type ApprovalSummary = Omit<Approval, (typeof NOT_IN_SUMMARY)[number]>;

export function isInSummary(field: string): boolean {
  return !NOT_IN_SUMMARY.some((other) => other === field);
}

/**
 * The outcome of a pending call, for the code that waits for it on any instance, before or after a restart. Nothing in it was
 * screened: before the model reads the result, pass it to `guardrails.read` with the origin `tool_result`. Adapters do.
 */
export interface ApprovalOutcome {
  readonly approvalId: number;
  /** The approval under which the call was first requested; another one than `approvalId` if an operator edited it. */
  readonly firstApprovalId: number;
  readonly reference: string;
  readonly status: OutcomeStatus;
  readonly tool: string;
  readonly runId: string | null;
  readonly stepName: string;
  readonly principalId: string | null;
  readonly application: string | null;
  /** The stored result of the tool: secrets redacted, at most 16 KiB, not screened. */
  readonly result: unknown;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly decidedBy: string | null;
  /** The reason given with the decision. */
  readonly reason: string | null;
  /** Text for the model. */
  readonly message: string;
}

/** Continues the waiting work. The outcome is not screened. A handler that throws, or takes longer than two minutes, is called again. */
export type OutcomeHandler = (outcome: ApprovalOutcome) => void | Promise<void>;

/** `proposed`: an operator edited the call. */
export type NoticeOccasion = 'parked' | 'proposed' | 'reminded' | 'escalated';

/** What the notifier receives of an approval as it is. */
export const NOTICE_FIELDS = [
  'reference',
  'tool',
  'arguments',
  'argumentsDigest',
  'reversible',
  'headline',
  'warnings',
  'risk',
  'principalId',
  'application',
  'runId',
  'stepName',
  'requirement',
  'createdAt',
  'expiresAt',
] as const;

/** A call that waits for a decision, as the notifier receives it. */
export interface ApprovalNotice extends Pick<Approval, (typeof NOTICE_FIELDS)[number]> {
  readonly approvalId: number;
  /** Why approvers are notified. */
  readonly occasion: NoticeOccasion;
  /** `hitl.escalate_to`, on an escalation. */
  readonly escalateTo: string | null;
  /**
   * Names the approval in the routes that decide. Set only under `hitl.token_delivery: out_of_band`; the same for
   * every approver. Send it to the approvers, and keep it out of logs.
   */
  readonly token: string | null;
}

/** Notifies approvers through the host's channel: e-mail, chat, pager. */
export abstract class ApprovalNotifier {
  /** Called after a call began to wait, was edited, or became due for a reminder or escalation, outside the request. At least once: a call that throws is retried. */
  abstract notify(notice: ApprovalNotice): void | Promise<void>;
}

/** Membership of the groups that policies name. Checked at every vote, and again for earlier voters at the last one. */
export abstract class ApproverGroups {
  /** One that throws, or takes longer than two seconds, refuses the vote. */
  abstract isMember(actorId: string, group: string): boolean | Promise<boolean>;
}
