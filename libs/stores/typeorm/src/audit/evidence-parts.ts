import type { Parameters } from '../parameters.js';
import type { Tables } from '../tables.js';
import type { Batch, SealedRow } from './batch.js';
import { PRINCIPAL_ID, principalPlaces } from './principal-parts.js';

type Column = readonly [name: string, type: string, of: (row: SealedRow) => unknown];

const bytes = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text, 'base64url'));

const COLUMNS: readonly Column[] = [
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
  ['ruleset_version', 'text', (row) => row.evidence.rulesetVersion],
  ['prompt_commitment', 'bytea', (row) => bytes(row.evidence.promptCommitment)],
  ['matched_text_commitment', 'bytea', (row) => bytes(row.evidence.matchedTextCommitment)],
  ['principal_commitment', 'bytea', (row) => bytes(row.evidence.principalCommitment)],
];

const CONTENT_COLUMNS: readonly Column[] = [
  ['storage', 'text', (row) => row.content.storage],
  ['prompt', 'text', (row) => row.content.prompt],
  ['matched_span_start', 'bigint', (row) => row.content.spanStart],
  ['matched_span_end', 'bigint', (row) => row.content.spanEnd],
  ['matched_text', 'text', (row) => row.content.matchedText],
  ['salt', 'bytea', (row) => bytes(row.content.salt)],
];

const namesOf = (columns: readonly Column[], before = ''): string =>
  columns.map(([name]) => `${before}${name}`).join(', ');

const EVIDENCE = { names: namesOf(COLUMNS), given: namesOf(COLUMNS, 'given.') };
const CONTENT = { names: namesOf(CONTENT_COLUMNS), given: namesOf(CONTENT_COLUMNS, 'given.') };

/** The id of evidence, in a part that stands behind `ids` and whose rows know their `place` in the batch. */
export const EVIDENCE_ID = '(select list from ids)[given.place]';

/** `evidence`: the new rows' id and sequence; `ids`: the ids in the order of the batch; and the content that hangs on them. */
export function evidenceParts(tables: Tables, batch: Batch, parameters: Parameters): readonly string[] {
  const { writer, rows } = batch;
  const lists = (columns: readonly Column[]): (readonly [string, readonly unknown[]])[] =>
    columns.map(([, type, of]) => [type, rows.map(of)]);
  const principals = principalPlaces(
    batch,
    rows.map(({ principal }) => principal),
  );
  const places = rows.map((_, index) => index + 1);
  return [
    `evidence as (
      insert into ${tables.evidence} (writer, principal_ref, ${EVIDENCE.names})
      select ${parameters.add(writer)}::uuid, ${PRINCIPAL_ID}, ${EVIDENCE.given}
      from unnest(${parameters.lists([['integer', principals], ...lists(COLUMNS)])})
        as given (principal, ${EVIDENCE.names})
      order by given.sequence
      returning id, sequence)`,
    `ids as (select array_agg(id order by sequence) as list from evidence)`,
    `content as (
      insert into ${tables.content} (evidence_id, ${CONTENT.names})
      select ${EVIDENCE_ID}, ${CONTENT.given}
      from unnest(${parameters.lists([['integer', places], ...lists(CONTENT_COLUMNS)])})
        as given (place, ${CONTENT.names}))`,
  ];
}
