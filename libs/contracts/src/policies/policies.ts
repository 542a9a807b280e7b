import { comparableId } from '../common/comparison.js';
import { scrubText } from '../common/text.js';
import type { RunLabel } from '../runs/run.store.js';

/** What a policy can require, in the order of strictness. */
export const REQUIREMENTS = ['allow', 'approval', 'deny'] as const;

/** What a rule requires of a call that matches. */
export type RequirementName = (typeof REQUIREMENTS)[number];

/** Trailing windows of limits. */
export const LIMIT_WINDOWS_MS = {
  hour: 3_600_000,
  day: 24 * 3_600_000,
  '30 days': 30 * 24 * 3_600_000,
} as const satisfies Readonly<Record<string, number>>;

/** The window of a limit, such as `day`. */
export type LimitWindow = keyof typeof LIMIT_WINDOWS_MS;

/** A value that an argument is compared with. */
export type PolicyConstant = string | number | boolean | null;

/** Compares one argument with constants; all members must hold. Values of different types are not comparable. */
export interface Comparison {
  readonly eq?: PolicyConstant;
  readonly in?: readonly PolicyConstant[];
  readonly lt?: number;
  readonly lte?: number;
  readonly gt?: number;
  readonly gte?: number;
  /**
   * `true`: the argument is absent. `false`: the argument is present. Other comparisons then fail, instead of being not
   * comparable.
   */
  readonly missing?: boolean;
}

/** What must happen before a call may run. The other members exist under `approval` only. */
export interface PolicyDemand {
  readonly require: RequirementName;
  /** Approvers needed. Default 1. */
  readonly approvers?: number;
  /** Only members of this group may decide. */
  readonly group?: string;
  /** Seconds until the pending call expires. Default `hitl.ttl`. */
  readonly ttl?: number;
  /** Approvers must give a reason. */
  readonly reason?: 'required';
}

/** A rule of a policy: conditions on the call, and what it requires. */
export interface PolicyRule extends PolicyDemand {
  /** JSON pointer → comparison; all must hold. Without conditions the rule matches every call. */
  readonly when: Readonly<Record<string, Comparison>>;
  /** The rule concerns calls of these applications only. */
  readonly application?: readonly string[];
  /** The rule concerns runs with this label, or a worse one. */
  readonly after?: Exclude<RunLabel, 'clean'>;
  /** JSON pointers. The rule applies unless each of these arguments is vouched for, by somebody who is allowed to. */
  readonly vouched?: readonly string[];
}

/** Limits the calls of one principal over a trailing window; calls above it need what the limit requires. */
export interface PolicyLimit extends PolicyDemand {
  /** JSON pointer of the argument that is summed. Either this or `count`. */
  readonly sum?: string;
  readonly count?: true;
  readonly lte: number;
  readonly per: LimitWindow;
}

/** The rules and limits of one tool. */
export interface ToolPolicy {
  /** Checked in order; the first that matches decides. */
  readonly rules: readonly PolicyRule[];
  readonly limits: readonly PolicyLimit[];
}

/** Policies by the name of their tool. */
export type Policies = Readonly<Record<string, ToolPolicy>>;

/** An argument as a policy compared it, after hygiene. */
export type RecordedArgument =
  | { readonly value: PolicyConstant }
  /** `withheld`: hygiene removed it. `other`: an object or a list. */
  | { readonly kind: 'missing' | 'unreachable' | 'other' | 'withheld' };

/** What a policy required of one call. */
export interface PolicyOutcome {
  readonly require: RequirementName;
  /** 0 unless `require` is `approval`. */
  readonly approvers: number;
  /** Number of the rule that decided; `null` where none did. */
  readonly rule: number | null;
  readonly group: string | null;
  /** Seconds; `null` stands for `hitl.ttl`. */
  readonly ttl: number | null;
  readonly reason: 'required' | null;
}

/** What a policy compared and decided for one call. Stored with the erasable content, for replays. */
export interface PolicyRecord extends PolicyOutcome {
  /** Every argument that the policy of the tool names, by JSON pointer. */
  readonly arguments: Readonly<Record<string, RecordedArgument>>;
  /** What was spent before the call, by `limitKey`, as exact decimals. */
  readonly spent: Readonly<Record<string, string>>;
  /** What the code of the tool required. */
  readonly code: PolicyDemand | 'failed' | null;
  /** Where the policy asks about the run: what it had read. `null`: the call belonged to no run. */
  readonly run?: RecordedRun | null;
}

/** What a policy was told about the run of a call. */
export interface RecordedRun {
  readonly label: RunLabel;
  /** Whether somebody vouched for each argument that the policy names, by JSON pointer. `null`: not comparable. */
  readonly vouched: Readonly<Record<string, boolean | null>>;
}

/** What a limit sums, and over which window: limits with the same key have the same sum. */
export function limitKey({ sum, per }: Pick<PolicyLimit, 'sum' | 'per'>): string {
  return `${sum ?? 'count'} per ${per}`;
}

/** The policy of this name covers every tool that no policy names. */
const EVERY_OTHER_TOOL = '*';

/**
 * The policy that names a tool. Names are compared as `comparableId` does; of stored policies whose names then are the same,
 * the one with exactly the name of the tool holds, otherwise the first.
 */
export function ownPolicyOf(policies: Policies, tool: string): ToolPolicy | null {
  const names = Object.keys(policies);
  const exact = names.find((name) => name === scrubText(tool));
  const folded = names[names.map(comparableId).indexOf(comparableId(tool))];
  return policies[exact ?? folded ?? ''] ?? null;
}

/** The policy of a tool: its own, or the one for all others. */
export function policyOf(policies: Policies, tool: string): ToolPolicy | null {
  return ownPolicyOf(policies, tool) ?? ownPolicyOf(policies, EVERY_OTHER_TOOL);
}

/**
 * The policy of a call. Only a policy that names a tool can open one that needs approval without a policy: under the policy
 * for all others its calls wait where that allows them.
 */
export function policyOfCall(policies: Policies, tool: string, needsApproval: boolean): ToolPolicy | null {
  const policy = policyOf(policies, tool);
  if (policy === null || !needsApproval || ownPolicyOf(policies, tool) !== null) return policy;
  const closed = (rule: PolicyRule): PolicyRule =>
    rule.require === 'allow' ? { ...rule, require: 'approval' } : rule;
  return { ...policy, rules: policy.rules.map(closed) };
}

/** Every group that the policies name, each once. They need `controls.approverGroups`. */
export function groupsOf(policies: Policies): readonly string[] {
  const demands: PolicyDemand[] = Object.values(policies).flatMap(({ rules, limits }) => [
    ...rules,
    ...limits,
  ]);
  return [...new Set(demands.flatMap(({ group }) => group ?? []))];
}

/** The JSON pointers that a policy compares, sums or wants vouched for, each once. */
export function pointersOf({ rules, limits }: ToolPolicy): readonly string[] {
  return [
    ...new Set([
      ...rules.flatMap(({ when }) => Object.keys(when)),
      ...limits.flatMap(({ sum }) => sum ?? []),
      ...vouchedPointers({ rules }),
    ]),
  ];
}

/** The arguments that somebody must vouch for. */
export function vouchedPointers({ rules }: Pick<ToolPolicy, 'rules'>): readonly string[] {
  return [...new Set(rules.flatMap(({ vouched }) => vouched ?? []))];
}

/** Whether a policy must know what the run of a call has read. */
export function asksAboutRun({ rules }: Pick<ToolPolicy, 'rules'>): boolean {
  return rules.some(({ after, vouched }) => after !== undefined || vouched !== undefined);
}
