import { hash, randomUUID } from 'node:crypto';

/** Every field of evidence as its row has it, but for the id and the reference to the principal: both may be given or erased later. */
export interface EvidenceFields {
  /** ISO-8601, UTC, milliseconds. */
  readonly occurredAt: string;
  readonly control: string;
  readonly outcome: string;
  readonly mode: string;
  readonly origin: string;
  readonly errored: boolean;
  readonly promptLength: number;
  readonly durationUs: number;
  readonly ruleId: string | null;
  /** The very text of the column, and so for the next one. */
  readonly matchedRules: string;
  readonly erroredRuleIds: string;
  readonly application: string | null;
  readonly requestId: string | null;
  readonly runId: string | null;
  readonly tool: string | null;
  readonly rendering: string | null;
  readonly rulesetVersion: string;
  readonly promptCommitment: string;
  readonly matchedTextCommitment: string | null;
  readonly principalCommitment: string | null;
}

export interface SealedFields extends EvidenceFields {
  readonly writer: string;
  readonly sequence: number;
}

/**
 * How far one writer has come. Its rows are numbered without gaps, and each is sealed together with the seal before:
 * a changed row has a wrong seal, a removed one leaves a gap, and rows in another order show both.
 */
export interface Chain {
  readonly writer: string;
  /** Of the last row; 0 before the first. */
  readonly sequence: number;
  /** Of the last row; no bytes before the first. */
  readonly seal: Buffer;
}

export function newChain(): Chain {
  return { writer: randomUUID(), sequence: 0, seal: Buffer.alloc(0) };
}

/** SHA-256(the writer's seal before ‖ writer, sequence and fields as a JSON array in UTF-8). */
export function sealOf(before: Uint8Array, fields: SealedFields): Buffer {
  return sealNext(before, fields.writer, fields.sequence, fields);
}

export function sealNext(
  before: Uint8Array,
  writer: string,
  sequence: number,
  fields: EvidenceFields,
): Buffer {
  const text = Buffer.from(sealedText(writer, sequence, fields));
  return hash('sha256', Buffer.concat([before, text]), 'buffer');
}

function sealedText(writer: string, sequence: number, fields: EvidenceFields): string {
  return JSON.stringify([
    writer,
    sequence,
    fields.occurredAt,
    fields.control,
    fields.outcome,
    fields.mode,
    fields.origin,
    fields.errored,
    fields.promptLength,
    fields.durationUs,
    fields.ruleId,
    fields.matchedRules,
    fields.erroredRuleIds,
    fields.application,
    fields.requestId,
    fields.runId,
    fields.tool,
    fields.rulesetVersion,
    fields.promptCommitment,
    fields.matchedTextCommitment,
    fields.principalCommitment,
    // Rows that have none keep the seal they had before this column existed.
    ...(fields.rendering === null ? [] : [fields.rendering]),
  ]);
}
