import type { ToolArguments } from '../../contracts/src/firewall.js';
import type { ToolContext } from '../../contracts/src/firewall.js';
import type { Tool } from '../../contracts/src/firewall.js';
import type { RuleInForce } from '../../contracts/src/screening.js';
import type { Span } from '../../contracts/src/text.js';
import type { GuardrailsEvent } from '../../contracts/src/events.js';
import type { OutgoingEvent } from '../../contracts/src/outbox.js';
import type { Decision } from '../../contracts/src/audit.js';
import type { ControlKey, ControlMode, Outcome } from '../../contracts/src/control-mode.js';
import type { DecisionEventName } from '../../contracts/src/events.js';
import type { NewRejection } from '../../contracts/src/firewall.js';
import type { OutputCount } from '../../contracts/src/output.js';
import type { DecisionContext, MatchedRule, Origin } from '../../contracts/src/screening.js';
import type { Settings } from '../../contracts/src/settings/settings.js';

/** What a control ruled, before hygiene: the one thing that every control hands to the recorder. */
export interface DecisionDraft {
  readonly event: DecisionEventName;
  readonly control: ControlKey;
  readonly outcome: Outcome;
  readonly mode: ControlMode;
  readonly origin: Origin;
  /** The text that was judged, as the caller sent it. */
  readonly text: string;
  /** Where the text is JSON, the value it holds: the escapes of JSON would hide from the detectors what they look for. */
  readonly json?: unknown;
  readonly context: DecisionContext;
  readonly rulesetVersion: string;
  readonly durationUs: number;
  readonly ruleId?: string | null;
  /** UTF-16 spans of `text`, the deciding rule's first. */
  readonly matchedRules?: readonly MatchedRule[];
  readonly erroredRuleIds?: readonly string[];
  readonly errored?: boolean;
  /** Longer than may be judged: only its head is kept. */
  readonly tooLong?: boolean;
  readonly tool?: string;
  /** All violations, as they were found: the recorder cleans and caps them. */
  readonly rejection?: Pick<NewRejection, 'violations' | 'enforced'>;
  readonly outputCounts?: readonly OutputCount[];
  readonly approvalId?: number;
  readonly actorId?: string;
}

/** A decision ready to be committed, and the word to spread once it is. */
export interface PreparedDecision {
  readonly decision: Decision;
  announce(auditId: number | null): void;
}

/** The one path by which every decision of every control reaches evidence, statistics and events. */
export abstract class DecisionRecorder {
  /** Answers the evidence's id, or `null` where the write policy does not wait for it. Strict: no audit, no pass. */
  abstract record(ruling: DecisionDraft, settings: Settings): Promise<number | null>;

  /** For decisions that commit together with something else. */
  abstract prepare(ruling: DecisionDraft, settings: Settings): PreparedDecision;
}

/** Whoever decides something takes one snapshot from here and keeps to it. */
export abstract class CurrentSettings {
  abstract current(): Settings;
}

/** Where the engine says what an operator of the process should read. The Nest face writes it to the host's log. */
export abstract class Diagnostics {
  abstract warn(message: string, facts?: Readonly<Record<string, unknown>>): void;
}

export class SilentDiagnostics extends Diagnostics {
  override warn(): void {
    // An engine that is used alone has no log of its own.
  }
}

/** Picks what leaves the process: only what a configured sink or the live stream selects enters the outbox. */
export abstract class EventRouter {
  abstract route(event: GuardrailsEvent): readonly OutgoingEvent[];
}

/** A text without personal data or secrets, and what was put in their place. */
export interface Redaction {
  readonly text: string;
  /** Ascending; spans in UTF-16 units of the text as given. */
  readonly edits: readonly { readonly span: Span; readonly replacement: string }[];
}

/** Takes personal data and secrets out of what is kept. */
export abstract class Redactor {
  abstract redact(text: string): Redaction;

  abstract redactSecrets(text: string): string;
}

/** Names the rules in force: stamped on every decision, so that a change of rules can never hide. */
export abstract class RuleCatalog {
  /** `<label>-<12 hex>`, from the content of the rules: changed at once by any change, and back again by its reversal. */
  abstract rulesetVersion(settings: Settings): string;

  /** In the order in which they are asked; a silenced rule stands in its place, and its mode is off. */
  abstract rulesInForce(settings: Settings): readonly RuleInForce[];
}

/** Looks again at a call that was let through before: the firewall's part of the checks before an approved run. */
export abstract class CallReview {
  /** Whether the same requester, asking now, would reach these same arguments. */
  abstract isStillAllowed(
    tool: Tool,
    args: ToolArguments,
    context: ToolContext,
    settings: Settings,
  ): Promise<boolean>;
}

/** The tools that the host registered, by name: the only way by which a stored call finds code to run. */
export abstract class ToolCatalog {
  /** The one tool of this name that approvals run. */
  abstract find(name: string): Tool | undefined;

  /** SHA-256 over name and schema, hex; `null` where nothing tells its schema from another one. */
  abstract fingerprintOf(tool: Tool): string | null;
}
