// What a policy requires of a call: rules and the code of the tool, then limits. Without side effects, because replays
// decide with it, too.
import type { ApprovalRequirement } from '#contracts/approvals/approvals.js';
import { isSummable } from '#contracts/common/decimals.js';
import {
  policyOfCall,
  REQUIREMENTS,
  type Comparison,
  type Policies,
  type PolicyConstant,
  type PolicyDemand,
  type PolicyLimit,
  type PolicyOutcome,
  type PolicyRule,
  type ToolPolicy,
} from '#contracts/policies/policies.js';
import { RUN_LABELS, type RunLabel } from '#contracts/runs/run.store.js';
import { stepsOf } from '../json/plain-json.js';

/** Finds an argument by JSON pointer. */
export type ArgumentLookup = (pointer: string) => FoundArgument;

/** What is required of a call. */
export interface PolicyDecision {
  readonly demand: PolicyDemand;
  /** Number of the rule, from 1; `null` where no rule decided. */
  readonly rule: number | null;
}

/** What a rule can ask about the run of a call. */
export interface RunQuestion {
  readonly label: RunLabel;
  /** `null`: the argument is not comparable. */
  isVouched(pointer: string): boolean | null;
}

interface PolicyQuestion {
  readonly argument: ArgumentLookup;
  readonly application: string | null;
  /** Called only where a rule asks. `null`: the call belongs to no run. */
  readonly run: () => RunQuestion | null;
}

/** The result of the tool's `approval()`: it can only require more. `failed`: it threw. */
export type CodeDemand = PolicyDemand | 'failed' | null;

/** For a destructive tool without a policy: one approval. */
const NO_POLICY: ToolPolicy = { rules: [], limits: [] };
/** For a tool that is governed by its code only. */
const OPEN_POLICY: ToolPolicy = { rules: [{ when: {}, require: 'allow' }], limits: [] };

/** The policy that decides a call. Where none is configured, no rule of it is recorded. */
export function policyInForce(
  policies: Policies,
  tool: string,
  isDestructive: boolean,
): { readonly policy: ToolPolicy; readonly isConfigured: boolean } {
  const policy = policyOfCall(policies, tool, isDestructive);
  return policy === null
    ? { policy: isDestructive ? NO_POLICY : OPEN_POLICY, isConfigured: false }
    : { policy, isConfigured: true };
}

export function argumentsLookup(args: unknown): ArgumentLookup {
  return (pointer) => readArgument(args, pointer);
}

/** The first rule that matches decides. Without a match one approval is needed. */
function decideByRules({ rules }: ToolPolicy, question: PolicyQuestion) {
  for (const [index, rule] of rules.entries()) {
    if (!concerns(rule, question)) continue;
    const results = Object.entries(rule.when).map(([pointer, comparison]) =>
      compareArgument(question.argument(pointer), comparison),
    );
    const result = allOf([...results, ...compareRun(rule, question)]);
    if (result === 'unknown') return strictestOf(rules);
    if (result === 'holds') return { demand: demandOf(rule), rule: index + 1 };
  }
  return { demand: ONE_APPROVAL, rule: null };
}

/** The strictest of all rules, and at least one approval. */
function strictestOf(rules: readonly PolicyRule[]) {
  let strictest: PolicyDecision = { demand: ONE_APPROVAL, rule: null };
  for (const [index, rule] of rules.entries()) {
    if (compareStrictness(rule, strictest.demand) > 0)
      strictest = { demand: demandOf(rule), rule: index + 1 };
  }
  return strictest;
}

/** What rules and code require together, before limits. */
export function decideBeforeLimits(
  policy: ToolPolicy,
  question: PolicyQuestion,
  code: CodeDemand,
): PolicyDecision {
  const byRules = decideByRules(policy, question);
  if (code === 'failed') return stricter(byRules, strictestOf(policy.rules));
  const isComparable = policy.limits.every((limit) => isLimitComparable(limit, question.argument));
  const decided = isComparable ? byRules : stricter(byRules, strictestOf(policy.rules));
  return code === null ? decided : { ...decided, demand: combineDemands(decided.demand, code) };
}

/**
 * The outcome of a call. `isOver` returns whether the call exceeds a limit; it is not called for a limit that cannot be
 * compared with the call, which counts as exceeded, nor for a call that is denied in any case.
 */
export function evaluatePolicy(
  policy: ToolPolicy,
  question: PolicyQuestion,
  code: CodeDemand,
  isOver: (limit: PolicyLimit, index: number) => boolean,
): PolicyDecision {
  const decided = decideBeforeLimits(policy, question, code);
  if (decided.demand.require === 'deny') return decided;
  const exceeded = policy.limits.flatMap((limit, index) =>
    !isLimitComparable(limit, question.argument) || isOver(limit, index) ? [index] : [],
  );
  return withLimits(policy, decided, exceeded);
}

/** Adds what exceeded limits require. */
export function withLimits(
  { limits }: ToolPolicy,
  decided: PolicyDecision,
  exceeded: readonly number[],
): PolicyDecision {
  const demands = exceeded.flatMap((index) => limits[index] ?? []);
  const demand = demands.reduce<PolicyDemand>(
    (sum, limit) => combineDemands(sum, demandOf(limit)),
    decided.demand,
  );
  return { ...decided, demand };
}

