import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import type { Approval } from '../../../../contracts/src/approvals.js';
import { columnsOf, nullable } from '../columns.js';
import type { Dialect } from '../dialects/dialect.js';
import { tableName, type TableNaming } from '../tables.js';
import { isListOfTexts, isRecord, readableJson, readableTime } from './readable-values.js';

/** A row is the record itself, and what only the store needs to know. */
export interface ApprovalRow extends Approval {
  /** Digest of run, step, tool and arguments; `null` once the call no longer keeps another one out. Unique. */
  readonly openKey: string | null;
  /** One of the places that its principal has for calls that wait; `null` once it does not. Unique. */
  readonly openSlot: string | null;
  readonly encryptedToken: string | null;
  readonly toldAt: Date | null;
  /** Whoever tells of its outcome has until then. */
  readonly tellingUntil: Date | null;
}

const hidden = (column: EntitySchemaColumnOptions): EntitySchemaColumnOptions => ({
  ...nullable(column),
  select: false,
});

export function approvalEntity({ columns: kind }: Dialect, naming: TableNaming): EntitySchema<ApprovalRow> {
  const time = readableTime(kind.time);
  return new EntitySchema<ApprovalRow>({
    name: tableName(naming, 'approvals'),
    schema: naming.schema,
    synchronize: false,
    columns: columnsOf<ApprovalRow>({
      id: kind.id,
      reference: kind.text,
      tokenHash: kind.text,
      encryptedToken: hidden({ ...kind.text, name: 'sealed_token' }),
      callMac: { ...kind.text, name: 'seal' },
      openKey: hidden(kind.text),
      openSlot: hidden(kind.text),
      status: kind.text,
      runId: nullable(kind.text),
      stepName: kind.text,
      tool: kind.text,
      toolFingerprint: kind.text,
      arguments: nullable(readableJson(kind.json, isRecord, null)),
      argumentsDigest: kind.text,
      reversible: kind.flag,
      idempotent: kind.flag,
      warnings: readableJson(kind.json, isListOfTexts, ['The warnings of this call cannot be read.']),
      principalId: nullable(kind.text),
      application: nullable(kind.text),
      requestId: nullable(kind.text),
      policyRevision: kind.text,
      createdAt: time,
      expiresAt: time,
      decision: nullable(kind.text),
      decidedBy: nullable(kind.text),
      decidedAt: nullable(time),
      reason: nullable(kind.text),
      decisionMac: nullable({ ...kind.text, name: 'decision_seal' }),
      fence: kind.integer,
      leaseUntil: nullable(time),
      finishedAt: nullable(time),
      resolvedBy: nullable(kind.text),
      resolvedAt: nullable(time),
      resolvedReason: nullable(kind.text),
      toldAt: hidden(time),
      tellingUntil: hidden(time),
      notifyAttempts: { ...kind.integer, name: 'tellings' },
      result: nullable(readableJson(kind.json, () => true, null)),
      error: nullable(readableJson(kind.json, isRecord, null)),
    }),
  });
}
