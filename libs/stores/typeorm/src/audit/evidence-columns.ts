import type { SealedRow } from './batch.js';

/** A column, its type to PostgreSQL, and its value. */
export type EvidenceColumn = readonly [name: string, type: string, of: (row: SealedRow) => unknown];

const bytes = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text, 'base64url'));

export const EVIDENCE_COLUMNS: readonly EvidenceColumn[] = [
  ['sequence', 'bigint', (row) => row.sequence],
  ['seal', 'bytea', (row) => row.seal],
  ['occurred_at', 'timestamptz', (row) => row.evidence.occurredAt],
  ['day', 'text', (row) => row.evidence.occurredAt.slice(0, 10)],
  ['control', 'text', (row) => row.evidence.control],
  ['outcome', 'text', (row) => row.evidence.outcome],
  ['mode', 'text', (row) => row.evidence.mode],
  ['origin', 'text', (row) => row.evidence.origin],
  ['errored', 'boolean', (row) => row.evidence.errored],
  ['prompt_length', 'bigint', (row) => row.evidence.promptLength],
  ['duration_us', 'bigint', (row) => row.evidence.durationUs],
  ['rule_id', 'text', (row) => row.evidence.ruleId],
  ['matched_rules', 'text', (row) => row.evidence.matchedRules],
  ['errored_rule_ids', 'text', (row) => row.evidence.erroredRuleIds],
  ['application', 'text', (row) => row.evidence.application],
  ['request_id', 'text', (row) => row.evidence.requestId],
  ['run_id', 'text', (row) => row.evidence.runId],
  ['tool', 'text', (row) => row.evidence.tool],
  ['rendering', 'text', (row) => row.evidence.rendering],
  ['ruleset_version', 'text', (row) => row.evidence.rulesetVersion],
  ['prompt_commitment', 'bytea', (row) => bytes(row.evidence.promptCommitment)],
  ['matched_text_commitment', 'bytea', (row) => bytes(row.evidence.matchedTextCommitment)],
  ['principal_commitment', 'bytea', (row) => bytes(row.evidence.principalCommitment)],
];

export const CONTENT_COLUMNS: readonly EvidenceColumn[] = [
  ['storage', 'text', (row) => row.content.storage],
  ['prompt', 'text', (row) => row.content.prompt],
  ['matched_span_start', 'bigint', (row) => row.content.spanStart],
  ['matched_span_end', 'bigint', (row) => row.content.spanEnd],
  ['matched_text', 'text', (row) => row.content.matchedText],
  ['salt', 'bytea', (row) => bytes(row.content.salt)],
];
