/** The columns of the two tables and their values for one decision, for a plain insert without our store. */
export const WRITER = '00000000-0000-4000-8000-00000000000b';
const DIGEST = Buffer.alloc(32, 7);

export const EVIDENCE = `occurred_at, day, control, outcome, mode, origin, errored, principal_ref, prompt_length, duration_us, rule_id,
   matched_rules, errored_rule_ids, application, request_id, run_id, tool, ruleset_version, prompt_commitment,
   matched_text_commitment, principal_commitment, writer, sequence, row_hash`;

export const CONTENT = 'storage, prompt, matched_span_start, matched_span_end, matched_text, salt';

export function evidenceValues({ evidence: e }, sequence) {
  return [
    e.occurredAt,
    e.occurredAt.toISOString().slice(0, 10),
    e.control,
    e.outcome,
    e.mode,
    e.origin,
    e.errored,
    Number(e.principalId?.slice('customer-'.length)),
    e.promptLength,
    e.durationUs,
    e.ruleId,
    JSON.stringify(e.matchedRules),
    '[]',
    e.application,
    e.requestId,
    e.runId,
    e.tool,
    e.rulesetVersion,
    DIGEST,
    null,
    DIGEST,
    WRITER,
    sequence,
    DIGEST,
  ];
}

export function contentValues({ content }) {
  return [content.storage, content.prompt, null, null, content.matchedText, DIGEST];
}
