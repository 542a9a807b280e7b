// One guarded call of a tool: firewall, then policy and approval. `Guardrails.guardTool` then screens the result.
import type { Approval } from '#contracts/approvals/approvals.js';
import { comparableId } from '#contracts/common/comparison.js';
import { ControlMode } from '#contracts/common/control-mode.js';
import type {
  GuardedTool,
  JsonSchema,
  Tool,
  ToolArguments,
  ToolCallOutcome,
  ToolContext,
} from '#contracts/firewall/firewall.js';
import { policyOf } from '#contracts/policies/policies.js';
import type { Settings } from '#contracts/settings/settings.js';
import type {
  ApprovalTerms,
  CallStop,
  CallStops,
  CurrentSettings,
  DecisionDraft,
  DecisionRecorder,
  RuleCatalog,
} from '../shared/ports.js';
import type { ApprovalOutcomes } from '../controls/approvals/approval-outcomes.js';
import { type ApprovalParking, parkedOutcome } from '../controls/approvals/approval-parking.js';
import type { ApproverCheck } from '../controls/approvals/approval-quorum.js';
import { scopeToPrincipal, withoutOwnerKeys } from '../controls/firewall/owner-keys.js';
import { readArguments } from '../controls/firewall/tool-arguments.js';
import type { FirewallResult, ToolFirewall } from '../controls/firewall/tool-firewall.js';
import {
  isDeclared,
  isDestructive,
  needsApproval,
  type ToolRegistry,
} from '../controls/firewall/tool-registry.js';
import { canonicalJson } from '../json/plain-json.js';
import type { CodeDemand } from '../policies/policy-evaluation.js';
import { demandOfCode, type PolicyGate } from '../policies/policy-gate.js';
import type { Tracing } from '../shared/tracing.js';

type Refused = Extract<ToolCallOutcome<never>, { status: 'refused' }>;

/** Unreadable arguments beyond this length are recorded by their head only. */
const MAX_UNREADABLE_LENGTH = 65_536;

/** One guarded call; all controls use the same settings snapshot. */
interface Call<Result> {
  readonly tool: Tool<Result>;
  readonly context: ToolContext;
  readonly settings: Settings;
  /** Whether the call was requested before, and its conversation continues. */
  readonly resumes: boolean;
}

/** A call that passed the firewall, with what the model requested. */
type CheckedCall = Pick<FirewallResult, 'args' | 'given' | 'overwritten'>;

interface ToolGuardOptions {
  readonly settings: CurrentSettings;
  readonly firewall: ToolFirewall;
  readonly registry: ToolRegistry;
  readonly parking: ApprovalParking;
  readonly outcomes: Pick<ApprovalOutcomes, 'waitFor'>;
  readonly policies: PolicyGate;
  readonly approvers: ApproverCheck;
  readonly stops: CallStops;
  readonly ruleCatalog: RuleCatalog;
  readonly recorder: DecisionRecorder;
  readonly tracing: Tracing;
}

/** Guards a call: authorization, owner keys, validation and, for destructive tools, approval. */
export class ToolGuard {
  constructor(private readonly options: ToolGuardOptions) {}

  guard<Result>(tool: Tool<Result>, context: ToolContext, resumes: boolean): GuardedTool<Result> {
    // Untyped code may write this. Without an error its calls would have no principal.
    if ('principal' in context)
      throw new TypeError(
        'The context of a guarded tool has no member principal. Pass principalId, the id of the principal.',
      );
    this.options.registry.register(tool);
    return {
      tool,
      execute: (args) =>
        this.execute({ tool, context, settings: this.options.settings.current(), resumes }, args),
    };
  }

  modelParameters(tool: Pick<Tool, 'parameters'>): JsonSchema | null {
    return withoutOwnerKeys(tool, this.options.settings.current());
  }

  /** The arguments with the owner keys that the firewall would set. */
  ownedArguments(tool: Tool, args: ToolArguments, { principalId }: ToolContext): ToolArguments {
    const settings = this.options.settings.current();
    const isOff = settings.mode('tool_firewall').isOff();
    return isOff ? args : scopeToPrincipal(args, tool, principalId, settings).args;
  }

