import type { EntityManager } from 'typeorm';
import type { Decision } from '../../../../contracts/src/audit.js';
import { rowsOf } from '../database.js';
import { jsonText } from '../json-text.js';
import { outgoingParts } from '../outbox/outgoing-insert.js';
import { Parameters } from '../parameters.js';
import { rejectionInsert } from '../firewall/rejection-insert.js';
import { outputCountsInsert } from '../output/output-counts-insert.js';
import type { Tables } from '../tables.js';

/**
 * Everything that one decision leaves, in one statement: one round trip, and one commit where the caller has no
 * transaction of its own. The parts hang on the id of `evidence`.
 */
export async function appendDecision(
  manager: EntityManager,
  tables: Tables,
  decision: Decision,
): Promise<number> {
  const parameters = new Parameters();
  const parts = [
    evidenceInsert(tables, decision, parameters),
    contentInsert(tables, decision, parameters),
    ...(decision.rejection === null ? [] : [rejectionInsert(tables, decision.rejection, parameters)]),
    ...(decision.outputCounts.length === 0 ? [] : [outputCountsInsert(tables, decision, parameters)]),
    ...outgoingParts(
      tables,
      decision.outgoing.map((event) => ({ event, place: 1 })),
      parameters,
      '(select id, 1 as place from evidence)',
    ),
  ];
  const statement = `with ${parts.join(',\n')} select id from evidence`;
  const [row] = await rowsOf<{ id: string }>(manager, statement, parameters.values);
  return Number(row?.id);
}

function evidenceInsert(tables: Tables, { evidence }: Decision, parameters: Parameters): string {
  const occurredAt = parameters.time(evidence.occurredAt);
  const day = parameters.add(evidence.occurredAt.toISOString().slice(0, 10));
  const values = [
    occurredAt,
    day,
    parameters.add(evidence.control),
    parameters.add(evidence.outcome),
    parameters.add(evidence.mode),
    parameters.add(evidence.origin),
    parameters.text(evidence.ruleId),
    parameters.add(jsonText(evidence.matchedRules)),
    parameters.add(jsonText(evidence.erroredRuleIds)),
    parameters.add(evidence.errored),
    parameters.text(evidence.principalId),
    parameters.text(evidence.application),
    parameters.text(evidence.requestId),
    parameters.text(evidence.runId),
    parameters.text(evidence.tool),
    parameters.text(evidence.rulesetVersion),
    parameters.add(evidence.promptLength),
    parameters.add(evidence.durationUs),
  ];
  return `evidence as (
    insert into ${tables.evidence}
      (occurred_at, day, control, outcome, mode, origin, rule_id, matched_rules, errored_rule_ids, errored,
       principal_id, application, request_id, run_id, tool, ruleset_version, prompt_length, duration_us)
    values (${values.join(', ')})
    returning id)`;
}

function contentInsert(tables: Tables, { content }: Decision, parameters: Parameters): string {
  const [start, end] = content.matchedSpan ?? [null, null];
  const values = [
    `${parameters.add(content.storage)}::text`,
    `${parameters.text(content.prompt)}::text`,
    `${parameters.add(start)}::bigint`,
    `${parameters.add(end)}::bigint`,
    `${parameters.text(content.matchedText)}::text`,
  ];
  return `content as (
    insert into ${tables.content}
      (evidence_id, storage, prompt, matched_span_start, matched_span_end, matched_text)
    select id, ${values.join(', ')} from evidence)`;
}
