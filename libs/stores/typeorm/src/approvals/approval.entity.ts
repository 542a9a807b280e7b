import { EntitySchema, type EntitySchemaColumnOptions, type ValueTransformer } from 'typeorm';
import type { Approval } from '#contracts/approvals.js';
import { asJson, COLUMN, columnsOf, nullable } from '../column-types.js';
import { tableName, type TableNaming } from '../tables.js';

export interface ApprovalRow extends Approval {
  /** Digest of the call within its run. Unique; `null` once the same call may be parked again. */
  readonly dedupKey: string | null;
  /** One of the places of its principal for pending calls. Unique; `null` once it is not pending. */
  readonly pendingSlot: string | null;
  readonly encryptedToken: string | null;
  readonly notifiedAt: Date | null;
  /** The instance that notifies about the outcome holds it until then. */
  readonly notifyLeaseUntil: Date | null;
}

const hidden = (column: EntitySchemaColumnOptions): EntitySchemaColumnOptions => ({
  ...nullable(column),
  select: false,
});

export function approvalEntity(naming: TableNaming): EntitySchema<ApprovalRow> {
  const time = { ...COLUMN.time, transformer: readableTime };
  return new EntitySchema<ApprovalRow>({
    name: tableName(naming, 'approvals'),
    schema: naming.schema,
    synchronize: false,
    columns: columnsOf<ApprovalRow>({
      id: COLUMN.id,
      reference: COLUMN.text,
      tokenHash: COLUMN.text,
      encryptedToken: { ...hidden(COLUMN.text), name: 'encrypted_token' },
      callMac: { ...COLUMN.text, name: 'call_mac' },
      dedupKey: hidden(COLUMN.text),
      pendingSlot: hidden(COLUMN.text),
      status: COLUMN.text,
      runId: nullable(COLUMN.text),
      stepName: COLUMN.text,
      tool: COLUMN.text,
      toolFingerprint: COLUMN.text,
      arguments: nullable(readableJson(isRecord, null)),
      argumentsDigest: COLUMN.text,
      reversible: COLUMN.flag,
      idempotent: COLUMN.flag,
      warnings: readableJson(isListOfTexts, ['The warnings of this call cannot be read.']),
      principalId: nullable(COLUMN.text),
      application: nullable(COLUMN.text),
      requestId: nullable(COLUMN.text),
      policyRevision: COLUMN.text,
      createdAt: time,
      expiresAt: time,
      decision: nullable(COLUMN.text),
      decidedBy: nullable(COLUMN.text),
      decidedAt: nullable(time),
      reason: nullable(COLUMN.text),
      decisionMac: { ...nullable(COLUMN.text), name: 'decision_mac' },
      fence: COLUMN.integer,
      leaseUntil: nullable(time),
      finishedAt: nullable(time),
      resolvedBy: nullable(COLUMN.text),
      resolvedAt: nullable(time),
      resolvedReason: nullable(COLUMN.text),
      notifiedAt: hidden(time),
      notifyLeaseUntil: hidden(time),
      notifyAttempts: { ...COLUMN.integer, name: 'notify_attempts' },
      result: nullable(readableJson(() => true, null)),
      error: nullable(readableJson(isRecord, null)),
    }),
  });
}

/**
 * A row that was changed past the stores must stay readable: a failed read would hide its neighbours from lists and
 * repairs. A replaced value matches no MAC, so the call cannot run.
 */
function readableJson(accepts: (value: unknown) => boolean, replacement: unknown): EntitySchemaColumnOptions {
  const from = (text: string | null): unknown => {
    if (text === null) return null;
    try {
      const value: unknown = JSON.parse(text);
      return accepts(value) ? value : replacement;
    } catch {
      return replacement;
    }
  };
  return { ...COLUMN.json, transformer: { ...asJson, from } };
}

const LAST_MS = 8_640_000_000_000_000;

/** PostgreSQL stores `infinity` and years that no Date can represent. */
const readableTime: ValueTransformer = {
  to: (value: unknown) => value,
  from: (value: unknown) => {
    if (value === null || (value instanceof Date && !Number.isNaN(value.getTime()))) return value;
    return new Date(value === -Infinity ? -LAST_MS : LAST_MS);
  },
};

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