  private async execute<Result>(call: Call<Result>, rawArgs: unknown): Promise<ToolCallOutcome<Result>> {
    const stop = await this.options.stops.find(call.tool, call.context.application ?? null);
    // A call that was requested before may have an approval, which waits for the end of the freeze.
    if (stop !== null && !call.resumes) return this.refuseFrozen(call, rawArgs, stop);
    const checked = await this.check(call, rawArgs);
    if ('status' in checked) return checked;
    const earlier = await this.earlierApproval(call, checked.args);
    if (earlier !== null) return this.parkedBy(earlier, call);
    if (stop !== null) return this.refuseFrozen(call, checked.args, stop);
    const { tool, context, settings } = call;
    // A guarded tool cannot hide that the registered tool of its name is destructive.
    const tools = [tool, this.registered(tool)];
    const isGated = tools.some((one) => isDestructive(one, settings));
    const code = await demandOfCode(tools, checked.args, context);
    const isOpen = code === null || (code !== 'failed' && code.require === 'allow');
    if ((isGated || !isOpen) && settings.mode('hitl').isOff())
      return this.fallBack(call, checked.args, !isOpen || tools.some((one) => isDeclared(one, settings)));
    if (!isGated && isOpen)
      return this.options.tracing.decided(await run(tool, checked.args), call.settings.mode('tool_firewall'));
    return this.decideByPolicy(call, checked, tools, code);
  }

  /** The tool firewall. Returns the arguments to run, or the refusal. */
  private async check<Result>(call: Call<Result>, rawArgs: unknown): Promise<Refused | CheckedCall> {
    const mode = call.settings.mode('tool_firewall');
    if (mode.isOff()) {
      const read = readArguments(rawArgs);
      return read.ok
        ? { args: read.args, given: read.args, overwritten: [] }
        : refused('violations', read.violations);
    }
    const started = performance.now();
    const judgement = await this.options.firewall.judge(call.tool, rawArgs, call.context, call.settings);
    const found = judgement.denied || Object.keys(judgement.violations).length > 0;
    const ruling = {
      ...this.ruling(call, mode, judgement.rawText, judgement.given),
      tooLong: judgement.given === null && judgement.rawText.length > MAX_UNREADABLE_LENGTH,
      durationUs: Math.round((performance.now() - started) * 1000),
      errored: judgement.errored,
    };
    if (!found) {
      await this.options.recorder.record(
        { event: 'guardrails.tool.allowed', outcome: 'allowed', ...ruling },
        call.settings,
      );
      return judgement;
    }
    // Unreadable arguments cannot run in any mode.
    const stopped = mode.enforces() || judgement.given === null;
    await this.options.recorder.record(
      {
        ...ruling,
        event: judgement.denied ? 'guardrails.tool.denied' : 'guardrails.tool.rejected',
        outcome: stopped ? 'blocked' : 'observed',
        rejection: { violations: violationsOf(judgement), enforced: stopped },
      },
      call.settings,
    );
    if (!stopped) return judgement;
    const refusal = judgement.denied ? refused('denied', {}) : refused('violations', judgement.violations);
    return this.options.tracing.decided(refusal, mode);
  }

  /** Approvals: the policy of the call lets it run, denies it, or makes it wait. */
  private async decideByPolicy<Result>(
    call: Call<Result>,
    checked: CheckedCall,
    tools: readonly Tool[],
    code: CodeDemand,
  ): Promise<ToolCallOutcome<Result>> {
    const { tool, settings } = call;
    const { args } = checked;
    const mode = settings.mode('hitl');
    const draft = this.ruling(call, mode, canonicalJson(args), args);
    const decided = await this.options.policies.decide({
      tool: tool.name,
      args,
      isDestructive: tools.some((one) => needsApproval(one, settings)),
      code,
      mode,
      settings,
      draft,
    });
    if (decided.kind === 'allowed')
      return this.options.tracing.decided(
        await this.runReserved(tool, args, decided.reservation),
        mode,
        decided.ruleId,
      );
    if (decided.kind === 'denied') {
      const outcome = mode.enforces() ? refused('denied', {}) : await run(tool, args);
      return this.options.tracing.decided(outcome, mode, decided.ruleId);
    }
    const { terms } = decided;
    return mode.observes() ? this.runObserved(call, args, terms.record) : this.park(call, checked, terms);
  }

