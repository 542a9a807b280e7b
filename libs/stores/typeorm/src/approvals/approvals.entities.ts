import { EntitySchema } from 'typeorm';
import type { Approval } from '../../../../contracts/src/approvals.js';
import { columnsOf, nullable } from '../columns.js';
import type { Dialect } from '../dialects/dialect.js';
import { tableName, type TableNaming } from '../tables.js';

/** A row is the record itself, and what makes the same call one approval while it is pending. */
export interface ApprovalRow extends Approval {
  /** Digest of run, step, tool and arguments; `null` once the call no longer keeps another one out. Unique. */
  readonly openKey: string | null;
}

export function approvalEntity({ columns: kind }: Dialect, naming: TableNaming): EntitySchema<ApprovalRow> {
  return new EntitySchema<ApprovalRow>({
    name: tableName(naming, 'approvals'),
    schema: naming.schema,
    synchronize: false,
    columns: columnsOf<ApprovalRow>({
      id: kind.id,
      reference: kind.text,
      tokenHash: kind.text,
      openKey: { ...nullable(kind.text), select: false },
      status: kind.text,
      runId: nullable(kind.text),
      stepName: kind.text,
      tool: kind.text,
      toolFingerprint: kind.text,
      arguments: kind.json,
      argumentsDigest: kind.text,
      reversible: kind.flag,
      idempotent: kind.flag,
      warnings: kind.json,
      principalId: nullable(kind.text),
      application: nullable(kind.text),
      requestId: nullable(kind.text),
      policyRevision: kind.text,
      createdAt: kind.time,
      expiresAt: kind.time,
      decision: nullable(kind.text),
      decidedBy: nullable(kind.text),
      decidedAt: nullable(kind.time),
      reason: nullable(kind.text),
      finishedAt: nullable(kind.time),
      result: nullable(kind.json),
      error: nullable(kind.json),
    }),
  });
}
