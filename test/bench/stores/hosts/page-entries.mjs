const iso = (time) => time.toISOString();

/** The wire's form of a row; `prompt_preview` is at most 160 characters. */
export function entryOf(row) {
  const preview = row.prompt.length > 160 ? `${row.prompt.slice(0, 160)}…` : row.prompt;
  return {
    id: Number(row.id),
    control: row.control,
    blocked: row.outcome === 'blocked',
    outcome: row.outcome,
    mode: row.mode,
    origin: row.origin,
    rule_id: row.rule_id,
    tool: row.tool,
    principal_id: row.principal_id,
    application: row.application,
    ruleset_version: row.ruleset_version,
    prompt_length: Number(row.prompt_length),
    errored: row.errored,
    occurred_at: iso(row.occurred_at),
    prompt_preview: preview,
    approval_step: row.approval_step,
  };
}

export function bodyOf(rows, limit) {
  const entries = rows.slice(0, limit).map(entryOf);
  return {
    schema_version: 'guardrails.api.v1',
    schema: 'guardrails.api.v1.audit-list',
    data: { entries, next_cursor: rows.length > limit ? entries.at(-1).id : null },
  };
}
