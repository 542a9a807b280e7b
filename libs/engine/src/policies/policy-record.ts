// What is recorded of the decision of a policy, and how a replay reads it.
import type { BudgetState } from '#contracts/approvals/budgets.js';
import type { ToolArguments } from '#contracts/firewall/firewall.js';
import {
  asksAboutRun,
  limitKey,
  pointersOf,
  vouchedPointers,
  type PolicyRecord,
  type RecordedRun,
  type RecordedArgument,
  type ToolPolicy,
} from '#contracts/policies/policies.js';
import type { LimitClaims } from './limit-claims.js';
import {
  outcomeOf,
  readArgument,
  type CodeDemand,
  type FoundArgument,
  type PolicyDecision,
  type RunQuestion,
} from './policy-evaluation.js';

/** The values that the policy of a tool compared for one call, before hygiene (redaction and truncation). */
export function policyRecord(
  policy: ToolPolicy,
  args: ToolArguments,
  { demand, rule }: PolicyDecision,
  code: CodeDemand,
  { indices }: LimitClaims,
  states: readonly BudgetState[],
  run: RunQuestion | null,
): PolicyRecord {
  const spent = states.flatMap(({ spent: sum }, index) => {
    const limit = policy.limits[indices[index] ?? -1];
    return limit === undefined ? [] : [[limitKey(limit), sum] as const];
  });
  const compared = pointersOf(policy).map(
    (pointer) => [pointer, recordedArgument(readArgument(args, pointer))] as const,
  );
  return {
    ...outcomeOf(demand, rule),
    arguments: Object.fromEntries(compared),
    spent: Object.fromEntries(spent),
    code,
    ...(asksAboutRun(policy) && { run: run && recordedRun(policy, run) }),
  };
}

function recordedRun(policy: ToolPolicy, run: RunQuestion): RecordedRun {
  const vouched = vouchedPointers(policy).map((pointer) => [pointer, run.isVouched(pointer)] as const);
  return { label: run.label, vouched: Object.fromEntries(vouched) };
}

function recordedArgument(found: FoundArgument): RecordedArgument {
  if (found.kind !== 'value') return { kind: found.kind };
  const { value } = found;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return { value };
  return typeof value === 'number' && Number.isFinite(value) ? { value } : { kind: 'other' };
}

/** The argument as a policy would compare it. `null`: hygiene withheld it. */
export function argumentOf(recorded: RecordedArgument): FoundArgument | null {
  if ('value' in recorded) return { kind: 'value', value: recorded.value };
  switch (recorded.kind) {
    case 'withheld':
      return null;
    case 'other':
      // The empty object stands for any value that cannot be compared with a constant.
      return { kind: 'value', value: {} };
    default:
      return { kind: recorded.kind };
  }
}
