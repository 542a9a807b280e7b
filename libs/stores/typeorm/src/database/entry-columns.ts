/**
 * The columns of an audit entry: of its evidence, which never changes, and of its content, which can be erased. What
 * writes, hashes, reads, exports and verifies entries derives from these lists.
 */
import { hash } from 'node:crypto';
import type {
  AuditEntry,
  Commitments,
  Content,
  Evidence,
  ExportedEntry,
  RecordedEvidence,
  RowPlace,
} from '#contracts/audit/record.js';
import { scrubText, snakeCase } from '#contracts/common/text.js';
import { toJsonText, type Column } from './sql.js';

/** How a member of evidence is stored. */
interface Member<Value> {
  readonly type: 'text' | 'bigint' | 'boolean' | 'timestamptz';
  /** Default: the value. */
  readonly write?: (value: Value) => unknown;
  /** Default: what the driver returns. */
  readonly read?: (stored: string | null) => Value;
  /**
   * For every column that the first version did not have: the hash covers its name and value where it is not null, so
   * that the hashes of earlier rows and of the log stay the same.
   */
  readonly isLater?: true;
}

const TEXT = { type: 'text', write: scrubbed } as const;
const NUMBER = { type: 'bigint' } as const;
const JSON_LIST = {
  type: 'text',
  write: toJsonText,
  read: (stored: string | null) => JSON.parse(stored ?? '[]') as never[],
} as const;

/** The name of the principal is in another table, from which it can be erased. */
type Members = Omit<Evidence, 'principalId' | 'commitments'>;

/** One line for each member. Columns have their names in snake case; the order is that of the hash. */
const MEMBERS: { readonly [Name in keyof Members]: Member<Members[Name]> } = {
  occurredAt: { type: 'timestamptz', write: (time) => time.toISOString() },
  control: TEXT,
  outcome: TEXT,
  mode: TEXT,
  origin: TEXT,
  errored: { type: 'boolean' },
  promptLength: NUMBER,
  durationUs: NUMBER,
  ruleId: TEXT,
  matchedRules: JSON_LIST,
  erroredRuleIds: JSON_LIST,
  findings: { ...JSON_LIST, write: (findings) => (findings.length === 0 ? null : findingsText(findings)) },
  findingCount: NUMBER,
  application: TEXT,
  requestId: TEXT,
  runId: TEXT,
  tool: TEXT,
  rulesetVersion: TEXT,
  rendering: TEXT,
  approvalId: NUMBER,
  approvalStep: TEXT,
};

const COMMITMENTS: { readonly [Text in keyof Commitments]: string } = {
  prompt: 'prompt_commitment',
  matchedText: 'matched_text_commitment',
  principal: 'principal_commitment',
  policy: 'policy_commitment',
};

const members = Object.entries(MEMBERS as Readonly<Record<string, Member<unknown>>>);

/** The columns of the first version, whose values the hash covers even where they are null. */
const FIRST: readonly Column<Evidence>[] = [
  ...members.filter(([, { isLater }]) => isLater !== true).map(columnOf),
  ...Object.entries(COMMITMENTS).map(([text, name]): Column<Evidence> => [
    name,
    'bytea',
    ({ commitments }) => fromBase64url(commitments[text as keyof Commitments]),
  ]),
];
const LATER = members.filter(([, { isLater }]) => isLater === true).map(columnOf);

/** Columns that are inserted and hashed, in the order of the hash. The id and the reference to the principal are not. */
export const EVIDENCE_COLUMNS: readonly Column<Evidence>[] = [...FIRST, ...LATER];

/** The columns of content, beside the id of its evidence. */
export const CONTENT_COLUMNS: readonly Column<Content>[] = [
  ['storage', 'text', ({ storage }) => storage],
  ['prompt', 'text', ({ prompt }) => prompt],
  ['matched_span_start', 'bigint', ({ matchedSpan }) => matchedSpan?.[0] ?? null],
  ['matched_span_end', 'bigint', ({ matchedSpan }) => matchedSpan?.[1] ?? null],
  ['matched_text', 'text', ({ matchedText }) => matchedText],
  ['alteration', 'text', ({ alteration }) => alteration],
  ['policy', 'text', ({ policy }) => policy],
  ['salt', 'bytea', ({ salt }) => fromBase64url(salt)],
];

