// What happens to a call under its policy. The tool guard asks it, and the editor of pending calls.
import { randomUUID } from 'node:crypto';
import type { BudgetStore } from '#contracts/stores/approvals.store.js';
import type { BudgetState } from '#contracts/approvals/budgets.js';
import { ControlMode } from '#contracts/common/control-mode.js';
import { GuardrailsError, messageOf } from '#contracts/common/errors.js';
import type { Tool, ToolArguments, ToolContext } from '#contracts/firewall/firewall.js';
import { asksAboutRun, type PolicyDemand, type ToolPolicy } from '#contracts/policies/policies.js';
import { readDemand } from '#contracts/settings/policy-kind.js';
import type { Settings } from '#contracts/settings/settings.js';
import { scrubText } from '#contracts/common/text.js';
import type {
  ApprovalTerms,
  DecisionDraft,
  DecisionRecorder,
  Diagnostics,
  PreparedDecision,
} from '../shared/ports.js';
import { withinTime } from '../shared/time-limit.js';
import { claimsOf, type LimitClaims } from './limit-claims.js';
import {
  argumentsLookup,
  combineDemands,
  decideBeforeLimits,
  isLimitComparable,
  ONE_APPROVAL,
  policyInForce,
  requirementOf,
  withLimits,
  type ArgumentLookup,
  type CodeDemand,
  type PolicyDecision,
  type RunQuestion,
} from './policy-evaluation.js';
import { policyRecord } from './policy-record.js';
import type { CallRisks } from './call-risks.js';
import type { RunFacts, RunMemory } from '../runs/run-memory.js';

/** A call that needs a decision, with the draft of its record. */
interface GatedCall {
  readonly tool: string;
  readonly args: ToolArguments;
  /** Whether the call would need approval without a policy. */
  readonly isDestructive: boolean;
  readonly code: CodeDemand;
  readonly settings: Settings;
  readonly mode: ControlMode;
  readonly draft: Omit<DecisionDraft, 'event' | 'outcome' | 'control'>;
}

type GateResult =
  /** Recorded; the call runs. `reservation` is released where the call fails. */
  | { readonly kind: 'allowed'; readonly reservation: string | null; readonly ruleId: string | null }
  /** Recorded. */
  | { readonly kind: 'denied'; readonly ruleId: string | null }
  | { readonly kind: 'approval'; readonly terms: ApprovalTerms };

/** Applies the policy of a tool to a call: rules, then limits. Records calls that are allowed or denied. */
export class PolicyGate {
  constructor(
    private readonly budgets: BudgetStore,
    private readonly runs: RunMemory,
    private readonly risks: CallRisks,
    private readonly recorder: DecisionRecorder,
    private readonly diagnostics: Diagnostics,
  ) {}

  async decide(call: GatedCall): Promise<GateResult> {
    const judged = await this.judge(call, call.mode);
    const { policy, decided, limited } = judged;
    if (decided.demand.require === 'allow' && limited.limits.length > 0) {
      const states = await this.admit(call, limited, (spent) => judged.recordOf(decided, spent));
      if (typeof states === 'string') {
        const { ruleId = null } = judged.recordOf(decided, []);
        return { kind: 'allowed', reservation: states, ruleId };
      }
      const decision = withLimits(policy, decided, exceededOf(limited, states));
      return this.settle(call, decision, judged.recordOf(decision, states), judged);
    }
    const { decision, record } = await this.compareLimits(judged, call.mode);
    return this.settle(call, decision, record, judged);
  }

  /**
   * For a call that waits in any case: an allowed call needs one approval. `null`: it is denied, which is recorded.
   * Reserves nothing, and throws in every mode where the limits cannot be checked.
   */
  async termsOf(call: GatedCall): Promise<ApprovalTerms | null> {
    const judged = await this.judge(call, ControlMode.enforce);
    const { decision, record } = await this.compareLimits(judged, ControlMode.enforce);
    const { demand, rule } = decision;
    if (demand.require === 'deny') {
      await this.recorder.record({ ...call.draft, ...record, ...DENIED }, call.settings);
      return null;
    }
    const waiting = demand.require === 'allow' ? ONE_APPROVAL : demand;
    return this.termsFor(call, waiting, rule, record, judged);
  }

