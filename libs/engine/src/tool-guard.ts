import { ControlMode } from '../../contracts/src/control-mode.js';
import type {
  GuardedTool,
  Tool,
  ToolArguments,
  ToolCallOutcome,
  ToolContext,
} from '../../contracts/src/firewall.js';
import type { RuleCatalog } from './ports.js';
import type { Settings } from '../../contracts/src/settings/settings.js';
import type { ApprovalOutcomes } from './approvals/approval-outcomes.js';
import { type ApprovalParking, parkedOutcome } from './approvals/approval-parking.js';
import type { ApprovalService } from './approvals/approval-service.js';
import { readArguments } from './firewall/tool-arguments.js';
import type { FirewallResult, ToolFirewall } from './firewall/tool-firewall.js';
import { isDestructive, type ToolRegistry } from './firewall/tool-registry.js';
import { canonicalJson } from './json/plain-json.js';
import { comparableId } from './text/comparison.js';
import type { CurrentSettings, DecisionRecorder, DecisionDraft } from './ports.js';

type Refused = Extract<ToolCallOutcome<never>, { status: 'refused' }>;

/** Longer than this, what cannot be read as arguments is no oversight: its head is enough to recognise it by. */
const LONGEST_UNREADABLE = 65_536;

/** One guarded call: the settings are read once, and every control sees the same ones. */
interface Call<Result> {
  readonly tool: Tool<Result>;
  readonly context: ToolContext;
  readonly settings: Settings;
}

/** Takes a call through authorising, scoping, validating and — where it is destructive — a human's decision. */
export class ToolGuard {
  constructor(
    private readonly settings: CurrentSettings,
    private readonly firewall: ToolFirewall,
    private readonly registry: ToolRegistry,
    private readonly desk: ApprovalService,
    private readonly parking: ApprovalParking,
    private readonly outcomes: ApprovalOutcomes,
    private readonly rulebook: RuleCatalog,
    private readonly recorder: DecisionRecorder,
  ) {}

  guard<Result>(tool: Tool<Result>, context: ToolContext): GuardedTool<Result> {
    this.registry.register(tool);
    return {
      tool,
      execute: (args) => this.execute({ tool, context, settings: this.settings.current() }, args),
    };
  }

  private async execute<Result>(call: Call<Result>, rawArgs: unknown): Promise<ToolCallOutcome<Result>> {
    const checked = await this.check(call, rawArgs);
    if ('status' in checked) return checked;
    return this.isDestructive(call) ? this.bridge(call, checked.args) : run(call.tool, checked.args);
  }

  /** Control A. Answers the arguments that may go on, or the refusal. */
  private async check<Result>(
    call: Call<Result>,
    rawArgs: unknown,
  ): Promise<Refused | { readonly args: ToolArguments }> {
    const mode = call.settings.mode('tool_firewall');
    if (mode.isOff()) {
      const read = readArguments(rawArgs);
      return read.ok ? { args: read.args } : refused('violations', read.violations);
    }
    const started = performance.now();
    const judgement = await this.firewall.judge(call.tool, rawArgs, call.context, call.settings);
    const found = judgement.denied || Object.keys(judgement.violations).length > 0;
    const ruling = {
      ...this.ruling(call, mode, judgement.rawText, judgement.given),
      tooLong: judgement.given === null && judgement.rawText.length > LONGEST_UNREADABLE,
      durationUs: Math.round((performance.now() - started) * 1000),
    };
    if (!found) {
      await this.recorder.record(
        { ...ruling, event: 'guardrails.tool.allowed', outcome: 'allowed' },
        call.settings,
      );
      return { args: judgement.args };
    }
    // Arguments that cannot be read cannot be run either, whatever the mode.
    const stopped = mode.enforces() || judgement.given === null;
    await this.recorder.record(
      {
        ...ruling,
        event: judgement.denied ? 'guardrails.tool.denied' : 'guardrails.tool.rejected',
        outcome: stopped ? 'blocked' : 'observed',
        rejection: { violations: violationsOf(judgement), enforced: stopped },
      },
      call.settings,
    );
    if (!stopped) return { args: judgement.args };
    return judgement.denied ? refused('denied', {}) : refused('violations', judgement.violations);
  }