  /** Approvals are off, and `hitl.fallback` decides. */
  private async fallBack<Result>(
    call: Call<Result>,
    args: ToolArguments,
    isNamed: boolean,
  ): Promise<ToolCallOutcome<Result>> {
    const fallback = call.settings.get('hitl.fallback');
    if (fallback === 'pass') return this.options.tracing.decided(await run(call.tool, args), ControlMode.off);
    return fallback === 'deny' || isNamed
      ? this.refuseDestructive(call, args, 'Approvals are off: set hitl.enabled, or modes.hitl to monitor')
      : this.runObserved(call, args, {});
  }

  /** Runs a call that would wait for approval, and records that. */
  private async runObserved<Result>(
    call: Call<Result>,
    args: ToolArguments,
    record: ApprovalTerms['record'],
  ): Promise<ToolCallOutcome<Result>> {
    const draft = this.ruling(call, ControlMode.monitor, canonicalJson(args), args);
    await this.options.recorder.record(
      { ...draft, ...record, event: 'guardrails.tool.would_park', control: 'hitl', outcome: 'observed' },
      call.settings,
    );
    return this.options.tracing.decided(await run(call.tool, args), ControlMode.monitor, record.ruleId);
  }

  private async park<Result>(
    call: Call<Result>,
    { args, given, overwritten }: CheckedCall,
    terms: ApprovalTerms,
  ): Promise<ToolCallOutcome<Result>> {
    const { tool, context, settings } = call;
    const requested = { arguments: given ?? args, overwritten };
    const obstacle =
      this.options.approvers.whyNeverMet(terms.requirement, context.principalId) ??
      (await whyNotParked(call, args, requested.arguments, this.options.registry, this.options.firewall));
    if (obstacle !== null) return this.refuseDestructive(call, args, obstacle);
    const registered = this.registered(tool);
    const approval = await this.options.parking.park({
      tool: registered,
      describedBy: tool.describe === undefined ? registered : tool,
      args,
      context,
      settings,
      terms: { ...terms, requested },
    });
    return approval === null
      ? this.refuseDestructive(call, args, 'too many calls of this principal wait for approval')
      : this.parkedBy(approval, call);
  }

  private parkedBy<Result>(approval: Approval, { settings }: Call<Result>): ToolCallOutcome<Result> {
    const { rule } = approval.requirement;
    const ruleId = rule === null ? null : `policy.${rule}`;
    return this.options.tracing.decided(
      parkedOutcome(approval, this.options.outcomes),
      settings.mode('hitl'),
      ruleId,
    );
  }

  /**
   * Returns the existing approval of the same call in this run. An approved or rejected call must not run again beside
   * it, also if limits or the code of the tool now allow the call.
   */
  private async earlierApproval<Result>(
    { tool, context, settings, resumes }: Call<Result>,
    args: ToolArguments,
  ) {
    const last = resumes ? await this.options.parking.find('findLast', tool, args, context) : null;
    if (last !== null) return last;
    const limits = policyOf(settings.get('hitl.policies'), tool.name)?.limits ?? [];
    const tools = [tool, this.registered(tool)];
    if (limits.length === 0 && tools.every(({ approval }) => approval === undefined)) return null;
    if (!settings.mode('hitl').enforces()) return null;
    return this.options.parking.find('findSame', tool, args, context);
  }

  private async runReserved<Result>(
    tool: Tool<Result>,
    args: ToolArguments,
    reservation: string | null,
  ): Promise<ToolCallOutcome<Result>> {
    try {
      return await run(tool, args);
    } catch (error) {
      await this.options.policies.release(reservation);
      throw error;
    }
  }

  private registered(tool: Tool) {
    return this.options.registry.find(tool.name) ?? tool;
  }

  /** Refused calls are recorded in every mode of the firewall. */
  private async refuseDestructive<Result>(
    call: Call<Result>,
    args: ToolArguments,
    why: string,
  ): Promise<Refused> {
    const violations = { '(approval)': `needs approval, and ${why}` };
    const ruling = this.ruling(call, ControlMode.enforce, canonicalJson(args), args);
    await this.options.recorder.record(
      {
        ...ruling,
        event: 'guardrails.tool.rejected',
        outcome: 'blocked',
        rejection: { violations, enforced: true },
      },
      call.settings,
    );
    return this.options.tracing.decided(refused('unavailable', violations), ControlMode.enforce);
  }

