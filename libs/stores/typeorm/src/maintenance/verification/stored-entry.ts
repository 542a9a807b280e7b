import type { SealedFields } from '../../audit/seal.js';
import type { Commitments } from '../../../../../contracts/src/audit.js';

/** A row of evidence as it is in the database, with the content and the name that hang on it. */
export interface StoredEntry {
  readonly id: number;
  readonly sealed: SealedFields;
  readonly seal: Buffer;
  /** A copy of what is sealed, by which trends are counted. */
  readonly day: string;
  readonly commitments: Commitments;
  readonly principalRef: number | null;
  /** `null`: nobody, or somebody who was forgotten. */
  readonly principal: string | null;
  /** `null`: there is no row. */
  readonly content: StoredContent | null;
}

export interface StoredContent {
  readonly storage: string;
  readonly prompt: string;
  readonly matchedText: string | null;
  readonly salt: string | null;
}

/** As the driver hands it over. */
export interface StoredColumns {
  readonly id: string;
  readonly writer: string;
  readonly sequence: string;
  readonly seal: Buffer;
  readonly occurred_at: Date;
  readonly day: string;
  readonly control: string;
  readonly outcome: string;
  readonly mode: string;
  readonly origin: string;
  readonly errored: boolean;
  readonly prompt_length: string;
  readonly duration_us: string;
  readonly rule_id: string | null;
  readonly matched_rules: string;
  readonly errored_rule_ids: string;
  readonly application: string | null;
  readonly request_id: string | null;
  readonly run_id: string | null;
  readonly tool: string | null;
  readonly rendering: string | null;
  readonly ruleset_version: string;
  readonly prompt_commitment: Buffer;
  readonly matched_text_commitment: Buffer | null;
  readonly principal_commitment: Buffer | null;
  readonly principal_ref: string | null;
  readonly principal: string | null;
  readonly storage: string | null;
  readonly prompt: string | null;
  readonly matched_text: string | null;
  readonly salt: Buffer | null;
}

export function storedEntry(row: StoredColumns): StoredEntry {
  const commitments: Commitments = {
    prompt: row.prompt_commitment.toString('base64url'),
    matchedText: row.matched_text_commitment?.toString('base64url') ?? null,
    principal: row.principal_commitment?.toString('base64url') ?? null,
  };
  return {
    id: Number(row.id),
    sealed: sealedFields(row, commitments),
    seal: row.seal,
    day: row.day,
    commitments,
    principalRef: row.principal_ref === null ? null : Number(row.principal_ref),
    principal: row.principal,
    content: contentOf(row),
  };
}

function sealedFields(row: StoredColumns, commitments: Commitments): SealedFields {
  return {
    writer: row.writer,
    sequence: Number(row.sequence),
    occurredAt: row.occurred_at.toISOString(),
    control: row.control,
    outcome: row.outcome,
    mode: row.mode,
    origin: row.origin,
    errored: row.errored,
    promptLength: Number(row.prompt_length),
    durationUs: Number(row.duration_us),
    ruleId: row.rule_id,
    matchedRules: row.matched_rules,
    erroredRuleIds: row.errored_rule_ids,
    application: row.application,
    requestId: row.request_id,
    runId: row.run_id,
    tool: row.tool,
    rendering: row.rendering,
    rulesetVersion: row.ruleset_version,
    promptCommitment: commitments.prompt,
    matchedTextCommitment: commitments.matchedText,
    principalCommitment: commitments.principal,
  };
}

function contentOf({ storage, prompt, matched_text, salt }: StoredColumns): StoredContent | null {
  if (storage === null) return null;
  return {
    storage,
    prompt: prompt ?? '',
    matchedText: matched_text,
    salt: salt?.toString('base64url') ?? null,
  };
}
