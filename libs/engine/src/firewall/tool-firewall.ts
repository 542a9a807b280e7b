import type { Tool, ToolArguments, ToolAuthorizer, ToolContext } from '../../../contracts/src/firewall.js';
import type { Settings } from '../../../contracts/src/settings/settings.js';
import { takeCodePoints } from '../../../contracts/src/text.js';
import { scopeToPrincipal } from './owner-keys.js';
import { readArguments } from './tool-arguments.js';
import { violationsOf } from './tool-schema.js';

const MOST_VIOLATIONS = 50;
const LONGEST_KEY = 200;
const LONGEST_REASON = 500;
const LONGEST_RAW_TEXT = 65_536;

export interface FirewallJudgement {
  /** Scoped to the principal whatever was found; empty of the model's words where they could not be read. */
  readonly args: ToolArguments;
  /** The arguments are an object that JSON can hold. Where not, `args` is not what the model asked for. */
  readonly readable: boolean;
  /** The host's authoriser is asked for, and did not say yes. */
  readonly denied: boolean;
  /** All of them, by the argument's path. */
  readonly violations: Readonly<Record<string, string>>;
  /** The arguments as given, as JSON, for the audit; cut where they are very long. */
  readonly rawText: string;
}

/** Judges one call, and does nothing about it: what a mode makes of the judgement is the caller's to say. */
export class ToolFirewall {
  constructor(private readonly authorizer: ToolAuthorizer | null) {}

  async judge(
    tool: Tool,
    rawArgs: unknown,
    context: ToolContext,
    settings: Settings,
  ): Promise<FirewallJudgement> {
    const read = readArguments(rawArgs);
    const scoped = scopeToPrincipal(read.ok ? read.args : {}, tool, context.principalId, settings);
    const denied = !(await this.isAuthorised(tool, scoped.args, context, settings));
    // A caller who may not use the tool learns nothing about its schema.
    const found = denied ? {} : violationsIn(read.ok, tool, scoped.args, settings);
    const unread = read.ok ? {} : read.violations;
    return {
      args: scoped.args,
      readable: read.ok,
      denied,
      violations: { ...found, ...scoped.violations, ...unread },
      rawText: rawTextOf(rawArgs, read.ok ? read.args : null),
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
      const answer: unknown = await this.authorizer.authorize(tool, structuredClone(args), context);
      return answer === true;
    } catch {
      return false;
    }
  }
}

function violationsIn(
  readable: boolean,
  tool: Tool,
  args: ToolArguments,
  settings: Settings,
): Record<string, string> {
  return readable ? violationsOf(tool, args, settings) : {};
}

function rawTextOf(raw: unknown, read: ToolArguments | null): string {
  if (typeof raw === 'string') return takeCodePoints(raw, LONGEST_RAW_TEXT).head;
  return read === null ? '' : takeCodePoints(JSON.stringify(read), LONGEST_RAW_TEXT).head;
}

export interface CappedViolations {
  readonly violations: Readonly<Record<string, string>>;
  /** How many there were. */
  readonly violationCount: number;
}

/** The violations that a record keeps: 50 at most, keys of up to 200 and reasons of up to 500 characters. */
export function capViolations(violations: Readonly<Record<string, string>>): CappedViolations {
  const all = Object.entries(violations);
  const kept = all
    .slice(0, MOST_VIOLATIONS)
    .map(([path, reason]) => [
      takeCodePoints(path, LONGEST_KEY).head,
      takeCodePoints(reason, LONGEST_REASON).head,
    ]);
  return { violations: Object.fromEntries(kept) as Record<string, string>, violationCount: all.length };
}