function columnOf([name, { type, write }]: readonly [string, Member<unknown>]): Column<Evidence> {
  const valueOf = (evidence: Evidence): unknown => evidence[name as keyof Members];
  return [
    snakeCase(name),
    type,
    write === undefined ? valueOf : (evidence: Evidence) => write(valueOf(evidence)),
  ];
}

/** Evidence under the names of its columns, of which these have a type. */
export interface EntryRow extends RowPlace, CommitmentColumns {
  readonly id: number;
  readonly principal: string | null;
}

/** Evidence with its content. */
export type WholeRow = EntryRow & ContentRow;

export interface CommitmentColumns {
  readonly prompt_commitment: Buffer;
  readonly matched_text_commitment: Buffer | null;
  readonly principal_commitment: Buffer | null;
  readonly policy_commitment: Buffer | null;
}

interface ContentRow extends Pick<Content, 'storage' | 'prompt' | 'alteration' | 'policy'> {
  readonly matched_span_start: number | null;
  readonly matched_span_end: number | null;
  readonly matched_text: string | null;
  readonly salt: Buffer | null;
}

const READ_MEMBERS = members.map(([name, { read }]) => [name, snakeCase(name), read] as const);

/** Sets one member after the other, because a copy of the rest of a row takes several times as long. */
function evidenceOf(row: EntryRow): RecordedEvidence {
  const evidence: Record<string, unknown> = { id: row.id, principalId: row.principal };
  for (const [name, column, read] of READ_MEMBERS) {
    const stored = (row as unknown as Readonly<Record<string, unknown>>)[column];
    evidence[name] = read === undefined ? stored : read(stored as string | null);
  }
  evidence['commitments'] = commitmentsOf(row);
  return evidence as unknown as RecordedEvidence;
}

export function exportedEntry(row: EntryRow | WholeRow): ExportedEntry {
  const { writer, sequence } = row;
  const content = 'storage' in row ? contentOf(row) : null;
  return Object.assign(evidenceOf(row), { place: { writer, sequence }, content });
}

export function auditEntry(row: WholeRow): AuditEntry {
  return Object.assign(evidenceOf(row), contentOf(row));
}

export function commitmentsOf(row: CommitmentColumns): Commitments {
  return {
    prompt: row.prompt_commitment.toString('base64url'),
    matchedText: toBase64url(row.matched_text_commitment),
    principal: toBase64url(row.principal_commitment),
    policy: toBase64url(row.policy_commitment),
  };
}

function contentOf(row: ContentRow): Content {
  const { matched_span_start: start, matched_span_end: end } = row;
  return {
    storage: row.storage,
    prompt: row.prompt,
    matchedSpan: start === null || end === null ? null : [start, end],
    matchedText: row.matched_text,
    alteration: row.alteration,
    policy: row.policy,
    salt: toBase64url(row.salt),
  };
}

/** SHA-256 of a JSON array: writer, sequence, and the values of `EVIDENCE_COLUMNS`; later ones as `[name, value]`. */
export function rowHashOf(writer: string, sequence: number, values: readonly unknown[]): Buffer {
  const first = values.slice(0, FIRST.length).map(hashedValue);
  const later = LATER.flatMap(([name], index) => {
    const value = values[FIRST.length + index] ?? null;
    return value === null ? [] : [[name, hashedValue(value)]];
  });
  return hash('sha256', JSON.stringify([writer, sequence, ...first, ...later]), 'buffer');
}

/** As JSON contains it: times in ISO 8601, bytes in base64url. */
export function hashedValue(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return value.toString('base64url');
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64url') : value;
}

/** The members have one order, so that a finding can be searched for as text. */
function findingsText(findings: Evidence['findings']) {
  return toJsonText(findings.map(({ kind, detector, span }) => ({ kind, detector, span })));
}

function scrubbed(text: string | null | undefined): string | null {
  return typeof text === 'string' ? scrubText(text) : null;
}

function fromBase64url(text: string | null): Buffer | null {
  return text === null ? null : Buffer.from(text, 'base64url');
}

export function toBase64url(bytes: Buffer | null): string | null {
  return bytes === null ? null : bytes.toString('base64url');
}
