// A budget is what one principal spends with one tool over time. The gate compares the limits and reserves the claims.
import { createHash } from 'node:crypto';
import type { BudgetClaim, BudgetLimit } from '#contracts/approvals/budgets.js';
import { comparableId } from '#contracts/common/comparison.js';
import type { ToolArguments } from '#contracts/firewall/firewall.js';
import { LIMIT_WINDOWS_MS, type ToolPolicy } from '#contracts/policies/policies.js';
import { scrubText } from '#contracts/common/text.js';
import { readArgument } from './policy-evaluation.js';
import { decimalText, isSummable } from '#contracts/common/decimals.js';

/** What a call adds to the budgets of its tool, and the limits on them. */
export interface LimitClaims {
  readonly claims: readonly BudgetClaim[];
  readonly limits: readonly BudgetLimit[];
  /** The index of each limit in the policy. */
  readonly indices: readonly number[];
}

/** Limits whose argument cannot be summed are left out. Limits on the same sum share one claim. */
export function claimsOf(
  tool: string,
  policy: ToolPolicy,
  args: ToolArguments,
  principalId: string | undefined,
): LimitClaims {
  const owner = principalId === undefined || principalId === '' ? null : scrubText(principalId);
  const claims = new Map<string, BudgetClaim>();
  const limits: BudgetLimit[] = [];
  const indices: number[] = [];
  for (const [index, { sum, lte, per }] of policy.limits.entries()) {
    const value = sum === undefined ? 1 : summable(args, sum);
    if (value === null) continue;
    const keyOf = (form: (text: string) => string) =>
      digest([form(tool), owner === null ? null : form(owner), sum ?? null]);
    const [budget, exactBudget] = [keyOf(comparableId), keyOf(scrubText)];
    claims.set(budget, { budget, owner, amount: decimalText(value) });
    limits.push({
      budget,
      ...(exactBudget !== budget && { exactBudget }),
      windowMs: LIMIT_WINDOWS_MS[per],
      lte: decimalText(lte),
    });
    indices.push(index);
  }
  return { claims: [...claims.values()], limits, indices };
}

function summable(args: ToolArguments, pointer: string) {
  const argument = readArgument(args, pointer);
  return argument.kind === 'value' && isSummable(argument.value) ? argument.value : null;
}

function digest(parts: readonly (string | null)[]) {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