  /** The call failed. A reservation that cannot be released stays, which only makes the limit stricter. */
  async release(reservation: string | null): Promise<void> {
    if (reservation === null) return;
    try {
      await this.budgets.release(reservation);
    } catch (error) {
      const reason = messageOf(error);
      this.diagnostics.warn('the reservation of a failed call could not be released', {
        reservation,
        reason,
      });
    }
  }

  private async settle(
    call: GatedCall,
    { demand, rule }: PolicyDecision,
    record: ApprovalTerms['record'],
    judged: Judgement,
  ): Promise<GateResult> {
    const { mode, settings, draft } = call;
    const { ruleId = null } = record;
    switch (demand.require) {
      case 'allow':
        await this.recorder.record({ ...draft, ...record, ...ALLOWED }, settings);
        return { kind: 'allowed', reservation: null, ruleId };
      case 'deny': {
        const denied = mode.enforces() ? DENIED : WOULD_DENY;
        await this.recorder.record({ ...draft, ...record, ...denied }, settings);
        return { kind: 'denied', ruleId };
      }
      case 'approval':
        return { kind: 'approval', terms: await this.termsFor(call, demand, rule, record, judged) };
    }
    return demand.require satisfies never;
  }

  /** The reference of the reservation, or the states of the limits where one is exceeded. */
  private async admit(
    { draft, settings, mode }: GatedCall,
    { claims, limits }: LimitClaims,
    recordOf: (states: readonly BudgetState[]) => ApprovalTerms['record'],
  ): Promise<string | readonly BudgetState[]> {
    const reference = randomUUID();
    let prepared: PreparedDecision | null = null;
    const evidence = (states: readonly BudgetState[]) => {
      prepared = this.recorder.prepare({ ...draft, ...recordOf(states), ...ALLOWED }, settings);
      return prepared.decision;
    };
    const admission = await this.unlessObserving(mode, () =>
      this.budgets.admit({ reference, claims }, limits, evidence),
    );
    if (admission === null) return [];
    if (!admission.isAdmitted) return admission.states;
    (prepared as PreparedDecision | null)?.publish(null);
    return reference;
  }

  private async compareLimits(
    { policy, decided, limited, incomparable, recordOf }: Judgement,
    mode: ControlMode,
  ): Promise<{ readonly decision: PolicyDecision; readonly record: ApprovalTerms['record'] }> {
    const isDenied = decided.demand.require === 'deny';
    const states = isDenied ? [] : await this.statesOf(limited, mode);
    const exceeded = isDenied ? [] : [...incomparable, ...exceededOf(limited, states)];
    const decision = withLimits(policy, decided, exceeded);
    return { decision, record: recordOf(decision, states) };
  }

  private async statesOf({ claims, limits }: LimitClaims, mode: ControlMode) {
    if (limits.length === 0) return [];
    return (await this.unlessObserving(mode, () => this.budgets.states(claims, limits))) ?? [];
  }

  /** Reads what the run has read only where the policy asks. */
  private async judge(
    { tool, args, settings, code, isDestructive, draft: { context } }: GatedCall,
    mode: ControlMode,
  ): Promise<Judgement> {
    const { policy, isConfigured } = policyInForce(settings.get('hitl.policies'), tool, isDestructive);
    const argument = argumentsLookup(args);
    const facts = asksAboutRun(policy)
      ? await this.unlessObserving(mode, () => this.runs.factsOf(context))
      : null;
    const run = facts === null ? null : questionOf(facts, argument);
    const application = context.application === undefined ? null : scrubText(context.application);
    const before = decideBeforeLimits(policy, { argument, application, run: () => run }, code);
    const limited = claimsOf(tool, policy, args, context.principalId);
    return {
      policy,
      facts,
      decided: isConfigured ? before : { ...before, rule: null },
      limited,
      incomparable: policy.limits.flatMap((limit, index) =>
        isLimitComparable(limit, argument) ? [] : [index],
      ),
      recordOf: (decision, states) =>
        isConfigured
          ? {
              ...(decision.rule !== null && { ruleId: `policy.${decision.rule}` }),
              policy: policyRecord(policy, args, decision, code, limited, states, run),
            }
          : {},
    };
  }

