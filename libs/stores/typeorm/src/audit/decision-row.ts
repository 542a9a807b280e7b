import { hash, randomUUID } from 'node:crypto';
import type { Content, Decision, Evidence } from '#contracts/audit/record.js';
import type { NewRejection } from '#contracts/firewall/firewall.js';
import type { OutgoingEvent } from '#contracts/events/outbox.js';
import type { OutputCount } from '#contracts/output/output.js';
import { scrubJson, scrubText } from '#contracts/common/text.js';
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
  readonly second: string;
  /** Control, rule and application: decisions with the same key are counted together. */
  readonly countKey: string;
  /** About how many characters the row has. */
  readonly size: number;
}

type EvidenceColumn = readonly [name: string, type: string, valueOf: (evidence: Evidence) => unknown];

const bytes = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text, 'base64url'));

/** Columns that are inserted and hashed, in the order of the hash. The id and the reference to the principal are not. */
export const EVIDENCE_COLUMNS: readonly EvidenceColumn[] = [
  ['occurred_at', 'timestamptz', ({ occurredAt }) => occurredAt.toISOString()],
  ['control', 'text', ({ control }) => control],
  ['outcome', 'text', ({ outcome }) => outcome],
  ['mode', 'text', ({ mode }) => mode],
  ['origin', 'text', ({ origin }) => origin],
  ['errored', 'boolean', ({ errored }) => errored],
  ['prompt_length', 'bigint', ({ promptLength }) => promptLength],
  ['duration_us', 'bigint', ({ durationUs }) => durationUs],
  ['rule_id', 'text', ({ ruleId }) => ruleId],
  ['matched_rules', 'text', ({ matchedRules }) => toJsonText(matchedRules)],
  ['errored_rule_ids', 'text', ({ erroredRuleIds }) => toJsonText(erroredRuleIds)],
  ['findings', 'text', ({ findings }) => (findings.length === 0 ? null : findingsText(findings))],
  ['finding_count', 'bigint', ({ findingCount }) => findingCount],
  ['application', 'text', ({ application }) => application],
  ['request_id', 'text', ({ requestId }) => requestId],
  ['run_id', 'text', ({ runId }) => runId],
  ['tool', 'text', ({ tool }) => tool],
  ['ruleset_version', 'text', ({ rulesetVersion }) => rulesetVersion],
  ['rendering', 'text', ({ rendering }) => rendering ?? null],
  ['approval_id', 'bigint', ({ approvalId }) => approvalId],
  ['approval_step', 'text', ({ approvalStep }) => approvalStep],
  ['prompt_commitment', 'bytea', ({ commitments }) => bytes(commitments.prompt)],
  ['matched_text_commitment', 'bytea', ({ commitments }) => bytes(commitments.matchedText)],
  ['principal_commitment', 'bytea', ({ commitments }) => bytes(commitments.principal)],
  ['policy_commitment', 'bytea', ({ commitments }) => bytes(commitments.policy)],
];

/** The members have one order, so that a finding can be searched for as text. */
function findingsText(findings: Evidence['findings']): string {
  return toJsonText(findings.map(({ kind, detector, span }) => ({ kind, detector, span })));
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

/** SHA-256 of a JSON array: writer, sequence and the values of `EVIDENCE_COLUMNS`. */
export function rowHashOf(writer: string, sequence: number, values: readonly unknown[]): Buffer {
  return hash('sha256', JSON.stringify([writer, sequence, ...values.map(hashedValue)]), 'buffer');
}

/** As JSON contains it: times in ISO 8601, bytes in base64url. */
export function hashedValue(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return value.toString('base64url');
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64url') : value;
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
    second: timeText(evidence.occurredAt, 'second'),
    countKey: JSON.stringify([control, ruleId ?? '', application ?? '']),
    size: 1_000 + prompt.length + (matchedText?.length ?? 0) + (policy?.length ?? 0),
  };
}

function scrubbedEvidence(evidence: Evidence): Evidence {
  return {
    ...evidence,
    occurredAt: clampTime(evidence.occurredAt),
    ruleId: scrubbed(evidence.ruleId),
    principalId: scrubbed(evidence.principalId),
    application: scrubbed(evidence.application),
    requestId: scrubbed(evidence.requestId),
    runId: scrubbed(evidence.runId),
    tool: scrubbed(evidence.tool),
    rendering: evidence.rendering,
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