  /** Recorded in every mode. */
  private async refuseFrozen<Result>(
    call: Call<Result>,
    rawArgs: unknown,
    { ruleId, why }: CallStop,
  ): Promise<Refused> {
    const read = readArguments(rawArgs);
    const args = read.ok ? read.args : null;
    const violations = { '(freeze)': why };
    await this.options.recorder.record(
      {
        ...this.ruling(call, ControlMode.enforce, args === null ? '' : canonicalJson(args), args),
        event: 'guardrails.tool.frozen',
        outcome: 'blocked',
        ruleId,
        rejection: { violations, enforced: true },
      },
      call.settings,
    );
    return this.options.tracing.decided(refused('frozen', violations), ControlMode.enforce, ruleId);
  }

  private ruling<Result>(
    { tool, context, settings }: Call<Result>,
    mode: ControlMode,
    text: string,
    args: ToolArguments | null,
  ): Omit<DecisionDraft, 'event' | 'outcome'> {
    return {
      control: 'tool_firewall',
      mode,
      origin: 'tool_call',
      text,
      ...(args === null ? {} : { json: args }),
      context,
      tool: tool.name,
      rulesetVersion: this.options.ruleCatalog.rulesetVersion(settings),
      durationUs: 0,
    };
  }
}

/** A page of GET /approvals shows up to two hundred calls whole. */
const MAX_SHOWN_BYTES = 256 * 1024;

/** Why a call cannot wait for approval, with the change that the host can make; `null` where it can. */
export async function whyNotParked(
  { tool, context, settings }: Pick<Call<unknown>, 'tool' | 'context' | 'settings'>,
  args: ToolArguments,
  requested: ToolArguments,
  registry: ToolRegistry,
  firewall: ToolFirewall,
): Promise<string | null> {
  if ([args, requested].some((shown) => Buffer.byteLength(canonicalJson(shown)) > MAX_SHOWN_BYTES))
    return 'its arguments are too long to review: at most 256 KiB of JSON';
  if (registry.fingerprintOf(tool) === null)
    return 'its schema has no JSON form that identifies it: declare a `schemaVersion` on the tool';
  if (!registry.runsSameCode(tool))
    return 'another tool of this name with other code was guarded before: add the one that approvals run to `tools`';
  if (settings.get('hitl.four_eyes') && comparableId(context.principalId ?? '') === '')
    return 'the requester is unknown, so four eyes cannot be checked: pass a `principalId` in the tool context';
  if (!(await firewall.acceptsUnchanged(registry.find(tool.name) ?? tool, args, settings)))
    return 'its schema does not accept its own output unchanged, so the arguments cannot be checked again before they run: transform them in the tool instead';
  return null;
}

function violationsOf({ denied, violations }: FirewallResult) {
  return denied ? { '(authorization)': 'is not allowed for this principal', ...violations } : violations;
}

async function run<Result>(tool: Tool<Result>, args: ToolArguments): Promise<ToolCallOutcome<Result>> {
  const signal = new AbortController().signal;
  const result = await tool.execute(args, { approvalId: null, idempotencyKey: null, signal });
  return { status: 'executed', message: 'The call has run.', approvalId: null, result, arguments: args };
}

const REFUSALS = {
  violations: 'The call was refused because of its arguments.',
  denied: 'The call was refused because it is not allowed.',
  frozen: 'The call was refused because an operator has stopped this tool. Do not try again now.',
  unavailable: 'The call was refused because it needs approval, which is not available now.',
} as const;

/** The most violations in the message for the model. */
const MAX_NAMED_VIOLATIONS = 10;

/** Violations contain no values, so the model may see them, and correct its call. */
function refused(reason: keyof typeof REFUSALS, violations: Readonly<Record<string, string>>): Refused {
  const named = reason === 'violations' ? Object.entries(violations).slice(0, MAX_NAMED_VIOLATIONS) : [];
  const details = named.map(([argument, why]) => `${argument} ${why}`).join('; ');
  return {
    status: 'refused',
    approvalId: null,
    reason,
    violations,
    message: details === '' ? REFUSALS[reason] : `${REFUSALS[reason]} Correct it: ${details}.`,
  };
}
