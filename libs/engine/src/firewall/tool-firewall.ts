import {
  type Tool,
  type ToolArguments,
  type ToolAuthorizer,
  type ToolContext,
} from '../../../contracts/src/firewall.js';
import { CallReview } from '../ports.js';
import { secret } from '../../../contracts/src/settings/setting-kinds.js';
import type { Settings } from '../../../contracts/src/settings/settings.js';
import {
  definitionOf,
  SETTING_KEYS,
  type SettingKey,
} from '../../../contracts/src/settings/settings.schema.js';
import { canonicalJson, digestOf } from '../json/plain-json.js';
import { validateWithStandardSchema } from '../schema/standard-schema.js';
import { withinTime } from '../time-limit.js';
import { scopeToPrincipal } from './owner-keys.js';
import { readArguments } from './tool-arguments.js';
import { readParameters } from './tool-parameters.js';
import { violationsOf } from './tool-schema.js';

/** How long a host's own code, an authoriser or a schema, may think about one call. */
const PATIENCE_MS = 1000;

export interface FirewallResult {
  /** Scoped to the principal whatever was found; empty of the model's words where they could not be read. */
  readonly args: ToolArguments;
  /** The arguments as the model gave them; `null` where they are no object that JSON can hold, and `args` is not what it asked for. */
  readonly given: ToolArguments | null;
  /** The host's authoriser is asked for, and did not say yes. */
  readonly denied: boolean;
  /** All of them, by the argument's path. */
  readonly violations: Readonly<Record<string, string>>;
  /** The arguments as given, as JSON. */
  readonly rawText: string;
}

/** Judges one call, and does nothing about it: what a mode makes of the judgement is the caller's to say. */
export class ToolFirewall extends CallReview {
  constructor(
    private readonly authorizer: ToolAuthorizer | null,
    private readonly patienceMs = PATIENCE_MS,
  ) {
    super();
  }

  /** What the mode let pass then is let pass now. */
  override async isStillAllowed(
    tool: Tool,
    args: ToolArguments,
    context: ToolContext,
    settings: Settings,
  ): Promise<boolean> {
    const mode = settings.mode('tool_firewall');
    if (mode.isOff()) return true;
    const scoped = scopeToPrincipal(args, tool, context.principalId, settings);
    if (canonicalJson(scoped.args) !== canonicalJson(args)) return false;
    if (mode.observes()) return true;
    return (
      Object.keys(scoped.violations).length === 0 &&
      (await this.acceptsUnchanged(tool, scoped.args, settings)) &&
      (await this.isAuthorised(tool, scoped.args, context, settings))
    );
  }

  /**
   * Whether the tool's schema accepts arguments that it has judged before, and makes nothing else of them. What it
   * refuses only by code of its own shows in no fingerprint.
   */
  async acceptsUnchanged(tool: Tool, args: ToolArguments, settings: Settings): Promise<boolean> {
    if (!settings.mode('tool_firewall').enforces()) return true;
    const { args: made, violations } = await checkArguments(tool, args, settings, this.patienceMs);
    return Object.keys(violations).length === 0 && canonicalJson(made) === canonicalJson(args);
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
    const denied = !(await this.isAuthorised(tool, scoped.args, context, settings));
    // A caller who may not use the tool learns nothing about its schema.
    const checked =
      denied || given === null
        ? { args: scoped.args, violations: {} }
        : await checkArguments(tool, scoped.args, settings, this.patienceMs);
    // A schema that makes something else of the arguments does not choose their owner either.
    const ready =
      checked.args === scoped.args
        ? scoped
        : scopeToPrincipal(checked.args, tool, context.principalId, settings);
    return {
      args: ready.args,
      given,
      denied,
      violations: {
        ...checked.violations,
        ...scoped.violations,
        ...ready.violations,
        ...(read.ok ? {} : read.violations),
      },
      rawText: rawTextOf(rawArgs, given),
    };
  }

  /** The authoriser judges the arguments that would run, in a copy: it decides, and changes nothing. */
  private async isAuthorised(
    tool: Tool,
    args: ToolArguments,
    context: ToolContext,
    settings: Settings,
  ): Promise<boolean> {
    if (!settings.get('tool_authorization.enabled')) return true;
    if (this.authorizer === null) return false;
    try {
      // A host without types may answer anything; only yes is yes.
      const asked = this.authorizer.authorize(tool, structuredClone(args), context);
      const answer: unknown = await withinTime(asked, this.patienceMs);
      return answer === true;
    } catch {
      return false;
    }
  }
}

function rawTextOf(raw: unknown, given: ToolArguments | null): string {
  if (typeof raw === 'string') return raw;
  return given === null ? '' : JSON.stringify(given);
}

export interface CheckedArguments {
  /** What may run: as given, or as a schema that judges by itself has made of them. */
  readonly args: ToolArguments;
  readonly violations: Record<string, string>;
}

/**
 * What the tool's schema says of the arguments. A schema's own code is asked only about arguments that its JSON form
 * admits: patterns have then held in linear time before they run as the schema's library runs them.
 */
export async function checkArguments(
  tool: Pick<Tool, 'parameters'>,
  args: ToolArguments,
  settings: Settings,
  timeoutMs: number,
): Promise<CheckedArguments> {
  const { json, judge } = readParameters(tool.parameters);
  const violations = json === null ? {} : violationsOf(json, args, settings);
  if (judge === null || Object.keys(violations).length > 0) return { args, violations };
  const own = await validateWithStandardSchema(judge, args, timeoutMs);
  if (json !== null || !settings.get('tool_firewall.reject_unknown_arguments')) return own;
  const unknown = own.dropped.map((path) => [path, 'is not declared by the tool'] as const);
  return { args: own.args, violations: { ...own.violations, ...Object.fromEntries(unknown) } };
}

const GROUPS = ['tool_firewall.', 'hitl.', 'tool_authorization.'] as const;
const MODES: readonly SettingKey[] = ['modes.tool_firewall', 'modes.hitl'];

/** What an approval was judged under. A secret may be rotated without asking for every open approval afresh. */
const POLICY_KEYS = SETTING_KEYS.filter(
  (key) =>
    (MODES.includes(key) || GROUPS.some((group) => key.startsWith(group))) &&
    definitionOf(key).kind !== secret,
);

/** Sixteen hex digits that change with the policy on tool calls, and with nothing else; changed back, they return. */
export function policyRevision(settings: Settings, authorizer: ToolAuthorizer | null): string {
  const policy = POLICY_KEYS.map((key) => [key, settings.get(key)]);
  return digestOf({ policy, authorizer: authorizer?.version ?? null }).slice(0, 16);
}