/** Only values of at least zero are summed; calls can always be counted. */
export function isLimitComparable({ sum }: PolicyLimit, argument: ArgumentLookup): boolean {
  if (sum === undefined) return true;
  const actual = argument(sum);
  return actual.kind === 'value' && isSummable(actual.value);
}

function concerns({ application }: PolicyRule, question: PolicyQuestion) {
  if (application === undefined) return true;
  return question.application !== null && application.includes(question.application);
}

function demandOf({ require, approvers, group, ttl, reason }: PolicyDemand) {
  if (require !== 'approval') return require === 'allow' ? ALLOW : { require };
  return {
    require,
    ...(approvers !== undefined && { approvers }),
    ...(group !== undefined && { group }),
    ...(ttl !== undefined && { ttl }),
    ...(reason !== undefined && { reason }),
  };
}

function stricter(one: PolicyDecision, other: PolicyDecision) {
  return compareStrictness(one.demand, other.demand) > 0 ? one : other;
}

const ALLOW: PolicyDemand = { require: 'allow' };
export const ONE_APPROVAL: PolicyDemand = { require: 'approval' };
const DENY: PolicyDemand = { require: 'deny' };

function approversOf({ require, approvers = 1 }: PolicyDemand) {
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
  return compareStrictness(demandOfOutcome(one), demandOfOutcome(other)) || Number(one.group !== other.group);
}

function demandOfOutcome({ require, approvers, group, ttl, reason }: PolicyOutcome): PolicyDemand {
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

/** `unknown`: the argument is not comparable. */
type Comparability = 'holds' | 'fails' | 'unknown';

/** A call that belongs to no run cannot be compared. */
function compareRun({ after, vouched }: PolicyRule, question: PolicyQuestion): readonly Comparability[] {
  if (after === undefined && vouched === undefined) return [];
  const run = question.run();
  if (run === null) return ['unknown'];
  const isAfter = after === undefined || RUN_LABELS.indexOf(run.label) >= RUN_LABELS.indexOf(after);
  const answers = vouched?.map((pointer) => run.isVouched(pointer)) ?? [false];
  const isComparable = answers.includes(false) || !answers.includes(null);
  return [
    isAfter ? 'holds' : 'fails',
    isComparable ? (answers.includes(false) ? 'holds' : 'fails') : 'unknown',
  ];
}

/** Compares an argument with the constants of one condition. Nothing is converted to another type. */
function compareArgument(actual: FoundArgument, comparison: Comparison) {
  const { missing, ...others } = comparison;
  if (actual.kind === 'unreachable') return 'unknown';
  if (actual.kind === 'missing') return missing === undefined ? 'unknown' : missing ? 'holds' : 'fails';
  if (missing === true) return 'fails';
  return allOf(
    Object.entries(others).map(([operator, constant]) => compare(actual.value, operator, constant)),
  );
}

/** `unknown` before `fails`: a condition that cannot be compared stops the check, independent of the others. */
function allOf(results: readonly Comparability[]) {
  if (results.includes('unknown')) return 'unknown';
  return results.includes('fails') ? 'fails' : 'holds';
}

function compare(value: unknown, operator: string, constant: unknown): Comparability {
  switch (operator) {
    case 'eq':
      return isOneOf(value, [constant as PolicyConstant]);
    case 'in':
      return isOneOf(value, constant as readonly PolicyConstant[]);
    case 'lt':
      return inOrder(value, (number) => number < (constant as number));
    case 'lte':
      return inOrder(value, (number) => number <= (constant as number));
    case 'gt':
      return inOrder(value, (number) => number > (constant as number));
    case 'gte':
      return inOrder(value, (number) => number >= (constant as number));
    default:
      return 'unknown';
  }
}

function isOneOf(value: unknown, constants: readonly PolicyConstant[]) {
  const comparable = constants.filter((constant) => typeOf(constant) === typeOf(value));
  if (comparable.length === 0 || typeOf(value) === 'other') return 'unknown';
  return comparable.some((constant) => constant === value) ? 'holds' : 'fails';
}

function inOrder(value: unknown, holds: (number: number) => boolean) {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'unknown';
  return holds(value) ? 'holds' : 'fails';
}

function typeOf(value: unknown): 'text' | 'number' | 'boolean' | 'null' | 'other' {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'number' && Number.isFinite(value) ? 'number' : 'other';
}

/** What a JSON pointer finds in the arguments. `unreachable`: a value on the way has no such members. */
export type FoundArgument =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreachable' };

const MISSING = { kind: 'missing' } as const;
const UNREACHABLE = { kind: 'unreachable' } as const;

const INDEX = /^(?:0|[1-9][0-9]{0,9})$/;

/** Reads a value by JSON pointer (RFC 6901). Own properties only. */
export function readArgument(args: unknown, pointer: string): FoundArgument {
  let value: unknown = args;
  for (const name of stepsOf(pointer)) {
    if (typeof value !== 'object' || value === null) return UNREACHABLE;
    if (Array.isArray(value)) {
      if (!INDEX.test(name)) return UNREACHABLE;
      if (Number(name) >= value.length) return MISSING;
    } else if (!Object.hasOwn(value, name)) return MISSING;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return { kind: 'value', value };
}
