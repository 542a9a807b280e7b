import type { Dialect, Index } from '../dialects/dialect.js';
import { byMonth } from '../partitions/months.js';
import { tablesOf, type TableNaming } from '../tables.js';

/**
 * Evidence refers to its principal by number and without a foreign key, so that erasing a principal is deleting its
 * one row; and no table refers to evidence by one, because what is written by one statement needs no proof.
 */
export function auditTables(dialect: Dialect, naming: TableNaming): readonly string[] {
  const { types: type, tableEnd, head, indexable } = dialect;
  const tables = tablesOf(naming);
  const index = (given: Index): string => dialect.index(naming, given);
  return [
    // The digest stands in for the name in the index, because a name may be longer than an index takes.
    `create table ${tables.principals} (
      id ${type.growingId},
      digest ${type.bytes} not null unique,
      name ${type.text} not null)${tableEnd()}`,
    `create table ${tables.evidence} (
      id ${type.growingId},
      occurred_at ${type.time} not null,
      day char(10) not null,
      control varchar(20) not null,
      outcome varchar(10) not null,
      mode varchar(10) not null,
      origin varchar(20) not null,
      errored boolean not null,
      principal_ref bigint,
      prompt_length bigint not null,
      duration_us bigint not null,
      rule_id ${type.text},
      matched_rules ${type.text} not null,
      errored_rule_ids ${type.text} not null,
      application ${type.text},
      request_id ${type.text},
      run_id ${type.text},
      tool ${type.text},
      rendering varchar(10),
      ruleset_version ${type.text} not null,
      prompt_commitment ${type.bytes} not null,
      matched_text_commitment ${type.bytes},
      principal_commitment ${type.bytes},
      writer ${type.uuid} not null,
      sequence bigint not null,
      seal ${type.bytes} not null)${tableEnd()}${byMonth(naming, 'evidence')}`,
    index({ name: 'evidence_by_control', on: 'evidence', columns: ['control', 'id desc'] }),
    index({
      name: 'evidence_by_rule',
      on: 'evidence',
      columns: [head('rule_id'), 'id desc'],
      where: indexable('rule_id'),
    }),
    index({
      name: 'evidence_by_principal',
      on: 'evidence',
      columns: ['principal_ref', 'id desc'],
      where: 'principal_ref is not null',
    }),
    index({
      name: 'evidence_by_application',
      on: 'evidence',
      columns: [head('application'), 'id desc'],
      where: indexable('application'),
    }),
    index({
      name: 'evidence_blocked',
      on: 'evidence',
      columns: ['id desc'],
      where: `outcome = 'blocked'`,
      instead: ['outcome', 'id desc'],
    }),
    index({
      name: 'evidence_observed',
      on: 'evidence',
      columns: ['id desc'],
      where: `outcome = 'observed'`,
      instead: [],
    }),
    ...dialect.appendOnly(naming, 'evidence'),
    `create table ${tables.content} (
      evidence_id bigint primary key,
      storage varchar(10) not null,
      prompt ${type.text} not null,
      matched_span_start bigint,
      matched_span_end bigint,
      matched_text ${type.text},
      salt ${type.bytes})${tableEnd()}${byMonth(naming, 'content')}`,
    `create table ${tables.writers} (
      writer ${type.uuid} primary key,
      sequence bigint not null,
      last_id bigint not null,
      ended boolean not null)${tableEnd(50)}`,
  ];
}
