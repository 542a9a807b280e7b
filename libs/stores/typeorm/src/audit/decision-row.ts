import type { Decision } from '../../../../contracts/src/audit.js';
import type { OutgoingEvent } from '../../../../contracts/src/outbox.js';
import type { OutputCount } from '../../../../contracts/src/output.js';
import { scrubJson, scrubText } from '../../../../contracts/src/text.js';
import { jsonText } from '../json-text.js';
import { timeText } from '../parameters.js';
import type { EvidenceFields } from './seal.js';

export interface RejectionFields {
  readonly tool: string;
  readonly principal: string | null;
  readonly application: string | null;
  readonly violations: string;
  readonly violationCount: number;
  readonly enforced: boolean;
  readonly occurredAt: string;
}

/** A decision as it will be stored: scrubbed, in the columns' own words, and shared with nobody. */
export interface DecisionRow {
  readonly evidence: EvidenceFields;
  readonly principal: string | null;
  /** Rules that matched in a screening, each once. */
  readonly hits: readonly string[];
  readonly content: {
    readonly storage: string;
    readonly prompt: string;
    readonly spanStart: number | null;
    readonly spanEnd: number | null;
    readonly matchedText: string | null;
    readonly salt: string | null;
  };
  readonly rejection: RejectionFields | null;
  readonly outputCounts: readonly OutputCount[];
  readonly outgoing: readonly OutgoingEvent[];
  /** What hours and days are counted by: control, outcome, rule and application, as a JSON array. */
  readonly line: string;
  /** About so many characters. */
  readonly weight: number;
}

export function decisionRow(decision: Decision): DecisionRow {
  const { evidence, content, outputCounts, outgoing } = decision;
  const prompt = scrubText(content.prompt);
  const matchedText = scrubbed(content.matchedText);
  const screened = evidence.control === 'input_screen';
  const fields = evidenceFields(evidence);
  return {
    evidence: fields,
    principal: scrubbed(evidence.principalId),
    hits: screened ? [...new Set(evidence.matchedRules.map(({ ruleId }) => scrubText(ruleId)))] : [],
    content: {
      storage: content.storage,
      prompt,
      spanStart: content.matchedSpan?.[0] ?? null,
      spanEnd: content.matchedSpan?.[1] ?? null,
      matchedText,
      salt: content.salt,
    },
    rejection: rejectionFields(decision),
    outputCounts: outputCounts.map((count) => ({ ...count, detector: scrubText(count.detector) })),
    outgoing: outgoing.map(ownEvent),
    line: lineOf(fields),
    weight: 1_000 + prompt.length + (matchedText?.length ?? 0),
  };
}

function lineOf({ control, outcome, ruleId, application }: EvidenceFields): string {
  return JSON.stringify([control, outcome, ruleId ?? '', application ?? '']);
}

function ownEvent({ occurredAt, ...event }: OutgoingEvent): OutgoingEvent {
  return { ...(scrubJson(event) as typeof event), occurredAt: new Date(occurredAt) };
}

function evidenceFields(evidence: Decision['evidence']): EvidenceFields {
  const { commitments } = evidence;
  return {
    occurredAt: timeText(evidence.occurredAt),
    control: evidence.control,
    outcome: evidence.outcome,
    mode: evidence.mode,
    origin: evidence.origin,
    errored: evidence.errored,
    promptLength: evidence.promptLength,
    durationUs: evidence.durationUs,
    ruleId: scrubbed(evidence.ruleId),
    matchedRules: jsonText(evidence.matchedRules),
    erroredRuleIds: jsonText(evidence.erroredRuleIds),
    application: scrubbed(evidence.application),
    requestId: scrubbed(evidence.requestId),
    runId: scrubbed(evidence.runId),
    tool: scrubbed(evidence.tool),
    rendering: evidence.rendering,
    rulesetVersion: scrubText(evidence.rulesetVersion),
    promptCommitment: commitments.prompt,
    matchedTextCommitment: commitments.matchedText,
    principalCommitment: commitments.principal,
  };
}

function rejectionFields({ rejection }: Decision): RejectionFields | null {
  if (rejection === null) return null;
  return {
    tool: scrubText(rejection.tool),
    principal: scrubbed(rejection.principalId),
    application: scrubbed(rejection.application),
    violations: jsonText(rejection.violations),
    violationCount: rejection.violationCount,
    enforced: rejection.enforced,
    occurredAt: timeText(rejection.occurredAt),
  };
}

function scrubbed(text: string | null): string | null {
  return text === null ? null : scrubText(text);
}
