import type { AuditEntry, AuditListEntry, Commitments } from '../../../../contracts/src/audit.js';
import type { PromptStorage } from '../../../../contracts/src/text.js';
import { previewOf, PREVIEW_LENGTH } from '../../../../contracts/src/text.js';
import { jsonOf } from '../json-text.js';
import type { Tables } from '../tables.js';

/** Evidence as the driver hands it over. */
interface AuditListRow extends Pick<
  AuditListEntry,
  'control' | 'outcome' | 'mode' | 'origin' | 'application'
> {
  readonly id: string;
  /** MariaDB has 0 and 1. */
  readonly errored: boolean | number;
  readonly rule_id: string | null;
  readonly principal_id: string | null;
  readonly ruleset_version: string;
  readonly prompt_length: string;
  readonly occurred_at: Date;
}

export interface AuditPageRow extends AuditListRow {
  /** How the text is stored, a space, and its beginning. */
  readonly stored: string;
}

/**
 * Of `e`, the evidence of one page: what stands in other tables is looked up for its rows alone, which takes a server
 * less planning than joins. One character more than a preview shows, to know whether there is more.
 */
export function auditListColumns({ principals, content }: Tables): string {
  return `e.id, e.control, e.outcome, e.mode, e.origin, e.rule_id, e.application, e.ruleset_version, e.prompt_length,
    e.errored, e.occurred_at,
    (select named.name from ${principals} named where named.id = e.principal_ref) as principal_id,
    (select concat(held.storage, ' ', left(held.prompt, ${PREVIEW_LENGTH + 1}))
     from ${content} held where held.evidence_id = e.id) as stored`;
}

export function auditListEntry(row: AuditPageRow): AuditListEntry {
  const space = row.stored.indexOf(' ');
  const storage = row.stored.slice(0, space);
  const keepsText = storage !== 'hash' && storage !== 'erased';
  return {
    id: Number(row.id),
    control: row.control,
    outcome: row.outcome,
    mode: row.mode,
    origin: row.origin,
    ruleId: row.rule_id,
    principalId: row.principal_id,
    application: row.application,
    rulesetVersion: row.ruleset_version,
    promptPreview: keepsText ? previewOf(row.stored.slice(space + 1)) : null,
    promptLength: Number(row.prompt_length),
    errored: Boolean(row.errored),
    occurredAt: row.occurred_at,
  };
}

/** A whole entry as the driver hands it over. */
export interface AuditEntryRow extends AuditListRow {
  readonly storage: PromptStorage;
  readonly matched_rules: string;
  readonly errored_rule_ids: string;
  readonly request_id: string | null;
  readonly run_id: string | null;
  readonly tool: string | null;
  readonly duration_us: string;
  readonly prompt_commitment: Buffer;
  readonly matched_text_commitment: Buffer | null;
  readonly principal_commitment: Buffer | null;
  readonly prompt: string;
  readonly matched_span_start: string | null;
  readonly matched_span_end: string | null;
  readonly matched_text: string | null;
  readonly salt: Buffer | null;
}

export const AUDIT_ENTRY_COLUMNS = `e.*, p.name as principal_id, c.*`;

export function auditEntry(row: AuditEntryRow): AuditEntry {
  const { matched_span_start: start, matched_span_end: end } = row;
  return {
    id: Number(row.id),
    occurredAt: row.occurred_at,
    control: row.control,
    outcome: row.outcome,
    mode: row.mode,
    origin: row.origin,
    ruleId: row.rule_id,
    matchedRules: jsonOf(row.matched_rules) as AuditEntry['matchedRules'],
    erroredRuleIds: jsonOf(row.errored_rule_ids) as AuditEntry['erroredRuleIds'],
    errored: Boolean(row.errored),
    principalId: row.principal_id,
    application: row.application,
    requestId: row.request_id,
    runId: row.run_id,
    tool: row.tool,
    rulesetVersion: row.ruleset_version,
    promptLength: Number(row.prompt_length),
    durationUs: Number(row.duration_us),
    commitments: commitments(row),
    storage: row.storage,
    prompt: row.prompt,
    matchedSpan: start === null || end === null ? null : [Number(start), Number(end)],
    matchedText: row.matched_text,
    salt: base64url(row.salt),
  };
}

function commitments(row: AuditEntryRow): Commitments {
  return {
    prompt: row.prompt_commitment.toString('base64url'),
    matchedText: base64url(row.matched_text_commitment),
    principal: base64url(row.principal_commitment),
  };
}

function base64url(bytes: Buffer | null): string | null {
  return bytes === null ? null : bytes.toString('base64url');
}