  private async termsFor(
    { tool, args, settings, draft: { context } }: GatedCall,
    demand: PolicyDemand,
    rule: number | null,
    record: ApprovalTerms['record'],
    { policy, facts, limited }: Judgement,
  ): Promise<ApprovalTerms> {
    const risk = () => this.risks.of({ tool, args, context, policy, facts });
    const ttlMs = (demand.ttl ?? settings.get('hitl.ttl')) * 1000;
    return { requirement: requirementOf(demand, rule), ttlMs, claims: limited.claims, record, risk };
  }

  /** A store that fails refuses the call in `enforce` only. */
  private async unlessObserving<Result>(mode: ControlMode, work: () => Promise<Result>) {
    try {
      return await work();
    } catch (error) {
      if (mode.enforces()) throw GuardrailsError.ofStore(error);
      this.diagnostics.warn(
        'the limits or the run of a call could not be read; Approvals are in monitor mode, so the call runs',
      );
      return null;
    }
  }
}

const ALLOWED = { event: 'guardrails.policy.allowed', control: 'hitl', outcome: 'allowed' } as const;
const DENIED = { event: 'guardrails.policy.denied', control: 'hitl', outcome: 'blocked' } as const;
const WOULD_DENY = { event: 'guardrails.policy.would_deny', control: 'hitl', outcome: 'observed' } as const;

/** What the rules require of a call, and what is needed to compare its limits. */
interface Judgement {
  readonly policy: ToolPolicy;
  /** `null`: the policy does not ask about the run, or the call belongs to none. */
  readonly facts: RunFacts | null;
  readonly decided: PolicyDecision;
  readonly limited: LimitClaims;
  /** Indices of limits that cannot be compared with the call. */
  readonly incomparable: readonly number[];
  readonly recordOf: (decision: PolicyDecision, states: readonly BudgetState[]) => ApprovalTerms['record'];
}

/** The answers of the run to the rules of a policy. */
function questionOf(run: RunFacts, argument: ArgumentLookup): RunQuestion {
  return {
    label: run.label,
    isVouched: (pointer) => {
      const found = argument(pointer);
      if (found.kind === 'unreachable') return null;
      return found.kind === 'missing' || run.isVouched(found.value);
    },
  };
}

/** Indices of the exceeded limits in the policy. */
function exceededOf({ indices }: LimitClaims, states: readonly BudgetState[]): readonly number[] {
  return states.flatMap(({ isExceeded }, index) => (isExceeded ? (indices[index] ?? []) : []));
}

/** Time limit for the code of the host. */
const TIME_LIMIT_MS = 1000;

/** What `approval()` of these tools requires together. An error, a late answer or an invalid one is `failed`. */
export async function demandOfCode(
  tools: readonly Tool[],
  args: ToolArguments,
  context: ToolContext,
): Promise<CodeDemand> {
  let demand: PolicyDemand | null = null;
  for (const tool of new Set(tools.filter(({ approval }) => approval !== undefined))) {
    try {
      // The code gets a copy, so that it cannot change the arguments.
      const pendingAnswer = tool.approval?.(structuredClone(args), context);
      const answer: unknown = await withinTime(pendingAnswer, TIME_LIMIT_MS);
      if (answer === null || answer === undefined) continue;
      const required = readDemand(answer);
      if (required === null) return 'failed';
      demand = demand === null ? required : combineDemands(demand, required);
    } catch {
      return 'failed';
    }
  }
  return demand;
}
