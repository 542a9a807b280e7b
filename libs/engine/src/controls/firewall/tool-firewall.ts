// The firewall of tool calls: it judges a call, repeats that before an approved run, and gives the policy of a call its revision.
import type { OverwrittenArgument } from '#contracts/approvals/approvals.js';
import { messageOf } from '#contracts/common/errors.js';
import type { Tool, ToolArguments, ToolAuthorizer, ToolContext } from '#contracts/firewall/firewall.js';
import { CallReview, SilentDiagnostics, type Diagnostics } from '../../shared/ports.js';
import { secret } from '#contracts/settings/setting-kinds.js';
import type { Settings } from '#contracts/settings/settings.js';
import { policyOf } from '#contracts/policies/policies.js';
import { definitionOf, SETTING_KEYS, type SettingKey } from '#contracts/settings/settings.schema.js';
import { canonicalJson, digestOf } from '../../json/plain-json.js';
import { withinTime } from '../../shared/time-limit.js';
import { scopeToPrincipal } from './owner-keys.js';
import { readArguments } from './tool-arguments.js';
import { checkArguments } from './tool-schema.js';

/** Time limit for custom code of the host: an authorizer or a schema. */
const TIME_LIMIT_MS = 1000;

export interface FirewallResult {
  /** The arguments with owner keys overwritten; empty if they could not be read. */
  readonly args: ToolArguments;
  /** The arguments as the model sent them; `null` where they could not be read. */
  readonly given: ToolArguments | null;
  /** Owner keys of `given` with another value than the principal. */
  readonly overwritten: readonly OverwrittenArgument[];
  /** The authorizer did not permit the call. */
  readonly denied: boolean;
  /** The authorizer threw or was late; the call counts as denied. */
  readonly errored: boolean;
  /** Reasons by path of the argument. */
  readonly violations: Readonly<Record<string, string>>;
  /** The arguments as sent, as JSON. */
  readonly rawText: string;
}

/** Checks one call and returns the findings; the mode is applied by the caller. */
export class ToolFirewall extends CallReview {
  /** Tools for which the failure of the authorizer is logged, until it answers again. */
  private readonly failing = new Set<string>();

  constructor(
    private readonly authorizer: ToolAuthorizer | null,
    private readonly diagnostics: Diagnostics = new SilentDiagnostics(),
    private readonly timeLimitMs = TIME_LIMIT_MS,
  ) {
    super();
  }

  /** Applies the mode as for a new call. */
  override async isStillAllowed(tool: Tool, args: ToolArguments, context: ToolContext, settings: Settings) {
    const mode = settings.mode('tool_firewall');
    if (mode.isOff()) return true;
    const scoped = scopeToPrincipal(args, tool, context.principalId, settings);
    if (canonicalJson(scoped.args) !== canonicalJson(args)) return false;
    if (mode.observes()) return true;
    return (
      Object.keys(scoped.violations).length === 0 &&
      (await this.acceptsUnchanged(tool, scoped.args, settings)) &&
      (await this.authorize(tool, scoped.args, context, settings)) === 'permitted'
    );
  }

  /**
   * Whether the schema accepts validated arguments again and returns them unchanged. Detects changes of validation
   * code, which no fingerprint covers.
   */
  async acceptsUnchanged(tool: Tool, args: ToolArguments, settings: Settings): Promise<boolean> {
    if (!settings.mode('tool_firewall').enforces()) return true;
    const { args: validated, violations } = await checkArguments(tool, args, settings, this.timeLimitMs);
    return Object.keys(violations).length === 0 && canonicalJson(validated) === canonicalJson(args);
  }

  async judge(
    tool: Tool,
    rawArgs: unknown,
    context: ToolContext,
    settings: Settings,
  ): Promise<FirewallResult> {
    const read = readArguments(rawArgs);
    const given = read.ok ? read.args : null;
    const scoped = scopeToPrincipal(given ?? {}, tool, context.principalId, settings);
    const answer = await this.authorize(tool, scoped.args, context, settings);
    const denied = answer !== 'permitted';
    // A caller without permission must not receive the schema.
    const checked =
      denied || given === null
        ? { args: scoped.args, violations: {} }
        : await checkArguments(tool, scoped.args, settings, this.timeLimitMs);
    // The schema may have set owner keys when it transformed the arguments, so they are overwritten again.
    const ready =
      checked.args === scoped.args
        ? scoped
        : scopeToPrincipal(checked.args, tool, context.principalId, settings);
    return {
      args: ready.args,
      given,
      overwritten: scoped.overwritten,
      denied,
      errored: answer === 'failed',
      violations: {
        ...checked.violations,
        ...scoped.violations,
        ...ready.violations,
        ...(read.ok ? {} : read.violations),
      },
      rawText: rawTextOf(rawArgs, given),
    };
  }

  /** The authorizer receives a copy, so that it cannot change the arguments. */
  private async authorize(
    tool: Tool,
    args: ToolArguments,
    context: ToolContext,
    settings: Settings,
  ): Promise<'permitted' | 'denied' | 'failed'> {
    if (!settings.get('tool_authorization.enabled')) return 'permitted';
    if (this.authorizer === null) return 'denied';
    try {
      // An untyped host may return anything; only `true` permits the call.
      const pendingAnswer = this.authorizer.authorize(tool, structuredClone(args), context);
      const answer: unknown = await withinTime(pendingAnswer, this.timeLimitMs);
      this.failing.delete(tool.name);
      return answer === true ? 'permitted' : 'denied';
    } catch (error) {
      if (!this.failing.has(tool.name))
        this.diagnostics.warn(
          'The tool authorizer failed; calls of the tool are denied, and this is logged once until it answers.',
          { tool: tool.name, reason: messageOf(error) },
        );
      this.failing.add(tool.name);
      return 'failed';
    }
  }
}

function rawTextOf(raw: unknown, given: ToolArguments | null) {
  if (typeof raw === 'string') return raw;
  return given === null ? '' : JSON.stringify(given);
}

const GROUPS = ['tool_firewall.', 'hitl.', 'tool_authorization.'] as const;
const REMINDERS: readonly SettingKey[] = ['hitl.remind_after', 'hitl.escalate_after', 'hitl.escalate_to'];
const MODES: readonly SettingKey[] = ['modes.tool_firewall', 'modes.hitl'];

/**
 * The settings in the policy revision. Secrets and reminders are excluded, so that they can be changed without
 * superseding approvals.
 */
const POLICY_KEYS = SETTING_KEYS.filter(
  (key) =>
    (MODES.includes(key) || GROUPS.some((group) => key.startsWith(group))) &&
    key !== 'hitl.policies' &&
    !REMINDERS.includes(key) &&
    definitionOf(key).kind !== secret,
);

/**
 * Sixteen hex digits over the policy on calls of one tool; the same policy has the same revision. Of `hitl.policies` it
 * covers the policy of this tool only, so that a change for another tool supersedes no call of this one.
 */
export function policyRevision(settings: Settings, authorizer: ToolAuthorizer | null, tool: string): string {
  // `declared` and `deny` differ only where Approvals are off. Calls that were requested before still run.
  const policy = POLICY_KEYS.map((key) => {
    const value = settings.get(key);
    return [key, value === 'declared' ? 'deny' : value];
  });
  const own = policyOf(settings.get('hitl.policies'), tool);
  const version = authorizer?.version ?? null;
  return digestOf({ policy, authorizer: version, ...(own !== null && { tool: own }) }).slice(0, 16);
}