  /** Control D. */
  private async bridge<Result>(call: Call<Result>, args: ToolArguments): Promise<ToolCallOutcome<Result>> {
    const { tool, context, settings } = call;
    const mode = this.desk.isSetUp ? settings.mode('hitl') : ControlMode.off;
    if (mode.isOff()) {
      return settings.get('hitl.fallback') === 'pass'
        ? run(tool, args)
        : this.refuseDestructive(call, args, 'the HITL bridge is off or not set up');
    }
    if (mode.observes()) {
      const ruling = this.ruling(call, mode, canonicalJson(args), args);
      await this.recorder.record(
        { ...ruling, event: 'guardrails.tool.would_park', control: 'hitl', outcome: 'observed' },
        settings,
      );
      return run(tool, args);
    }
    const obstacle = await whyNotParked(call, args, this.registry, this.firewall);
    if (obstacle !== null) return this.refuseDestructive(call, args, obstacle);
    const approval = await this.parking.park(this.registered(tool), args, context, settings);
    return approval === null
      ? this.refuseDestructive(call, args, 'too many calls of this principal wait for one')
      : parkedOutcome(approval, this.outcomes);
  }

  /** What is guarded cannot say less of itself than what approvals run under its name. */
  private isDestructive<Result>({ tool, settings }: Call<Result>): boolean {
    return isDestructive(tool, settings) || isDestructive(this.registered(tool), settings);
  }

  private registered(tool: Tool): Tool {
    return this.registry.find(tool.name) ?? tool;
  }

  /** A call that is stopped is recorded like every other one, whatever the firewall's mode. */
  private async refuseDestructive<Result>(
    call: Call<Result>,
    args: ToolArguments,
    why: string,
  ): Promise<Refused> {
    const violations = { '(approval)': `needs a human decision, and ${why}` };
    const ruling = this.ruling(call, ControlMode.enforce, canonicalJson(args), args);
    await this.recorder.record(
      {
        ...ruling,
        event: 'guardrails.tool.rejected',
        outcome: 'blocked',
        rejection: { violations, enforced: true },
      },
      call.settings,
    );
    return refused('unavailable', violations);
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
      rulesetVersion: this.rulebook.rulesetVersion(settings),
      durationUs: 0,
    };
  }
}

function violationsOf({ denied, violations }: FirewallResult): Readonly<Record<string, string>> {
  return denied ? { '(authorization)': 'is not allowed for this principal', ...violations } : violations;
}

async function run<Result>(tool: Tool<Result>, args: ToolArguments): Promise<ToolCallOutcome<Result>> {
  const signal = new AbortController().signal;
  const result = await tool.execute(args, { approvalId: null, idempotencyKey: null, signal });
  return { status: 'executed', result, arguments: args };
}

const REFUSALS = {
  violations: 'The call was refused because its arguments are not acceptable.',
  denied: 'The call was refused because it is not allowed.',
  unavailable: 'The call was refused because it needs a human decision that cannot be had now.',
} as const;

function refused(reason: Refused['reason'], violations: Readonly<Record<string, string>>): Refused {
  return { status: 'refused', reason, violations, message: REFUSALS[reason] };
}

/** All that waits is shown whole, two hundred calls on a page. */
const MOST_SHOWN = 256 * 1024;

/**
 * Why it would be of no use, or of no safety, to ask a human about this call, and what the host can do about it; `null`
 * where nothing speaks against it.
 */
async function whyNotParked<Result>(
  { tool, context, settings }: Call<Result>,
  args: ToolArguments,
  registry: ToolRegistry,
  firewall: ToolFirewall,
): Promise<string | null> {
  if (Buffer.byteLength(canonicalJson(args)) > MOST_SHOWN)
    return 'its arguments are longer than anybody would look through: 256 KiB of JSON at most';
  if (registry.fingerprintOf(tool) === null)
    return 'its schema has no JSON form to recognise it by: declare a `schemaVersion` on the tool';
  if (!registry.runsSameCode(tool))
    return 'a tool of this name that runs other code was guarded before: list the one that approvals are to run in `tools`';
  if (settings.get('hitl.four_eyes') && comparableId(context.principalId ?? '') === '')
    return 'nobody knows who asks, so nobody could be told to be somebody else: guard the tool with a `principalId`';
  if (!(await firewall.acceptsUnchanged(registry.find(tool.name) ?? tool, args, settings)))
    return 'its schema does not take again what it has made of the arguments, so they could not be checked before they run: have the tool itself transform them';
  return null;
}
