import type { AuditEntry, AuditListEntry } from '../../../../contracts/src/audit.js';
import type { PromptStorage } from '../../../../contracts/src/prompt-storage.js';
import { previewOf, PREVIEW_LENGTH } from '../../../../contracts/src/text.js';
import type { ContentRow, EvidenceRow } from './audit.entities.js';

/** A row of the list as the driver hands it over. */
export interface AuditListRow extends Pick<
  AuditListEntry,
  'control' | 'outcome' | 'mode' | 'origin' | 'application' | 'errored'
> {
  readonly id: string;
  readonly rule_id: string | null;
  readonly principal_id: string | null;
  readonly ruleset_version: string;
  readonly prompt_length: string;
  readonly occurred_at: Date;
  readonly storage: PromptStorage;
  readonly preview: string;
}

/** One character more than a preview shows, to know whether there is more. */
export const AUDIT_LIST_COLUMNS = `e.id, e.control, e.outcome, e.mode, e.origin, e.rule_id, e.principal_id,
  e.application, e.ruleset_version, e.prompt_length, e.errored, e.occurred_at,
  c.storage, left(c.prompt, ${PREVIEW_LENGTH + 1}) as preview`;

export function auditListEntry(row: AuditListRow): AuditListEntry {
  const keepsText = row.storage !== 'hash' && row.storage !== 'erased';
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
    promptPreview: keepsText ? previewOf(row.preview) : null,
    promptLength: Number(row.prompt_length),
    errored: row.errored,
    occurredAt: row.occurred_at,
  };
}

export function auditEntry({ day: _day, ...evidence }: EvidenceRow, content: ContentRow): AuditEntry {
  const { storage, prompt, matchedSpanStart: start, matchedSpanEnd: end, matchedText } = content;
  const matchedSpan = start === null || end === null ? null : ([start, end] as const);
  return { ...evidence, storage, prompt, matchedSpan, matchedText };
}
