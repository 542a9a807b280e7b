import { randomUUID } from 'node:crypto';
import type { Content, Decision, Evidence } from '#contracts/audit/record.js';
import type { NewRejection } from '#contracts/firewall/firewall.js';
import type { OutgoingEvent } from '#contracts/events/outbox.js';
import type { OutputCount } from '#contracts/output/output.js';
import { scrubJson, scrubText } from '#contracts/common/text.js';
import { EVIDENCE_COLUMNS } from '../database/entry-columns.js';
import { clampTime, toJsonText } from '../database/sql.js';
import { timeText } from '../database/time-windows.js';

/** A decision as it will be stored: scrubbed, and independent of the object of the caller. */
export interface DecisionRow {
  readonly evidence: Evidence;
  /** The values of `EVIDENCE_COLUMNS`. */
  readonly values: readonly unknown[];
  readonly content: Content;
  readonly rejection: NewRejection | null;
  /** Rules with a match in a screening that counted, each once. */
  readonly matchedRuleIds: readonly string[];
  /** Rules with a match in an exception, each once. */
  readonly silencedRuleIds: readonly string[];
  readonly outputCounts: readonly OutputCount[];
  readonly outgoing: readonly OutgoingEvent[];
  /** When it occurred, as counts have it. */
  readonly minute: string;
  /** Control, rule and application: decisions with the same key are counted together. */
  readonly countKey: string;
  /** About how many characters the row has. */
  readonly size: number;
}

/** The part of `findings` that every finding of the kind and the detector has. */
export function findingPart(kind: string | undefined, detector: string | undefined): string {
  const parts = [kind === undefined ? '' : `"kind":${toJsonText(kind)}`];
  if (detector !== undefined) parts.push(`"detector":${toJsonText(detector)}`);
  return parts.filter((part) => part !== '').join(',');
}

/** How far a writer has come. Its rows are numbered without gaps, so a missing row is detected. */
export interface Writer {
  readonly writer: string;
  /** Of the last row; 0 before the first. */
  readonly sequence: number;
}

export function newWriter(): Writer {
  return { writer: randomUUID(), sequence: 0 };
}

export function decisionRow({ evidence: given, content, ...decision }: Decision): DecisionRow {
  const evidence = scrubbedEvidence(given);
  const { control, ruleId, application } = evidence;
  const prompt = scrubText(content.prompt);
  const matchedText = scrubbed(content.matchedText);
  const policy = scrubbed(content.policy);
  const ruleIds = (isSilenced: boolean): readonly string[] => {
    if (evidence.matchedRules.length === 0) return [];
    const matches =
      control === 'input_screen' ? evidence.matchedRules.filter(({ notJudged }) => notJudged !== true) : [];
    const its = matches.filter(({ exception }) => (exception === true) === isSilenced);
    return [...new Set(its.map((matched) => scrubText(matched.ruleId)))];
  };
  return {
    evidence,
    values: EVIDENCE_COLUMNS.map(([, , valueOf]) => valueOf(evidence)),
    content: { ...content, prompt, matchedText, policy },
    rejection: decision.rejection === null ? null : scrubbedRejection(decision.rejection),
    matchedRuleIds: ruleIds(false),
    silencedRuleIds: ruleIds(true),
    outputCounts: decision.outputCounts.map((count) => ({ ...count, detector: scrubText(count.detector) })),
    outgoing: decision.outgoing.map(ownEvent),
    minute: timeText(evidence.occurredAt, 'minute'),
    countKey: JSON.stringify([control, ruleId ?? '', application ?? '']),
    size: 1_000 + prompt.length + (matchedText?.length ?? 0) + (policy?.length ?? 0),
  };
}

/** What counts, principals and the hash share. Other members are scrubbed with their columns. */
function scrubbedEvidence(evidence: Evidence): Evidence {
  return {
    ...evidence,
    occurredAt: clampTime(evidence.occurredAt),
    ruleId: scrubbed(evidence.ruleId),
    principalId: scrubbed(evidence.principalId),
    application: scrubbed(evidence.application),
    rulesetVersion: scrubText(evidence.rulesetVersion),
  };
}

function scrubbedRejection(rejection: NewRejection): NewRejection {
  return {
    ...rejection,
    tool: scrubText(rejection.tool),
    principalId: scrubbed(rejection.principalId),
    application: scrubbed(rejection.application),
  };
}

/** The caller may change its event while the row waits for a commit. */
function ownEvent({ occurredAt, ...event }: OutgoingEvent): OutgoingEvent {
  return { ...(scrubJson(event) as typeof event), occurredAt: new Date(occurredAt) };
}

function scrubbed(text: string | null): string | null {
  return text === null ? null : scrubText(text);
}
