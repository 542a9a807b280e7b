import type { ApprovalRequirement } from '#contracts/approvals/approvals.js';
import { REQUIREMENTS, type PolicyDemand, type PolicyOutcome } from '#contracts/policies/policies.js';

export const ALLOW: PolicyDemand = { require: 'allow' };
export const ONE_APPROVAL: PolicyDemand = { require: 'approval' };
const DENY: PolicyDemand = { require: 'deny' };

function approversOf({ require, approvers = 1 }: PolicyDemand): number {
  return require === 'approval' ? approvers : 0;
}

/** Negative: `one` is less strict. Allow, approval, deny; then approvers, group, reason and the shorter ttl. */
export function compareStrictness(one: PolicyDemand, other: PolicyDemand): number {
  return (
    REQUIREMENTS.indexOf(one.require) - REQUIREMENTS.indexOf(other.require) ||
    approversOf(one) - approversOf(other) ||
    Number(one.group !== undefined) - Number(other.group !== undefined) ||
    Number(one.reason !== undefined) - Number(other.reason !== undefined) ||
    (other.ttl ?? Infinity) - (one.ttl ?? Infinity) ||
    0
  );
}

/** A demand that satisfies both. Two groups cannot both decide, so the call is denied. */
export function combineDemands(one: PolicyDemand, other: PolicyDemand): PolicyDemand {
  if (one.require === 'deny' || other.require === 'deny') return DENY;
  if (one.require === 'allow') return other;
  if (other.require === 'allow') return one;
  const { group = other.group } = one;
  if (other.group !== undefined && group !== other.group) return DENY;
  const ttl = Math.min(one.ttl ?? Infinity, other.ttl ?? Infinity);
  return {
    require: 'approval',
    approvers: Math.max(approversOf(one), approversOf(other)),
    ...(group !== undefined && { group }),
    ...(Number.isFinite(ttl) && { ttl }),
    ...((one.reason ?? other.reason) !== undefined && { reason: 'required' as const }),
  };
}

export function outcomeOf(demand: PolicyDemand, rule: number | null): PolicyOutcome {
  const { require, group = null, ttl = null, reason = null } = demand;
  return { require, approvers: approversOf(demand), rule, group, ttl, reason };
}

/** Like `compareStrictness`. Another group is stricter, because the approvers of the first cannot decide. */
export function compareOutcomes(one: PolicyOutcome, other: PolicyOutcome): number {
  return compareStrictness(demandOf(one), demandOf(other)) || Number(one.group !== other.group);
}

function demandOf({ require, approvers, group, ttl, reason }: PolicyOutcome): PolicyDemand {
  return {
    require,
    approvers,
    ...(group !== null && { group }),
    ...(ttl !== null && { ttl }),
    ...(reason !== null && { reason }),
  };
}

export function requirementOf(demand: PolicyDemand, rule: number | null): ApprovalRequirement {
  return {
    rule,
    approvers: approversOf(demand),
    group: demand.group ?? null,
    isReasonRequired: demand.reason === 'required',
  };
}
