// What a domain of the engine needs of another one. `create-engine.ts` passes the class that provides it.
import type { ToolArguments, ToolContext, Tool, NewRejection } from '#contracts/firewall/firewall.js';
import type {
  DecisionContext,
  MatchedRule,
  Origin,
  RuleGroupInForce,
  RuleInForce,
  RetiredRule,
  ScreenerInForce,
} from '#contracts/screening/screening.js';
import type { Utf16Span } from '#contracts/common/spans.js';
import type { DecisionEventName } from '#contracts/events/decision-events.js';
import type { GuardrailsEvent } from '#contracts/events/guardrails-event.js';
import type { OutgoingEvent } from '#contracts/events/outbox.js';
import type { ApprovalRequirement, ApprovalStep, Risk } from '#contracts/approvals/approvals.js';
import type { BudgetClaim } from '#contracts/approvals/budgets.js';
import type { Decision } from '#contracts/audit/record.js';
import type { ControlKey, ControlMode, Outcome } from '#contracts/common/control-mode.js';
import type { Finding, OutputCount, Rendering } from '#contracts/output/output.js';
import type { PolicyRecord } from '#contracts/policies/policies.js';
import type { Settings } from '#contracts/settings/settings.js';
import { type Resumable, runToEnd } from './resumable.js';

/** A decision before hygiene, as every control passes it to the recorder. */
export interface DecisionDraft {
  readonly event: DecisionEventName;
  readonly control: ControlKey;
  readonly outcome: Outcome;
  readonly mode: ControlMode;
  readonly origin: Origin;
  /** The judged text, as the caller sent it. */
  readonly text: string;
  /** The value of a JSON text; JSON escapes would hide secrets from the detectors. */
  readonly json?: unknown;
  readonly context: DecisionContext;
  readonly rulesetVersion: string;
  readonly durationUs: number;
  readonly ruleId?: string | null;
  /** UTF-16 spans of `text`, the deciding rule's first. */
  readonly matchedRules?: readonly MatchedRule[];
  readonly erroredRuleIds?: readonly string[];
  readonly errored?: boolean;
  /** The text was too long to be judged; only its head is stored. */
  readonly tooLong?: boolean;
  readonly tool?: string;
  /** All violations; the recorder cleans and limits them. */
  readonly rejection?: Pick<NewRejection, 'violations' | 'enforced'>;
  /** Set where `text` is not the judged text: a structure was judged value by value, or an output was cut off. */
  readonly alteration?: 'serialized' | 'truncated';
  /** Set for outputs only. */
  readonly rendering?: Rendering;
  readonly outputCounts?: readonly OutputCount[];
  /** Set for outputs only. UTF-16 spans of `text`, except under `serialized`; the recorder limits them. */
  readonly findings?: readonly Finding[];
  readonly approvalId?: number;
  readonly approvalStep?: ApprovalStep;
  readonly actorId?: string;
  /** Set where a policy decided. */
  readonly policy?: PolicyRecord;
}

/** What a pending call needs, and what it adds to its budgets once it is approved. */
export interface ApprovalTerms {
  readonly requirement: ApprovalRequirement;
  readonly ttlMs: number;
  readonly claims: readonly BudgetClaim[];
  /** For the records of the call. */
  readonly record: Pick<DecisionDraft, 'policy' | 'ruleId'>;
  /** Finds what its approvers must know first. */
  readonly risk: () => Promise<readonly Risk[]>;
}

/** A decision ready to be committed, and its event for after the commit. */
export interface PreparedDecision {
  readonly decision: Decision;
  publish(auditId: number | null): void;
}

/** Records decisions of all controls: evidence, statistics and events. */
export abstract class DecisionRecorder {
  /**
   * Returns the id of the evidence, or `null` under the buffered write policy. Under `strict`, a decision that
   * cannot be recorded is an error.
   */
  abstract record(ruling: DecisionDraft, settings: Settings): Promise<number | null>;

  /** For decisions that commit together with another change. */
  abstract prepare(ruling: DecisionDraft, settings: Settings): PreparedDecision;
}

/** Provides the settings snapshot; a decision takes one and uses it throughout. */
export abstract class CurrentSettings {
  abstract current(): Settings;
}

/** Log of the engine, for operators of the process. */
export abstract class Diagnostics {
  abstract warn(message: string, facts?: Readonly<Record<string, unknown>>): void;
}

export class SilentDiagnostics extends Diagnostics {
  override warn() {
    // By default nothing is logged.
  }
}

/** Selects events for the outbox: those of a configured sink or the live stream. */
export abstract class EventRouter {
  abstract route(event: GuardrailsEvent): readonly OutgoingEvent[];
}

/** A text without personal data and secrets, with the replacements. */
export interface Redaction {
  readonly text: string;
  /** Ascending; spans in UTF-16 units of the original text. */
  readonly edits: readonly { readonly span: Utf16Span; readonly replacement: string }[];
}

/** Removes personal data and secrets from stored text. */
export abstract class Redactor {
  redact(text: string): Redaction {
    return runToEnd(this.redacting(text));
  }

  abstract redacting(text: string): Resumable<Redaction>;

  abstract redactSecrets(text: string): string;
}

/** Finds personal data in a text. Throws what a detector throws. */
export interface PersonalDataFinder {
  findingPersonalData(text: string): Resumable<readonly Finding[]>;
}

/** Provides the current rules and their version. */
export abstract class RuleCatalog {
  /** `<label>-<12 hex>`, a digest of the rules: changes with every change, and returns when it is reverted. */
  abstract rulesetVersion(settings: Settings): string;

  /** All rules in the order of evaluation, including those whose mode is off. */
  abstract rulesInForce(settings: Settings): readonly RuleInForce[];

  /** The groups in the order of their first rules. */
  abstract groupsInForce(settings: Settings): readonly RuleGroupInForce[];

  /** The classifier, then those of the host, including screeners whose mode is off. */
  abstract screenersInForce(settings: Settings): readonly ScreenerInForce[];

  /** Removed rules and groups. */
  abstract retiredRules(settings: Settings): readonly RetiredRule[];
}

/** Repeats the firewall's checks before an approved run. */
export abstract class CallReview {
  /** Whether a call by the same requester would now produce the same arguments. */
  abstract isStillAllowed(
    tool: Tool,
    args: ToolArguments,
    context: ToolContext,
    settings: Settings,
  ): Promise<boolean>;
}

/** Why calls of a tool are stopped: the freeze, or `null` where freezes cannot be read. */
export interface CallStop {
  readonly ruleId: string | null;
  readonly why: string;
}

/** Says whether an operator stopped the calls of a tool. Asked before every run. */
export abstract class CallStops {
  /** `null`: the call may run. */
  abstract find(tool: Tool, application: string | null): Promise<CallStop | null>;
}

/** Registered tools by name; stored calls run only these. */
export abstract class ToolCatalog {
  /** The tool of this name that approvals run. */
  abstract find(name: string): Tool | undefined;

  abstract names(): readonly string[];

  /** SHA-256 over name and schema, hex; `null` where the schema cannot be identified. */
  abstract fingerprintOf(tool: Tool): string | null;
}
