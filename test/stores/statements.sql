-- audit.append
-- $1 text, $2 bytea, $3 text, $4 text, $5 text, $6 text, $7 bigint, $8 bigint, $9 bigint,
-- $10 timestamp with time zone, $11 text[], $12 text[], $13 text[], $14 text[], $15 boolean[], $16 bigint[],
-- $17 bytea, $18 text, $19 bytea, $20 uuid, $21 integer, $22 bigint, $23 bytea, $24 text,
-- $25 timestamp with time zone, $26 text, $27 text, $28 text, $29 text, $30 boolean, $31 bigint, $32 bigint,
-- $33 text, $34 text, $35 text, $36 text, $37 bigint, $38 text, $39 text, $40 text, $41 text, $42 text, $43 text,
-- $44 bigint, $45 text, $46 bytea, $47 bytea, $48 bytea, $49 bytea, $50 text[], $51 text[], $52 integer[],
-- $53 integer[], $54 integer, $55 text, $56 text, $57 bigint, $58 bigint, $59 text, $60 text, $61 text, $62 bytea,
-- $63 uuid, $64 bigint, $65 integer, $66 boolean, $67 integer[], $68 integer[], $69 text[], $70 text[], $71 text[],
-- $72 integer[], $73 boolean[], $74 timestamp with time zone[], $75 integer[], $76 timestamp with time zone[],
-- $77 text[], $78 text[], $79 boolean[], $80 bigint[], $81 text[], $82 text[], $83 text[], $84 text[],
-- $85 timestamp with time zone[], $86 text[], $87 text[], $88 text[], $89 integer[], $90 integer[]
with counts as (
  insert into "guardrails_audit_new_counts" as existing
  (time, group_hash, control, rule_id, application, ruleset_version, allowed, observed, blocked, last_seen_at)
  select * from (select $1::text as time, $2::bytea as group_hash, $3::text as control, $4::text as rule_id,
      $5::text as application, $6::text as ruleset_version, $7::bigint as allowed, $8::bigint as observed,
      $9::bigint as blocked, $10::timestamptz as last_seen_at) as given
  on conflict (time, group_hash, ruleset_version) do update set allowed = existing.allowed + excluded.allowed,
  observed = existing.observed + excluded.observed,
  blocked = existing.blocked + excluded.blocked,
  last_seen_at = greatest(existing.last_seen_at, excluded.last_seen_at)),
output_sums as (
  insert into "guardrails_output_sums" as existing (unit, time, kind, detector, enforced, count)
  select * from (select unnest($11::text[]) as unit, unnest($12::text[]) as time, unnest($13::text[]) as kind,
      unnest($14::text[]) as detector, unnest($15::boolean[]) as enforced, unnest($16::bigint[]) as count) as given
  on conflict (unit, time, kind, detector, enforced) do update set count = existing.count + excluded.count),
added as (
  insert into "guardrails_principals" (digest, name)
  select digest, name from (select $17::bytea as digest, $18::text as name) as given
  where not exists (select from "guardrails_principals" known where known.digest = given.digest)
  on conflict (digest) do update set name = excluded.name
  returning id),
principal_ids as (
  select array[coalesce(
    (select id from "guardrails_principals" where digest = $19), (select id from added))] as list),
evidence as (
  insert into "guardrails_audit_evidence" (writer, principal_ref, sequence, row_hash, day, occurred_at, control,
      outcome, mode, origin, errored, prompt_length, duration_us, rule_id, matched_rules, errored_rule_ids,
      findings, finding_count, application, request_id, run_id, tool, ruleset_version, rendering, approval_id,
      approval_step, prompt_commitment, matched_text_commitment, principal_commitment, policy_commitment)
  select $20::uuid, (select list from principal_ids)[given.principal], given.sequence, given.row_hash, given.day,
      given.occurred_at, given.control, given.outcome, given.mode, given.origin, given.errored, given.prompt_length,
      given.duration_us, given.rule_id, given.matched_rules, given.errored_rule_ids, given.findings,
      given.finding_count, given.application, given.request_id, given.run_id, given.tool, given.ruleset_version,
      given.rendering, given.approval_id, given.approval_step, given.prompt_commitment,
      given.matched_text_commitment, given.principal_commitment, given.policy_commitment
  from (select $21::integer as principal, $22::bigint as sequence, $23::bytea as row_hash, $24::text as day,
      $25::timestamptz as occurred_at, $26::text as control, $27::text as outcome, $28::text as mode,
      $29::text as origin, $30::boolean as errored, $31::bigint as prompt_length, $32::bigint as duration_us,
      $33::text as rule_id, $34::text as matched_rules, $35::text as errored_rule_ids, $36::text as findings,
      $37::bigint as finding_count, $38::text as application, $39::text as request_id, $40::text as run_id,
      $41::text as tool, $42::text as ruleset_version, $43::text as rendering, $44::bigint as approval_id,
      $45::text as approval_step, $46::bytea as prompt_commitment, $47::bytea as matched_text_commitment,
      $48::bytea as principal_commitment, $49::bytea as policy_commitment) as given where not exists (select
      from "guardrails_append_lock" for key share)
  returning id, sequence),
ids as (select array[id] as list from evidence),
id_ranges as (
  insert into "guardrails_audit_id_ranges" as existing (unit, time, min_id, max_id)
  select unit, time, (select list from ids)[first], (select list from ids)[last]
      from (select unnest($50::text[]) as unit, unnest($51::text[]) as time, unnest($52::integer[]) as first,
      unnest($53::integer[]) as last) as given
  on conflict (unit, time) do update set
  min_id = least(existing.min_id, excluded.min_id), max_id = greatest(existing.max_id, excluded.max_id)
  where excluded.min_id < existing.min_id or excluded.max_id > existing.max_id),
content as (
  insert into "guardrails_audit_content" (evidence_id, storage, prompt, matched_span_start, matched_span_end,
      matched_text, alteration, policy, salt)
  select (select list from ids)[given.place], storage, prompt, matched_span_start, matched_span_end, matched_text,
      alteration, policy, salt from (select $54::integer as place, $55::text as storage, $56::text as prompt,
      $57::bigint as matched_span_start, $58::bigint as matched_span_end, $59::text as matched_text,
      $60::text as alteration, $61::text as policy, $62::bytea as salt) as given),
writer as (
  insert into "guardrails_audit_writers" as existing (writer, sequence, last_id, ended)
  values ($63::uuid, $64::bigint, (select list from ids)[$65::integer], $66::boolean)
  on conflict (writer) do update set
  sequence = case when existing.ended then null else excluded.sequence end, last_id = excluded.last_id),
rejections as (
  insert into "guardrails_firewall_rejections"
  (evidence_id, principal_ref, tool, application, violations, violation_count, enforced, occurred_at)
  select (select list from ids)[given.place], (select list
      from principal_ids)[given.principal], tool, application, violations, violation_count, enforced, occurred_at
  from (select unnest($67::integer[]) as place, unnest($68::integer[]) as principal, unnest($69::text[]) as tool,
      unnest($70::text[]) as application, unnest($71::text[]) as violations,
      unnest($72::integer[]) as violation_count, unnest($73::boolean[]) as enforced,
      unnest($74::timestamptz[]) as occurred_at) as given),
output_counts as (
  insert into "guardrails_output_counts" (evidence_id, occurred_at, kind, detector, enforced, count)
  select (select list from ids)[given.place], occurred_at, kind, detector, enforced, count
      from (select unnest($75::integer[]) as place, unnest($76::timestamptz[]) as occurred_at,
      unnest($77::text[]) as kind, unnest($78::text[]) as detector, unnest($79::boolean[]) as enforced,
      unnest($80::bigint[]) as count) as given),
outgoing as (
  insert into "guardrails_outbox" (event_id, name, subject, severity, occurred_at, payload, sinks, mac, audit_id)
  select event_id, name, subject, severity, occurred_at, payload, sinks, mac, (select list from ids)[given.place]
  from (select unnest($81::text[]) as event_id, unnest($82::text[]) as name, unnest($83::text[]) as subject,
      unnest($84::text[]) as severity, unnest($85::timestamptz[]) as occurred_at, unnest($86::text[]) as payload,
      unnest($87::text[]) as sinks, unnest($88::text[]) as mac, unnest($89::integer[]) as place,
      unnest($90::integer[]) as turn) as given order by turn
  returning position, subject, sinks),
outgoing_deliveries as (
  insert into "guardrails_outbox_deliveries" (sink, subject, position)
  select sink, outgoing.subject, outgoing.position
  from outgoing cross join lateral unnest(string_to_array(outgoing.sinks, ' ')) as sink) select id from evidence;

-- audit.append
-- $1 text[], $2 bytea[], $3 text[], $4 text[], $5 text[], $6 text[], $7 bigint[], $8 bigint[], $9 bigint[],
-- $10 timestamp with time zone[], $11 text[], $12 text[], $13 text[], $14 text[], $15 boolean[], $16 bigint[],
-- $17 bytea[], $18 text[], $19 uuid, $20 integer[], $21 bigint[], $22 bytea[], $23 text[],
-- $24 timestamp with time zone[], $25 text[], $26 text[], $27 text[], $28 text[], $29 boolean[], $30 bigint[],
-- $31 bigint[], $32 text[], $33 text[], $34 text[], $35 text[], $36 bigint[], $37 text[], $38 text[], $39 text[],
-- $40 text[], $41 text[], $42 text[], $43 bigint[], $44 text[], $45 bytea[], $46 bytea[], $47 bytea[], $48 bytea[],
-- $49 text[], $50 text[], $51 integer[], $52 integer[], $53 integer[], $54 text[], $55 text[], $56 bigint[],
-- $57 bigint[], $58 text[], $59 text[], $60 text[], $61 bytea[], $62 uuid, $63 bigint, $64 integer, $65 boolean,
-- $66 integer[], $67 integer[], $68 text[], $69 text[], $70 text[], $71 integer[], $72 boolean[],
-- $73 timestamp with time zone[], $74 integer[], $75 timestamp with time zone[], $76 text[], $77 text[],
-- $78 boolean[], $79 bigint[], $80 text[], $81 text[], $82 text[], $83 text[], $84 timestamp with time zone[],
-- $85 text[], $86 text[], $87 text[], $88 integer[], $89 integer[]
with counts as (
  insert into "guardrails_audit_new_counts" as existing
  (time, group_hash, control, rule_id, application, ruleset_version, allowed, observed, blocked, last_seen_at)
  select * from (select unnest($1::text[]) as time, unnest($2::bytea[]) as group_hash,
      unnest($3::text[]) as control, unnest($4::text[]) as rule_id, unnest($5::text[]) as application,
      unnest($6::text[]) as ruleset_version, unnest($7::bigint[]) as allowed, unnest($8::bigint[]) as observed,
      unnest($9::bigint[]) as blocked, unnest($10::timestamptz[]) as last_seen_at) as given
  on conflict (time, group_hash, ruleset_version) do update set allowed = existing.allowed + excluded.allowed,
  observed = existing.observed + excluded.observed,
  blocked = existing.blocked + excluded.blocked,
  last_seen_at = greatest(existing.last_seen_at, excluded.last_seen_at)),
output_sums as (
  insert into "guardrails_output_sums" as existing (unit, time, kind, detector, enforced, count)
  select * from (select unnest($11::text[]) as unit, unnest($12::text[]) as time, unnest($13::text[]) as kind,
      unnest($14::text[]) as detector, unnest($15::boolean[]) as enforced, unnest($16::bigint[]) as count) as given
  on conflict (unit, time, kind, detector, enforced) do update set count = existing.count + excluded.count),
given_principals as (select * from (select unnest($17::bytea[]) as digest, unnest($18::text[]) as name) as given),
known as (select known.digest, known.id from given_principals join "guardrails_principals" known using (digest)),
added as (
  insert into "guardrails_principals" (digest, name)
  select digest, name from given_principals where digest not in (select digest from known) order by digest
  on conflict (digest) do update set name = excluded.name
  returning digest, id),
principal_ids as (
  select array_agg(id order by digest) as list
  from (select digest, id from known union all select digest, id from added) principal),
evidence as (
  insert into "guardrails_audit_evidence" (writer, principal_ref, sequence, row_hash, day, occurred_at, control,
      outcome, mode, origin, errored, prompt_length, duration_us, rule_id, matched_rules, errored_rule_ids,
      findings, finding_count, application, request_id, run_id, tool, ruleset_version, rendering, approval_id,
      approval_step, prompt_commitment, matched_text_commitment, principal_commitment, policy_commitment)
  select $19::uuid, (select list from principal_ids)[given.principal], given.sequence, given.row_hash, given.day,
      given.occurred_at, given.control, given.outcome, given.mode, given.origin, given.errored, given.prompt_length,
      given.duration_us, given.rule_id, given.matched_rules, given.errored_rule_ids, given.findings,
      given.finding_count, given.application, given.request_id, given.run_id, given.tool, given.ruleset_version,
      given.rendering, given.approval_id, given.approval_step, given.prompt_commitment,
      given.matched_text_commitment, given.principal_commitment, given.policy_commitment
  from (select unnest($20::integer[]) as principal, unnest($21::bigint[]) as sequence,
      unnest($22::bytea[]) as row_hash, unnest($23::text[]) as day, unnest($24::timestamptz[]) as occurred_at,
      unnest($25::text[]) as control, unnest($26::text[]) as outcome, unnest($27::text[]) as mode,
      unnest($28::text[]) as origin, unnest($29::boolean[]) as errored, unnest($30::bigint[]) as prompt_length,
      unnest($31::bigint[]) as duration_us, unnest($32::text[]) as rule_id, unnest($33::text[]) as matched_rules,
      unnest($34::text[]) as errored_rule_ids, unnest($35::text[]) as findings,
      unnest($36::bigint[]) as finding_count, unnest($37::text[]) as application, unnest($38::text[]) as request_id,
      unnest($39::text[]) as run_id, unnest($40::text[]) as tool, unnest($41::text[]) as ruleset_version,
      unnest($42::text[]) as rendering, unnest($43::bigint[]) as approval_id, unnest($44::text[]) as approval_step,
      unnest($45::bytea[]) as prompt_commitment, unnest($46::bytea[]) as matched_text_commitment,
      unnest($47::bytea[]) as principal_commitment, unnest($48::bytea[]) as policy_commitment) as given
      where not exists (select from "guardrails_append_lock" for key share)
  order by sequence
  returning id, sequence),
ids as (select array_agg(id order by sequence) as list from evidence),
id_ranges as (
  insert into "guardrails_audit_id_ranges" as existing (unit, time, min_id, max_id)
  select unit, time, (select list from ids)[first], (select list from ids)[last]
      from (select unnest($49::text[]) as unit, unnest($50::text[]) as time, unnest($51::integer[]) as first,
      unnest($52::integer[]) as last) as given
  on conflict (unit, time) do update set
  min_id = least(existing.min_id, excluded.min_id), max_id = greatest(existing.max_id, excluded.max_id)
  where excluded.min_id < existing.min_id or excluded.max_id > existing.max_id),
content as (
  insert into "guardrails_audit_content" (evidence_id, storage, prompt, matched_span_start, matched_span_end,
      matched_text, alteration, policy, salt)
  select (select list from ids)[given.place], storage, prompt, matched_span_start, matched_span_end, matched_text,
      alteration, policy, salt from (select unnest($53::integer[]) as place, unnest($54::text[]) as storage,
      unnest($55::text[]) as prompt, unnest($56::bigint[]) as matched_span_start,
      unnest($57::bigint[]) as matched_span_end, unnest($58::text[]) as matched_text,
      unnest($59::text[]) as alteration, unnest($60::text[]) as policy, unnest($61::bytea[]) as salt) as given),
writer as (
  insert into "guardrails_audit_writers" as existing (writer, sequence, last_id, ended)
  values ($62::uuid, $63::bigint, (select list from ids)[$64::integer], $65::boolean)
  on conflict (writer) do update set
  sequence = case when existing.ended then null else excluded.sequence end, last_id = excluded.last_id),
rejections as (
  insert into "guardrails_firewall_rejections"
  (evidence_id, principal_ref, tool, application, violations, violation_count, enforced, occurred_at)
  select (select list from ids)[given.place], (select list
      from principal_ids)[given.principal], tool, application, violations, violation_count, enforced, occurred_at
  from (select unnest($66::integer[]) as place, unnest($67::integer[]) as principal, unnest($68::text[]) as tool,
      unnest($69::text[]) as application, unnest($70::text[]) as violations,
      unnest($71::integer[]) as violation_count, unnest($72::boolean[]) as enforced,
      unnest($73::timestamptz[]) as occurred_at) as given),
output_counts as (
  insert into "guardrails_output_counts" (evidence_id, occurred_at, kind, detector, enforced, count)
  select (select list from ids)[given.place], occurred_at, kind, detector, enforced, count
      from (select unnest($74::integer[]) as place, unnest($75::timestamptz[]) as occurred_at,
      unnest($76::text[]) as kind, unnest($77::text[]) as detector, unnest($78::boolean[]) as enforced,
      unnest($79::bigint[]) as count) as given),
outgoing as (
  insert into "guardrails_outbox" (event_id, name, subject, severity, occurred_at, payload, sinks, mac, audit_id)
  select event_id, name, subject, severity, occurred_at, payload, sinks, mac, (select list from ids)[given.place]
  from (select unnest($80::text[]) as event_id, unnest($81::text[]) as name, unnest($82::text[]) as subject,
      unnest($83::text[]) as severity, unnest($84::timestamptz[]) as occurred_at, unnest($85::text[]) as payload,
      unnest($86::text[]) as sinks, unnest($87::text[]) as mac, unnest($88::integer[]) as place,
      unnest($89::integer[]) as turn) as given order by turn
  returning position, subject, sinks),
outgoing_deliveries as (
  insert into "guardrails_outbox_deliveries" (sink, subject, position)
  select sink, outgoing.subject, outgoing.position
  from outgoing cross join lateral unnest(string_to_array(outgoing.sinks, ' ')) as sink) select id from evidence
      order by sequence;

-- audit.list
select e.id, e.control, (e.outcome = 'blocked') as blocked, e.outcome, e.mode, e.origin, e.rule_id, (select p.name
    from "guardrails_principals" p where p.id = e.principal_ref) as principal_id, e.application, e.ruleset_version,
    e.prompt_length, e.errored, e.occurred_at, e.tool, (select case
    when held.storage not in ('hash', 'erased') then left(held.prompt, 161) end
  from "guardrails_audit_content" held where held.evidence_id = e.id) as prompt_preview, e.approval_step
from "guardrails_audit_evidence" e
order by e.id desc limit 11;

-- audit.list, audit.facets
select min(id) as lowest, max(id) as highest from "guardrails_audit_evidence";

-- audit.list
-- $1 text, $2 bigint, $3 bigint, $4 text, $5 text, $6 text, $7 bytea, $8 text, $9 text, $10 text, $11 text,
-- $12 text, $13 text, $14 text, $15 text, $16 text, $17 text, $18 text, $19 text, $20 timestamp with time zone,
-- $21 timestamp with time zone, $22 bigint, $23 bigint
select e.id, e.control, (e.outcome = 'blocked') as blocked, e.outcome, e.mode, e.origin, e.rule_id, (select p.name
    from "guardrails_principals" p where p.id = e.principal_ref) as principal_id, e.application, e.ruleset_version,
    e.prompt_length, e.errored, e.occurred_at, e.tool, (select case
    when held.storage not in ('hash', 'erased') then left(held.prompt, 161) end
  from "guardrails_audit_content" held where held.evidence_id = e.id) as prompt_preview, e.approval_step
from "guardrails_audit_evidence" e join (
  with found as materialized (
    select evidence_id from "guardrails_audit_content"
        where position(lower($1::text collate "C") in lower(prompt collate "C")) > 0 and evidence_id >= $2
        and evidence_id < $3)
  select evidence_id
      from found) found on found.evidence_id = e.id  join "guardrails_audit_reviews" r on r.evidence_id = e.id 
      and not exists (
  select 1 from "guardrails_audit_reviews" later where later.evidence_id = r.evidence_id and later.id > r.id)
where e.control = $4 and octet_length(e.rule_id) <= 2000 and e.rule_id in ($5, $6) and e.principal_ref = (select id
    from "guardrails_principals" where digest = $7) and e.id >= (select min(min_id)
    from "guardrails_audit_id_ranges" where (unit = $8 and time >= $9 and time < $10 or unit = $11 and time >= $12
    and time < $13)) and e.id <= (select max(max_id) from "guardrails_audit_id_ranges" where (unit = $14
    and time >= $15 and time < $16 or unit = $17 and time >= $18 and time < $19)) and e.occurred_at >= $20
    and e.occurred_at <= $21 and e.id >= $22 and e.id < $23
order by e.id desc limit 11;

-- audit.list
-- $1 text, $2 text, $3 text, $4 bigint, $5 bigint
select e.id, e.control, (e.outcome = 'blocked') as blocked, e.outcome, e.mode, e.origin, e.rule_id, (select p.name
    from "guardrails_principals" p where p.id = e.principal_ref) as principal_id, e.application, e.ruleset_version,
    e.prompt_length, e.errored, e.occurred_at, e.tool, (select case
    when held.storage not in ('hash', 'erased') then left(held.prompt, 161) end
  from "guardrails_audit_content" held where held.evidence_id = e.id) as prompt_preview, e.approval_step
from "guardrails_audit_evidence" e   where e.outcome = 'blocked' and position($1::text in e.findings) > 0
    and e.control = 'input_screen' and case when position($2::text in e.matched_rules) > 0
then exists (select from jsonb_array_elements(e.matched_rules::jsonb) matched
  where matched ->> 'ruleId' = $3 and matched ->> 'exception' is distinct from 'true'
  and matched ->> 'notJudged' is distinct from 'true')
else false end and not exists (select 1 from "guardrails_audit_reviews" r where r.evidence_id = e.id) and e.id >= $4
    and e.id < $5
order by e.id desc limit 11;

-- audit.find
-- $1 bigint, $2 bigint
select e.id, e.writer, e.sequence, e.occurred_at, e.control, e.outcome, e.mode, e.origin, e.errored,
    e.prompt_length, e.duration_us, e.rule_id, e.matched_rules, e.errored_rule_ids, e.findings, e.finding_count,
    e.application, e.request_id, e.run_id, e.tool, e.ruleset_version, e.rendering, e.approval_id, e.approval_step,
    e.prompt_commitment, e.matched_text_commitment, e.principal_commitment, e.policy_commitment,
(select p.name from "guardrails_principals" p where p.id = e.principal_ref) as principal
, c.storage, c.prompt, c.matched_span_start, c.matched_span_end, c.matched_text, c.alteration, c.policy, c.salt
from "guardrails_audit_evidence" e join "guardrails_audit_content" c on c.evidence_id = e.id where e.id = $1
order by e.id desc limit $2;

-- audit.neighbors
-- $1 text, $2 bigint, $3 text, $4 bigint
select
(select id from "guardrails_audit_evidence" where control = $1 and id < $2 order by id desc limit 1)
as "previousId",
(select id from "guardrails_audit_evidence" where control = $3 and id > $4 order by id limit 1) as "nextId";

-- audit.decidedCalls
-- $1 text, $2 text, $3 text, $4 text, $5 text, $6 text, $7 text, $8 text, $9 text, $10 text, $11 text, $12 text,
-- $13 timestamp with time zone, $14 timestamp with time zone, $15 bigint
select e.id, e.occurred_at as "occurredAt", e.tool, e.application, c.policy, c.storage
from "guardrails_audit_evidence" e join "guardrails_audit_content" c on c.evidence_id = e.id
    where e.control = 'hitl' and e.origin = 'tool_call' and e.id >= (select min(min_id)
    from "guardrails_audit_id_ranges" where (unit = $1 and time >= $2 and time < $3 or unit = $4 and time >= $5
    and time < $6)) and e.id <= (select max(max_id) from "guardrails_audit_id_ranges" where (unit = $7
    and time >= $8 and time < $9 or unit = $10 and time >= $11 and time < $12)) and e.occurred_at >= $13
    and e.occurred_at <= $14
order by e.id desc limit $15;

-- audit.newestId
select max(id) as id from "guardrails_audit_evidence";

-- audit.exportSlice
-- $1 bigint, $2 bigint, $3 bigint
select e.id, e.writer, e.sequence, e.occurred_at, e.control, e.outcome, e.mode, e.origin, e.errored,
    e.prompt_length, e.duration_us, e.rule_id, e.matched_rules, e.errored_rule_ids, e.findings, e.finding_count,
    e.application, e.request_id, e.run_id, e.tool, e.ruleset_version, e.rendering, e.approval_id, e.approval_step,
    e.prompt_commitment, e.matched_text_commitment, e.principal_commitment, e.policy_commitment,
(select p.name from "guardrails_principals" p where p.id = e.principal_ref) as principal
, c.storage, c.prompt, c.matched_span_start, c.matched_span_end, c.matched_text, c.alteration, c.policy, c.salt
from "guardrails_audit_evidence" e join "guardrails_audit_content" c on c.evidence_id = e.id  where e.id > $1
    and e.id <= $2 order by e.id limit $3;

-- audit.exportSlice
-- $1 bigint, $2 bigint, $3 bigint
select e.id, e.writer, e.sequence, e.occurred_at, e.control, e.outcome, e.mode, e.origin, e.errored,
    e.prompt_length, e.duration_us, e.rule_id, e.matched_rules, e.errored_rule_ids, e.findings, e.finding_count,
    e.application, e.request_id, e.run_id, e.tool, e.ruleset_version, e.rendering, e.approval_id, e.approval_step,
    e.prompt_commitment, e.matched_text_commitment, e.principal_commitment, e.policy_commitment,
(select p.name from "guardrails_principals" p where p.id = e.principal_ref) as principal
from "guardrails_audit_evidence" e   where e.id > $1 and e.id <= $2 order by e.id limit $3;

-- audit.recordedTexts
-- $1 text, $2 bigint
select e.id, e.prompt_length as "promptLength"
from "guardrails_audit_evidence" e   where e.control = $1
order by e.id desc limit $2;

-- audit.recordedTexts
-- $1 bigint[], $2 bigint
select e.id, e.writer, e.sequence, e.occurred_at, e.control, e.outcome, e.mode, e.origin, e.errored,
    e.prompt_length, e.duration_us, e.rule_id, e.matched_rules, e.errored_rule_ids, e.findings, e.finding_count,
    e.application, e.request_id, e.run_id, e.tool, e.ruleset_version, e.rendering, e.approval_id, e.approval_step,
    e.prompt_commitment, e.matched_text_commitment, e.principal_commitment, e.policy_commitment,
(select p.name from "guardrails_principals" p where p.id = e.principal_ref) as principal
, c.storage, c.prompt, c.matched_span_start, c.matched_span_end, c.matched_text, c.alteration, c.policy, c.salt
from "guardrails_audit_evidence" e join "guardrails_audit_content" c on c.evidence_id = e.id
    where e.id = any($1::bigint[])
order by e.id desc limit $2;

-- audit.trend
-- $1 text, $2 text, $3 text, $4 text, $5 text, $6 text, $7 text, $8 text, $9 timestamp with time zone, $10 text,
-- $11 timestamp with time zone, $12 text, $13 text, $14 text, $15 timestamp with time zone, $16 text,
-- $17 timestamp with time zone, $18 text, $19 character varying, $20 text, $21 timestamp with time zone, $22 text,
-- $23 timestamp with time zone, $24 text, $25 text, $26 timestamp with time zone, $27 timestamp with time zone,
-- $28 text
select bucket, sum(allowed + observed + blocked) as total, sum(blocked) as blocked, sum(observed) as observed
from (select substr(time, 1, 13) as bucket, allowed, observed, blocked
    from (select hour as time, allowed, observed, blocked, last_seen_at from "guardrails_audit_hourly"
    where kind = 'total' and hour >= $1 and hour < $2 and control = $3
    union all select time as time, allowed, observed, blocked, last_seen_at from "guardrails_audit_new_counts"
    where time >= $4 and time < $5 and control = $6
    union all select time as time, allowed, observed, blocked, last_seen_at from "guardrails_audit_fine_counts"
    where kind = 'total' and unit = 'minute' and time = $7 and not exists (select 1
        from "guardrails_audit_new_counts" where time = $8 and last_seen_at >= $9)
    and not exists (select 1 from "guardrails_audit_fine_counts" where kind = 'total' and unit = 'minute'
        and time = $10 and last_seen_at >= $11) and control = $12
    union all select time as time, allowed, observed, blocked, last_seen_at from "guardrails_audit_new_counts"
    where time = $13 and not exists (select 1 from "guardrails_audit_new_counts" where time = $14
        and last_seen_at >= $15)
    and not exists (select 1 from "guardrails_audit_fine_counts" where kind = 'total' and unit = 'minute'
        and time = $16 and last_seen_at >= $17) and control = $18
    union all select cast($19 as varchar(16)) as time, count(case
        when outcome = 'allowed' then 1 end) as allowed, count(case
        when outcome = 'observed' then 1 end) as observed, count(case
        when outcome = 'blocked' then 1 end) as blocked,
    max(occurred_at) as last_seen_at from "guardrails_audit_evidence" where not (not exists (select 1
        from "guardrails_audit_new_counts" where time = $20 and last_seen_at >= $21)
      and not exists (select 1 from "guardrails_audit_fine_counts" where kind = 'total' and unit = 'minute'
          and time = $22 and last_seen_at >= $23)) and id >= (select min_id from "guardrails_audit_id_ranges"
          where unit = 'minute' and time = $24) and id <= (select max_id from "guardrails_audit_id_ranges"
          where unit = 'minute' and time = $25) and occurred_at >= $26 and occurred_at < $27 and control = $28
  ) counts) counted group by bucket having sum(allowed + observed + blocked) > 0 order by bucket;

-- audit.trend
-- $1 bytea, $2 text, $3 text, $4 text, $5 text, $6 text, $7 text, $8 text, $9 text, $10 text, $11 text, $12 text,
-- $13 text, $14 timestamp with time zone, $15 timestamp with time zone
select bucket, sum(allowed + observed + blocked) as total, sum(blocked) as blocked, sum(observed) as observed
from (select e.day as bucket, case when outcome = 'allowed' then 1 else 0 end as allowed, case
    when outcome = 'observed' then 1 else 0 end as observed, case when outcome = 'blocked' then 1
    else 0 end as blocked
  from "guardrails_audit_evidence" e   where e.principal_ref = (select id from "guardrails_principals"
      where digest = $1) and e.id >= (select min(min_id) from "guardrails_audit_id_ranges" where (unit = $2
      and time >= $3 and time < $4 or unit = $5 and time >= $6 and time < $7)) and e.id <= (select max(max_id)
      from "guardrails_audit_id_ranges" where (unit = $8 and time >= $9 and time < $10 or unit = $11 and time >= $12
      and time < $13)) and e.occurred_at >= $14
      and e.occurred_at <= $15) counted group by bucket having sum(allowed + observed + blocked) > 0 order by bucket;

-- audit.trendBy
-- $1 text, $2 text, $3 text, $4 text, $5 text, $6 text, $7 text, $8 text, $9 timestamp with time zone, $10 text,
-- $11 timestamp with time zone, $12 text, $13 text, $14 timestamp with time zone, $15 text,
-- $16 timestamp with time zone, $17 character varying, $18 text, $19 timestamp with time zone, $20 text,
-- $21 timestamp with time zone, $22 text, $23 text, $24 timestamp with time zone, $25 timestamp with time zone,
-- $26 bigint
select value, array_to_json(array_agg(bucket)) as buckets,
array_to_json(array_agg(allowed + observed + blocked)) as totals, array_to_json(array_agg(blocked)) as blocked,
array_to_json(array_agg(observed)) as observed
from (select substr(time, 1, 10) as bucket, allowed, observed, blocked, coalesce(rule_id, '') collate "C" as value
    from (select hour as time, rule_id, allowed, observed, blocked, last_seen_at from "guardrails_audit_hourly"
    where kind = 'rule' and hour >= $1 and hour < $2
    union all select hour as time, rule_id, allowed, observed, blocked, last_seen_at from "guardrails_audit_hourly"
    where kind = 'rule' and hour >= $3 and hour < $4
    union all select time as time, rule_id, allowed, observed, blocked, last_seen_at
        from "guardrails_audit_new_counts"
    where time >= $5 and time < $6
    union all select time as time, rule_id, allowed, observed, blocked, last_seen_at
        from "guardrails_audit_fine_counts"
    where kind = 'pair' and unit = 'minute' and time = $7 and not exists (select 1
        from "guardrails_audit_new_counts" where time = $8 and last_seen_at >= $9)
    and not exists (select 1 from "guardrails_audit_fine_counts" where kind = 'total' and unit = 'minute'
        and time = $10 and last_seen_at >= $11)
    union all select time as time, rule_id, allowed, observed, blocked, last_seen_at
        from "guardrails_audit_new_counts"
    where time = $12 and not exists (select 1 from "guardrails_audit_new_counts" where time = $13
        and last_seen_at >= $14)
    and not exists (select 1 from "guardrails_audit_fine_counts" where kind = 'total' and unit = 'minute'
        and time = $15 and last_seen_at >= $16)
    union all select cast($17 as varchar(16)) as time, rule_id, count(case
        when outcome = 'allowed' then 1 end) as allowed, count(case
        when outcome = 'observed' then 1 end) as observed, count(case
        when outcome = 'blocked' then 1 end) as blocked,
    max(occurred_at) as last_seen_at from "guardrails_audit_evidence" where not (not exists (select 1
        from "guardrails_audit_new_counts" where time = $18 and last_seen_at >= $19)
      and not exists (select 1 from "guardrails_audit_fine_counts" where kind = 'total' and unit = 'minute'
          and time = $20 and last_seen_at >= $21)) and id >= (select min_id from "guardrails_audit_id_ranges"
          where unit = 'minute' and time = $22) and id <= (select max_id from "guardrails_audit_id_ranges"
          where unit = 'minute' and time = $23) and occurred_at >= $24 and occurred_at < $25
    group by rule_id) counts) counted
group by value having sum(allowed + observed + blocked) > 0 order by sum(allowed + observed + blocked) desc, value
    limit $26;

-- audit.trendBy
-- $1 text, $2 text, $3 text, $4 text, $5 text, $6 text, $7 text, $8 text, $9 text, $10 text, $11 text, $12 text,
-- $13 text, $14 timestamp with time zone, $15 timestamp with time zone, $16 bigint
select value, array_to_json(array_agg(bucket)) as buckets,
array_to_json(array_agg(allowed + observed + blocked)) as totals, array_to_json(array_agg(blocked)) as blocked,
array_to_json(array_agg(observed)) as observed
from (select bucket, sum(allowed) as allowed, sum(observed) as observed, sum(blocked) as blocked, value
  from (select e.day as bucket, case when outcome = 'allowed' then 1 else 0 end as allowed, case
      when outcome = 'observed' then 1 else 0 end as observed, case when outcome = 'blocked' then 1
      else 0 end as blocked, coalesce(e.rule_id, '') collate "C" as value
    from "guardrails_audit_evidence" e join "guardrails_audit_content" c on c.evidence_id = e.id 
        where position(lower($1::text collate "C") in lower(c.prompt collate "C")) > 0
        and e.id >= (select min(min_id) from "guardrails_audit_id_ranges" where (unit = $2 and time >= $3
        and time < $4 or unit = $5 and time >= $6 and time < $7)) and e.id <= (select max(max_id)
        from "guardrails_audit_id_ranges" where (unit = $8 and time >= $9 and time < $10 or unit = $11
        and time >= $12 and time < $13)) and e.occurred_at >= $14
        and e.occurred_at <= $15) each group by bucket, value) counted
group by value having sum(allowed + observed + blocked) > 0 order by sum(allowed + observed + blocked) desc, value
    limit $16;

-- audit.facets
-- $1 bigint, $2 bigint
select (select p.name from "guardrails_principals" p where p.id = counted.value) as value, counted.count from (
  select e.principal_ref as value, count(*) as count
  from "guardrails_audit_evidence" e   where e.id >= $1 and e.id < $2
  group by e.principal_ref) counted;

-- audit.append
-- $1 text, $2 bytea, $3 text, $4 text, $5 text, $6 text, $7 bigint, $8 bigint, $9 bigint,
-- $10 timestamp with time zone, $11 bytea, $12 text, $13 bytea, $14 uuid, $15 integer, $16 bigint, $17 bytea,
-- $18 text, $19 timestamp with time zone, $20 text, $21 text, $22 text, $23 text, $24 boolean, $25 bigint,
-- $26 bigint, $27 text, $28 text, $29 text, $30 text, $31 bigint, $32 text, $33 text, $34 text, $35 text, $36 text,
-- $37 text, $38 bigint, $39 text, $40 bytea, $41 bytea, $42 bytea, $43 bytea, $44 text[], $45 text[],
-- $46 integer[], $47 integer[], $48 integer, $49 text, $50 text, $51 bigint, $52 bigint, $53 text, $54 text,
-- $55 text, $56 bytea, $57 uuid, $58 bigint, $59 integer, $60 boolean, $61 integer, $62 text
with counts as (
  insert into "guardrails_audit_new_counts" as existing
  (time, group_hash, control, rule_id, application, ruleset_version, allowed, observed, blocked, last_seen_at)
  select * from (select $1::text as time, $2::bytea as group_hash, $3::text as control, $4::text as rule_id,
      $5::text as application, $6::text as ruleset_version, $7::bigint as allowed, $8::bigint as observed,
      $9::bigint as blocked, $10::timestamptz as last_seen_at) as given
  on conflict (time, group_hash, ruleset_version) do update set allowed = existing.allowed + excluded.allowed,
  observed = existing.observed + excluded.observed,
  blocked = existing.blocked + excluded.blocked,
  last_seen_at = greatest(existing.last_seen_at, excluded.last_seen_at)),
added as (
  insert into "guardrails_principals" (digest, name)
  select digest, name from (select $11::bytea as digest, $12::text as name) as given
  where not exists (select from "guardrails_principals" known where known.digest = given.digest)
  on conflict (digest) do update set name = excluded.name
  returning id),
principal_ids as (
  select array[coalesce(
    (select id from "guardrails_principals" where digest = $13), (select id from added))] as list),
evidence as (
  insert into "guardrails_audit_evidence" (writer, principal_ref, sequence, row_hash, day, occurred_at, control,
      outcome, mode, origin, errored, prompt_length, duration_us, rule_id, matched_rules, errored_rule_ids,
      findings, finding_count, application, request_id, run_id, tool, ruleset_version, rendering, approval_id,
      approval_step, prompt_commitment, matched_text_commitment, principal_commitment, policy_commitment)
  select $14::uuid, (select list from principal_ids)[given.principal], given.sequence, given.row_hash, given.day,
      given.occurred_at, given.control, given.outcome, given.mode, given.origin, given.errored, given.prompt_length,
      given.duration_us, given.rule_id, given.matched_rules, given.errored_rule_ids, given.findings,
      given.finding_count, given.application, given.request_id, given.run_id, given.tool, given.ruleset_version,
      given.rendering, given.approval_id, given.approval_step, given.prompt_commitment,
      given.matched_text_commitment, given.principal_commitment, given.policy_commitment
  from (select $15::integer as principal, $16::bigint as sequence, $17::bytea as row_hash, $18::text as day,
      $19::timestamptz as occurred_at, $20::text as control, $21::text as outcome, $22::text as mode,
      $23::text as origin, $24::boolean as errored, $25::bigint as prompt_length, $26::bigint as duration_us,
      $27::text as rule_id, $28::text as matched_rules, $29::text as errored_rule_ids, $30::text as findings,
      $31::bigint as finding_count, $32::text as application, $33::text as request_id, $34::text as run_id,
      $35::text as tool, $36::text as ruleset_version, $37::text as rendering, $38::bigint as approval_id,
      $39::text as approval_step, $40::bytea as prompt_commitment, $41::bytea as matched_text_commitment,
      $42::bytea as principal_commitment, $43::bytea as policy_commitment) as given where not exists (select
      from "guardrails_append_lock" for key share)
  returning id, sequence),
ids as (select array[id] as list from evidence),
id_ranges as (
  insert into "guardrails_audit_id_ranges" as existing (unit, time, min_id, max_id)
  select unit, time, (select list from ids)[first], (select list from ids)[last]
      from (select unnest($44::text[]) as unit, unnest($45::text[]) as time, unnest($46::integer[]) as first,
      unnest($47::integer[]) as last) as given
  on conflict (unit, time) do update set
  min_id = least(existing.min_id, excluded.min_id), max_id = greatest(existing.max_id, excluded.max_id)
  where excluded.min_id < existing.min_id or excluded.max_id > existing.max_id),
content as (
  insert into "guardrails_audit_content" (evidence_id, storage, prompt, matched_span_start, matched_span_end,
      matched_text, alteration, policy, salt)
  select (select list from ids)[given.place], storage, prompt, matched_span_start, matched_span_end, matched_text,
      alteration, policy, salt from (select $48::integer as place, $49::text as storage, $50::text as prompt,
      $51::bigint as matched_span_start, $52::bigint as matched_span_end, $53::text as matched_text,
      $54::text as alteration, $55::text as policy, $56::bytea as salt) as given),
writer as (
  insert into "guardrails_audit_writers" as existing (writer, sequence, last_id, ended)
  values ($57::uuid, $58::bigint, (select list from ids)[$59::integer], $60::boolean)
  on conflict (writer) do update set
  sequence = case when existing.ended then null else excluded.sequence end, last_id = excluded.last_id),
run_queue as (
  insert into "guardrails_run_queue" (evidence_id, key)
  select (select list from ids)[given.place], key from (select $61::integer as place, $62::text as key) as given)
      select id from evidence;

-- runIndex.list, runIndex.find, retention.proceed
-- $1 bigint
with taken as (
  delete from "guardrails_run_queue" where evidence_id = any(array(
      select evidence_id from "guardrails_run_queue" order by evidence_id limit $1 for update skip locked))
  returning evidence_id, key),
entries as (
  select taken.key, e.*, (case e.outcome when 'allowed' then 0 when 'observed' then 1
      when 'blocked' then 2 end)::smallint as rank
  from taken join "guardrails_audit_evidence" e on e.id = taken.evidence_id),
folded as (
  insert into "guardrails_run_rows" as existing
  (key, id, run_id, application, principal_ref, prompt_id, outcome, hitl_alone, tool_firewall, input_screen,
      output_handler, hitl, entries,
    started_at, last_at)
  select key, min(id), min(run_id), min(application), max(principal_ref),
  min(id) filter (where control = 'input_screen' and origin = 'prompt'), max(rank),
  max(rank) filter (where control = 'hitl' and approval_id is null),
      max(rank) filter (where control = 'tool_firewall'), max(rank) filter (where control = 'input_screen'),
      max(rank) filter (where control = 'output_handler'), max(rank) filter (where control = 'hitl'), count(*),
      (array_agg(occurred_at order by id))[1], max(occurred_at)
  from entries group by key order by key
  on conflict (key) do update set
  started_at = case when excluded.id < existing.id then excluded.started_at else existing.started_at end,
  id = least(existing.id, excluded.id), prompt_id = least(existing.prompt_id, excluded.prompt_id),
  outcome = greatest(existing.outcome, excluded.outcome), hitl_alone = greatest(existing.hitl_alone,
      excluded.hitl_alone), tool_firewall = greatest(existing.tool_firewall, excluded.tool_firewall),
      input_screen = greatest(existing.input_screen, excluded.input_screen),
      output_handler = greatest(existing.output_handler, excluded.output_handler), hitl = greatest(existing.hitl,
      excluded.hitl), entries = existing.entries + excluded.entries,
  last_at = greatest(existing.last_at, excluded.last_at))
select count(*) as folded, array(select distinct key from entries where approval_id is not null) as stepped
    from taken;

-- runIndex.list
-- $1 text[]
select from "guardrails_run_rows" r where r.key = any($1::text[]) order by key for update;

-- runIndex.list
-- $1 text[]
update "guardrails_run_rows" run
set hitl = greatest(hitl_alone, worst.rank),
outcome = coalesce(greatest(tool_firewall, input_screen, output_handler, hitl_alone, worst.rank), 0)
from (select key, max(rank) filter (where approval_step is distinct from 'superseded') as rank from (
    select distinct on (r.key, e.approval_id) r.key, e.approval_step, (case e.outcome when 'allowed' then 0
        when 'observed' then 1 when 'blocked' then 2 end)::smallint as rank
    from "guardrails_run_rows" r join "guardrails_audit_evidence" e on octet_length(e.run_id) <= 2000
        and e.run_id = r.run_id
    and e.application is not distinct from r.application and e.principal_ref is not distinct from r.principal_ref
    and e.id >= r.id and e.control = 'hitl' and e.approval_id is not null
    where r.key = any($1::text[])
    order by r.key, e.approval_id, e.id desc) latest
  group by key) worst
where run.key = worst.key;

-- runIndex.list
-- $1 bigint
select complete.as_of, run.* from (select least(
    case when pg_is_in_recovery() then coalesce(pg_last_xact_replay_timestamp(), to_timestamp(0))
        else date_trunc('milliseconds', clock_timestamp()) end,
    (select occurred_at - interval '1 millisecond' from "guardrails_audit_evidence"
      where id = (select min(evidence_id) from "guardrails_run_queue"))) as as_of) complete
left join lateral (
  select r.*, (select p.name from "guardrails_principals" p where p.id = r.principal_ref) as principal_id,
  (select case when c.storage not in ('hash', 'erased') then left(c.prompt, 161) end
      from "guardrails_audit_content" c where c.evidence_id = r.prompt_id) as said,
  (select label from "guardrails_runs" memory where memory.key = r.key) as label
  from "guardrails_run_rows" r  order by r.id desc limit $1) run on true
order by run.id desc;

-- runIndex.list
-- $1 smallint, $2 text, $3 bytea, $4 text, $5 text, $6 text, $7 text, $8 text, $9 text, $10 text, $11 text,
-- $12 text, $13 text, $14 text, $15 text, $16 text, $17 timestamp with time zone, $18 timestamp with time zone,
-- $19 bigint, $20 bigint, $21 bigint
select complete.as_of, run.* from (select least(
    case when pg_is_in_recovery() then coalesce(pg_last_xact_replay_timestamp(), to_timestamp(0))
        else date_trunc('milliseconds', clock_timestamp()) end,
    (select occurred_at - interval '1 millisecond' from "guardrails_audit_evidence"
      where id = (select min(evidence_id) from "guardrails_run_queue"))) as as_of) complete
left join lateral (
  select r.*, (select p.name from "guardrails_principals" p where p.id = r.principal_ref) as principal_id,
  (select case when c.storage not in ('hash', 'erased') then left(c.prompt, 161) end
      from "guardrails_audit_content" c where c.evidence_id = r.prompt_id) as said,
  (select label from "guardrails_runs" memory where memory.key = r.key) as label
  from "guardrails_run_rows" r where r.outcome = $1 and r.hitl > 0 and octet_length(r.application) <= 2000
      and r.application = $2 and r.principal_ref = (select id from "guardrails_principals" where digest = $3)
      and octet_length(r.run_id) <= 2000 and r.run_id = $4 and r.id >= (select min(min_id)
      from "guardrails_audit_id_ranges" where (unit = $5 and time >= $6 and time < $7 or unit = $8 and time >= $9
      and time < $10)) and r.id <= (select max(max_id) from "guardrails_audit_id_ranges" where (unit = $11
      and time >= $12 and time < $13 or unit = $14 and time >= $15 and time < $16)) and r.started_at >= $17
      and r.started_at <= $18 and r.id < $19 and r.id > $20 order by r.id desc limit $21) run on true
order by run.id desc;

-- runIndex.find
-- $1 bigint, $2 bigint
select complete.as_of, run.* from (select least(
    case when pg_is_in_recovery() then coalesce(pg_last_xact_replay_timestamp(), to_timestamp(0))
        else date_trunc('milliseconds', clock_timestamp()) end,
    (select occurred_at - interval '1 millisecond' from "guardrails_audit_evidence"
      where id = (select min(evidence_id) from "guardrails_run_queue"))) as as_of) complete
left join lateral (
  select r.*, (select p.name from "guardrails_principals" p where p.id = r.principal_ref) as principal_id,
  (select case when c.storage not in ('hash', 'erased') then left(c.prompt, 161) end
      from "guardrails_audit_content" c where c.evidence_id = r.prompt_id) as said,
  (select label from "guardrails_runs" memory where memory.key = r.key) as label
  from "guardrails_run_rows" r where r.id = $1 order by r.id desc limit $2) run on true
order by run.id desc;

-- runIndex.find
-- $1 text, $2 text, $3 bigint, $4 bigint, $5 bigint
select e.id, e.control, (e.outcome = 'blocked') as blocked, e.outcome, e.mode, e.origin, e.rule_id, (select p.name
    from "guardrails_principals" p where p.id = e.principal_ref) as principal_id, e.application, e.ruleset_version,
    e.prompt_length, e.errored, e.occurred_at, e.tool, (select case
    when held.storage not in ('hash', 'erased') then left(held.prompt, 161) end
  from "guardrails_audit_content" held where held.evidence_id = e.id) as prompt_preview, e.approval_step
      from "guardrails_audit_evidence" e
where octet_length(e.run_id) <= 2000 and e.run_id = $1 and e.application is not distinct from $2
and e.principal_ref = $3
and e.id >= $4
order by e.id desc limit $5;

-- firewall.list
-- $1 bigint
select r.evidence_id as id, r.tool, p.name as principal_id, r.application, r.violations,
r.violation_count, r.enforced, r.occurred_at
from "guardrails_firewall_rejections" r left join "guardrails_principals" p on p.id = r.principal_ref
order by r.evidence_id desc limit $1;

-- firewall.list
-- $1 bytea, $2 text, $3 text, $4 text, $5 text, $6 bigint, $7 bigint, $8 bigint
select r.evidence_id as id, r.tool, p.name as principal_id, r.application, r.violations,
r.violation_count, r.enforced, r.occurred_at
from "guardrails_firewall_rejections" r left join "guardrails_principals" p on p.id = r.principal_ref
where r.principal_ref = (select id from "guardrails_principals" where digest = $1) and octet_length(r.tool) <= 2000
    and r.tool = $2 and position(lower($3::text collate "C") in lower(r.tool collate "C")) > 0
    and (position($4::text in r.violations) > 0 or position($5::text in r.violations) > 0) and r.evidence_id < $6
    and r.evidence_id > $7
order by r.evidence_id desc limit $8;

-- firewall.find
-- $1 bigint, $2 bigint
select r.evidence_id as id, r.tool, p.name as principal_id, r.application, r.violations,
r.violation_count, r.enforced, r.occurred_at
from "guardrails_firewall_rejections" r left join "guardrails_principals" p on p.id = r.principal_ref
where r.evidence_id = $1
order by r.evidence_id desc limit $2;

-- output.stats
-- $1 text, $2 text, $3 text, $4 text, $5 text, $6 text, $7 timestamp with time zone, $8 timestamp with time zone
select kind, detector, enforced, sum(count) as count from (select kind, detector, enforced, count
    from "guardrails_output_sums" where (unit = $1 and time >= $2 and time < $3 or unit = $4 and time >= $5
    and time < $6)
  union all select kind, detector, enforced, count
      from (select evidence_id, occurred_at, kind, detector, enforced, count from "guardrails_output_counts" single
    where occurred_at >= $7 and occurred_at < $8 ) single) counted
group by kind, detector, enforced order by kind collate "C", detector collate "C", enforced;

-- output.daily
-- $1 timestamp with time zone, $2 timestamp with time zone, $3 text
select date, kind, detector, count(distinct evidence_id) as outputs, sum(count) as findings
from (select to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD') as date, evidence_id, kind, detector, count
  from (select evidence_id, occurred_at, kind, detector, enforced, count from "guardrails_output_counts" single
    where occurred_at >= $1 and occurred_at < $2 and exists (select from "guardrails_audit_evidence" e
        where e.id = single.evidence_id
      and octet_length(e.application) <= 2000 and e.application = $3)) single) counted
group by grouping sets ((date, kind), (date, kind, detector))
order by date, kind collate "C", detector collate "C" nulls first;

-- overview.activity
-- $1 text, $2 text, $3 text, $4 text, $5 text, $6 text, $7 timestamp with time zone, $8 text,
-- $9 timestamp with time zone, $10 text, $11 text, $12 timestamp with time zone, $13 text,
-- $14 timestamp with time zone, $15 character varying, $16 text, $17 timestamp with time zone, $18 text,
-- $19 timestamp with time zone, $20 text, $21 text, $22 timestamp with time zone, $23 timestamp with time zone,
-- $24 text, $25 text, $26 text, $27 text, $28 bigint
select 'decided' as kind, control, ruleset_version as label, sum(allowed + observed + blocked) as count,
    sum(blocked) as blocked,
sum(observed) as observed, max(last_seen_at) as latest
from (select hour as time, control, ruleset_version, allowed, observed, blocked, last_seen_at
    from "guardrails_audit_hourly"
  where kind = 'total' and hour >= $1 and hour < $2
  union all select time as time, control, ruleset_version, allowed, observed, blocked, last_seen_at
      from "guardrails_audit_new_counts"
  where time >= $3 and time < $4
  union all select time as time, control, ruleset_version, allowed, observed, blocked, last_seen_at
      from "guardrails_audit_fine_counts"
  where kind = 'total' and unit = 'minute' and time = $5 and not exists (select 1 from "guardrails_audit_new_counts"
      where time = $6 and last_seen_at >= $7)
  and not exists (select 1 from "guardrails_audit_fine_counts" where kind = 'total' and unit = 'minute'
      and time = $8 and last_seen_at >= $9)
  union all select time as time, control, ruleset_version, allowed, observed, blocked, last_seen_at
      from "guardrails_audit_new_counts"
  where time = $10 and not exists (select 1 from "guardrails_audit_new_counts" where time = $11
      and last_seen_at >= $12)
  and not exists (select 1 from "guardrails_audit_fine_counts" where kind = 'total' and unit = 'minute'
      and time = $13 and last_seen_at >= $14)
  union all select cast($15 as varchar(16)) as time, control, ruleset_version, count(case
      when outcome = 'allowed' then 1 end) as allowed, count(case
      when outcome = 'observed' then 1 end) as observed, count(case when outcome = 'blocked' then 1 end) as blocked,
  max(occurred_at) as last_seen_at from "guardrails_audit_evidence" where not (not exists (select 1
      from "guardrails_audit_new_counts" where time = $16 and last_seen_at >= $17)
    and not exists (select 1 from "guardrails_audit_fine_counts" where kind = 'total' and unit = 'minute'
        and time = $18 and last_seen_at >= $19)) and id >= (select min_id from "guardrails_audit_id_ranges"
        where unit = 'minute' and time = $20) and id <= (select max_id from "guardrails_audit_id_ranges"
        where unit = 'minute' and time = $21) and occurred_at >= $22 and occurred_at < $23
  group by control, ruleset_version) decided group by control, ruleset_version
union all
select 'hour', control, substr(time, 1, 13), sum(allowed + observed + blocked), 0, 0, null
from (select hour as time, control, allowed, observed, blocked, last_seen_at from "guardrails_audit_hourly"
  where kind = 'total' and hour >= $24 and hour < $25
  union all select time as time, control, allowed, observed, blocked, last_seen_at
      from "guardrails_audit_new_counts"
  where time >= $26 and time < $27) spark group by control, substr(time, 1, 13)
union all
select 'approval' as kind, '' as control, status as label, count(*) as count, 0 as blocked, 0 as observed,
min(created_at) as latest
from "guardrails_approvals" where status in ('executing', 'outcome_unknown') or status = 'pending'
    and expires_at > date_trunc('milliseconds', clock_timestamp()) group by status
union all
select 'approval', '', 'expiring', count(*), 0, 0, null::timestamptz
from "guardrails_approvals" where status = 'pending' and expires_at > date_trunc('milliseconds', clock_timestamp())
    and expires_at <= date_trunc('milliseconds', clock_timestamp()) + $28::bigint * interval '1 millisecond';

-- overview.ruleHits
-- $1 text, $2 text, $3 text, $4 text, $5 text, $6 timestamp with time zone, $7 text, $8 timestamp with time zone,
-- $9 text, $10 timestamp with time zone, $11 text, $12 timestamp with time zone, $13 text, $14 text,
-- $15 timestamp with time zone, $16 timestamp with time zone
select rule_id as "ruleId", sum(hits) as hits, sum(silenced) as silenced
from (select rule_id, hits, silenced from "guardrails_rule_hits" where (unit = $1 and time >= $2 and time < $3)
  union all select rule_id, hits, silenced from "guardrails_rule_hits" where unit = 'minute' and time = $4
      and not exists (select 1 from "guardrails_audit_new_counts" where time = $5 and last_seen_at >= $6)
  and not exists (select 1 from "guardrails_audit_fine_counts" where kind = 'total' and unit = 'minute'
      and time = $7 and last_seen_at >= $8)
  union all select matched.rule_id, count(distinct edge.id) filter (where not matched.silenced),
  count(distinct edge.id) filter (where matched.silenced)
  from (select id, matched_rules from "guardrails_audit_evidence" where not (not exists (select 1
      from "guardrails_audit_new_counts" where time = $9 and last_seen_at >= $10)
      and not exists (select 1 from "guardrails_audit_fine_counts" where kind = 'total' and unit = 'minute'
          and time = $11 and last_seen_at >= $12)) and id >= (select min_id from "guardrails_audit_id_ranges"
          where unit = 'minute' and time = $13) and id <= (select max_id from "guardrails_audit_id_ranges"
          where unit = 'minute' and time = $14) and occurred_at >= $15 and occurred_at < $16
          and control = 'input_screen' and matched_rules <> '[]') edge
  cross join lateral (
    select element ->> 'ruleId' as rule_id, element ->> 'exception' is not null as silenced
    from jsonb_array_elements(edge.matched_rules::jsonb) element
    where element ->> 'notJudged' is null) matched
  group by matched.rule_id) counted group by rule_id;

-- reviews.append
-- $1 character varying, $2 text, $3 text, $4 text, $5 timestamp with time zone, $6 bigint
insert into "guardrails_audit_reviews" (evidence_id, verdict, note, rule_id, actor_id, request_id, reviewed_at)
select id, $1, $2, rule_id, $3, $4, $5::timestamptz
from "guardrails_audit_evidence" where id = $6
returning id;

-- reviews.ofEntry
-- $1 bigint
SELECT "guardrails_audit_reviews"."id" AS "guardrails_audit_reviews_id",
    "guardrails_audit_reviews"."evidence_id" AS "guardrails_audit_reviews_evidence_id",
    "guardrails_audit_reviews"."verdict" AS "guardrails_audit_reviews_verdict",
    "guardrails_audit_reviews"."note" AS "guardrails_audit_reviews_note",
    "guardrails_audit_reviews"."actor_id" AS "guardrails_audit_reviews_actor_id",
    "guardrails_audit_reviews"."request_id" AS "guardrails_audit_reviews_request_id",
    "guardrails_audit_reviews"."reviewed_at" AS "guardrails_audit_reviews_reviewed_at"
FROM "guardrails_audit_reviews" "guardrails_audit_reviews"
WHERE (("guardrails_audit_reviews"."evidence_id" = $1))
ORDER BY "guardrails_audit_reviews"."id" ASC;

-- reviews.nextUnreviewed
-- $1 text, $2 bigint, $3 text, $4 bigint
select greatest((select e.id from "guardrails_audit_evidence" e
    where e.outcome = 'blocked' and e.control = $1 and e.id < $2 and not exists (select 1
        from "guardrails_audit_reviews" r where r.evidence_id = e.id) order by e.id desc limit 1), (select e.id
        from "guardrails_audit_evidence" e
    where e.outcome = 'observed' and e.control = $3 and e.id < $4 and not exists (select 1
        from "guardrails_audit_reviews" r where r.evidence_id = e.id) order by e.id desc limit 1)) as id;

-- reviews.counts
-- $1 timestamp with time zone
select rule_id as "ruleId", verdict, count(*) as count from "guardrails_audit_reviews" r
where reviewed_at >= $1 and rule_id is not null and not exists (
  select 1 from "guardrails_audit_reviews" later where later.evidence_id = r.evidence_id and later.id > r.id)
group by rule_id, verdict order by rule_id, verdict;

-- reviews.labelled
-- $1 bigint
select e.id, c.prompt as text, r.verdict = 'true_positive' as "isAttack", e.origin, r.rule_id as "ruleId"
from "guardrails_audit_reviews" r
join "guardrails_audit_evidence" e on e.id = r.evidence_id
join "guardrails_audit_content" c on c.evidence_id = r.evidence_id where r.verdict <> 'unsure'
    and e.control = 'input_screen' and c.storage in ('redact', 'raw') and c.alteration is distinct from 'truncated'
    and not exists (
  select 1 from "guardrails_audit_reviews" later where later.evidence_id = r.evidence_id and later.id > r.id)
order by r.evidence_id desc limit $1;

-- approvals.park
-- $1 character, $2 character varying, $3 text, $4 character, $5 text, $6 text
UPDATE "guardrails_approvals"
SET "dedup_key" = $1, "pending_slot" = $2
WHERE (("status" = $3 AND "expires_at" <= date_trunc('milliseconds',
    clock_timestamp()) + 0 * interval '1 millisecond' AND "dedup_key" = $4) OR ("status" = $5 AND "expires_at" <= date_trunc('milliseconds',
    clock_timestamp()) + 0 * interval '1 millisecond' AND "principal_id" = $6 AND NOT("pending_slot" IS NULL)));

-- approvals.park, approvals.findSame
-- $1 character, $2 text, $3 character, $4 text, $5 text, $6 text, $7 text, $8 text, $9 text
SELECT "guardrails_approvals"."id" AS "guardrails_approvals_id",
    "guardrails_approvals"."reference" AS "guardrails_approvals_reference",
    "guardrails_approvals"."token_hash" AS "guardrails_approvals_token_hash",
    "guardrails_approvals"."call_mac" AS "guardrails_approvals_call_mac",
    "guardrails_approvals"."audit_id" AS "guardrails_approvals_audit_id",
    "guardrails_approvals"."status" AS "guardrails_approvals_status",
    "guardrails_approvals"."run_id" AS "guardrails_approvals_run_id",
    "guardrails_approvals"."step_name" AS "guardrails_approvals_step_name",
    "guardrails_approvals"."tool" AS "guardrails_approvals_tool",
    "guardrails_approvals"."tool_fingerprint" AS "guardrails_approvals_tool_fingerprint",
    "guardrails_approvals"."arguments" AS "guardrails_approvals_arguments",
    "guardrails_approvals"."arguments_digest" AS "guardrails_approvals_arguments_digest",
    "guardrails_approvals"."requested_arguments" AS "guardrails_approvals_requested_arguments",
    "guardrails_approvals"."overwritten" AS "guardrails_approvals_overwritten",
    "guardrails_approvals"."reversible" AS "guardrails_approvals_reversible",
    "guardrails_approvals"."idempotent" AS "guardrails_approvals_idempotent",
    "guardrails_approvals"."warnings" AS "guardrails_approvals_warnings",
    "guardrails_approvals"."risk" AS "guardrails_approvals_risk",
    "guardrails_approvals"."headline" AS "guardrails_approvals_headline",
    "guardrails_approvals"."principal_id" AS "guardrails_approvals_principal_id",
    "guardrails_approvals"."application" AS "guardrails_approvals_application",
    "guardrails_approvals"."request_id" AS "guardrails_approvals_request_id",
    "guardrails_approvals"."trace_parent" AS "guardrails_approvals_trace_parent",
    "guardrails_approvals"."policy_revision" AS "guardrails_approvals_policy_revision",
    "guardrails_approvals"."requirement" AS "guardrails_approvals_requirement",
    "guardrails_approvals"."created_at" AS "guardrails_approvals_created_at",
    "guardrails_approvals"."expires_at" AS "guardrails_approvals_expires_at",
    "guardrails_approvals"."decision" AS "guardrails_approvals_decision",
    "guardrails_approvals"."decided_by" AS "guardrails_approvals_decided_by",
    "guardrails_approvals"."decided_at" AS "guardrails_approvals_decided_at",
    "guardrails_approvals"."reason" AS "guardrails_approvals_reason",
    "guardrails_approvals"."decision_mac" AS "guardrails_approvals_decision_mac",
    "guardrails_approvals"."supersedes" AS "guardrails_approvals_supersedes",
    "guardrails_approvals"."superseded_by" AS "guardrails_approvals_superseded_by",
    "guardrails_approvals"."first_id" AS "guardrails_approvals_first_id",
    "guardrails_approvals"."editors" AS "guardrails_approvals_editors",
    "guardrails_approvals"."edit_reason" AS "guardrails_approvals_edit_reason",
    "guardrails_approvals"."vote_count" AS "guardrails_approvals_vote_count",
    "guardrails_approvals"."fence" AS "guardrails_approvals_fence",
    "guardrails_approvals"."lease_until" AS "guardrails_approvals_lease_until",
    "guardrails_approvals"."finished_at" AS "guardrails_approvals_finished_at",
    "guardrails_approvals"."resolved_by" AS "guardrails_approvals_resolved_by",
    "guardrails_approvals"."resolved_at" AS "guardrails_approvals_resolved_at",
    "guardrails_approvals"."resolved_reason" AS "guardrails_approvals_resolved_reason",
    "guardrails_approvals"."claims" AS "guardrails_approvals_claims",
    "guardrails_approvals"."notify_attempts" AS "guardrails_approvals_notify_attempts",
    "guardrails_approvals"."result" AS "guardrails_approvals_result",
    "guardrails_approvals"."error" AS "guardrails_approvals_error"
FROM "guardrails_approvals" "guardrails_approvals"
WHERE (((("guardrails_approvals"."dedup_key" = $1) AND ("guardrails_approvals"."status" != $2))) OR ((("guardrails_approvals"."dedup_key" = $3) AND ("guardrails_approvals"."status" = $4) AND ("guardrails_approvals"."expires_at" > date_trunc('milliseconds',
    clock_timestamp())))) OR ((("guardrails_approvals"."status" = $5) AND (octet_length("guardrails_approvals"."run_id") <= 2000
    and "guardrails_approvals"."run_id" = $6) AND ("guardrails_approvals"."tool" = $7) AND ("guardrails_approvals"."arguments_digest" = $8) AND ("guardrails_approvals"."principal_id" = $9) AND ("guardrails_approvals"."application" IS NULL))))
ORDER BY "guardrails_approvals"."id" ASC
LIMIT 1;

-- approvals.park
-- $1 text, $2 text
SELECT "guardrails_approvals"."id" AS "guardrails_approvals_id",
    "guardrails_approvals"."pending_slot" AS "guardrails_approvals_pending_slot"
FROM "guardrails_approvals" "guardrails_approvals"
WHERE ((octet_length("guardrails_approvals"."principal_id") <= 2000
    and "guardrails_approvals"."principal_id" = $1) AND ("guardrails_approvals"."status" = $2) AND ("guardrails_approvals"."expires_at" > date_trunc('milliseconds',
    clock_timestamp())));

-- approvals.park
select date_trunc('milliseconds', clock_timestamp()) as now;

-- approvals.park, approvals.propose
-- $1 text, $2 text, $3 text, $4 text, $5 bigint, $6 character, $7 character varying, $8 character varying, $9 text,
-- $10 text, $11 text, $12 text, $13 text, $14 text, $15 text, $16 text, $17 boolean, $18 boolean, $19 text,
-- $20 text, $21 text, $22 text, $23 text, $24 text, $25 text, $26 text, $27 text, $28 timestamp with time zone,
-- $29 timestamp with time zone, $30 character varying, $31 text, $32 timestamp with time zone, $33 text, $34 text,
-- $35 bigint, $36 bigint, $37 bigint, $38 text, $39 text, $40 integer, $41 integer, $42 timestamp with time zone,
-- $43 timestamp with time zone, $44 text, $45 timestamp with time zone, $46 text, $47 timestamp with time zone,
-- $48 timestamp with time zone, $49 timestamp with time zone, $50 timestamp with time zone, $51 text, $52 integer,
-- $53 text, $54 text
INSERT INTO "guardrails_approvals"("reference", "token_hash", "encrypted_token", "call_mac", "audit_id",
    "dedup_key", "decided_in", "pending_slot", "status", "run_id", "step_name", "tool", "tool_fingerprint",
    "arguments", "arguments_digest", "requested_arguments", "overwritten", "reversible", "idempotent", "warnings",
    "risk", "headline", "principal_id", "application", "request_id", "trace_parent", "policy_revision",
    "requirement", "created_at", "expires_at", "decision", "decided_by", "decided_at", "reason", "decision_mac",
    "supersedes", "superseded_by", "first_id", "editors", "edit_reason", "vote_count", "fence", "lease_until",
    "finished_at", "resolved_by", "resolved_at", "resolved_reason", "reminded_at", "escalated_at", "notified_at",
    "notify_lease_until", "claims", "notify_attempts", "result", "error")
VALUES ($1, $2, $3, $4, $5, $6, DEFAULT, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
    $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43,
    $44, $45, $46, $47, $48, $49, $50, $51, $52, $53, $54) ON CONFLICT DO NOTHING
RETURNING *;

-- approvals.park
-- $1 text, $2 bytea, $3 text, $4 text, $5 text, $6 text, $7 bigint, $8 bigint, $9 bigint,
-- $10 timestamp with time zone, $11 uuid, $12 integer, $13 bigint, $14 bytea, $15 text,
-- $16 timestamp with time zone, $17 text, $18 text, $19 text, $20 text, $21 boolean, $22 bigint, $23 bigint,
-- $24 text, $25 text, $26 text, $27 text, $28 bigint, $29 text, $30 text, $31 text, $32 text, $33 text, $34 text,
-- $35 bigint, $36 text, $37 bytea, $38 bytea, $39 bytea, $40 bytea, $41 text[], $42 text[], $43 integer[],
-- $44 integer[], $45 integer, $46 text, $47 text, $48 bigint, $49 bigint, $50 text, $51 text, $52 text, $53 bytea,
-- $54 uuid, $55 bigint, $56 integer, $57 boolean, $58 integer, $59 text
with counts as (
  insert into "guardrails_audit_new_counts" as existing
  (time, group_hash, control, rule_id, application, ruleset_version, allowed, observed, blocked, last_seen_at)
  select * from (select $1::text as time, $2::bytea as group_hash, $3::text as control, $4::text as rule_id,
      $5::text as application, $6::text as ruleset_version, $7::bigint as allowed, $8::bigint as observed,
      $9::bigint as blocked, $10::timestamptz as last_seen_at) as given
  on conflict (time, group_hash, ruleset_version) do update set allowed = existing.allowed + excluded.allowed,
  observed = existing.observed + excluded.observed,
  blocked = existing.blocked + excluded.blocked,
  last_seen_at = greatest(existing.last_seen_at, excluded.last_seen_at)),
principal_ids as (select null::bigint[] as list),
evidence as (
  insert into "guardrails_audit_evidence" (writer, principal_ref, sequence, row_hash, day, occurred_at, control,
      outcome, mode, origin, errored, prompt_length, duration_us, rule_id, matched_rules, errored_rule_ids,
      findings, finding_count, application, request_id, run_id, tool, ruleset_version, rendering, approval_id,
      approval_step, prompt_commitment, matched_text_commitment, principal_commitment, policy_commitment)
  select $11::uuid, (select list from principal_ids)[given.principal], given.sequence, given.row_hash, given.day,
      given.occurred_at, given.control, given.outcome, given.mode, given.origin, given.errored, given.prompt_length,
      given.duration_us, given.rule_id, given.matched_rules, given.errored_rule_ids, given.findings,
      given.finding_count, given.application, given.request_id, given.run_id, given.tool, given.ruleset_version,
      given.rendering, given.approval_id, given.approval_step, given.prompt_commitment,
      given.matched_text_commitment, given.principal_commitment, given.policy_commitment
  from (select $12::integer as principal, $13::bigint as sequence, $14::bytea as row_hash, $15::text as day,
      $16::timestamptz as occurred_at, $17::text as control, $18::text as outcome, $19::text as mode,
      $20::text as origin, $21::boolean as errored, $22::bigint as prompt_length, $23::bigint as duration_us,
      $24::text as rule_id, $25::text as matched_rules, $26::text as errored_rule_ids, $27::text as findings,
      $28::bigint as finding_count, $29::text as application, $30::text as request_id, $31::text as run_id,
      $32::text as tool, $33::text as ruleset_version, $34::text as rendering, $35::bigint as approval_id,
      $36::text as approval_step, $37::bytea as prompt_commitment, $38::bytea as matched_text_commitment,
      $39::bytea as principal_commitment, $40::bytea as policy_commitment) as given where not exists (select
      from "guardrails_append_lock" for key share)
  returning id, sequence),
ids as (select array[id] as list from evidence),
id_ranges as (
  insert into "guardrails_audit_id_ranges" as existing (unit, time, min_id, max_id)
  select unit, time, (select list from ids)[first], (select list from ids)[last]
      from (select unnest($41::text[]) as unit, unnest($42::text[]) as time, unnest($43::integer[]) as first,
      unnest($44::integer[]) as last) as given
  on conflict (unit, time) do update set
  min_id = least(existing.min_id, excluded.min_id), max_id = greatest(existing.max_id, excluded.max_id)
  where excluded.min_id < existing.min_id or excluded.max_id > existing.max_id),
content as (
  insert into "guardrails_audit_content" (evidence_id, storage, prompt, matched_span_start, matched_span_end,
      matched_text, alteration, policy, salt)
  select (select list from ids)[given.place], storage, prompt, matched_span_start, matched_span_end, matched_text,
      alteration, policy, salt from (select $45::integer as place, $46::text as storage, $47::text as prompt,
      $48::bigint as matched_span_start, $49::bigint as matched_span_end, $50::text as matched_text,
      $51::text as alteration, $52::text as policy, $53::bytea as salt) as given),
writer as (
  insert into "guardrails_audit_writers" as existing (writer, sequence, last_id, ended)
  values ($54::uuid, $55::bigint, (select list from ids)[$56::integer], $57::boolean)
  on conflict (writer) do update set
  sequence = case when existing.ended then null else excluded.sequence end, last_id = excluded.last_id),
run_queue as (
  insert into "guardrails_run_queue" (evidence_id, key)
  select (select list from ids)[given.place], key from (select $58::integer as place, $59::text as key) as given)
      select id from evidence;

-- approvals.park, approvals.propose
-- $1 bigint, $2 bigint
UPDATE "guardrails_approvals"
SET "audit_id" = $1, "decided_in" = concat_ws(' ', left(pg_walfile_name(pg_current_wal_lsn()), 8),
  (select oid from pg_database where datname = current_database()), tableoid, pg_current_xact_id()::xid)
WHERE "id" = $2;

-- approvals.park
-- $1 character, $2 character varying, $3 text, $4 text
UPDATE "guardrails_approvals"
SET "dedup_key" = $1, "pending_slot" = $2
WHERE ("status" = $3 AND "expires_at" <= date_trunc('milliseconds',
    clock_timestamp()) + 0 * interval '1 millisecond' AND "principal_id" = $4 AND NOT("pending_slot" IS NULL));

-- approvals.park, approvals.change, approvals.propose, budgets.admit
-- $1 text, $2 bytea, $3 text, $4 text, $5 text, $6 text, $7 bigint, $8 bigint, $9 bigint,
-- $10 timestamp with time zone, $11 uuid, $12 integer, $13 bigint, $14 bytea, $15 text,
-- $16 timestamp with time zone, $17 text, $18 text, $19 text, $20 text, $21 boolean, $22 bigint, $23 bigint,
-- $24 text, $25 text, $26 text, $27 text, $28 bigint, $29 text, $30 text, $31 text, $32 text, $33 text, $34 text,
-- $35 bigint, $36 text, $37 bytea, $38 bytea, $39 bytea, $40 bytea, $41 text[], $42 text[], $43 integer[],
-- $44 integer[], $45 integer, $46 text, $47 text, $48 bigint, $49 bigint, $50 text, $51 text, $52 text, $53 bytea,
-- $54 uuid, $55 bigint, $56 integer, $57 boolean
with counts as (
  insert into "guardrails_audit_new_counts" as existing
  (time, group_hash, control, rule_id, application, ruleset_version, allowed, observed, blocked, last_seen_at)
  select * from (select $1::text as time, $2::bytea as group_hash, $3::text as control, $4::text as rule_id,
      $5::text as application, $6::text as ruleset_version, $7::bigint as allowed, $8::bigint as observed,
      $9::bigint as blocked, $10::timestamptz as last_seen_at) as given
  on conflict (time, group_hash, ruleset_version) do update set allowed = existing.allowed + excluded.allowed,
  observed = existing.observed + excluded.observed,
  blocked = existing.blocked + excluded.blocked,
  last_seen_at = greatest(existing.last_seen_at, excluded.last_seen_at)),
principal_ids as (select null::bigint[] as list),
evidence as (
  insert into "guardrails_audit_evidence" (writer, principal_ref, sequence, row_hash, day, occurred_at, control,
      outcome, mode, origin, errored, prompt_length, duration_us, rule_id, matched_rules, errored_rule_ids,
      findings, finding_count, application, request_id, run_id, tool, ruleset_version, rendering, approval_id,
      approval_step, prompt_commitment, matched_text_commitment, principal_commitment, policy_commitment)
  select $11::uuid, (select list from principal_ids)[given.principal], given.sequence, given.row_hash, given.day,
      given.occurred_at, given.control, given.outcome, given.mode, given.origin, given.errored, given.prompt_length,
      given.duration_us, given.rule_id, given.matched_rules, given.errored_rule_ids, given.findings,
      given.finding_count, given.application, given.request_id, given.run_id, given.tool, given.ruleset_version,
      given.rendering, given.approval_id, given.approval_step, given.prompt_commitment,
      given.matched_text_commitment, given.principal_commitment, given.policy_commitment
  from (select $12::integer as principal, $13::bigint as sequence, $14::bytea as row_hash, $15::text as day,
      $16::timestamptz as occurred_at, $17::text as control, $18::text as outcome, $19::text as mode,
      $20::text as origin, $21::boolean as errored, $22::bigint as prompt_length, $23::bigint as duration_us,
      $24::text as rule_id, $25::text as matched_rules, $26::text as errored_rule_ids, $27::text as findings,
      $28::bigint as finding_count, $29::text as application, $30::text as request_id, $31::text as run_id,
      $32::text as tool, $33::text as ruleset_version, $34::text as rendering, $35::bigint as approval_id,
      $36::text as approval_step, $37::bytea as prompt_commitment, $38::bytea as matched_text_commitment,
      $39::bytea as principal_commitment, $40::bytea as policy_commitment) as given where not exists (select
      from "guardrails_append_lock" for key share)
  returning id, sequence),
ids as (select array[id] as list from evidence),
id_ranges as (
  insert into "guardrails_audit_id_ranges" as existing (unit, time, min_id, max_id)
  select unit, time, (select list from ids)[first], (select list from ids)[last]
      from (select unnest($41::text[]) as unit, unnest($42::text[]) as time, unnest($43::integer[]) as first,
      unnest($44::integer[]) as last) as given
  on conflict (unit, time) do update set
  min_id = least(existing.min_id, excluded.min_id), max_id = greatest(existing.max_id, excluded.max_id)
  where excluded.min_id < existing.min_id or excluded.max_id > existing.max_id),
content as (
  insert into "guardrails_audit_content" (evidence_id, storage, prompt, matched_span_start, matched_span_end,
      matched_text, alteration, policy, salt)
  select (select list from ids)[given.place], storage, prompt, matched_span_start, matched_span_end, matched_text,
      alteration, policy, salt from (select $45::integer as place, $46::text as storage, $47::text as prompt,
      $48::bigint as matched_span_start, $49::bigint as matched_span_end, $50::text as matched_text,
      $51::text as alteration, $52::text as policy, $53::bytea as salt) as given),
writer as (
  insert into "guardrails_audit_writers" as existing (writer, sequence, last_id, ended)
  values ($54::uuid, $55::bigint, (select list from ids)[$56::integer], $57::boolean)
  on conflict (writer) do update set
  sequence = case when existing.ended then null else excluded.sequence end, last_id = excluded.last_id) select id
      from evidence;

-- approvals.findLast
-- $1 text, $2 text, $3 text, $4 text, $5 text
SELECT "guardrails_approvals"."id" AS "guardrails_approvals_id",
    "guardrails_approvals"."reference" AS "guardrails_approvals_reference",
    "guardrails_approvals"."token_hash" AS "guardrails_approvals_token_hash",
    "guardrails_approvals"."call_mac" AS "guardrails_approvals_call_mac",
    "guardrails_approvals"."audit_id" AS "guardrails_approvals_audit_id",
    "guardrails_approvals"."status" AS "guardrails_approvals_status",
    "guardrails_approvals"."run_id" AS "guardrails_approvals_run_id",
    "guardrails_approvals"."step_name" AS "guardrails_approvals_step_name",
    "guardrails_approvals"."tool" AS "guardrails_approvals_tool",
    "guardrails_approvals"."tool_fingerprint" AS "guardrails_approvals_tool_fingerprint",
    "guardrails_approvals"."arguments" AS "guardrails_approvals_arguments",
    "guardrails_approvals"."arguments_digest" AS "guardrails_approvals_arguments_digest",
    "guardrails_approvals"."requested_arguments" AS "guardrails_approvals_requested_arguments",
    "guardrails_approvals"."overwritten" AS "guardrails_approvals_overwritten",
    "guardrails_approvals"."reversible" AS "guardrails_approvals_reversible",
    "guardrails_approvals"."idempotent" AS "guardrails_approvals_idempotent",
    "guardrails_approvals"."warnings" AS "guardrails_approvals_warnings",
    "guardrails_approvals"."risk" AS "guardrails_approvals_risk",
    "guardrails_approvals"."headline" AS "guardrails_approvals_headline",
    "guardrails_approvals"."principal_id" AS "guardrails_approvals_principal_id",
    "guardrails_approvals"."application" AS "guardrails_approvals_application",
    "guardrails_approvals"."request_id" AS "guardrails_approvals_request_id",
    "guardrails_approvals"."trace_parent" AS "guardrails_approvals_trace_parent",
    "guardrails_approvals"."policy_revision" AS "guardrails_approvals_policy_revision",
    "guardrails_approvals"."requirement" AS "guardrails_approvals_requirement",
    "guardrails_approvals"."created_at" AS "guardrails_approvals_created_at",
    "guardrails_approvals"."expires_at" AS "guardrails_approvals_expires_at",
    "guardrails_approvals"."decision" AS "guardrails_approvals_decision",
    "guardrails_approvals"."decided_by" AS "guardrails_approvals_decided_by",
    "guardrails_approvals"."decided_at" AS "guardrails_approvals_decided_at",
    "guardrails_approvals"."reason" AS "guardrails_approvals_reason",
    "guardrails_approvals"."decision_mac" AS "guardrails_approvals_decision_mac",
    "guardrails_approvals"."supersedes" AS "guardrails_approvals_supersedes",
    "guardrails_approvals"."superseded_by" AS "guardrails_approvals_superseded_by",
    "guardrails_approvals"."first_id" AS "guardrails_approvals_first_id",
    "guardrails_approvals"."editors" AS "guardrails_approvals_editors",
    "guardrails_approvals"."edit_reason" AS "guardrails_approvals_edit_reason",
    "guardrails_approvals"."vote_count" AS "guardrails_approvals_vote_count",
    "guardrails_approvals"."fence" AS "guardrails_approvals_fence",
    "guardrails_approvals"."lease_until" AS "guardrails_approvals_lease_until",
    "guardrails_approvals"."finished_at" AS "guardrails_approvals_finished_at",
    "guardrails_approvals"."resolved_by" AS "guardrails_approvals_resolved_by",
    "guardrails_approvals"."resolved_at" AS "guardrails_approvals_resolved_at",
    "guardrails_approvals"."resolved_reason" AS "guardrails_approvals_resolved_reason",
    "guardrails_approvals"."claims" AS "guardrails_approvals_claims",
    "guardrails_approvals"."notify_attempts" AS "guardrails_approvals_notify_attempts",
    "guardrails_approvals"."result" AS "guardrails_approvals_result",
    "guardrails_approvals"."error" AS "guardrails_approvals_error"
FROM "guardrails_approvals" "guardrails_approvals"
WHERE ((octet_length("guardrails_approvals"."run_id") <= 2000
    and "guardrails_approvals"."run_id" = $1) AND ("guardrails_approvals"."tool" = $2) AND ("guardrails_approvals"."arguments_digest" = $3) AND ("guardrails_approvals"."principal_id" = $4) AND ("guardrails_approvals"."application" IS NULL) AND ("guardrails_approvals"."step_name" = $5) AND ("guardrails_approvals"."first_id" IS NULL))
ORDER BY "guardrails_approvals"."id" DESC
LIMIT 1;

-- approvals.pending
-- $1 text
SELECT "guardrails_approvals"."id" AS "guardrails_approvals_id",
    "guardrails_approvals"."reference" AS "guardrails_approvals_reference",
    "guardrails_approvals"."token_hash" AS "guardrails_approvals_token_hash",
    "guardrails_approvals"."call_mac" AS "guardrails_approvals_call_mac",
    "guardrails_approvals"."audit_id" AS "guardrails_approvals_audit_id",
    "guardrails_approvals"."status" AS "guardrails_approvals_status",
    "guardrails_approvals"."run_id" AS "guardrails_approvals_run_id",
    "guardrails_approvals"."step_name" AS "guardrails_approvals_step_name",
    "guardrails_approvals"."tool" AS "guardrails_approvals_tool",
    "guardrails_approvals"."tool_fingerprint" AS "guardrails_approvals_tool_fingerprint",
    "guardrails_approvals"."arguments" AS "guardrails_approvals_arguments",
    "guardrails_approvals"."arguments_digest" AS "guardrails_approvals_arguments_digest",
    "guardrails_approvals"."requested_arguments" AS "guardrails_approvals_requested_arguments",
    "guardrails_approvals"."overwritten" AS "guardrails_approvals_overwritten",
    "guardrails_approvals"."reversible" AS "guardrails_approvals_reversible",
    "guardrails_approvals"."idempotent" AS "guardrails_approvals_idempotent",
    "guardrails_approvals"."warnings" AS "guardrails_approvals_warnings",
    "guardrails_approvals"."risk" AS "guardrails_approvals_risk",
    "guardrails_approvals"."headline" AS "guardrails_approvals_headline",
    "guardrails_approvals"."principal_id" AS "guardrails_approvals_principal_id",
    "guardrails_approvals"."application" AS "guardrails_approvals_application",
    "guardrails_approvals"."request_id" AS "guardrails_approvals_request_id",
    "guardrails_approvals"."trace_parent" AS "guardrails_approvals_trace_parent",
    "guardrails_approvals"."policy_revision" AS "guardrails_approvals_policy_revision",
    "guardrails_approvals"."requirement" AS "guardrails_approvals_requirement",
    "guardrails_approvals"."created_at" AS "guardrails_approvals_created_at",
    "guardrails_approvals"."expires_at" AS "guardrails_approvals_expires_at",
    "guardrails_approvals"."decision" AS "guardrails_approvals_decision",
    "guardrails_approvals"."decided_by" AS "guardrails_approvals_decided_by",
    "guardrails_approvals"."decided_at" AS "guardrails_approvals_decided_at",
    "guardrails_approvals"."reason" AS "guardrails_approvals_reason",
    "guardrails_approvals"."decision_mac" AS "guardrails_approvals_decision_mac",
    "guardrails_approvals"."supersedes" AS "guardrails_approvals_supersedes",
    "guardrails_approvals"."superseded_by" AS "guardrails_approvals_superseded_by",
    "guardrails_approvals"."first_id" AS "guardrails_approvals_first_id",
    "guardrails_approvals"."editors" AS "guardrails_approvals_editors",
    "guardrails_approvals"."edit_reason" AS "guardrails_approvals_edit_reason",
    "guardrails_approvals"."vote_count" AS "guardrails_approvals_vote_count",
    "guardrails_approvals"."fence" AS "guardrails_approvals_fence",
    "guardrails_approvals"."lease_until" AS "guardrails_approvals_lease_until",
    "guardrails_approvals"."finished_at" AS "guardrails_approvals_finished_at",
    "guardrails_approvals"."resolved_by" AS "guardrails_approvals_resolved_by",
    "guardrails_approvals"."resolved_at" AS "guardrails_approvals_resolved_at",
    "guardrails_approvals"."resolved_reason" AS "guardrails_approvals_resolved_reason",
    "guardrails_approvals"."claims" AS "guardrails_approvals_claims",
    "guardrails_approvals"."notify_attempts" AS "guardrails_approvals_notify_attempts",
    "guardrails_approvals"."result" AS "guardrails_approvals_result",
    "guardrails_approvals"."error" AS "guardrails_approvals_error"
FROM "guardrails_approvals" "guardrails_approvals"
WHERE (("guardrails_approvals"."status" = $1) AND ("guardrails_approvals"."expires_at" > date_trunc('milliseconds',
    clock_timestamp())))
ORDER BY "guardrails_approvals_id" DESC
LIMIT 11;

-- approvals.pending
-- $1 text, $2 text, $3 text, $4 text, $5 text, $6 timestamp with time zone, $7 timestamp with time zone, $8 text,
-- $9 bigint, $10 bigint
SELECT "guardrails_approvals"."id" AS "guardrails_approvals_id",
    "guardrails_approvals"."reference" AS "guardrails_approvals_reference",
    "guardrails_approvals"."token_hash" AS "guardrails_approvals_token_hash",
    "guardrails_approvals"."call_mac" AS "guardrails_approvals_call_mac",
    "guardrails_approvals"."audit_id" AS "guardrails_approvals_audit_id",
    "guardrails_approvals"."status" AS "guardrails_approvals_status",
    "guardrails_approvals"."run_id" AS "guardrails_approvals_run_id",
    "guardrails_approvals"."step_name" AS "guardrails_approvals_step_name",
    "guardrails_approvals"."tool" AS "guardrails_approvals_tool",
    "guardrails_approvals"."tool_fingerprint" AS "guardrails_approvals_tool_fingerprint",
    "guardrails_approvals"."arguments" AS "guardrails_approvals_arguments",
    "guardrails_approvals"."arguments_digest" AS "guardrails_approvals_arguments_digest",
    "guardrails_approvals"."requested_arguments" AS "guardrails_approvals_requested_arguments",
    "guardrails_approvals"."overwritten" AS "guardrails_approvals_overwritten",
    "guardrails_approvals"."reversible" AS "guardrails_approvals_reversible",
    "guardrails_approvals"."idempotent" AS "guardrails_approvals_idempotent",
    "guardrails_approvals"."warnings" AS "guardrails_approvals_warnings",
    "guardrails_approvals"."risk" AS "guardrails_approvals_risk",
    "guardrails_approvals"."headline" AS "guardrails_approvals_headline",
    "guardrails_approvals"."principal_id" AS "guardrails_approvals_principal_id",
    "guardrails_approvals"."application" AS "guardrails_approvals_application",
    "guardrails_approvals"."request_id" AS "guardrails_approvals_request_id",
    "guardrails_approvals"."trace_parent" AS "guardrails_approvals_trace_parent",
    "guardrails_approvals"."policy_revision" AS "guardrails_approvals_policy_revision",
    "guardrails_approvals"."requirement" AS "guardrails_approvals_requirement",
    "guardrails_approvals"."created_at" AS "guardrails_approvals_created_at",
    "guardrails_approvals"."expires_at" AS "guardrails_approvals_expires_at",
    "guardrails_approvals"."decision" AS "guardrails_approvals_decision",
    "guardrails_approvals"."decided_by" AS "guardrails_approvals_decided_by",
    "guardrails_approvals"."decided_at" AS "guardrails_approvals_decided_at",
    "guardrails_approvals"."reason" AS "guardrails_approvals_reason",
    "guardrails_approvals"."decision_mac" AS "guardrails_approvals_decision_mac",
    "guardrails_approvals"."supersedes" AS "guardrails_approvals_supersedes",
    "guardrails_approvals"."superseded_by" AS "guardrails_approvals_superseded_by",
    "guardrails_approvals"."first_id" AS "guardrails_approvals_first_id",
    "guardrails_approvals"."editors" AS "guardrails_approvals_editors",
    "guardrails_approvals"."edit_reason" AS "guardrails_approvals_edit_reason",
    "guardrails_approvals"."vote_count" AS "guardrails_approvals_vote_count",
    "guardrails_approvals"."fence" AS "guardrails_approvals_fence",
    "guardrails_approvals"."lease_until" AS "guardrails_approvals_lease_until",
    "guardrails_approvals"."finished_at" AS "guardrails_approvals_finished_at",
    "guardrails_approvals"."resolved_by" AS "guardrails_approvals_resolved_by",
    "guardrails_approvals"."resolved_at" AS "guardrails_approvals_resolved_at",
    "guardrails_approvals"."resolved_reason" AS "guardrails_approvals_resolved_reason",
    "guardrails_approvals"."claims" AS "guardrails_approvals_claims",
    "guardrails_approvals"."notify_attempts" AS "guardrails_approvals_notify_attempts",
    "guardrails_approvals"."result" AS "guardrails_approvals_result",
    "guardrails_approvals"."error" AS "guardrails_approvals_error"
FROM "guardrails_approvals" "guardrails_approvals"
WHERE ((octet_length("guardrails_approvals"."tool") <= 2000
    and "guardrails_approvals"."tool" = $1) AND (octet_length("guardrails_approvals"."principal_id") <= 2000
    and "guardrails_approvals"."principal_id" = $2) AND ("guardrails_approvals"."application" = $3) AND (octet_length("guardrails_approvals"."run_id") <= 2000
    and "guardrails_approvals"."run_id" = $4) AND (position(lower($5::text collate "C") in lower("guardrails_approvals"."arguments" collate "C")) > 0) AND ("guardrails_approvals"."created_at" BETWEEN $6 AND $7) AND ("guardrails_approvals"."status" = $8) AND ("guardrails_approvals"."expires_at" > date_trunc('milliseconds',
    clock_timestamp())) AND (("guardrails_approvals"."id" < $9 AND "guardrails_approvals"."id" > $10)))
ORDER BY "guardrails_approvals_id" DESC
LIMIT 11;

-- approvals.history
-- $1 text
SELECT "guardrails_approvals"."id" AS "guardrails_approvals_id",
    "guardrails_approvals"."reference" AS "guardrails_approvals_reference",
    "guardrails_approvals"."token_hash" AS "guardrails_approvals_token_hash",
    "guardrails_approvals"."audit_id" AS "guardrails_approvals_audit_id",
    "guardrails_approvals"."status" AS "guardrails_approvals_status",
    "guardrails_approvals"."run_id" AS "guardrails_approvals_run_id",
    "guardrails_approvals"."step_name" AS "guardrails_approvals_step_name",
    "guardrails_approvals"."tool" AS "guardrails_approvals_tool",
    "guardrails_approvals"."tool_fingerprint" AS "guardrails_approvals_tool_fingerprint",
    "guardrails_approvals"."arguments_digest" AS "guardrails_approvals_arguments_digest",
    "guardrails_approvals"."reversible" AS "guardrails_approvals_reversible",
    "guardrails_approvals"."idempotent" AS "guardrails_approvals_idempotent",
    "guardrails_approvals"."warnings" AS "guardrails_approvals_warnings",
    "guardrails_approvals"."risk" AS "guardrails_approvals_risk",
    "guardrails_approvals"."headline" AS "guardrails_approvals_headline",
    "guardrails_approvals"."principal_id" AS "guardrails_approvals_principal_id",
    "guardrails_approvals"."application" AS "guardrails_approvals_application",
    "guardrails_approvals"."request_id" AS "guardrails_approvals_request_id",
    "guardrails_approvals"."policy_revision" AS "guardrails_approvals_policy_revision",
    "guardrails_approvals"."requirement" AS "guardrails_approvals_requirement",
    "guardrails_approvals"."created_at" AS "guardrails_approvals_created_at",
    "guardrails_approvals"."expires_at" AS "guardrails_approvals_expires_at",
    "guardrails_approvals"."decision" AS "guardrails_approvals_decision",
    "guardrails_approvals"."decided_by" AS "guardrails_approvals_decided_by",
    "guardrails_approvals"."decided_at" AS "guardrails_approvals_decided_at",
    "guardrails_approvals"."reason" AS "guardrails_approvals_reason",
    "guardrails_approvals"."supersedes" AS "guardrails_approvals_supersedes",
    "guardrails_approvals"."superseded_by" AS "guardrails_approvals_superseded_by",
    "guardrails_approvals"."first_id" AS "guardrails_approvals_first_id",
    "guardrails_approvals"."editors" AS "guardrails_approvals_editors",
    "guardrails_approvals"."edit_reason" AS "guardrails_approvals_edit_reason",
    "guardrails_approvals"."vote_count" AS "guardrails_approvals_vote_count",
    "guardrails_approvals"."fence" AS "guardrails_approvals_fence",
    "guardrails_approvals"."lease_until" AS "guardrails_approvals_lease_until",
    "guardrails_approvals"."finished_at" AS "guardrails_approvals_finished_at",
    "guardrails_approvals"."resolved_by" AS "guardrails_approvals_resolved_by",
    "guardrails_approvals"."resolved_at" AS "guardrails_approvals_resolved_at",
    "guardrails_approvals"."resolved_reason" AS "guardrails_approvals_resolved_reason",
    "guardrails_approvals"."notify_attempts" AS "guardrails_approvals_notify_attempts",
    "guardrails_approvals"."error" AS "guardrails_approvals_error"
FROM "guardrails_approvals" "guardrails_approvals"
WHERE (("guardrails_approvals"."status" != $1))
ORDER BY "guardrails_approvals_id" DESC
LIMIT 11;

-- approvals.history
-- $1 text, $2 text, $3 text, $4 text, $5 text, $6 text, $7 timestamp with time zone, $8 timestamp with time zone,
-- $9 text, $10 bigint, $11 bigint
SELECT "guardrails_approvals"."id" AS "guardrails_approvals_id",
    "guardrails_approvals"."reference" AS "guardrails_approvals_reference",
    "guardrails_approvals"."token_hash" AS "guardrails_approvals_token_hash",
    "guardrails_approvals"."audit_id" AS "guardrails_approvals_audit_id",
    "guardrails_approvals"."status" AS "guardrails_approvals_status",
    "guardrails_approvals"."run_id" AS "guardrails_approvals_run_id",
    "guardrails_approvals"."step_name" AS "guardrails_approvals_step_name",
    "guardrails_approvals"."tool" AS "guardrails_approvals_tool",
    "guardrails_approvals"."tool_fingerprint" AS "guardrails_approvals_tool_fingerprint",
    "guardrails_approvals"."arguments_digest" AS "guardrails_approvals_arguments_digest",
    "guardrails_approvals"."reversible" AS "guardrails_approvals_reversible",
    "guardrails_approvals"."idempotent" AS "guardrails_approvals_idempotent",
    "guardrails_approvals"."warnings" AS "guardrails_approvals_warnings",
    "guardrails_approvals"."risk" AS "guardrails_approvals_risk",
    "guardrails_approvals"."headline" AS "guardrails_approvals_headline",
    "guardrails_approvals"."principal_id" AS "guardrails_approvals_principal_id",
    "guardrails_approvals"."application" AS "guardrails_approvals_application",
    "guardrails_approvals"."request_id" AS "guardrails_approvals_request_id",
    "guardrails_approvals"."policy_revision" AS "guardrails_approvals_policy_revision",
    "guardrails_approvals"."requirement" AS "guardrails_approvals_requirement",
    "guardrails_approvals"."created_at" AS "guardrails_approvals_created_at",
    "guardrails_approvals"."expires_at" AS "guardrails_approvals_expires_at",
    "guardrails_approvals"."decision" AS "guardrails_approvals_decision",
    "guardrails_approvals"."decided_by" AS "guardrails_approvals_decided_by",
    "guardrails_approvals"."decided_at" AS "guardrails_approvals_decided_at",
    "guardrails_approvals"."reason" AS "guardrails_approvals_reason",
    "guardrails_approvals"."supersedes" AS "guardrails_approvals_supersedes",
    "guardrails_approvals"."superseded_by" AS "guardrails_approvals_superseded_by",
    "guardrails_approvals"."first_id" AS "guardrails_approvals_first_id",
    "guardrails_approvals"."editors" AS "guardrails_approvals_editors",
    "guardrails_approvals"."edit_reason" AS "guardrails_approvals_edit_reason",
    "guardrails_approvals"."vote_count" AS "guardrails_approvals_vote_count",
    "guardrails_approvals"."fence" AS "guardrails_approvals_fence",
    "guardrails_approvals"."lease_until" AS "guardrails_approvals_lease_until",
    "guardrails_approvals"."finished_at" AS "guardrails_approvals_finished_at",
    "guardrails_approvals"."resolved_by" AS "guardrails_approvals_resolved_by",
    "guardrails_approvals"."resolved_at" AS "guardrails_approvals_resolved_at",
    "guardrails_approvals"."resolved_reason" AS "guardrails_approvals_resolved_reason",
    "guardrails_approvals"."notify_attempts" AS "guardrails_approvals_notify_attempts",
    "guardrails_approvals"."error" AS "guardrails_approvals_error"
FROM "guardrails_approvals" "guardrails_approvals"
WHERE (("guardrails_approvals"."status" = $1) AND (octet_length("guardrails_approvals"."tool") <= 2000
    and "guardrails_approvals"."tool" = $2) AND (octet_length("guardrails_approvals"."principal_id") <= 2000
    and "guardrails_approvals"."principal_id" = $3) AND ("guardrails_approvals"."application" = $4) AND (octet_length("guardrails_approvals"."run_id") <= 2000
    and "guardrails_approvals"."run_id" = $5) AND (position(lower($6::text collate "C") in lower("guardrails_approvals"."arguments" collate "C")) > 0) AND ("guardrails_approvals"."created_at" BETWEEN $7 AND $8) AND (octet_length("guardrails_approvals"."decided_by") <= 2000
    and "guardrails_approvals"."decided_by" = $9) AND (("guardrails_approvals"."id" < $10 AND "guardrails_approvals"."id" > $11)))
ORDER BY "guardrails_approvals_id" DESC
LIMIT 11;

-- approvals.history
-- $1 text, $2 text, $3 text, $4 text, $5 text, $6 text, $7 timestamp with time zone, $8 timestamp with time zone,
-- $9 text, $10 bigint, $11 bigint
SELECT "guardrails_approvals"."id" AS "guardrails_approvals_id",
    "guardrails_approvals"."reference" AS "guardrails_approvals_reference",
    "guardrails_approvals"."token_hash" AS "guardrails_approvals_token_hash",
    "guardrails_approvals"."audit_id" AS "guardrails_approvals_audit_id",
    "guardrails_approvals"."status" AS "guardrails_approvals_status",
    "guardrails_approvals"."run_id" AS "guardrails_approvals_run_id",
    "guardrails_approvals"."step_name" AS "guardrails_approvals_step_name",
    "guardrails_approvals"."tool" AS "guardrails_approvals_tool",
    "guardrails_approvals"."tool_fingerprint" AS "guardrails_approvals_tool_fingerprint",
    "guardrails_approvals"."arguments_digest" AS "guardrails_approvals_arguments_digest",
    "guardrails_approvals"."reversible" AS "guardrails_approvals_reversible",
    "guardrails_approvals"."idempotent" AS "guardrails_approvals_idempotent",
    "guardrails_approvals"."warnings" AS "guardrails_approvals_warnings",
    "guardrails_approvals"."risk" AS "guardrails_approvals_risk",
    "guardrails_approvals"."headline" AS "guardrails_approvals_headline",
    "guardrails_approvals"."principal_id" AS "guardrails_approvals_principal_id",
    "guardrails_approvals"."application" AS "guardrails_approvals_application",
    "guardrails_approvals"."request_id" AS "guardrails_approvals_request_id",
    "guardrails_approvals"."policy_revision" AS "guardrails_approvals_policy_revision",
    "guardrails_approvals"."requirement" AS "guardrails_approvals_requirement",
    "guardrails_approvals"."created_at" AS "guardrails_approvals_created_at",
    "guardrails_approvals"."expires_at" AS "guardrails_approvals_expires_at",
    "guardrails_approvals"."decision" AS "guardrails_approvals_decision",
    "guardrails_approvals"."decided_by" AS "guardrails_approvals_decided_by",
    "guardrails_approvals"."decided_at" AS "guardrails_approvals_decided_at",
    "guardrails_approvals"."reason" AS "guardrails_approvals_reason",
    "guardrails_approvals"."supersedes" AS "guardrails_approvals_supersedes",
    "guardrails_approvals"."superseded_by" AS "guardrails_approvals_superseded_by",
    "guardrails_approvals"."first_id" AS "guardrails_approvals_first_id",
    "guardrails_approvals"."editors" AS "guardrails_approvals_editors",
    "guardrails_approvals"."edit_reason" AS "guardrails_approvals_edit_reason",
    "guardrails_approvals"."vote_count" AS "guardrails_approvals_vote_count",
    "guardrails_approvals"."fence" AS "guardrails_approvals_fence",
    "guardrails_approvals"."lease_until" AS "guardrails_approvals_lease_until",
    "guardrails_approvals"."finished_at" AS "guardrails_approvals_finished_at",
    "guardrails_approvals"."resolved_by" AS "guardrails_approvals_resolved_by",
    "guardrails_approvals"."resolved_at" AS "guardrails_approvals_resolved_at",
    "guardrails_approvals"."resolved_reason" AS "guardrails_approvals_resolved_reason",
    "guardrails_approvals"."notify_attempts" AS "guardrails_approvals_notify_attempts",
    "guardrails_approvals"."error" AS "guardrails_approvals_error"
FROM "guardrails_approvals" "guardrails_approvals"
WHERE (("guardrails_approvals"."status" = $1) AND (octet_length("guardrails_approvals"."tool") <= 2000
    and "guardrails_approvals"."tool" = $2) AND (octet_length("guardrails_approvals"."principal_id") <= 2000
    and "guardrails_approvals"."principal_id" = $3) AND ("guardrails_approvals"."application" = $4) AND (octet_length("guardrails_approvals"."run_id") <= 2000
    and "guardrails_approvals"."run_id" = $5) AND (position(lower($6::text collate "C") in lower("guardrails_approvals"."arguments" collate "C")) > 0) AND ("guardrails_approvals"."created_at" BETWEEN $7 AND $8) AND (octet_length("guardrails_approvals"."resolved_by") <= 2000
    and "guardrails_approvals"."resolved_by" = $9) AND (("guardrails_approvals"."id" < $10 AND "guardrails_approvals"."id" > $11)))
ORDER BY "guardrails_approvals_id" DESC
LIMIT 11;

-- approvals.history
-- $1 text, $2 text, $3 text, $4 text, $5 text, $6 text, $7 timestamp with time zone, $8 timestamp with time zone,
-- $9 text, $10 bigint, $11 bigint
SELECT "guardrails_approvals"."id" AS "guardrails_approvals_id",
    "guardrails_approvals"."reference" AS "guardrails_approvals_reference",
    "guardrails_approvals"."token_hash" AS "guardrails_approvals_token_hash",
    "guardrails_approvals"."audit_id" AS "guardrails_approvals_audit_id",
    "guardrails_approvals"."status" AS "guardrails_approvals_status",
    "guardrails_approvals"."run_id" AS "guardrails_approvals_run_id",
    "guardrails_approvals"."step_name" AS "guardrails_approvals_step_name",
    "guardrails_approvals"."tool" AS "guardrails_approvals_tool",
    "guardrails_approvals"."tool_fingerprint" AS "guardrails_approvals_tool_fingerprint",
    "guardrails_approvals"."arguments_digest" AS "guardrails_approvals_arguments_digest",
    "guardrails_approvals"."reversible" AS "guardrails_approvals_reversible",
    "guardrails_approvals"."idempotent" AS "guardrails_approvals_idempotent",
    "guardrails_approvals"."warnings" AS "guardrails_approvals_warnings",
    "guardrails_approvals"."risk" AS "guardrails_approvals_risk",
    "guardrails_approvals"."headline" AS "guardrails_approvals_headline",
    "guardrails_approvals"."principal_id" AS "guardrails_approvals_principal_id",
    "guardrails_approvals"."application" AS "guardrails_approvals_application",
    "guardrails_approvals"."request_id" AS "guardrails_approvals_request_id",
    "guardrails_approvals"."policy_revision" AS "guardrails_approvals_policy_revision",
    "guardrails_approvals"."requirement" AS "guardrails_approvals_requirement",
    "guardrails_approvals"."created_at" AS "guardrails_approvals_created_at",
    "guardrails_approvals"."expires_at" AS "guardrails_approvals_expires_at",
    "guardrails_approvals"."decision" AS "guardrails_approvals_decision",
    "guardrails_approvals"."decided_by" AS "guardrails_approvals_decided_by",
    "guardrails_approvals"."decided_at" AS "guardrails_approvals_decided_at",
    "guardrails_approvals"."reason" AS "guardrails_approvals_reason",
    "guardrails_approvals"."supersedes" AS "guardrails_approvals_supersedes",
    "guardrails_approvals"."superseded_by" AS "guardrails_approvals_superseded_by",
    "guardrails_approvals"."first_id" AS "guardrails_approvals_first_id",
    "guardrails_approvals"."editors" AS "guardrails_approvals_editors",
    "guardrails_approvals"."edit_reason" AS "guardrails_approvals_edit_reason",
    "guardrails_approvals"."vote_count" AS "guardrails_approvals_vote_count",
    "guardrails_approvals"."fence" AS "guardrails_approvals_fence",
    "guardrails_approvals"."lease_until" AS "guardrails_approvals_lease_until",
    "guardrails_approvals"."finished_at" AS "guardrails_approvals_finished_at",
    "guardrails_approvals"."resolved_by" AS "guardrails_approvals_resolved_by",
    "guardrails_approvals"."resolved_at" AS "guardrails_approvals_resolved_at",
    "guardrails_approvals"."resolved_reason" AS "guardrails_approvals_resolved_reason",
    "guardrails_approvals"."notify_attempts" AS "guardrails_approvals_notify_attempts",
    "guardrails_approvals"."error" AS "guardrails_approvals_error"
FROM "guardrails_approvals" "guardrails_approvals"
WHERE (("guardrails_approvals"."status" = $1) AND (octet_length("guardrails_approvals"."tool") <= 2000
    and "guardrails_approvals"."tool" = $2) AND (octet_length("guardrails_approvals"."principal_id") <= 2000
    and "guardrails_approvals"."principal_id" = $3) AND ("guardrails_approvals"."application" = $4) AND (octet_length("guardrails_approvals"."run_id") <= 2000
    and "guardrails_approvals"."run_id" = $5) AND (position(lower($6::text collate "C") in lower("guardrails_approvals"."arguments" collate "C")) > 0) AND ("guardrails_approvals"."created_at" BETWEEN $7 AND $8) AND (("guardrails_approvals"."id" in (select approval_id
    from "guardrails_approval_votes" where octet_length(actor_id) <= 2000
    and actor_id = $9) AND "guardrails_approvals"."id" < $10 AND "guardrails_approvals"."id" > $11)))
ORDER BY "guardrails_approvals_id" DESC
LIMIT 11;

-- approvals.approvedArguments
-- $1 text, $2 text
SELECT "guardrails_approvals"."id" AS "guardrails_approvals_id",
    "guardrails_approvals"."arguments" AS "guardrails_approvals_arguments"
FROM "guardrails_approvals" "guardrails_approvals"
WHERE ((octet_length("guardrails_approvals"."tool") <= 2000
    and "guardrails_approvals"."tool" = $1) AND ("guardrails_approvals"."application" = $2) AND ("guardrails_approvals"."decision" = 'approved') AND ("guardrails_approvals"."arguments" is not null))
ORDER BY "guardrails_approvals_id" DESC
LIMIT 200;

-- approvals.find
-- $1 bigint
SELECT "guardrails_approvals"."id" AS "guardrails_approvals_id",
    "guardrails_approvals"."reference" AS "guardrails_approvals_reference",
    "guardrails_approvals"."token_hash" AS "guardrails_approvals_token_hash",
    "guardrails_approvals"."call_mac" AS "guardrails_approvals_call_mac",
    "guardrails_approvals"."audit_id" AS "guardrails_approvals_audit_id",
    "guardrails_approvals"."status" AS "guardrails_approvals_status",
    "guardrails_approvals"."run_id" AS "guardrails_approvals_run_id",
    "guardrails_approvals"."step_name" AS "guardrails_approvals_step_name",
    "guardrails_approvals"."tool" AS "guardrails_approvals_tool",
    "guardrails_approvals"."tool_fingerprint" AS "guardrails_approvals_tool_fingerprint",
    "guardrails_approvals"."arguments" AS "guardrails_approvals_arguments",
    "guardrails_approvals"."arguments_digest" AS "guardrails_approvals_arguments_digest",
    "guardrails_approvals"."requested_arguments" AS "guardrails_approvals_requested_arguments",
    "guardrails_approvals"."overwritten" AS "guardrails_approvals_overwritten",
    "guardrails_approvals"."reversible" AS "guardrails_approvals_reversible",
    "guardrails_approvals"."idempotent" AS "guardrails_approvals_idempotent",
    "guardrails_approvals"."warnings" AS "guardrails_approvals_warnings",
    "guardrails_approvals"."risk" AS "guardrails_approvals_risk",
    "guardrails_approvals"."headline" AS "guardrails_approvals_headline",
    "guardrails_approvals"."principal_id" AS "guardrails_approvals_principal_id",
    "guardrails_approvals"."application" AS "guardrails_approvals_application",
    "guardrails_approvals"."request_id" AS "guardrails_approvals_request_id",
    "guardrails_approvals"."trace_parent" AS "guardrails_approvals_trace_parent",
    "guardrails_approvals"."policy_revision" AS "guardrails_approvals_policy_revision",
    "guardrails_approvals"."requirement" AS "guardrails_approvals_requirement",
    "guardrails_approvals"."created_at" AS "guardrails_approvals_created_at",
    "guardrails_approvals"."expires_at" AS "guardrails_approvals_expires_at",
    "guardrails_approvals"."decision" AS "guardrails_approvals_decision",
    "guardrails_approvals"."decided_by" AS "guardrails_approvals_decided_by",
    "guardrails_approvals"."decided_at" AS "guardrails_approvals_decided_at",
    "guardrails_approvals"."reason" AS "guardrails_approvals_reason",
    "guardrails_approvals"."decision_mac" AS "guardrails_approvals_decision_mac",
    "guardrails_approvals"."supersedes" AS "guardrails_approvals_supersedes",
    "guardrails_approvals"."superseded_by" AS "guardrails_approvals_superseded_by",
    "guardrails_approvals"."first_id" AS "guardrails_approvals_first_id",
    "guardrails_approvals"."editors" AS "guardrails_approvals_editors",
    "guardrails_approvals"."edit_reason" AS "guardrails_approvals_edit_reason",
    "guardrails_approvals"."vote_count" AS "guardrails_approvals_vote_count",
    "guardrails_approvals"."fence" AS "guardrails_approvals_fence",
    "guardrails_approvals"."lease_until" AS "guardrails_approvals_lease_until",
    "guardrails_approvals"."finished_at" AS "guardrails_approvals_finished_at",
    "guardrails_approvals"."resolved_by" AS "guardrails_approvals_resolved_by",
    "guardrails_approvals"."resolved_at" AS "guardrails_approvals_resolved_at",
    "guardrails_approvals"."resolved_reason" AS "guardrails_approvals_resolved_reason",
    "guardrails_approvals"."claims" AS "guardrails_approvals_claims",
    "guardrails_approvals"."notify_attempts" AS "guardrails_approvals_notify_attempts",
    "guardrails_approvals"."result" AS "guardrails_approvals_result",
    "guardrails_approvals"."error" AS "guardrails_approvals_error"
FROM "guardrails_approvals" "guardrails_approvals"
WHERE (("guardrails_approvals"."id" = $1))
LIMIT 1;

-- approvals.findByTokenHash
-- $1 text
SELECT "guardrails_approvals"."id" AS "guardrails_approvals_id",
    "guardrails_approvals"."reference" AS "guardrails_approvals_reference",
    "guardrails_approvals"."token_hash" AS "guardrails_approvals_token_hash",
    "guardrails_approvals"."call_mac" AS "guardrails_approvals_call_mac",
    "guardrails_approvals"."audit_id" AS "guardrails_approvals_audit_id",
    "guardrails_approvals"."status" AS "guardrails_approvals_status",
    "guardrails_approvals"."run_id" AS "guardrails_approvals_run_id",
    "guardrails_approvals"."step_name" AS "guardrails_approvals_step_name",
    "guardrails_approvals"."tool" AS "guardrails_approvals_tool",
    "guardrails_approvals"."tool_fingerprint" AS "guardrails_approvals_tool_fingerprint",
    "guardrails_approvals"."arguments" AS "guardrails_approvals_arguments",
    "guardrails_approvals"."arguments_digest" AS "guardrails_approvals_arguments_digest",
    "guardrails_approvals"."requested_arguments" AS "guardrails_approvals_requested_arguments",
    "guardrails_approvals"."overwritten" AS "guardrails_approvals_overwritten",
    "guardrails_approvals"."reversible" AS "guardrails_approvals_reversible",
    "guardrails_approvals"."idempotent" AS "guardrails_approvals_idempotent",
    "guardrails_approvals"."warnings" AS "guardrails_approvals_warnings",
    "guardrails_approvals"."risk" AS "guardrails_approvals_risk",
    "guardrails_approvals"."headline" AS "guardrails_approvals_headline",
    "guardrails_approvals"."principal_id" AS "guardrails_approvals_principal_id",
    "guardrails_approvals"."application" AS "guardrails_approvals_application",
    "guardrails_approvals"."request_id" AS "guardrails_approvals_request_id",
    "guardrails_approvals"."trace_parent" AS "guardrails_approvals_trace_parent",
    "guardrails_approvals"."policy_revision" AS "guardrails_approvals_policy_revision",
    "guardrails_approvals"."requirement" AS "guardrails_approvals_requirement",
    "guardrails_approvals"."created_at" AS "guardrails_approvals_created_at",
    "guardrails_approvals"."expires_at" AS "guardrails_approvals_expires_at",
    "guardrails_approvals"."decision" AS "guardrails_approvals_decision",
    "guardrails_approvals"."decided_by" AS "guardrails_approvals_decided_by",
    "guardrails_approvals"."decided_at" AS "guardrails_approvals_decided_at",
    "guardrails_approvals"."reason" AS "guardrails_approvals_reason",
    "guardrails_approvals"."decision_mac" AS "guardrails_approvals_decision_mac",
    "guardrails_approvals"."supersedes" AS "guardrails_approvals_supersedes",
    "guardrails_approvals"."superseded_by" AS "guardrails_approvals_superseded_by",
    "guardrails_approvals"."first_id" AS "guardrails_approvals_first_id",
    "guardrails_approvals"."editors" AS "guardrails_approvals_editors",
    "guardrails_approvals"."edit_reason" AS "guardrails_approvals_edit_reason",
    "guardrails_approvals"."vote_count" AS "guardrails_approvals_vote_count",
    "guardrails_approvals"."fence" AS "guardrails_approvals_fence",
    "guardrails_approvals"."lease_until" AS "guardrails_approvals_lease_until",
    "guardrails_approvals"."finished_at" AS "guardrails_approvals_finished_at",
    "guardrails_approvals"."resolved_by" AS "guardrails_approvals_resolved_by",
    "guardrails_approvals"."resolved_at" AS "guardrails_approvals_resolved_at",
    "guardrails_approvals"."resolved_reason" AS "guardrails_approvals_resolved_reason",
    "guardrails_approvals"."claims" AS "guardrails_approvals_claims",
    "guardrails_approvals"."notify_attempts" AS "guardrails_approvals_notify_attempts",
    "guardrails_approvals"."result" AS "guardrails_approvals_result",
    "guardrails_approvals"."error" AS "guardrails_approvals_error"
FROM "guardrails_approvals" "guardrails_approvals"
WHERE (("guardrails_approvals"."token_hash" = $1))
LIMIT 1;

-- approvals.encryptedToken
-- $1 bigint
SELECT "guardrails_approvals"."id" AS "guardrails_approvals_id",
    "guardrails_approvals"."encrypted_token" AS "guardrails_approvals_encrypted_token"
FROM "guardrails_approvals" "guardrails_approvals"
WHERE (("guardrails_approvals"."id" = $1))
LIMIT 1;

-- approvals.change, approvals.propose
-- $1 bigint
select *, date_trunc('milliseconds', clock_timestamp()) as now from (
  select *, concat_ws(' ', left(pg_walfile_name(pg_current_wal_lsn()), 8),
    (select oid from pg_database where datname = current_database()), tableoid, xmin) as history
        from "guardrails_approvals"
  where id = $1 for update) as locked;

-- approvals.change
-- $1 integer, $2 bigint
UPDATE "guardrails_approvals"
SET "vote_count" = $1, "decided_in" = concat_ws(' ', left(pg_walfile_name(pg_current_wal_lsn()), 8),
  (select oid from pg_database where datname = current_database()), tableoid, pg_current_xact_id()::xid)
WHERE "id" = $2
RETURNING *;

-- approvals.change
-- $1 bigint, $2 text, $3 text, $4 timestamp with time zone, $5 text, $6 timestamp with time zone
INSERT INTO "guardrails_approval_votes"("approval_id", "actor_id", "reason", "voted_at", "vote_mac", "voided_at")
VALUES ($1, $2, $3, $4, $5, $6)
RETURNING *;

-- approvals.change, maintenance.verify
-- $1 bigint
SELECT "guardrails_approval_votes"."id" AS "guardrails_approval_votes_id",
    "guardrails_approval_votes"."approval_id" AS "guardrails_approval_votes_approval_id",
    "guardrails_approval_votes"."actor_id" AS "guardrails_approval_votes_actor_id",
    "guardrails_approval_votes"."reason" AS "guardrails_approval_votes_reason",
    "guardrails_approval_votes"."voted_at" AS "guardrails_approval_votes_voted_at",
    "guardrails_approval_votes"."vote_mac" AS "guardrails_approval_votes_vote_mac",
    "guardrails_approval_votes"."voided_at" AS "guardrails_approval_votes_voided_at"
FROM "guardrails_approval_votes" "guardrails_approval_votes"
WHERE (("guardrails_approval_votes"."approval_id" IN ($1)))
ORDER BY "guardrails_approval_votes"."id" ASC;

-- approvals.change
-- $1 character varying, $2 character varying, $3 text, $4 timestamp with time zone, $5 text, $6 integer,
-- $7 character varying, $8 bigint
UPDATE "guardrails_approvals"
SET "status" = $1, "decision" = $2, "decided_by" = $3, "decided_at" = $4, "decision_mac" = $5, "vote_count" = $6,
    "pending_slot" = $7, "decided_in" = concat_ws(' ', left(pg_walfile_name(pg_current_wal_lsn()), 8),
  (select oid from pg_database where datname = current_database()), tableoid, pg_current_xact_id()::xid)
WHERE "id" = $8
RETURNING *;

-- approvals.change
-- $1 timestamp with time zone, $2 bigint
UPDATE "guardrails_approval_votes"
SET "voided_at" = $1
WHERE "id" = $2;

-- approvals.change, budgets.admit
-- $1 text[], $2 text[]
insert into "guardrails_budgets" as existing (budget, owner)
select budget, owner from (select unnest($1::text[]) as budget, unnest($2::text[]) as owner) as given
    order by budget
on conflict (budget) do update set owner = excluded.owner returning date_trunc('milliseconds',
    clock_timestamp()) as now;

-- approvals.change, budgets.admit
-- $1 timestamp with time zone, $2 text[], $3 numeric[], $4 text[], $5 bigint, $6 bigint, $7 bigint, $8 bigint,
-- $9 text
with claims as materialized (select given.*, $1::timestamptz as now from (select unnest($2::text[]) as budget,
    unnest($3::numeric[]) as amount, unnest($4::text[]) as mac) as given),
hours as (
  insert into "guardrails_budget_hours" as existing (budget, hour, amount)
  select budget, floor(extract(epoch from now) / 3600)::bigint, amount from claims order by budget
  on conflict (budget, hour) do update set amount = existing.amount + excluded.amount),
old as (
  delete from "guardrails_budget_reservations" where (reference, budget) in (
    select r.reference, r.budget from "guardrails_budget_reservations" r
    where r.budget in (select budget from claims)
        and r.reserved_at < date_trunc('milliseconds', clock_timestamp()) + $5::bigint * interval '1 millisecond'
        limit $6
    for update skip locked)),
old_hours as (
  delete from "guardrails_budget_hours" where (budget, hour) in (
    select h.budget, h.hour from "guardrails_budget_hours" h
    where h.budget in (select budget from claims) and h.hour < floor(extract(epoch
        from date_trunc('milliseconds', clock_timestamp()) + $7::bigint * interval '1 millisecond') / 3600)::bigint
        limit $8
    for update skip locked))
insert into "guardrails_budget_reservations" (reference, budget, amount, reserved_at, mac)
select $9, budget, amount, now, mac from claims;

-- approvals.change
-- $1 character varying, $2 character varying, $3 text, $4 timestamp with time zone, $5 text, $6 character varying,
-- $7 bigint
UPDATE "guardrails_approvals"
SET "status" = $1, "decision" = $2, "decided_by" = $3, "decided_at" = $4, "decision_mac" = $5, "pending_slot" = $6,
    "decided_in" = concat_ws(' ', left(pg_walfile_name(pg_current_wal_lsn()), 8),
  (select oid from pg_database where datname = current_database()), tableoid, pg_current_xact_id()::xid)
WHERE "id" = $7
RETURNING *;

-- approvals.change
-- $1 character varying, $2 integer, $3 timestamp with time zone, $4 character varying, $5 bigint
UPDATE "guardrails_approvals"
SET "status" = $1, "fence" = $2, "lease_until" = $3, "pending_slot" = $4
WHERE "id" = $5
RETURNING *;

-- approvals.change
-- $1 timestamp with time zone, $2 character varying, $3 bigint
UPDATE "guardrails_approvals"
SET "lease_until" = $1, "pending_slot" = $2
WHERE "id" = $3
RETURNING *;

-- approvals.change
-- $1 character varying, $2 timestamp with time zone, $3 timestamp with time zone, $4 character varying, $5 bigint
UPDATE "guardrails_approvals"
SET "status" = $1, "lease_until" = $2, "finished_at" = $3, "pending_slot" = $4
WHERE "id" = $5
RETURNING *;

-- approvals.change
-- $1 timestamp with time zone, $2 integer, $3 character varying, $4 bigint
UPDATE "guardrails_approvals"
SET "notify_lease_until" = $1, "notify_attempts" = $2, "pending_slot" = $3
WHERE "id" = $4
RETURNING *;

-- approvals.change
-- $1 timestamp with time zone, $2 character varying, $3 bigint
UPDATE "guardrails_approvals"
SET "notify_lease_until" = $1, "pending_slot" = $2
WHERE "id" = $3
RETURNING *;

-- approvals.change
-- $1 timestamp with time zone, $2 character varying, $3 bigint
UPDATE "guardrails_approvals"
SET "notified_at" = $1, "pending_slot" = $2
WHERE "id" = $3
RETURNING *;

-- approvals.change
-- $1 integer, $2 timestamp with time zone, $3 character varying, $4 bigint
UPDATE "guardrails_approvals"
SET "fence" = $1, "lease_until" = $2, "pending_slot" = $3
WHERE "id" = $4
RETURNING *;

-- approvals.change
-- $1 character varying, $2 timestamp with time zone, $3 timestamp with time zone, $4 character varying,
-- $5 character, $6 bigint
UPDATE "guardrails_approvals"
SET "status" = $1, "lease_until" = $2, "finished_at" = $3, "pending_slot" = $4, "dedup_key" = $5
WHERE "id" = $6
RETURNING *;

-- approvals.change
-- $1 character varying, $2 timestamp with time zone, $3 text, $4 timestamp with time zone, $5 text,
-- $6 character varying, $7 bigint
UPDATE "guardrails_approvals"
SET "status" = $1, "finished_at" = $2, "resolved_by" = $3, "resolved_at" = $4, "resolved_reason" = $5,
    "pending_slot" = $6
WHERE "id" = $7
RETURNING *;

-- approvals.change
-- $1 character varying, $2 timestamp with time zone, $3 character varying, $4 character, $5 bigint
UPDATE "guardrails_approvals"
SET "status" = $1, "finished_at" = $2, "pending_slot" = $3, "dedup_key" = $4
WHERE "id" = $5
RETURNING *;

-- approvals.change
-- $1 timestamp with time zone, $2 bigint
UPDATE "guardrails_approvals"
SET "escalated_at" = $1, "decided_in" = concat_ws(' ', left(pg_walfile_name(pg_current_wal_lsn()), 8),
  (select oid from pg_database where datname = current_database()), tableoid, pg_current_xact_id()::xid)
WHERE "id" = $2
RETURNING *;

-- approvals.propose
-- $1 character varying, $2 timestamp with time zone, $3 timestamp with time zone, $4 character varying,
-- $5 character, $6 bigint
UPDATE "guardrails_approvals"
SET "status" = $1, "finished_at" = $2, "notified_at" = $3, "pending_slot" = $4, "dedup_key" = $5
WHERE "id" = $6
RETURNING *;

-- approvals.propose
-- $1 bigint, $2 bigint
UPDATE "guardrails_approvals"
SET "superseded_by" = $1
WHERE "id" = $2;

-- approvals.dueReminders
-- $1 text
SELECT "guardrails_approvals"."id" AS "guardrails_approvals_id"
FROM "guardrails_approvals" "guardrails_approvals"
WHERE (("guardrails_approvals"."status" = $1) AND ("guardrails_approvals"."expires_at" > date_trunc('milliseconds',
    clock_timestamp())) AND ("guardrails_approvals"."created_at" <= date_trunc('milliseconds',
    clock_timestamp()) + 0 * interval '1 millisecond') AND ("guardrails_approvals"."reminded_at" IS NULL))
ORDER BY "guardrails_approvals_id" ASC
LIMIT 10;

-- approvals.stuck
-- $1 text, $2 bigint, $3 bigint
SELECT "guardrails_approvals"."id" AS "guardrails_approvals_id"
FROM "guardrails_approvals" "guardrails_approvals"
WHERE (("guardrails_approvals"."status" = $1) AND ("guardrails_approvals"."expires_at" <= date_trunc('milliseconds',
    clock_timestamp()) + 0 * interval '1 millisecond') AND (("guardrails_approvals"."id" < $2 AND "guardrails_approvals"."id" > $3)))
ORDER BY "guardrails_approvals_id" DESC
LIMIT 11;

-- approvals.stuck
-- $1 text, $2 bigint, $3 bigint
SELECT "guardrails_approvals"."id" AS "guardrails_approvals_id"
FROM "guardrails_approvals" "guardrails_approvals"
WHERE (("guardrails_approvals"."status" = $1) AND ("guardrails_approvals"."decided_at" <= date_trunc('milliseconds',
    clock_timestamp()) + 0 * interval '1 millisecond') AND (("guardrails_approvals"."id" < $2 AND "guardrails_approvals"."id" > $3)))
ORDER BY "guardrails_approvals_id" DESC
LIMIT 11;

-- approvals.stuck
-- $1 text, $2 bigint, $3 bigint
SELECT "guardrails_approvals"."id" AS "guardrails_approvals_id"
FROM "guardrails_approvals" "guardrails_approvals"
WHERE (("guardrails_approvals"."status" = $1) AND ("guardrails_approvals"."lease_until" <= date_trunc('milliseconds',
    clock_timestamp()) + 0 * interval '1 millisecond') AND (("guardrails_approvals"."id" < $2 AND "guardrails_approvals"."id" > $3)))
ORDER BY "guardrails_approvals_id" DESC
LIMIT 11;

-- approvals.stuck
-- $1 text, $2 bigint, $3 bigint
SELECT "guardrails_approvals"."id" AS "guardrails_approvals_id"
FROM "guardrails_approvals" "guardrails_approvals"
WHERE (("guardrails_approvals"."status" = $1) AND ("guardrails_approvals"."decided_at" <= date_trunc('milliseconds',
    clock_timestamp()) + 0 * interval '1 millisecond') AND ("guardrails_approvals"."decided_in" is distinct
    from concat_ws(' ', left(pg_walfile_name(pg_current_wal_lsn()), 8),
      (select oid from pg_database where datname = current_database()), tableoid, xmin)
          and arguments is not null) AND (("guardrails_approvals"."id" < $2 AND "guardrails_approvals"."id" > $3)))
ORDER BY "guardrails_approvals_id" DESC
LIMIT 11;

-- approvals.settled
-- $1 bigint, $2 character varying, $3 character varying, $4 character varying, $5 character varying,
-- $6 character varying, $7 character varying
SELECT "guardrails_approvals"."id" AS "guardrails_approvals_id"
FROM "guardrails_approvals" "guardrails_approvals"
WHERE (("guardrails_approvals"."id" IN ($1)) AND ("guardrails_approvals"."status" IN ($2, $3, $4, $5, $6, $7)));

-- approvals.dueNotifications
SELECT "guardrails_approvals"."id" AS "guardrails_approvals_id"
FROM "guardrails_approvals" "guardrails_approvals"
WHERE (((("guardrails_approvals"."notified_at" IS NULL) AND ("guardrails_approvals"."finished_at" <= date_trunc('milliseconds',
    clock_timestamp()) + 0 * interval '1 millisecond'
    and "guardrails_approvals"."finished_at" >= date_trunc('milliseconds',
    clock_timestamp()) + -604800000 * interval '1 millisecond') AND ("guardrails_approvals"."notify_lease_until" IS NULL))) OR ((("guardrails_approvals"."notified_at" IS NULL) AND ("guardrails_approvals"."finished_at" <= date_trunc('milliseconds',
    clock_timestamp()) + 0 * interval '1 millisecond'
    and "guardrails_approvals"."finished_at" >= date_trunc('milliseconds',
    clock_timestamp()) + -604800000 * interval '1 millisecond') AND ("guardrails_approvals"."notify_lease_until" <= date_trunc('milliseconds',
    clock_timestamp()) + 0 * interval '1 millisecond'))))
ORDER BY "guardrails_approvals"."finished_at" ASC
LIMIT 10;

-- budgets.states, budgets.admit
-- $1 integer[], $2 text[], $3 text[], $4 bigint[], $5 numeric[], $6 numeric[]
with clock as materialized (select date_trunc('milliseconds', clock_timestamp()) as now),
windows as materialized (
  select given.*, now - window_ms * interval '1 millisecond' as since,
  floor(extract(epoch from now - window_ms * interval '1 millisecond') / 3600)::bigint as first_hour
  from clock, (select unnest($1::integer[]) as place, unnest($2::text[]) as budget,
      unnest($3::text[]) as exact_budget, unnest($4::bigint[]) as window_ms, unnest($5::numeric[]) as lte,
      unnest($6::numeric[]) as amount) as given),
sums as materialized (
  select place, lte, amount,
  (select coalesce(sum(r.amount), 0) from "guardrails_budget_reservations" r
    where r.budget in (windows.budget, windows.exact_budget) and r.reserved_at > windows.since
    and r.reserved_at < to_timestamp((first_hour + 1) * 3600))
  + (select coalesce(sum(h.amount), 0) from "guardrails_budget_hours" h
    where h.budget in (windows.budget, windows.exact_budget) and h.hour > first_hour) as spent
  from windows)
select trim_scale(spent)::text as spent, spent + amount > lte as "isExceeded" from sums order by place;

-- budgets.release
-- $1 text
select 1 from "guardrails_budgets" where budget in (select budget from "guardrails_budget_reservations"
    where reference = $1)
order by budget for update;

-- budgets.release
-- $1 text
with gone as (
  delete from "guardrails_budget_reservations" where reference = $1 returning budget, amount, reserved_at)
update "guardrails_budget_hours" h set amount = h.amount - gone.amount
from gone where h.budget = gone.budget and h.hour = floor(extract(epoch from gone.reserved_at) / 3600)::bigint;

-- runs.read
-- $1 character varying, $2 character varying, $3 text, $4 bytea, $5 text, $6 character varying, $7 smallint,
-- $8 bigint, $9 bigint, $10 bigint
insert into "guardrails_runs" as run
(key, parent, run_id, principal_digest, salt, label, untrusted_by, suspect_by, expires_at)
values ($1, $2, $3, $4,
  coalesce((select salt from "guardrails_runs" where key = $5), $6),
  $7, $8, $9, date_trunc('milliseconds', clock_timestamp()) + $10::bigint * interval '1 millisecond')
on conflict (key) do update set
label = greatest(run.label, excluded.label),
untrusted_by = coalesce(run.untrusted_by, excluded.untrusted_by),
suspect_by = coalesce(run.suspect_by, excluded.suspect_by),
expires_at = greatest(run.expires_at, excluded.expires_at)
returning salt;

-- runs.vouch
-- $1 integer, $2 integer, $3 text, $4 integer, $5 integer, $6 text, $7 text
update "guardrails_runs" set
hashes = case when length(hashes) + $1 <= $2 then hashes || $3 else hashes end,
is_full = is_full or not (length(hashes) + $4 <= $5)
where key = $6 and salt = $7;

-- runs.find
-- $1 text, $2 integer
with recursive line as (
  select run.*, 0 as depth from "guardrails_runs" run where key = $1
  union all
  select run.*, depth + 1 from line join "guardrails_runs" run on run.key = line.parent
  where depth < $2),
own as (select salt from line where depth = 0)
select max(label) as label, min(untrusted_by) as "untrustedBy", min(suspect_by) as "suspectBy",
own.salt, string_agg(hashes, '') filter (where line.salt = own.salt) as hashes, bool_or(is_full) as "isFull"
from line, own group by own.salt;

-- runs.end
-- $1 text
delete from "guardrails_runs" where key = $1;

-- runs.deleteOld
-- $1 bigint
delete from "guardrails_runs" where key in (
  select key from "guardrails_runs" run where expires_at < date_trunc('milliseconds', clock_timestamp())
  and not exists (select 1 from "guardrails_approvals" a where a.run_id = run.run_id
      and a.status in ('pending', 'approved', 'executing'))
  order by expires_at limit $1 for update skip locked);

-- settings.read
select state.revision, setting."key", setting.value, latest.id as "changeId", latest.actor_id as "actorId",
    latest.occurred_at as "occurredAt"
from "guardrails_settings_revision" state left join "guardrails_settings" setting on true left join
(select id, actor_id, occurred_at from "guardrails_setting_changes" order by id desc limit 1) latest on true
order by setting."key";

-- settings.revision
select revision from "guardrails_settings_revision";

-- settings.apply
select revision from "guardrails_settings_revision" for update;

-- settings.apply
select state.revision, latest.id as "changeId", latest.actor_id as "actorId", latest.occurred_at as "occurredAt"
    from "guardrails_settings_revision" state left join
(select id, actor_id, occurred_at from "guardrails_setting_changes" order by id desc limit 1) latest on true;

-- settings.apply
-- $1 character varying, $2 text, $3 character varying, $4 text
INSERT INTO "guardrails_settings"("key", "value")
VALUES ($1, $2), ($3, $4) ON CONFLICT ( "key" ) DO UPDATE
SET "value" = EXCLUDED."value";

-- settings.apply
-- $1 text, $2 character varying, $3 text, $4 text, $5 text, $6 timestamp with time zone
INSERT INTO "guardrails_setting_changes"("actor_id", "key", "old_value", "new_value", "request_id", "occurred_at")
VALUES ($1, $2, $3, $4, $5, $6)
RETURNING "id";

-- settings.apply, outbox.add, holds.set, holds.release, retention.markPublished
-- $1 text[], $2 text[], $3 text[], $4 text[], $5 timestamp with time zone[], $6 text[], $7 text[], $8 text[],
-- $9 integer[], $10 integer[]
with outgoing as (
  insert into "guardrails_outbox" (event_id, name, subject, severity, occurred_at, payload, sinks, mac, audit_id)
  select event_id, name, subject, severity, occurred_at, payload, sinks, mac, null::bigint
  from (select unnest($1::text[]) as event_id, unnest($2::text[]) as name, unnest($3::text[]) as subject,
      unnest($4::text[]) as severity, unnest($5::timestamptz[]) as occurred_at, unnest($6::text[]) as payload,
      unnest($7::text[]) as sinks, unnest($8::text[]) as mac, unnest($9::integer[]) as place,
      unnest($10::integer[]) as turn) as given order by turn
  returning position, subject, sinks),
outgoing_deliveries as (
  insert into "guardrails_outbox_deliveries" (sink, subject, position)
  select sink, outgoing.subject, outgoing.position
  from outgoing cross join lateral unnest(string_to_array(outgoing.sinks, ' ')) as sink) select position
      from outgoing;

-- settings.apply
-- $1 text
update "guardrails_settings_revision" set revision = revision + 1, mac = $1 returning revision;

-- settings.apply
-- $1 text[]
DELETE
FROM "guardrails_settings"
WHERE "key" = ANY($1);

-- settings.changes
SELECT "row"."id" AS "row_id", "row"."actor_id" AS "row_actor_id", "row"."key" AS "row_key",
    "row"."old_value" AS "row_old_value", "row"."new_value" AS "row_new_value",
    "row"."request_id" AS "row_request_id", "row"."occurred_at" AS "row_occurred_at"
FROM "guardrails_setting_changes" "row"
ORDER BY "row"."id" DESC
LIMIT 11;

-- settings.changes
-- $1 bigint, $2 bigint, $3 text, $4 text, $5 text, $6 timestamp with time zone, $7 timestamp with time zone
SELECT "row"."id" AS "row_id", "row"."actor_id" AS "row_actor_id", "row"."key" AS "row_key",
    "row"."old_value" AS "row_old_value", "row"."new_value" AS "row_new_value",
    "row"."request_id" AS "row_request_id", "row"."occurred_at" AS "row_occurred_at"
FROM "guardrails_setting_changes" "row"
WHERE "row"."id" < $1 AND "row"."id" > $2 AND ("row"."key" = $3
    or position($4 in "row"."key") = 1) AND octet_length("row"."actor_id") <= 2000 AND "row"."actor_id" = $5 AND "row"."occurred_at" >= $6 AND "row"."occurred_at" <= $7
ORDER BY "row"."id" DESC
LIMIT 11;

-- outbox.claim
-- $1 text, $2 bigint, $3 text, $4 text, $5 text, $6 bigint, $7 character varying, $8 text
with due as materialized (
  select delivery.subject, delivery.position from "guardrails_outbox_deliveries" delivery
  where delivery.sink = $1 and delivery.dead_at is null
      and delivery.due_at <= date_trunc('milliseconds', clock_timestamp())
  order by delivery.due_at, delivery.position limit $2 for update skip locked
), blockers as materialized (
  select waiting.subject, blocker.position
  from (select distinct subject from due) waiting
  cross join lateral (
    select delivery.position from "guardrails_outbox_deliveries" delivery
    where delivery.sink = $3 and delivery.dead_at is null and delivery.subject = waiting.subject
    and delivery.position not in (select position from due)
    order by delivery.position limit 1) blocker
), locked_blockers as materialized (
  select delivery.subject, delivery.position, delivery.due_at
  from "guardrails_outbox_deliveries" delivery
  join blockers on blockers.subject = delivery.subject and blockers.position = delivery.position
  where delivery.sink = $4 and delivery.dead_at is null for update of delivery skip locked
), delayed as (
  update "guardrails_outbox_deliveries" delivery set due_at = blocker.due_at, lease = null
  from due join locked_blockers blocker on blocker.subject = due.subject and blocker.position < due.position
  where delivery.sink = $5 and delivery.dead_at is null and delivery.subject = due.subject
      and delivery.position = due.position
  and delivery.due_at < blocker.due_at
), claimed as (
  update "guardrails_outbox_deliveries" delivery
  set due_at = date_trunc('milliseconds', clock_timestamp()) + $6::bigint * interval '1 millisecond', lease = $7
  from due left join blockers on blockers.subject = due.subject
  where delivery.sink = $8 and delivery.dead_at is null and delivery.subject = due.subject
      and delivery.position = due.position
  and (blockers.position is null or due.position < blockers.position)
  returning delivery.position, delivery.attempts, delivery.queued_at, delivery.lease
)
select event.position, event.event_id as id, event.name, event.subject, event.severity,
event.occurred_at as "occurredAt", event.payload, event.audit_id as "auditId", claimed.attempts,
    claimed.queued_at as "queuedAt", claimed.lease
from claimed join "guardrails_outbox" event on event.position = claimed.position
order by event.position;

-- outbox.delivered
-- $1 text, $2 text[], $3 bigint[], $4 text[]
delete from "guardrails_outbox_deliveries" delivery using (select $1::text as sink, event.*
  from (select unnest($2::text[]) as subject, unnest($3::bigint[]) as position,
      unnest($4::text[]) as lease) as event) given
where delivery.sink = given.sink and delivery.subject = given.subject and delivery.position = given.position
and delivery.dead_at is null returning delivery.subject;

-- outbox.delivered, outbox.markDead
-- $1 text[], $2 text, $3 bigint, $4 text
update "guardrails_outbox_deliveries" delivery set due_at = date_trunc('milliseconds', clock_timestamp())
from unnest($1::text[]) freed(subject)
cross join lateral (
  select next.position from "guardrails_outbox_deliveries" next
  where next.sink = $2 and next.subject = freed.subject and next.dead_at is null
  order by next.position limit $3) following
where delivery.sink = $4 and delivery.subject = freed.subject and delivery.position = following.position
and delivery.dead_at is null and delivery.lease is null and delivery.attempts = 0
and delivery.due_at > date_trunc('milliseconds', clock_timestamp());

-- outbox.retry
-- $1 bigint, $2 text, $3 text, $4 text[], $5 bigint[], $6 text[]
update "guardrails_outbox_deliveries" delivery
set due_at = date_trunc('milliseconds', clock_timestamp()) + $1::bigint * interval '1 millisecond',
    attempts = attempts + 1, lease = null, last_error = $2
from (select $3::text as sink, event.*
  from (select unnest($4::text[]) as subject, unnest($5::bigint[]) as position,
      unnest($6::text[]) as lease) as event) given where delivery.sink = given.sink
      and delivery.subject = given.subject and delivery.position = given.position
and delivery.dead_at is null and delivery.lease = given.lease;

-- outbox.retryNow
-- $1 text, $2 bigint, $3 text
with waiting as (
  select subject, position from "guardrails_outbox_deliveries"
  where sink = $1 and dead_at is null and lease is null and attempts > 0
      and due_at > date_trunc('milliseconds', clock_timestamp())
  order by due_at, position limit $2 for update skip locked)
update "guardrails_outbox_deliveries" delivery set due_at = delivery.queued_at from waiting
where delivery.sink = $3 and delivery.subject = waiting.subject and delivery.position = waiting.position;

-- outbox.markDead
-- $1 text, $2 text, $3 text[], $4 bigint[], $5 text[]
update "guardrails_outbox_deliveries" delivery
set dead_at = date_trunc('milliseconds', clock_timestamp()), attempts = attempts + 1, lease = null, last_error = $1
from (select $2::text as sink, event.*
  from (select unnest($3::text[]) as subject, unnest($4::bigint[]) as position,
      unnest($5::text[]) as lease) as event) given where delivery.sink = given.sink
      and delivery.subject = given.subject and delivery.position = given.position
and delivery.dead_at is null and delivery.lease = given.lease
returning delivery.subject;

-- outbox.release
-- $1 text, $2 text[], $3 bigint[], $4 text[]
update "guardrails_outbox_deliveries" delivery set due_at = date_trunc('milliseconds', clock_timestamp()),
    lease = null
from (select $1::text as sink, event.*
  from (select unnest($2::text[]) as subject, unnest($3::bigint[]) as position,
      unnest($4::text[]) as lease) as event) given where delivery.sink = given.sink
      and delivery.subject = given.subject and delivery.position = given.position
and delivery.dead_at is null and delivery.lease = given.lease;

-- outbox.deadLetters, outbox.after, outbox.newest
select 1 from "guardrails_outbox" where sequence is null limit 1;

-- outbox.deadLetters, outbox.after
select last_sequence as last from "guardrails_outbox_sequence" for update skip locked;

-- outbox.deadLetters, outbox.after
-- $1 bigint, $2 bigint
with fresh as materialized (
  select position from "guardrails_outbox" where sequence is null order by position limit $1
), moved as (
  update "guardrails_outbox_sequence" set last_sequence = last_sequence + (select count(*) from fresh))
update "guardrails_outbox" event set sequence = $2::bigint + numbered.turn
from (select position, row_number() over (order by position) as turn from fresh) numbered
where event.position = numbered.position;

-- outbox.deadLetters
-- $1 text, $2 bigint
with dead as materialized (
  select position, attempts, last_error, dead_at from "guardrails_outbox_deliveries"
  where sink = $1 and dead_at is not null order by position desc limit $2)
select event.position, event.event_id as id, event.name, event.subject, event.severity,
event.occurred_at as "occurredAt", event.payload, event.audit_id as "auditId", event.sequence, dead.attempts,
    dead.last_error as error, dead.dead_at as "diedAt"
from dead join "guardrails_outbox" event on event.position = dead.position
order by event.position desc;

-- outbox.deadLetters
-- $1 text, $2 bigint, $3 bigint, $4 bigint
with dead as materialized (
  select position, attempts, last_error, dead_at from "guardrails_outbox_deliveries"
  where sink = $1 and dead_at is not null and position < $2 and position = (select position from "guardrails_outbox"
      where sequence = $3) order by position desc limit $4)
select event.position, event.event_id as id, event.name, event.subject, event.severity,
event.occurred_at as "occurredAt", event.payload, event.audit_id as "auditId", event.sequence, dead.attempts,
    dead.last_error as error, dead.dead_at as "diedAt"
from dead join "guardrails_outbox" event on event.position = dead.position
order by event.position desc;

-- outbox.retryDead
-- $1 text, $2 bigint, $3 text
with dead as (
  select subject, position from "guardrails_outbox_deliveries"
  where sink = $1 and dead_at is not null
  order by position limit $2 for update skip locked)
update "guardrails_outbox_deliveries" delivery set dead_at = null, attempts = 0,
    queued_at = date_trunc('milliseconds', clock_timestamp()), due_at = date_trunc('milliseconds',
    clock_timestamp())
from dead
where delivery.sink = $3 and delivery.subject = dead.subject and delivery.position = dead.position;

-- outbox.retryDead
-- $1 text, $2 bigint, $3 bigint, $4 text
with dead as (
  select subject, position from "guardrails_outbox_deliveries"
  where sink = $1 and dead_at is not null and position = (select position from "guardrails_outbox"
      where sequence = $2)
  order by position limit $3 for update skip locked)
update "guardrails_outbox_deliveries" delivery set dead_at = null, attempts = 0,
    queued_at = date_trunc('milliseconds', clock_timestamp()), due_at = date_trunc('milliseconds',
    clock_timestamp())
from dead
where delivery.sink = $4 and delivery.subject = dead.subject and delivery.position = dead.position;

-- outbox.add
-- $1 text[], $2 text[], $3 text[], $4 text[], $5 timestamp with time zone[], $6 text[], $7 text[], $8 text[],
-- $9 integer[], $10 integer[]
with outgoing as (
  insert into "guardrails_outbox" (event_id, name, subject, severity, occurred_at, payload, sinks, mac, audit_id)
  select event_id, name, subject, severity, occurred_at, payload, sinks, mac, null::bigint
  from (select unnest($1::text[]) as event_id, unnest($2::text[]) as name, unnest($3::text[]) as subject,
      unnest($4::text[]) as severity, unnest($5::timestamptz[]) as occurred_at, unnest($6::text[]) as payload,
      unnest($7::text[]) as sinks, unnest($8::text[]) as mac, unnest($9::integer[]) as place,
      unnest($10::integer[]) as turn) as given order by turn
  returning position, subject, sinks) select position from outgoing;

-- outbox.markOldDead
-- $1 text, $2 bigint, $3 bigint, $4 text, $5 text
with old as materialized (
  select subject, position from "guardrails_outbox_deliveries"
  where sink = $1 and dead_at is null and (lease is null or due_at <= date_trunc('milliseconds', clock_timestamp()))
  and queued_at <= date_trunc('milliseconds', clock_timestamp()) + $2::bigint * interval '1 millisecond'
  order by position limit $3 for update skip locked)
update "guardrails_outbox_deliveries" delivery set dead_at = date_trunc('milliseconds', clock_timestamp()),
    lease = null, last_error = $4
from old
where delivery.sink = $5 and delivery.subject = old.subject and delivery.position = old.position
returning delivery.subject;

-- outbox.requeue
-- $1 character varying, $2 bigint[]
insert into "guardrails_outbox_deliveries" as delivery (sink, subject, position)
select $1, subject, position from "guardrails_outbox" where position = any($2::bigint[])
on conflict (sink, subject, position) do update
set dead_at = null,
attempts = case when delivery.dead_at is null then delivery.attempts else 0 end,
queued_at = case when delivery.dead_at is null then delivery.queued_at
    else date_trunc('milliseconds', clock_timestamp()) end,
due_at = case when delivery.dead_at is null then delivery.due_at
    else date_trunc('milliseconds', clock_timestamp()) end;

-- outbox.backlog
select total.sink, total.waiting, total.retrying, total.dead,
event.occurred_at as "waitingSince", oldest.last_error as error
from (select sink, count(*) filter (where dead_at is null) as waiting,
  count(*) filter (where dead_at is null and attempts > 0) as retrying,
  count(*) filter (where dead_at is not null) as dead,
  min(position) filter (where dead_at is null) as first
  from "guardrails_outbox_deliveries" group by sink) total
left join "guardrails_outbox" event on event.position = total.first
left join "guardrails_outbox_deliveries" oldest on oldest.sink = total.sink and oldest.position = total.first
order by total.sink;

-- outbox.after
-- $1 bigint, $2 bigint
select event.sequence, event.position, event.event_id as id, event.name, event.subject, event.severity,
event.occurred_at as "occurredAt", event.payload, event.audit_id as "auditId" from "guardrails_outbox" event
where event.sequence > $1 order by event.sequence limit $2;

-- outbox.newest
select last_sequence as sequence from "guardrails_outbox_sequence";

-- outbox.prune
-- $1 bigint, $2 timestamp with time zone, $3 text[]
with oldest as (
  select position, occurred_at from "guardrails_outbox" order by position limit $1
), old as (
  select position from oldest
  where occurred_at < $2::timestamptz
  and not exists (
    select 1 from "guardrails_outbox_deliveries" delivery
    where delivery.position = oldest.position and delivery.dead_at is null
    and delivery.sink = any($3::text[]))
), left_over as (
  delete from "guardrails_outbox_deliveries" delivery using old where delivery.position = old.position
)
delete from "guardrails_outbox" event using old where event.position = old.position;

-- holds.set
-- $1 character varying, $2 text, $3 text, $4 text
INSERT INTO "guardrails_holds"("kind", "principal_id", "run_id", "application", "first_id", "last_id", "from_time",
    "to_time", "reason", "set_by", "set_at", "released_by", "released_at")
VALUES ($1, DEFAULT, $2, DEFAULT, DEFAULT, DEFAULT, DEFAULT, DEFAULT, $3, $4, date_trunc('milliseconds',
    clock_timestamp()), DEFAULT, DEFAULT)
RETURNING "id";

-- holds.set, holds.release
-- $1 bigint
SELECT "guardrails_holds"."id" AS "guardrails_holds_id", "guardrails_holds"."kind" AS "guardrails_holds_kind",
    "guardrails_holds"."principal_id" AS "guardrails_holds_principal_id",
    "guardrails_holds"."run_id" AS "guardrails_holds_run_id",
    "guardrails_holds"."application" AS "guardrails_holds_application",
    "guardrails_holds"."first_id" AS "guardrails_holds_first_id",
    "guardrails_holds"."last_id" AS "guardrails_holds_last_id",
    "guardrails_holds"."from_time" AS "guardrails_holds_from_time",
    "guardrails_holds"."to_time" AS "guardrails_holds_to_time",
    "guardrails_holds"."reason" AS "guardrails_holds_reason",
    "guardrails_holds"."set_by" AS "guardrails_holds_set_by",
    "guardrails_holds"."set_at" AS "guardrails_holds_set_at",
    "guardrails_holds"."released_by" AS "guardrails_holds_released_by",
    "guardrails_holds"."released_at" AS "guardrails_holds_released_at"
FROM "guardrails_holds" "guardrails_holds"
WHERE (("guardrails_holds"."id" = $1))
LIMIT 1;

-- holds.list
SELECT "row"."id" AS "row_id", "row"."kind" AS "row_kind", "row"."principal_id" AS "row_principal_id",
    "row"."run_id" AS "row_run_id", "row"."application" AS "row_application", "row"."first_id" AS "row_first_id",
    "row"."last_id" AS "row_last_id", "row"."from_time" AS "row_from_time", "row"."to_time" AS "row_to_time",
    "row"."reason" AS "row_reason", "row"."set_by" AS "row_set_by", "row"."set_at" AS "row_set_at",
    "row"."released_by" AS "row_released_by", "row"."released_at" AS "row_released_at"
FROM "guardrails_holds" "row"
ORDER BY "row"."id" DESC
LIMIT 11;

-- holds.list
-- $1 bigint, $2 bigint
SELECT "row"."id" AS "row_id", "row"."kind" AS "row_kind", "row"."principal_id" AS "row_principal_id",
    "row"."run_id" AS "row_run_id", "row"."application" AS "row_application", "row"."first_id" AS "row_first_id",
    "row"."last_id" AS "row_last_id", "row"."from_time" AS "row_from_time", "row"."to_time" AS "row_to_time",
    "row"."reason" AS "row_reason", "row"."set_by" AS "row_set_by", "row"."set_at" AS "row_set_at",
    "row"."released_by" AS "row_released_by", "row"."released_at" AS "row_released_at"
FROM "guardrails_holds" "row"
WHERE "row"."id" < $1 AND "row"."id" > $2 AND "row"."released_at" is null
ORDER BY "row"."id" DESC
LIMIT 11;

-- holds.list
-- $1 bigint, $2 bigint
SELECT "row"."id" AS "row_id", "row"."kind" AS "row_kind", "row"."principal_id" AS "row_principal_id",
    "row"."run_id" AS "row_run_id", "row"."application" AS "row_application", "row"."first_id" AS "row_first_id",
    "row"."last_id" AS "row_last_id", "row"."from_time" AS "row_from_time", "row"."to_time" AS "row_to_time",
    "row"."reason" AS "row_reason", "row"."set_by" AS "row_set_by", "row"."set_at" AS "row_set_at",
    "row"."released_by" AS "row_released_by", "row"."released_at" AS "row_released_at"
FROM "guardrails_holds" "row"
WHERE "row"."id" < $1 AND "row"."id" > $2 AND "row"."released_at" is not null
ORDER BY "row"."id" DESC
LIMIT 11;

-- holds.release
-- $1 text, $2 bigint
UPDATE "guardrails_holds"
SET "released_by" = $1, "released_at" = date_trunc('milliseconds', clock_timestamp())
WHERE ("id" = $2 AND "released_at" IS NULL);

-- log.seal, log.extend, log.checkpoint, retention.proceed
select size, through_id as "throughId", frontier, seal from "guardrails_log_state" for update skip locked;

-- log.seal, log.extend, retention.proceed
-- $1 bigint, $2 bigint, $3 bigint
select r."id", r."actor_id", r."key", r."old_value", r."new_value", r."request_id", r."occurred_at"
    from "guardrails_setting_changes" r
where r.id > (select coalesce(max(refs[1]), 0) - $1::bigint from "guardrails_log_leaves"
    where kind = 'setting_change') and true and not exists (
  select 1 from "guardrails_log_leaves" where kind = 'setting_change' and refs[1] = r.id
      and refs[1] > (select coalesce(max(refs[1]), 0) - $2::bigint from "guardrails_log_leaves"
      where kind = 'setting_change'))
order by r.id limit $3;

-- log.seal, log.extend, retention.proceed
-- $1 bigint[], $2 text[], $3 bigint[], $4 bigint[], $5 bytea[]
insert into "guardrails_log_leaves" (index, kind, refs, times, hashes)
select index, kind, array[ref], array[time], hash from (select unnest($1::bigint[]) as index,
    unnest($2::text[]) as kind, unnest($3::bigint[]) as ref, unnest($4::bigint[]) as time,
    unnest($5::bytea[]) as hash) as given;

-- log.seal, log.extend, retention.proceed
-- $1 bigint, $2 bigint, $3 bigint
select r."id", r."kind", r."run_id", r."application", r."first_id", r."last_id", r."from_time", r."to_time",
    r."reason", r."set_by", r."set_at" from "guardrails_holds" r
where r.id > (select coalesce(max(refs[1]), 0) - $1::bigint from "guardrails_log_leaves" where kind = 'hold')
    and true and not exists (
  select 1 from "guardrails_log_leaves" where kind = 'hold' and refs[1] = r.id
      and refs[1] > (select coalesce(max(refs[1]), 0) - $2::bigint from "guardrails_log_leaves"
      where kind = 'hold'))
order by r.id limit $3;

-- log.seal, log.extend, retention.proceed
-- $1 bigint
select r."id", r."released_by", r."released_at" from "guardrails_holds" r
where r.id > 0 and released_at is not null and not exists (
  select 1 from "guardrails_log_leaves" where kind = 'hold_released' and refs[1] = r.id and refs[1] > 0)
order by r.id limit $1;

-- log.seal, log.extend, retention.proceed
-- $1 bigint, $2 bigint, $3 bigint
select r."id", r."evidence_id", r."verdict", r."rule_id", r."actor_id", r."request_id", r."reviewed_at"
    from "guardrails_audit_reviews" r
where r.id > (select coalesce(max(refs[1]), 0) - $1::bigint from "guardrails_log_leaves" where kind = 'review')
    and true and not exists (
  select 1 from "guardrails_log_leaves" where kind = 'review' and refs[1] = r.id
      and refs[1] > (select coalesce(max(refs[1]), 0) - $2::bigint from "guardrails_log_leaves"
      where kind = 'review'))
order by r.id limit $3;

-- log.seal, log.extend, retention.proceed
-- $1 bigint
select r."id", r."actor_id", r."strategy", r."scope", r."counts", r."held_by", r."started_at", r."finished_at"
    from "guardrails_retention_runs" r
where r.id > 0 and finished_at is not null and not exists (
  select 1 from "guardrails_log_leaves" where kind = 'retention_run' and refs[1] = r.id and refs[1] > 0)
order by r.id limit $1;

-- log.seal, log.extend, retention.proceed
-- $1 bigint, $2 bigint, $3 bytea
update "guardrails_log_state"
set size = $1, through_id = $2, frontier = $3;

-- log.seal
-- $1 text
update "guardrails_log_state" set seal = $1;

-- log.extend, retention.proceed
-- $1 bigint, $2 bigint, $3 bigint
with batch as materialized (
  select id, writer, sequence, occurred_at, row_hash from "guardrails_audit_evidence"
  where id > $1 order by id limit $2),
batch_writers as materialized (
  select writer, count(*) as entries, min(sequence) as first, max(sequence) as last from batch group by writer),
is_next as materialized (
  select bool_and(b.first = coalesce(l.sequence, 0) + 1 and b.last - b.first + 1 = b.entries) as all_are
  from batch_writers b left join "guardrails_log_writers" l on l.writer = b.writer),
logged as (
  insert into "guardrails_log_writers" (writer, sequence)
  select writer, last from batch_writers where (select all_are from is_next)
  on conflict (writer) do update set sequence = excluded.sequence)
insert into "guardrails_log_leaves" (index, kind, refs, times, hashes)
select $3::bigint, 'evidence', array_agg(id order by id),
array_agg((date_part('epoch', occurred_at) * 1000)::bigint order by id), string_agg(row_hash, '' order by id)
from batch where (select all_are from is_next) having count(*) > 0
returning cardinality(refs) as count, refs[cardinality(refs)] as "lastId",
array_to_string(times, ',') as times, hashes;

-- log.extend, retention.proceed
-- $1 bigint
select w.writer, w.sequence, w.last_id as "lastId", coalesce(l.sequence, 0) as logged
from "guardrails_audit_writers" w left join "guardrails_log_writers" l on l.writer = w.writer
where w.sequence > coalesce(l.sequence, 0) order by w.last_id limit $1;

-- log.extend, retention.proceed
-- $1 bigint, $2 bigint, $3 bigint
select r."id", r."reference", r."tool", r."tool_fingerprint", r."step_name", r."call_mac", r."created_at"
    from "guardrails_approvals" r
where r.id > (select coalesce(max(refs[1]), 0) - $1::bigint from "guardrails_log_leaves" where kind = 'approval')
    and true and not exists (
  select 1 from "guardrails_log_leaves" where kind = 'approval' and refs[1] = r.id
      and refs[1] > (select coalesce(max(refs[1]), 0) - $2::bigint from "guardrails_log_leaves"
      where kind = 'approval'))
order by r.id limit $3;

-- log.extend, retention.proceed
-- $1 bigint
select r."id", r."decision", r."decided_by", r."decided_at", r."decision_mac" from "guardrails_approvals" r
where r.id > 0 and decided_at is not null and not exists (
  select 1 from "guardrails_log_leaves" where kind = 'approval_decided' and refs[1] = r.id and refs[1] > 0)
order by r.id limit $1;

-- log.extend, retention.proceed
-- $1 bigint, $2 bigint, $3 bigint
select r."id", r."approval_id", r."actor_id", r."voted_at", r."vote_mac" from "guardrails_approval_votes" r
where r.id > (select coalesce(max(refs[1]), 0) - $1::bigint from "guardrails_log_leaves" where kind = 'vote')
    and true and not exists (
  select 1 from "guardrails_log_leaves" where kind = 'vote' and refs[1] = r.id
      and refs[1] > (select coalesce(max(refs[1]), 0) - $2::bigint from "guardrails_log_leaves"
      where kind = 'vote'))
order by r.id limit $3;

-- log.leaves
-- $1 bigint, $2 bigint
select index, kind, refs, times, hashes from "guardrails_log_leaves"
where index >= (select coalesce(max(index), 0) from "guardrails_log_leaves" where index <= $1)
and index < $2 order by index;

-- log.checkpoint
-- $1 bigint, $2 bigint
select date_trunc('milliseconds', clock_timestamp()) as time, exists (select 1 from "guardrails_log_checkpoints"
  where size >= $1
      or time > date_trunc('milliseconds', clock_timestamp()) + $2::bigint * interval '1 millisecond') as "isEarly";

-- log.checkpoint
-- $1 bigint, $2 bytea, $3 timestamp with time zone, $4 text
insert into "guardrails_log_checkpoints" (size, root, time, note)
values ($1, $2, $3, $4);

-- log.checkpoints
-- $1 bigint, $2 bigint
select size, root, time, note from "guardrails_log_checkpoints"
where size > $1 order by size limit $2;

-- log.newest
select size, root, time, note from "guardrails_log_checkpoints" order by size desc limit 1;

-- retention.count, retention.begin, retention.proceed
-- $1 bigint
select h.id from "guardrails_holds" h where h.released_at is null and exists (select 1
    from "guardrails_audit_evidence" e where e.id = $1 and case h.kind
    when 'principal' then coalesce(e.principal_ref = (select principal.id from "guardrails_principals" principal
      where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
          when 'run' then coalesce(e.run_id = h.run_id, false)
          when 'application' then coalesce(e.application = h.application, false)
          when 'entries' then coalesce(e.id between h.first_id and h.last_id, false)
          when 'period' then coalesce(e.occurred_at between h.from_time and h.to_time, false) else true end)
          order by h.id limit 1;

-- retention.count
-- $1 bigint
select count(*) as count from "guardrails_firewall_rejections" r
where evidence_id = $1 and not exists (select 1 from "guardrails_audit_evidence" held_row
    where held_row.id = r.evidence_id
  and not (not exists (select 1 from "guardrails_holds" h where h.released_at is null and case h.kind
      when 'principal' then coalesce(held_row.principal_ref = (select principal.id
      from "guardrails_principals" principal
          where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
              when 'run' then coalesce(held_row.run_id = h.run_id, false)
              when 'application' then coalesce(held_row.application = h.application, false)
              when 'entries' then coalesce(held_row.id between h.first_id and h.last_id, false)
              when 'period' then coalesce(held_row.occurred_at between h.from_time and h.to_time, false)
              else true end)));

-- retention.count
-- $1 bigint
select count(*) as count
    from "guardrails_audit_evidence" e join "guardrails_audit_content" c on c.evidence_id = e.id
where c.storage <> 'erased' and e.id = $1 and not exists (select 1 from "guardrails_holds" h
    where h.released_at is null and case h.kind
    when 'principal' then coalesce(e.principal_ref = (select principal.id from "guardrails_principals" principal
      where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
          when 'run' then coalesce(e.run_id = h.run_id, false)
          when 'application' then coalesce(e.application = h.application, false)
          when 'entries' then coalesce(e.id between h.first_id and h.last_id, false)
          when 'period' then coalesce(e.occurred_at between h.from_time and h.to_time, false) else true end);

-- retention.count
-- $1 bigint
select count(*) as count from "guardrails_outbox" o
where audit_id = $1 and not exists (select 1 from "guardrails_holds" h where h.released_at is null and case h.kind
    when 'principal' then coalesce(o.payload::jsonb ->> 'principal_id' = h.principal_id, false)
    when 'run' then coalesce(o.payload::jsonb ->> 'run_id' = h.run_id, false)
    when 'application' then coalesce(o.payload::jsonb ->> 'application' = h.application, false)
    when 'entries' then coalesce(o.audit_id between h.first_id and h.last_id, false)
    when 'period' then coalesce(o.occurred_at between h.from_time and h.to_time, false) else true end);

-- retention.count, retention.begin, retention.proceed
-- $1 text, $2 bytea, $3 text
select h.id from "guardrails_holds" h where h.released_at is null and (h.principal_id = $1
  or exists (select 1 from "guardrails_audit_evidence" e
    where e.principal_ref = (select id from "guardrails_principals" where digest = $2) and case h.kind
        when 'principal' then coalesce(e.principal_ref = (select principal.id from "guardrails_principals" principal
        where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
            when 'run' then coalesce(e.run_id = h.run_id, false)
            when 'application' then coalesce(e.application = h.application, false)
            when 'entries' then coalesce(e.id between h.first_id and h.last_id, false)
            when 'period' then coalesce(e.occurred_at between h.from_time and h.to_time, false) else true end)
  or exists (select 1 from "guardrails_approvals" a
    where a.principal_id = $3 and case h.kind when 'principal' then coalesce(a.principal_id = h.principal_id, false)
        when 'run' then coalesce(a.run_id = h.run_id, false)
        when 'application' then coalesce(a.application = h.application, false)
        when 'entries' then coalesce(exists (select 1 from "guardrails_audit_evidence" step
        where step.approval_id = a.id and step.id between h.first_id and h.last_id), false)
        when 'period' then coalesce((a.created_at between h.from_time and h.to_time
        or exists (select 1 from "guardrails_audit_evidence" step where step.approval_id = a.id
            and step.occurred_at between h.from_time and h.to_time)), false) else true end)) order by h.id limit 1;

-- retention.count
-- $1 bytea
select count(*) as count from "guardrails_firewall_rejections" r
where principal_ref = (select id from "guardrails_principals" where digest = $1) and not exists (select 1
    from "guardrails_audit_evidence" held_row where held_row.id = r.evidence_id
  and not (not exists (select 1 from "guardrails_holds" h where h.released_at is null and case h.kind
      when 'principal' then coalesce(held_row.principal_ref = (select principal.id
      from "guardrails_principals" principal
          where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
              when 'run' then coalesce(held_row.run_id = h.run_id, false)
              when 'application' then coalesce(held_row.application = h.application, false)
              when 'entries' then coalesce(held_row.id between h.first_id and h.last_id, false)
              when 'period' then coalesce(held_row.occurred_at between h.from_time and h.to_time, false)
              else true end)));

-- retention.count
-- $1 bytea
select count(*) as count
    from "guardrails_audit_evidence" e join "guardrails_audit_content" c on c.evidence_id = e.id
where c.storage <> 'erased' and e.principal_ref = (select id from "guardrails_principals" where digest = $1)
    and not exists (select 1 from "guardrails_holds" h where h.released_at is null and case h.kind
    when 'principal' then coalesce(e.principal_ref = (select principal.id from "guardrails_principals" principal
      where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
          when 'run' then coalesce(e.run_id = h.run_id, false)
          when 'application' then coalesce(e.application = h.application, false)
          when 'entries' then coalesce(e.id between h.first_id and h.last_id, false)
          when 'period' then coalesce(e.occurred_at between h.from_time and h.to_time, false) else true end);

-- retention.count
-- $1 text
select count(*) as count from "guardrails_approvals" a
where octet_length(principal_id) <= 2000 and principal_id = $1 and not exists (select 1 from "guardrails_holds" h
    where h.released_at is null and case h.kind
    when 'principal' then coalesce(a.principal_id = h.principal_id, false)
    when 'run' then coalesce(a.run_id = h.run_id, false)
    when 'application' then coalesce(a.application = h.application, false)
    when 'entries' then coalesce(exists (select 1 from "guardrails_audit_evidence" step
    where step.approval_id = a.id and step.id between h.first_id and h.last_id), false)
    when 'period' then coalesce((a.created_at between h.from_time and h.to_time
      or exists (select 1 from "guardrails_audit_evidence" step where step.approval_id = a.id
          and step.occurred_at between h.from_time and h.to_time)), false) else true end);

-- retention.count
-- $1 text
select count(*) as count from "guardrails_outbox" o
where payload::jsonb ->> 'principal_id' = $1 and not exists (select 1 from "guardrails_holds" h
    where h.released_at is null and case h.kind
    when 'principal' then coalesce(o.payload::jsonb ->> 'principal_id' = h.principal_id, false)
    when 'run' then coalesce(o.payload::jsonb ->> 'run_id' = h.run_id, false)
    when 'application' then coalesce(o.payload::jsonb ->> 'application' = h.application, false)
    when 'entries' then coalesce(o.audit_id between h.first_id and h.last_id, false)
    when 'period' then coalesce(o.occurred_at between h.from_time and h.to_time, false) else true end);

-- retention.count
-- $1 bytea
select count(*) as count from "guardrails_principals" where digest = $1;

-- retention.count
-- $1 timestamp with time zone
select count(*) as count from "guardrails_firewall_rejections" r
where occurred_at < $1 and not exists (select 1 from "guardrails_audit_evidence" held_row
    where held_row.id = r.evidence_id
  and not (not exists (select 1 from "guardrails_holds" h where h.released_at is null and case h.kind
      when 'principal' then coalesce(held_row.principal_ref = (select principal.id
      from "guardrails_principals" principal
          where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
              when 'run' then coalesce(held_row.run_id = h.run_id, false)
              when 'application' then coalesce(held_row.application = h.application, false)
              when 'entries' then coalesce(held_row.id between h.first_id and h.last_id, false)
              when 'period' then coalesce(held_row.occurred_at between h.from_time and h.to_time, false)
              else true end)));

-- retention.count
-- $1 timestamp with time zone
select count(*) as count
    from "guardrails_audit_evidence" e join "guardrails_audit_content" c on c.evidence_id = e.id
where c.storage <> 'erased' and e.occurred_at < $1 and not exists (select 1 from "guardrails_holds" h
    where h.released_at is null and case h.kind
    when 'principal' then coalesce(e.principal_ref = (select principal.id from "guardrails_principals" principal
      where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
          when 'run' then coalesce(e.run_id = h.run_id, false)
          when 'application' then coalesce(e.application = h.application, false)
          when 'entries' then coalesce(e.id between h.first_id and h.last_id, false)
          when 'period' then coalesce(e.occurred_at between h.from_time and h.to_time, false) else true end);

-- retention.count
-- $1 timestamp with time zone
select count(*) as count from "guardrails_approvals" a
where created_at < $1 and status in ('executed', 'failed', 'outcome_unknown', 'rejected', 'expired', 'superseded')
    and arguments is not null and not exists (select 1 from "guardrails_holds" h where h.released_at is null
    and case h.kind when 'principal' then coalesce(a.principal_id = h.principal_id, false)
    when 'run' then coalesce(a.run_id = h.run_id, false)
    when 'application' then coalesce(a.application = h.application, false)
    when 'entries' then coalesce(exists (select 1 from "guardrails_audit_evidence" step
    where step.approval_id = a.id and step.id between h.first_id and h.last_id), false)
    when 'period' then coalesce((a.created_at between h.from_time and h.to_time
      or exists (select 1 from "guardrails_audit_evidence" step where step.approval_id = a.id
          and step.occurred_at between h.from_time and h.to_time)), false) else true end);

-- retention.count
-- $1 timestamp with time zone
select count(*) as count from "guardrails_outbox" o
where occurred_at < $1 and not exists (select 1 from "guardrails_holds" h where h.released_at is null
    and case h.kind when 'principal' then coalesce(o.payload::jsonb ->> 'principal_id' = h.principal_id, false)
    when 'run' then coalesce(o.payload::jsonb ->> 'run_id' = h.run_id, false)
    when 'application' then coalesce(o.payload::jsonb ->> 'application' = h.application, false)
    when 'entries' then coalesce(o.audit_id between h.first_id and h.last_id, false)
    when 'period' then coalesce(o.occurred_at between h.from_time and h.to_time, false) else true end);

-- retention.count
-- $1 text, $2 timestamp with time zone
select count(*) as count from "guardrails_principals" where (select e.id from "guardrails_audit_evidence" e
    where e.principal_ref = "guardrails_principals".id and e.id >= (select coalesce(min(min_id), 0)
    from "guardrails_audit_id_ranges"
    where unit = 'hour' and time >= $1)
  and (e.occurred_at >= $2 or not (not exists (select 1 from "guardrails_holds" h where h.released_at is null
      and case h.kind when 'principal' then coalesce(e.principal_ref = (select principal.id
      from "guardrails_principals" principal
            where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
                when 'run' then coalesce(e.run_id = h.run_id, false)
                when 'application' then coalesce(e.application = h.application, false)
                when 'entries' then coalesce(e.id between h.first_id and h.last_id, false)
                when 'period' then coalesce(e.occurred_at between h.from_time and h.to_time, false) else true end)))
                limit 1) is null
and not (exists (select 1 from "guardrails_holds" where released_at is null)
  and exists (select 1 from "guardrails_audit_evidence" e
    where e.principal_ref = "guardrails_principals".id and not (not exists (select 1 from "guardrails_holds" h
        where h.released_at is null and case h.kind
        when 'principal' then coalesce(e.principal_ref = (select principal.id from "guardrails_principals" principal
            where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
                when 'run' then coalesce(e.run_id = h.run_id, false)
                when 'application' then coalesce(e.application = h.application, false)
                when 'entries' then coalesce(e.id between h.first_id and h.last_id, false)
                when 'period' then coalesce(e.occurred_at between h.from_time and h.to_time, false)
                else true end))))
and not exists (
  select 1 from "guardrails_holds" h where h.released_at is null and h.principal_id = "guardrails_principals".name);

-- retention.count
-- $1 bigint
select count(*) as count from "guardrails_audit_evidence" e
where e.id = $1 and not exists (select 1 from "guardrails_holds" h where h.released_at is null and case h.kind
    when 'principal' then coalesce(e.principal_ref = (select principal.id from "guardrails_principals" principal
      where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
          when 'run' then coalesce(e.run_id = h.run_id, false)
          when 'application' then coalesce(e.application = h.application, false)
          when 'entries' then coalesce(e.id between h.first_id and h.last_id, false)
          when 'period' then coalesce(e.occurred_at between h.from_time and h.to_time, false) else true end);

-- retention.count
-- $1 bigint
select count(*) as count
    from "guardrails_audit_reviews" r join "guardrails_audit_evidence" e on e.id = r.evidence_id
where e.id = $1 and not exists (select 1 from "guardrails_holds" h where h.released_at is null and case h.kind
    when 'principal' then coalesce(e.principal_ref = (select principal.id from "guardrails_principals" principal
      where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
          when 'run' then coalesce(e.run_id = h.run_id, false)
          when 'application' then coalesce(e.application = h.application, false)
          when 'entries' then coalesce(e.id between h.first_id and h.last_id, false)
          when 'period' then coalesce(e.occurred_at between h.from_time and h.to_time, false) else true end);

-- retention.count
-- $1 bytea
select count(*) as count from "guardrails_audit_evidence" e
where e.principal_ref = (select id from "guardrails_principals" where digest = $1) and not exists (select 1
    from "guardrails_holds" h where h.released_at is null and case h.kind
    when 'principal' then coalesce(e.principal_ref = (select principal.id from "guardrails_principals" principal
      where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
          when 'run' then coalesce(e.run_id = h.run_id, false)
          when 'application' then coalesce(e.application = h.application, false)
          when 'entries' then coalesce(e.id between h.first_id and h.last_id, false)
          when 'period' then coalesce(e.occurred_at between h.from_time and h.to_time, false) else true end);

-- retention.count
-- $1 bytea
select count(*) as count
    from "guardrails_audit_reviews" r join "guardrails_audit_evidence" e on e.id = r.evidence_id
where e.principal_ref = (select id from "guardrails_principals" where digest = $1) and not exists (select 1
    from "guardrails_holds" h where h.released_at is null and case h.kind
    when 'principal' then coalesce(e.principal_ref = (select principal.id from "guardrails_principals" principal
      where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
          when 'run' then coalesce(e.run_id = h.run_id, false)
          when 'application' then coalesce(e.application = h.application, false)
          when 'entries' then coalesce(e.id between h.first_id and h.last_id, false)
          when 'period' then coalesce(e.occurred_at between h.from_time and h.to_time, false) else true end);

-- retention.count
-- $1 text
select count(*) as count from "guardrails_approval_votes" v join "guardrails_approvals" a on a.id = v.approval_id
where status in ('executed', 'failed', 'outcome_unknown', 'rejected', 'expired', 'superseded')
    and octet_length(principal_id) <= 2000 and principal_id = $1 and not exists (select 1 from "guardrails_holds" h
    where h.released_at is null and case h.kind
    when 'principal' then coalesce(a.principal_id = h.principal_id, false)
    when 'run' then coalesce(a.run_id = h.run_id, false)
    when 'application' then coalesce(a.application = h.application, false)
    when 'entries' then coalesce(exists (select 1 from "guardrails_audit_evidence" step
    where step.approval_id = a.id and step.id between h.first_id and h.last_id), false)
    when 'period' then coalesce((a.created_at between h.from_time and h.to_time
      or exists (select 1 from "guardrails_audit_evidence" step where step.approval_id = a.id
          and step.occurred_at between h.from_time and h.to_time)), false) else true end);

-- retention.count
-- $1 timestamp with time zone
select count(*) as count from "guardrails_output_counts" r
where occurred_at < $1 and not exists (select 1 from "guardrails_audit_evidence" held_row
    where held_row.id = r.evidence_id
  and not (not exists (select 1 from "guardrails_holds" h where h.released_at is null and case h.kind
      when 'principal' then coalesce(held_row.principal_ref = (select principal.id
      from "guardrails_principals" principal
          where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
              when 'run' then coalesce(held_row.run_id = h.run_id, false)
              when 'application' then coalesce(held_row.application = h.application, false)
              when 'entries' then coalesce(held_row.id between h.first_id and h.last_id, false)
              when 'period' then coalesce(held_row.occurred_at between h.from_time and h.to_time, false)
              else true end)));

-- retention.count
-- $1 timestamp with time zone
select count(*) as count from "guardrails_audit_evidence" e
where e.occurred_at < $1 and not exists (select 1 from "guardrails_holds" h where h.released_at is null
    and case h.kind when 'principal' then coalesce(e.principal_ref = (select principal.id
    from "guardrails_principals" principal
      where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
          when 'run' then coalesce(e.run_id = h.run_id, false)
          when 'application' then coalesce(e.application = h.application, false)
          when 'entries' then coalesce(e.id between h.first_id and h.last_id, false)
          when 'period' then coalesce(e.occurred_at between h.from_time and h.to_time, false) else true end);

-- retention.count
-- $1 timestamp with time zone
select count(*) as count
    from "guardrails_audit_reviews" r join "guardrails_audit_evidence" e on e.id = r.evidence_id
where e.occurred_at < $1 and not exists (select 1 from "guardrails_holds" h where h.released_at is null
    and case h.kind when 'principal' then coalesce(e.principal_ref = (select principal.id
    from "guardrails_principals" principal
      where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
          when 'run' then coalesce(e.run_id = h.run_id, false)
          when 'application' then coalesce(e.application = h.application, false)
          when 'entries' then coalesce(e.id between h.first_id and h.last_id, false)
          when 'period' then coalesce(e.occurred_at between h.from_time and h.to_time, false) else true end);

-- retention.count
-- $1 timestamp with time zone
select count(*) as count from "guardrails_approvals" a
where created_at < $1 and status in ('executed', 'failed', 'outcome_unknown', 'rejected', 'expired', 'superseded')
    and true and not exists (select 1 from "guardrails_holds" h where h.released_at is null and case h.kind
    when 'principal' then coalesce(a.principal_id = h.principal_id, false)
    when 'run' then coalesce(a.run_id = h.run_id, false)
    when 'application' then coalesce(a.application = h.application, false)
    when 'entries' then coalesce(exists (select 1 from "guardrails_audit_evidence" step
    where step.approval_id = a.id and step.id between h.first_id and h.last_id), false)
    when 'period' then coalesce((a.created_at between h.from_time and h.to_time
      or exists (select 1 from "guardrails_audit_evidence" step where step.approval_id = a.id
          and step.occurred_at between h.from_time and h.to_time)), false) else true end);

-- retention.count
-- $1 timestamp with time zone
select count(*) as count from "guardrails_approval_votes" v join "guardrails_approvals" a on a.id = v.approval_id
where status in ('executed', 'failed', 'outcome_unknown', 'rejected', 'expired', 'superseded') and created_at < $1
    and status in ('executed', 'failed', 'outcome_unknown', 'rejected', 'expired', 'superseded') and true
    and not exists (select 1 from "guardrails_holds" h where h.released_at is null and case h.kind
    when 'principal' then coalesce(a.principal_id = h.principal_id, false)
    when 'run' then coalesce(a.run_id = h.run_id, false)
    when 'application' then coalesce(a.application = h.application, false)
    when 'entries' then coalesce(exists (select 1 from "guardrails_audit_evidence" step
    where step.approval_id = a.id and step.id between h.first_id and h.last_id), false)
    when 'period' then coalesce((a.created_at between h.from_time and h.to_time
      or exists (select 1 from "guardrails_audit_evidence" step where step.approval_id = a.id
          and step.occurred_at between h.from_time and h.to_time)), false) else true end);

-- retention.setMinimumDays
-- $1 integer, $2 text, $3 integer, $4 text
update "guardrails_retention_lock" set minimum_days = $1, mac = $2
where minimum_days <> $3 or mac is distinct from coalesce($4, mac);

-- retention.begin, retention.takeOver
select id from "guardrails_retention_lock" for update;

-- retention.begin, retention.takeOver
select 1 from "guardrails_retention_runs" where finished_at is null
    and lease_until > date_trunc('milliseconds', clock_timestamp()) limit 1;

-- retention.begin
select minimum_days as days, date_trunc('milliseconds', clock_timestamp()) as now from "guardrails_retention_lock";

-- retention.begin
-- $1 text, $2 character varying, $3 text, $4 text, $5 text, $6 character varying, $7 bigint
insert into "guardrails_retention_runs"
(actor_id, strategy, scope, counts, started_at, state, lease, lease_until)
values ($1, $2, $3, $4, date_trunc('milliseconds', clock_timestamp()),
  $5, $6, date_trunc('milliseconds', clock_timestamp()) + $7::bigint * interval '1 millisecond')
returning id, actor_id as "actorId", strategy, scope, counts, held_by as "heldBy", started_at as "startedAt",
    finished_at as "finishedAt",
state, lease;

-- retention.takeOver
-- $1 character varying, $2 bigint
update "guardrails_retention_runs" set lease = $1, lease_until = date_trunc('milliseconds',
    clock_timestamp()) + $2::bigint * interval '1 millisecond'
where id = (select min(id) from "guardrails_retention_runs" where finished_at is null)
returning id, actor_id as "actorId", strategy, scope, counts, held_by as "heldBy", started_at as "startedAt",
    finished_at as "finishedAt",
state, lease;

-- retention.finish
-- $1 bigint, $2 text
update "guardrails_retention_runs" set finished_at = date_trunc('milliseconds', clock_timestamp()), state = null,
    lease = null, lease_until = null
where id = $1 and lease = $2 and finished_at is null
returning id, actor_id as "actorId", strategy, scope, counts, held_by as "heldBy", started_at as "startedAt",
    finished_at as "finishedAt",
state, lease;

-- retention.begin
-- $1 text, $2 bigint
select 1 from "guardrails_retention_runs"
where actor_id = $1
    and started_at > date_trunc('milliseconds', clock_timestamp()) + $2::bigint * interval '1 millisecond' limit 1;

-- retention.proceed
lock table "guardrails_holds" in share row exclusive mode;

-- retention.proceed
-- $1 bigint, $2 bigint, $3 text
update "guardrails_retention_runs" set lease_until = date_trunc('milliseconds',
    clock_timestamp()) + $1::bigint * interval '1 millisecond'
where id = $2 and lease = $3 and finished_at is null
returning id, actor_id as "actorId", strategy, scope, counts, held_by as "heldBy", started_at as "startedAt",
    finished_at as "finishedAt",
state, lease;

-- retention.proceed
-- $1 text, $2 text
select set_config($1, $2, true);

-- retention.proceed
-- $1 bigint, $2 bigint
delete from "guardrails_firewall_rejections" where evidence_id in (
  select evidence_id from "guardrails_firewall_rejections" r where evidence_id = $1 and not exists (select 1
      from "guardrails_audit_evidence" held_row where held_row.id = r.evidence_id
    and not (not exists (select 1 from "guardrails_holds" h where h.released_at is null and case h.kind
        when 'principal' then coalesce(held_row.principal_ref = (select principal.id
        from "guardrails_principals" principal
            where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
                when 'run' then coalesce(held_row.run_id = h.run_id, false)
                when 'application' then coalesce(held_row.application = h.application, false)
                when 'entries' then coalesce(held_row.id between h.first_id and h.last_id, false)
                when 'period' then coalesce(held_row.occurred_at between h.from_time and h.to_time, false)
                else true end))) limit $2);

-- retention.proceed
-- $1 text, $2 bigint, $3 text, $4 bigint
update "guardrails_retention_runs"
set counts = $1, held_by = $2, state = $3 where id = $4;

-- retention.proceed
lock table "guardrails_audit_reviews" in share mode;

-- retention.proceed
-- $1 bigint, $2 bigint, $3 bigint
with read_rows as materialized (
  select id, occurred_at, principal_ref, run_id, application, writer, sequence
  from "guardrails_audit_evidence" e where e.id = $1 and e.id > $2 order by id limit $3),
selected as materialized (
  select * from read_rows where true and not exists (select 1 from "guardrails_holds" h where h.released_at is null
      and case h.kind when 'principal' then coalesce(read_rows.principal_ref = (select principal.id
      from "guardrails_principals" principal
        where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
            when 'run' then coalesce(read_rows.run_id = h.run_id, false)
            when 'application' then coalesce(read_rows.application = h.application, false)
            when 'entries' then coalesce(read_rows.id between h.first_id and h.last_id, false)
            when 'period' then coalesce(read_rows.occurred_at between h.from_time and h.to_time, false)
            else true end)
),
ended_runs as (
  delete
      from "guardrails_runs" run using selected left join "guardrails_principals" p on p.id = selected.principal_ref
  where run.run_id = selected.run_id and run.principal_digest is not distinct from p.digest),
queued as (
  delete from "guardrails_run_queue" queue using selected where queue.evidence_id = selected.id),
notes as (
  update "guardrails_audit_reviews" r set note = null
  from selected where r.evidence_id = selected.id and r.note is not null),
reviews as (select where false),
touched as (
  update "guardrails_audit_content" c
  set storage = 'erased', prompt = '', matched_text = null, alteration = null, policy = null, salt = null,
  matched_span_start = null, matched_span_end = null
  from selected where c.evidence_id = selected.id and c.storage <> 'erased'
  returning 1)
select (select count(*) from touched) as entries, (select count(*) from reviews) as reviews,
count(*) as read, max(id) as last, array(select id from selected) as ids from read_rows;

-- retention.proceed
-- $1 bigint[]
delete from "guardrails_run_rows" where id = any($1::bigint[]);

-- retention.proceed
-- $1 bigint, $2 bigint, $3 bigint
select position from "guardrails_outbox" o
where audit_id = $1 and position > $2 and not exists (select 1 from "guardrails_holds" h where h.released_at is null
    and case h.kind when 'principal' then coalesce(o.payload::jsonb ->> 'principal_id' = h.principal_id, false)
    when 'run' then coalesce(o.payload::jsonb ->> 'run_id' = h.run_id, false)
    when 'application' then coalesce(o.payload::jsonb ->> 'application' = h.application, false)
    when 'entries' then coalesce(o.audit_id between h.first_id and h.last_id, false)
    when 'period' then coalesce(o.occurred_at between h.from_time and h.to_time, false) else true end)
order by position limit $3;

-- retention.proceed
-- $1 bigint[], $2 bigint[]
with old as (delete from "guardrails_outbox_deliveries" where position = any($1::bigint[]))
delete from "guardrails_outbox" where position = any($2::bigint[]);

-- retention.begin, retention.proceed
lock table "guardrails_append_lock" in exclusive mode;

-- retention.begin
select max(id) as newest from "guardrails_audit_evidence";

-- retention.proceed
select 1 from "guardrails_log_state" where through_id > 0;

-- retention.proceed
-- $1 bigint, $2 bigint
select e.id, e.writer, e.sequence, e.row_hash as "rowHash", (date_part('epoch',
    e.occurred_at) * 1000)::bigint as time, coalesce(l.sequence, 0) as logged
from "guardrails_audit_evidence" e left join "guardrails_log_writers" l on l.writer = e.writer
where e.id > $1 order by e.id limit $2;

-- retention.proceed
-- $1 bytea, $2 bigint
delete from "guardrails_firewall_rejections" where evidence_id in (
  select evidence_id from "guardrails_firewall_rejections" r where principal_ref = (select id
      from "guardrails_principals" where digest = $1) and not exists (select 1
      from "guardrails_audit_evidence" held_row where held_row.id = r.evidence_id
    and not (not exists (select 1 from "guardrails_holds" h where h.released_at is null and case h.kind
        when 'principal' then coalesce(held_row.principal_ref = (select principal.id
        from "guardrails_principals" principal
            where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
                when 'run' then coalesce(held_row.run_id = h.run_id, false)
                when 'application' then coalesce(held_row.application = h.application, false)
                when 'entries' then coalesce(held_row.id between h.first_id and h.last_id, false)
                when 'period' then coalesce(held_row.occurred_at between h.from_time and h.to_time, false)
                else true end))) limit $2);

-- retention.proceed
-- $1 bytea, $2 bigint, $3 bigint, $4 bigint, $5 bigint
with read_rows as materialized (
  select id, occurred_at, principal_ref, run_id, application, writer, sequence
  from "guardrails_audit_evidence" e where e.principal_ref = (select id from "guardrails_principals"
      where digest = $1) and e.id > $2 order by id limit $3),
selected as materialized (
  select * from read_rows where true and not exists (select 1 from "guardrails_holds" h where h.released_at is null
      and case h.kind when 'principal' then coalesce(read_rows.principal_ref = (select principal.id
      from "guardrails_principals" principal
        where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
            when 'run' then coalesce(read_rows.run_id = h.run_id, false)
            when 'application' then coalesce(read_rows.application = h.application, false)
            when 'entries' then coalesce(read_rows.id between h.first_id and h.last_id, false)
            when 'period' then coalesce(read_rows.occurred_at between h.from_time and h.to_time, false)
            else true end)
  and (not exists (select 1 from "guardrails_log_state" where through_id > 0) or not (not exists (select 1
      from "guardrails_log_writers" logged
        where logged.writer = read_rows.writer and logged.sequence >= read_rows.sequence)
      or exists (select 1 from "guardrails_audit_reviews" r
        where r.evidence_id = read_rows.id and not exists (select 1 from "guardrails_log_leaves" leaf
            where leaf.kind = 'review' and leaf.refs[1] = r.id))))),
ended_runs as (
  delete
      from "guardrails_runs" run using selected left join "guardrails_principals" p on p.id = selected.principal_ref
  where run.run_id = selected.run_id and run.principal_digest is not distinct from p.digest),
queued as (
  delete from "guardrails_run_queue" queue using selected where queue.evidence_id = selected.id),
contents as (
  delete from "guardrails_audit_content" c using selected where c.evidence_id = selected.id),
refusals as (
  delete from "guardrails_firewall_rejections" r using selected where r.evidence_id = selected.id),
reviews as (
  delete from "guardrails_audit_reviews" r using selected where r.evidence_id = selected.id returning 1),
output_counts as (
  delete from "guardrails_output_counts" o using selected
  where o.occurred_at = selected.occurred_at and o.evidence_id = selected.id),
ranges as (
  select writer, min(sequence) as first, max(sequence) as last
  from (
    select *, sequence - row_number() over (partition by writer order by sequence) as series from selected) numbered
  group by writer, series),
extended as (
  update "guardrails_removed_ranges" existing
  set last_sequence = ranges.last, run_id = $4
  from ranges where existing.writer = ranges.writer and existing.last_sequence = ranges.first - 1
  returning ranges.writer, ranges.first),
added as (
  insert into "guardrails_removed_ranges" (writer, first_sequence, last_sequence, run_id)
  select writer, first, last, $5 from ranges
  where (writer, first) not in (select writer, first from extended)),
hours as (
  insert into "guardrails_removed_hours" as existing (hour, removed)
  select to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24'), count(*) from selected group by 1
  on conflict (hour) do update set removed = existing.removed + excluded.removed),
touched as (
  delete from "guardrails_audit_evidence" e using selected where e.id = selected.id returning 1)
select (select count(*) from touched) as entries, (select count(*) from reviews) as reviews,
count(*) as read, max(id) as last, array(select id from selected) as ids from read_rows;

-- retention.proceed
-- $1 text, $2 bigint, $3 bigint
select id, status in ('executed', 'failed', 'outcome_unknown', 'rejected', 'expired', 'superseded')
    and (not exists (select 1 from "guardrails_log_state" where through_id > 0) or not (not exists (select 1
    from "guardrails_log_leaves" leaf where leaf.kind = 'approval' and leaf.refs[1] = a.id)
    or a.decided_at is not null and not exists (select 1 from "guardrails_log_leaves" leaf
        where leaf.kind = 'approval_decided' and leaf.refs[1] = a.id)
    or exists (select 1 from "guardrails_approval_votes" v
      where v.approval_id = a.id and not exists (select 1 from "guardrails_log_leaves" leaf where leaf.kind = 'vote'
          and leaf.refs[1] = v.id)))) as "isDeletable" from "guardrails_approvals" a
where octet_length(principal_id) <= 2000 and principal_id = $1 and id > $2 and not exists (select 1
    from "guardrails_holds" h where h.released_at is null and case h.kind
    when 'principal' then coalesce(a.principal_id = h.principal_id, false)
    when 'run' then coalesce(a.run_id = h.run_id, false)
    when 'application' then coalesce(a.application = h.application, false)
    when 'entries' then coalesce(exists (select 1 from "guardrails_audit_evidence" step
    where step.approval_id = a.id and step.id between h.first_id and h.last_id), false)
    when 'period' then coalesce((a.created_at between h.from_time and h.to_time
      or exists (select 1 from "guardrails_audit_evidence" step where step.approval_id = a.id
          and step.occurred_at between h.from_time and h.to_time)), false) else true end)
order by id limit $3 for update;

-- retention.proceed
-- $1 bigint[]
delete from "guardrails_approval_votes" where approval_id = any($1::bigint[]);

-- retention.proceed
-- $1 bigint[]
delete from "guardrails_approvals" where id = any($1::bigint[]);

-- retention.proceed
-- $1 bigint[]
update "guardrails_approval_votes" set reason = null where approval_id = any($1::bigint[]);

-- retention.proceed
-- $1 bigint[]
update "guardrails_approvals" set arguments = null, requested_arguments = null, overwritten = '[]',
    arguments_digest = '', dedup_key = null, pending_slot = null,
encrypted_token = null, warnings = '[]', risk = '[]', headline = null, claims = '[]', principal_id = null,
    reason = null, edit_reason = null, resolved_reason = null, result = null,
error = null where id = any($1::bigint[]);

-- retention.proceed
-- $1 text
with locked as materialized (
  select budget from "guardrails_budgets" where owner = $1 order by budget for update),
gone as (delete from "guardrails_budgets" where budget in (select budget from locked) returning budget),
single as (delete from "guardrails_budget_reservations" where budget in (select budget from gone))
delete from "guardrails_budget_hours" where budget in (select budget from gone);

-- retention.proceed
-- $1 text, $2 bigint, $3 bigint
select position from "guardrails_outbox" o
where payload::jsonb ->> 'principal_id' = $1 and position > $2 and not exists (select 1 from "guardrails_holds" h
    where h.released_at is null and case h.kind
    when 'principal' then coalesce(o.payload::jsonb ->> 'principal_id' = h.principal_id, false)
    when 'run' then coalesce(o.payload::jsonb ->> 'run_id' = h.run_id, false)
    when 'application' then coalesce(o.payload::jsonb ->> 'application' = h.application, false)
    when 'entries' then coalesce(o.audit_id between h.first_id and h.last_id, false)
    when 'period' then coalesce(o.occurred_at between h.from_time and h.to_time, false) else true end)
order by position limit $3;

-- retention.proceed
select max(position) as newest from "guardrails_outbox";

-- retention.proceed
-- $1 text
select set_config('lock_timeout', $1, true);

-- retention.proceed
-- $1 bytea, $2 bigint, $3 bigint
with read_rows as materialized (
  select id, occurred_at, principal_ref, run_id, application, writer, sequence
  from "guardrails_audit_evidence" e where e.principal_ref = (select id from "guardrails_principals"
      where digest = $1) and e.id > $2 order by id limit $3),
selected as materialized (
  select * from read_rows where true and not exists (select 1 from "guardrails_holds" h where h.released_at is null
      and case h.kind when 'principal' then coalesce(read_rows.principal_ref = (select principal.id
      from "guardrails_principals" principal
        where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
            when 'run' then coalesce(read_rows.run_id = h.run_id, false)
            when 'application' then coalesce(read_rows.application = h.application, false)
            when 'entries' then coalesce(read_rows.id between h.first_id and h.last_id, false)
            when 'period' then coalesce(read_rows.occurred_at between h.from_time and h.to_time, false)
            else true end)
),
ended_runs as (
  delete
      from "guardrails_runs" run using selected left join "guardrails_principals" p on p.id = selected.principal_ref
  where run.run_id = selected.run_id and run.principal_digest is not distinct from p.digest),
queued as (
  delete from "guardrails_run_queue" queue using selected where queue.evidence_id = selected.id),
notes as (
  update "guardrails_audit_reviews" r set note = null
  from selected where r.evidence_id = selected.id and r.note is not null),
reviews as (select where false),
touched as (
  update "guardrails_audit_content" c
  set storage = 'erased', prompt = '', matched_text = null, alteration = null, policy = null, salt = null,
  matched_span_start = null, matched_span_end = null
  from selected where c.evidence_id = selected.id and c.storage <> 'erased'
  returning 1)
select (select count(*) from touched) as entries, (select count(*) from reviews) as reviews,
count(*) as read, max(id) as last, array(select id from selected) as ids from read_rows;

-- retention.proceed
-- $1 bytea
delete from "guardrails_runs" where principal_digest = $1;

-- retention.proceed
-- $1 bytea
with deleted as (delete from "guardrails_principals" where digest = $1 returning name),
released as (
  update "guardrails_holds" set principal_id = null
  where principal_id in (select name from deleted) and released_at is not null)
select count(*) as count from deleted;

-- retention.proceed
-- $1 text
update "guardrails_holds" set principal_id = null where principal_id = $1 and released_at is not null;

-- retention.proceed
-- $1 bigint
select 1 from "guardrails_holds"
where released_at >= (select started_at from "guardrails_retention_runs" where id = $1) limit 1;

-- retention.proceed
-- $1 timestamp with time zone, $2 bigint
delete from "guardrails_firewall_rejections" where evidence_id in (
  select evidence_id from "guardrails_firewall_rejections" r where occurred_at < $1 and not exists (select 1
      from "guardrails_audit_evidence" held_row where held_row.id = r.evidence_id
    and not (not exists (select 1 from "guardrails_holds" h where h.released_at is null and case h.kind
        when 'principal' then coalesce(held_row.principal_ref = (select principal.id
        from "guardrails_principals" principal
            where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
                when 'run' then coalesce(held_row.run_id = h.run_id, false)
                when 'application' then coalesce(held_row.application = h.application, false)
                when 'entries' then coalesce(held_row.id between h.first_id and h.last_id, false)
                when 'period' then coalesce(held_row.occurred_at between h.from_time and h.to_time, false)
                else true end))) limit $2);

-- retention.proceed
-- $1 text
select (select max(max_id) from "guardrails_audit_id_ranges" where unit = 'hour' and time <= $1) as last,
(select anonymized_through from "guardrails_retention_lock"
  where holds_released = (select count(*) from "guardrails_holds"
      where released_at is not null)) as "anonymizedThrough";

-- retention.proceed
-- $1 bigint, $2 bigint, $3 bigint, $4 timestamp with time zone
with read_rows as materialized (
  select id, occurred_at, principal_ref, run_id, application, writer, sequence
  from "guardrails_audit_evidence" e where e.id > $1 and e.id <= $2 order by id limit $3),
selected as materialized (
  select * from read_rows where occurred_at < $4::timestamptz and not exists (select 1 from "guardrails_holds" h
      where h.released_at is null and case h.kind
      when 'principal' then coalesce(read_rows.principal_ref = (select principal.id
      from "guardrails_principals" principal
        where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
            when 'run' then coalesce(read_rows.run_id = h.run_id, false)
            when 'application' then coalesce(read_rows.application = h.application, false)
            when 'entries' then coalesce(read_rows.id between h.first_id and h.last_id, false)
            when 'period' then coalesce(read_rows.occurred_at between h.from_time and h.to_time, false)
            else true end)
),
ended_runs as (
  delete
      from "guardrails_runs" run using selected left join "guardrails_principals" p on p.id = selected.principal_ref
  where run.run_id = selected.run_id and run.principal_digest is not distinct from p.digest),
queued as (
  delete from "guardrails_run_queue" queue using selected where queue.evidence_id = selected.id),
notes as (
  update "guardrails_audit_reviews" r set note = null
  from selected where r.evidence_id = selected.id and r.note is not null),
reviews as (select where false),
touched as (
  update "guardrails_audit_content" c
  set storage = 'erased', prompt = '', matched_text = null, alteration = null, policy = null, salt = null,
  matched_span_start = null, matched_span_end = null
  from selected where c.evidence_id = selected.id and c.storage <> 'erased'
  returning 1)
select (select count(*) from touched) as entries, (select count(*) from reviews) as reviews,
count(*) as read, max(id) as last, array(select id from selected) as ids from read_rows;

-- retention.proceed
-- $1 text, $2 bigint
update "guardrails_retention_lock" set anonymized_through = greatest(anonymized_through, coalesce(
    (select min(min_id) - 1 from "guardrails_audit_id_ranges" where unit = 'hour' and time >= $1),
    (select max(max_id) from "guardrails_audit_id_ranges" where unit = 'hour'), 0)),
holds_released = (select count(*) from "guardrails_holds"
  where released_at < (select started_at from "guardrails_retention_runs" where id = $2));

-- retention.proceed
-- $1 bigint, $2 bigint
delete from "guardrails_budget_reservations" where (reference, budget) in (
  select reference, budget from "guardrails_budget_reservations"
      where reserved_at < date_trunc('milliseconds', clock_timestamp()) + $1::bigint * interval '1 millisecond'
      limit $2
  for update skip locked);

-- retention.proceed
-- $1 bigint, $2 bigint
delete from "guardrails_budget_hours" where (budget, hour) in (
  select budget, hour from "guardrails_budget_hours" where hour < floor(extract(epoch
      from date_trunc('milliseconds', clock_timestamp()) + $1::bigint * interval '1 millisecond') / 3600)::bigint
      limit $2 for update skip locked);

-- retention.proceed
-- $1 bigint
select b.budget from "guardrails_budgets" b where not exists (select 1 from "guardrails_budget_reservations" r
    where r.budget = b.budget)
and not exists (select 1 from "guardrails_budget_hours" h where h.budget = b.budget)
    limit $1 for update of b skip locked;

-- retention.proceed
-- $1 timestamp with time zone, $2 bigint, $3 bigint
select id, status in ('executed', 'failed', 'outcome_unknown', 'rejected', 'expired', 'superseded')
    and (not exists (select 1 from "guardrails_log_state" where through_id > 0) or not (not exists (select 1
    from "guardrails_log_leaves" leaf where leaf.kind = 'approval' and leaf.refs[1] = a.id)
    or a.decided_at is not null and not exists (select 1 from "guardrails_log_leaves" leaf
        where leaf.kind = 'approval_decided' and leaf.refs[1] = a.id)
    or exists (select 1 from "guardrails_approval_votes" v
      where v.approval_id = a.id and not exists (select 1 from "guardrails_log_leaves" leaf where leaf.kind = 'vote'
          and leaf.refs[1] = v.id)))) as "isDeletable" from "guardrails_approvals" a
where created_at < $1 and status in ('executed', 'failed', 'outcome_unknown', 'rejected', 'expired', 'superseded')
    and arguments is not null and id > $2 and not exists (select 1 from "guardrails_holds" h
    where h.released_at is null and case h.kind
    when 'principal' then coalesce(a.principal_id = h.principal_id, false)
    when 'run' then coalesce(a.run_id = h.run_id, false)
    when 'application' then coalesce(a.application = h.application, false)
    when 'entries' then coalesce(exists (select 1 from "guardrails_audit_evidence" step
    where step.approval_id = a.id and step.id between h.first_id and h.last_id), false)
    when 'period' then coalesce((a.created_at between h.from_time and h.to_time
      or exists (select 1 from "guardrails_audit_evidence" step where step.approval_id = a.id
          and step.occurred_at between h.from_time and h.to_time)), false) else true end)
order by id limit $3 for update;

-- retention.proceed
-- $1 timestamp with time zone, $2 bigint, $3 bigint
select position from "guardrails_outbox" o
where occurred_at < $1 and position > $2 and not exists (select 1 from "guardrails_holds" h
    where h.released_at is null and case h.kind
    when 'principal' then coalesce(o.payload::jsonb ->> 'principal_id' = h.principal_id, false)
    when 'run' then coalesce(o.payload::jsonb ->> 'run_id' = h.run_id, false)
    when 'application' then coalesce(o.payload::jsonb ->> 'application' = h.application, false)
    when 'entries' then coalesce(o.audit_id between h.first_id and h.last_id, false)
    when 'period' then coalesce(o.occurred_at between h.from_time and h.to_time, false) else true end)
order by position limit $3;

-- retention.proceed
-- $1 text, $2 timestamp with time zone, $3 bigint, $4 bigint
select id, (select e.id from "guardrails_audit_evidence" e where e.principal_ref = "guardrails_principals".id
    and e.id >= (select coalesce(min(min_id), 0) from "guardrails_audit_id_ranges"
    where unit = 'hour' and time >= $1)
  and (e.occurred_at >= $2 or not (not exists (select 1 from "guardrails_holds" h where h.released_at is null
      and case h.kind when 'principal' then coalesce(e.principal_ref = (select principal.id
      from "guardrails_principals" principal
            where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
                when 'run' then coalesce(e.run_id = h.run_id, false)
                when 'application' then coalesce(e.application = h.application, false)
                when 'entries' then coalesce(e.id between h.first_id and h.last_id, false)
                when 'period' then coalesce(e.occurred_at between h.from_time and h.to_time, false) else true end)))
                limit 1) is null
and not (exists (select 1 from "guardrails_holds" where released_at is null)
  and exists (select 1 from "guardrails_audit_evidence" e
    where e.principal_ref = "guardrails_principals".id and not (not exists (select 1 from "guardrails_holds" h
        where h.released_at is null and case h.kind
        when 'principal' then coalesce(e.principal_ref = (select principal.id from "guardrails_principals" principal
            where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
                when 'run' then coalesce(e.run_id = h.run_id, false)
                when 'application' then coalesce(e.application = h.application, false)
                when 'entries' then coalesce(e.id between h.first_id and h.last_id, false)
                when 'period' then coalesce(e.occurred_at between h.from_time and h.to_time, false)
                else true end))))
and not exists (
  select 1 from "guardrails_holds" h where h.released_at is null
      and h.principal_id = "guardrails_principals".name) as "isUnused"
from "guardrails_principals" where id > $3 order by id limit $4;

-- retention.proceed
-- $1 timestamp with time zone, $2 bigint
delete from "guardrails_output_counts" where id in (
  select id from "guardrails_output_counts" r where occurred_at < $1 and not exists (select 1
      from "guardrails_audit_evidence" held_row where held_row.id = r.evidence_id
    and not (not exists (select 1 from "guardrails_holds" h where h.released_at is null and case h.kind
        when 'principal' then coalesce(held_row.principal_ref = (select principal.id
        from "guardrails_principals" principal
            where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
                when 'run' then coalesce(held_row.run_id = h.run_id, false)
                when 'application' then coalesce(held_row.application = h.application, false)
                when 'entries' then coalesce(held_row.id between h.first_id and h.last_id, false)
                when 'period' then coalesce(held_row.occurred_at between h.from_time and h.to_time, false)
                else true end))) limit $2);

-- retention.proceed
-- $1 bigint, $2 bigint, $3 bigint, $4 timestamp with time zone, $5 bigint, $6 bigint
with read_rows as materialized (
  select id, occurred_at, principal_ref, run_id, application, writer, sequence
  from "guardrails_audit_evidence" e where e.id > $1 and e.id <= $2 order by id limit $3),
selected as materialized (
  select * from read_rows where occurred_at < $4::timestamptz and not exists (select 1 from "guardrails_holds" h
      where h.released_at is null and case h.kind
      when 'principal' then coalesce(read_rows.principal_ref = (select principal.id
      from "guardrails_principals" principal
        where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
            when 'run' then coalesce(read_rows.run_id = h.run_id, false)
            when 'application' then coalesce(read_rows.application = h.application, false)
            when 'entries' then coalesce(read_rows.id between h.first_id and h.last_id, false)
            when 'period' then coalesce(read_rows.occurred_at between h.from_time and h.to_time, false)
            else true end)
  and (not exists (select 1 from "guardrails_log_state" where through_id > 0) or not (not exists (select 1
      from "guardrails_log_writers" logged
        where logged.writer = read_rows.writer and logged.sequence >= read_rows.sequence)
      or exists (select 1 from "guardrails_audit_reviews" r
        where r.evidence_id = read_rows.id and not exists (select 1 from "guardrails_log_leaves" leaf
            where leaf.kind = 'review' and leaf.refs[1] = r.id))))),
ended_runs as (
  delete
      from "guardrails_runs" run using selected left join "guardrails_principals" p on p.id = selected.principal_ref
  where run.run_id = selected.run_id and run.principal_digest is not distinct from p.digest),
queued as (
  delete from "guardrails_run_queue" queue using selected where queue.evidence_id = selected.id),
contents as (
  delete from "guardrails_audit_content" c using selected where c.evidence_id = selected.id),
refusals as (
  delete from "guardrails_firewall_rejections" r using selected where r.evidence_id = selected.id),
reviews as (
  delete from "guardrails_audit_reviews" r using selected where r.evidence_id = selected.id returning 1),
output_counts as (
  delete from "guardrails_output_counts" o using selected
  where o.occurred_at = selected.occurred_at and o.evidence_id = selected.id),
ranges as (
  select writer, min(sequence) as first, max(sequence) as last
  from (
    select *, sequence - row_number() over (partition by writer order by sequence) as series from selected) numbered
  group by writer, series),
extended as (
  update "guardrails_removed_ranges" existing
  set last_sequence = ranges.last, run_id = $5
  from ranges where existing.writer = ranges.writer and existing.last_sequence = ranges.first - 1
  returning ranges.writer, ranges.first),
added as (
  insert into "guardrails_removed_ranges" (writer, first_sequence, last_sequence, run_id)
  select writer, first, last, $6 from ranges
  where (writer, first) not in (select writer, first from extended)),
hours as (
  insert into "guardrails_removed_hours" as existing (hour, removed)
  select to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24'), count(*) from selected group by 1
  on conflict (hour) do update set removed = existing.removed + excluded.removed),
touched as (
  delete from "guardrails_audit_evidence" e using selected where e.id = selected.id returning 1)
select (select count(*) from touched) as entries, (select count(*) from reviews) as reviews,
count(*) as read, max(id) as last, array(select id from selected) as ids from read_rows;

-- retention.proceed
-- $1 timestamp with time zone, $2 bigint, $3 bigint
select id, status in ('executed', 'failed', 'outcome_unknown', 'rejected', 'expired', 'superseded')
    and (not exists (select 1 from "guardrails_log_state" where through_id > 0) or not (not exists (select 1
    from "guardrails_log_leaves" leaf where leaf.kind = 'approval' and leaf.refs[1] = a.id)
    or a.decided_at is not null and not exists (select 1 from "guardrails_log_leaves" leaf
        where leaf.kind = 'approval_decided' and leaf.refs[1] = a.id)
    or exists (select 1 from "guardrails_approval_votes" v
      where v.approval_id = a.id and not exists (select 1 from "guardrails_log_leaves" leaf where leaf.kind = 'vote'
          and leaf.refs[1] = v.id)))) as "isDeletable" from "guardrails_approvals" a
where created_at < $1 and status in ('executed', 'failed', 'outcome_unknown', 'rejected', 'expired', 'superseded')
    and true and id > $2 and not exists (select 1 from "guardrails_holds" h where h.released_at is null
    and case h.kind when 'principal' then coalesce(a.principal_id = h.principal_id, false)
    when 'run' then coalesce(a.run_id = h.run_id, false)
    when 'application' then coalesce(a.application = h.application, false)
    when 'entries' then coalesce(exists (select 1 from "guardrails_audit_evidence" step
    where step.approval_id = a.id and step.id between h.first_id and h.last_id), false)
    when 'period' then coalesce((a.created_at between h.from_time and h.to_time
      or exists (select 1 from "guardrails_audit_evidence" step where step.approval_id = a.id
          and step.occurred_at between h.from_time and h.to_time)), false) else true end)
order by id limit $3 for update;

-- retention.proceed
-- $1 bigint, $2 bigint, $3 bigint, $4 bigint, $5 bigint
with read_rows as materialized (
  select id, occurred_at, principal_ref, run_id, application, writer, sequence
  from "guardrails_audit_evidence" e where e.id = $1 and e.id > $2 order by id limit $3),
selected as materialized (
  select * from read_rows where true and not exists (select 1 from "guardrails_holds" h where h.released_at is null
      and case h.kind when 'principal' then coalesce(read_rows.principal_ref = (select principal.id
      from "guardrails_principals" principal
        where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
            when 'run' then coalesce(read_rows.run_id = h.run_id, false)
            when 'application' then coalesce(read_rows.application = h.application, false)
            when 'entries' then coalesce(read_rows.id between h.first_id and h.last_id, false)
            when 'period' then coalesce(read_rows.occurred_at between h.from_time and h.to_time, false)
            else true end)
  and (not exists (select 1 from "guardrails_log_state" where through_id > 0) or not (not exists (select 1
      from "guardrails_log_writers" logged
        where logged.writer = read_rows.writer and logged.sequence >= read_rows.sequence)
      or exists (select 1 from "guardrails_audit_reviews" r
        where r.evidence_id = read_rows.id and not exists (select 1 from "guardrails_log_leaves" leaf
            where leaf.kind = 'review' and leaf.refs[1] = r.id))))),
ended_runs as (
  delete
      from "guardrails_runs" run using selected left join "guardrails_principals" p on p.id = selected.principal_ref
  where run.run_id = selected.run_id and run.principal_digest is not distinct from p.digest),
queued as (
  delete from "guardrails_run_queue" queue using selected where queue.evidence_id = selected.id),
contents as (
  delete from "guardrails_audit_content" c using selected where c.evidence_id = selected.id),
refusals as (
  delete from "guardrails_firewall_rejections" r using selected where r.evidence_id = selected.id),
reviews as (
  delete from "guardrails_audit_reviews" r using selected where r.evidence_id = selected.id returning 1),
output_counts as (
  delete from "guardrails_output_counts" o using selected
  where o.occurred_at = selected.occurred_at and o.evidence_id = selected.id),
ranges as (
  select writer, min(sequence) as first, max(sequence) as last
  from (
    select *, sequence - row_number() over (partition by writer order by sequence) as series from selected) numbered
  group by writer, series),
extended as (
  update "guardrails_removed_ranges" existing
  set last_sequence = ranges.last, run_id = $4
  from ranges where existing.writer = ranges.writer and existing.last_sequence = ranges.first - 1
  returning ranges.writer, ranges.first),
added as (
  insert into "guardrails_removed_ranges" (writer, first_sequence, last_sequence, run_id)
  select writer, first, last, $5 from ranges
  where (writer, first) not in (select writer, first from extended)),
hours as (
  insert into "guardrails_removed_hours" as existing (hour, removed)
  select to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24'), count(*) from selected group by 1
  on conflict (hour) do update set removed = existing.removed + excluded.removed),
touched as (
  delete from "guardrails_audit_evidence" e using selected where e.id = selected.id returning 1)
select (select count(*) from touched) as entries, (select count(*) from reviews) as reviews,
count(*) as read, max(id) as last, array(select id from selected) as ids from read_rows;

-- retention.markPublished
-- $1 bigint
update "guardrails_retention_runs" set notified_at = date_trunc('milliseconds', clock_timestamp())
where id = $1 and finished_at is not null and notified_at is null;

-- retention.runs
-- $1 bigint
select id, actor_id as "actorId", strategy, scope, counts, held_by as "heldBy", started_at as "startedAt",
    finished_at as "finishedAt",
state, lease from "guardrails_retention_runs" order by id desc limit $1;

-- retention.unpublished
-- $1 bigint
select id, actor_id as "actorId", strategy, scope, counts, held_by as "heldBy", started_at as "startedAt",
    finished_at as "finishedAt",
state, lease from "guardrails_retention_runs"
where finished_at is not null and notified_at is null order by id limit $1;

-- counts.fold
-- $1 bigint, $2 bigint
with folding as (select from "guardrails_count_state" for update skip locked),
moved as (
  delete from "guardrails_audit_new_counts" where ctid = any(array(
      select ctid from "guardrails_audit_new_counts" where exists (select from folding)
      and time < to_char(clock_timestamp() at time zone 'UTC' - $1::bigint * interval '1 millisecond',
        'YYYY-MM-DD"T"HH24:MI')
      order by time limit $2 for update skip locked))
  returning *),
grouped as (
  select unit, substr(time, 1, length) as time, control, rule_id, application, ruleset_version,
  case grouping(rule_id, application, ruleset_version)
  when 6 then 'total' when 5 then 'application' when 3 then 'rule' else 'pair' end as kind,
  sum(allowed) as allowed, sum(observed) as observed, sum(blocked) as blocked,
  max(last_seen_at) as last_seen_at
  from moved cross join (values ('minute', 16), ('hour', 13), ('day', 10)) units (unit, length)
  group by unit, substr(time, 1, length), control,
  grouping sets ((ruleset_version), (rule_id), (application), (rule_id, application))),
counted as (
  select *, substring(sha256(convert_to(
        json_build_array(control, rule_id, application, ruleset_version)::text, 'UTF8'))
            from 1 for 16) as group_hash
  from grouped),
into_minutes as (
  insert into "guardrails_audit_fine_counts" as existing (unit, time, kind, group_hash, control, rule_id,
      application, ruleset_version, allowed, observed, blocked, last_seen_at)
  select unit, time, kind, group_hash, control, rule_id, application, ruleset_version, allowed, observed, blocked,
      last_seen_at from counted where unit = 'minute' and kind in ('total', 'pair')
  on conflict (unit, kind, time, group_hash) do update set allowed = existing.allowed + excluded.allowed,
  observed = existing.observed + excluded.observed,
  blocked = existing.blocked + excluded.blocked,
  last_seen_at = greatest(existing.last_seen_at, excluded.last_seen_at)),
into_hours as (
  insert into "guardrails_audit_hourly" as existing (hour, kind, group_hash, control, rule_id, application,
      ruleset_version, allowed, observed, blocked, last_seen_at)
  select time, kind, group_hash, control, rule_id, application, ruleset_version, allowed, observed, blocked,
      last_seen_at from counted where unit = 'hour'
  on conflict (kind, hour, group_hash) do update set allowed = existing.allowed + excluded.allowed,
  observed = existing.observed + excluded.observed,
  blocked = existing.blocked + excluded.blocked,
  last_seen_at = greatest(existing.last_seen_at, excluded.last_seen_at)),
into_days as (
  insert into "guardrails_audit_daily" as existing (day, kind, group_hash, control, rule_id, application,
      ruleset_version, allowed, observed, blocked, last_seen_at)
  select time, kind, group_hash, control, rule_id, application, ruleset_version, allowed, observed, blocked,
      last_seen_at from counted where unit = 'day'
  on conflict (kind, day, group_hash) do update set allowed = existing.allowed + excluded.allowed,
  observed = existing.observed + excluded.observed,
  blocked = existing.blocked + excluded.blocked,
  last_seen_at = greatest(existing.last_seen_at, excluded.last_seen_at))
select count(*) as moved from moved;

-- maintenance.verify
select sum(allowed + observed + blocked) as number from "guardrails_audit_daily" where kind = 'total';

-- maintenance.verify
-- $1 bigint, $2 bigint
select max(id) as last from (select id from "guardrails_audit_evidence" where id > $1 order by id limit $2) page;

-- maintenance.verify
select w.writer, w.sequence, coalesce(e.reached, 0) as reached
from "guardrails_audit_writers" w
left join (select writer, max(sequence) as reached
    from "guardrails_audit_evidence" group by writer) e using (writer)
where w.sequence > coalesce(e.reached, 0) order by w.last_id;

-- maintenance.verify
-- $1 uuid, $2 bigint, $3 bigint
select first_sequence as first, last_sequence as last
from "guardrails_removed_ranges"
where writer = $1 and first_sequence > $2 and last_sequence < $3
order by first_sequence;

-- maintenance.verify
-- $1 bigint
select r.evidence_id as id, e.id is null as "hasNoEvidence"
from "guardrails_firewall_rejections" r left join "guardrails_audit_evidence" e on e.id = r.evidence_id
where e.id is null
or (r.tool, r.application, r.principal_ref, r.occurred_at, r.enforced)
is distinct from (e.tool, e.application, e.principal_ref, e.occurred_at, e.outcome = 'blocked')
order by 1 limit $1;

-- maintenance.verify
select
(select count(*) from "guardrails_audit_evidence" e where e.control = 'tool_firewall' and e.outcome <> 'allowed'
  and not exists (select 1 from "guardrails_firewall_rejections" r where r.evidence_id = e.id)) as missing,
(select coalesce(sum((counts::jsonb ->> 'rejections')::bigint), 0) from "guardrails_retention_runs") as removed;

-- maintenance.verify
select s.key, s.value, latest.new_value as latest,
exists (select 1 from "guardrails_setting_changes" part where starts_with(part.key, s.key || '.')) as "hasParts"
from "guardrails_settings" s left join lateral (
  select c.new_value from "guardrails_setting_changes" c where c.key = s.key order by c.id desc
      limit 1) latest on true
order by s.key;

-- maintenance.verify
-- $1 text
select distinct key from "guardrails_setting_changes" c where starts_with(key, $1)
and not exists (select 1 from "guardrails_settings" s where s.key = c.key) order by key;

-- maintenance.verify
-- $1 bigint
SELECT "guardrails_approvals"."id" AS "guardrails_approvals_id",
    "guardrails_approvals"."reference" AS "guardrails_approvals_reference",
    "guardrails_approvals"."token_hash" AS "guardrails_approvals_token_hash",
    "guardrails_approvals"."call_mac" AS "guardrails_approvals_call_mac",
    "guardrails_approvals"."audit_id" AS "guardrails_approvals_audit_id",
    "guardrails_approvals"."status" AS "guardrails_approvals_status",
    "guardrails_approvals"."run_id" AS "guardrails_approvals_run_id",
    "guardrails_approvals"."step_name" AS "guardrails_approvals_step_name",
    "guardrails_approvals"."tool" AS "guardrails_approvals_tool",
    "guardrails_approvals"."tool_fingerprint" AS "guardrails_approvals_tool_fingerprint",
    "guardrails_approvals"."arguments" AS "guardrails_approvals_arguments",
    "guardrails_approvals"."arguments_digest" AS "guardrails_approvals_arguments_digest",
    "guardrails_approvals"."requested_arguments" AS "guardrails_approvals_requested_arguments",
    "guardrails_approvals"."overwritten" AS "guardrails_approvals_overwritten",
    "guardrails_approvals"."reversible" AS "guardrails_approvals_reversible",
    "guardrails_approvals"."idempotent" AS "guardrails_approvals_idempotent",
    "guardrails_approvals"."warnings" AS "guardrails_approvals_warnings",
    "guardrails_approvals"."risk" AS "guardrails_approvals_risk",
    "guardrails_approvals"."headline" AS "guardrails_approvals_headline",
    "guardrails_approvals"."principal_id" AS "guardrails_approvals_principal_id",
    "guardrails_approvals"."application" AS "guardrails_approvals_application",
    "guardrails_approvals"."request_id" AS "guardrails_approvals_request_id",
    "guardrails_approvals"."trace_parent" AS "guardrails_approvals_trace_parent",
    "guardrails_approvals"."policy_revision" AS "guardrails_approvals_policy_revision",
    "guardrails_approvals"."requirement" AS "guardrails_approvals_requirement",
    "guardrails_approvals"."created_at" AS "guardrails_approvals_created_at",
    "guardrails_approvals"."expires_at" AS "guardrails_approvals_expires_at",
    "guardrails_approvals"."decision" AS "guardrails_approvals_decision",
    "guardrails_approvals"."decided_by" AS "guardrails_approvals_decided_by",
    "guardrails_approvals"."decided_at" AS "guardrails_approvals_decided_at",
    "guardrails_approvals"."reason" AS "guardrails_approvals_reason",
    "guardrails_approvals"."decision_mac" AS "guardrails_approvals_decision_mac",
    "guardrails_approvals"."supersedes" AS "guardrails_approvals_supersedes",
    "guardrails_approvals"."superseded_by" AS "guardrails_approvals_superseded_by",
    "guardrails_approvals"."first_id" AS "guardrails_approvals_first_id",
    "guardrails_approvals"."editors" AS "guardrails_approvals_editors",
    "guardrails_approvals"."edit_reason" AS "guardrails_approvals_edit_reason",
    "guardrails_approvals"."vote_count" AS "guardrails_approvals_vote_count",
    "guardrails_approvals"."fence" AS "guardrails_approvals_fence",
    "guardrails_approvals"."lease_until" AS "guardrails_approvals_lease_until",
    "guardrails_approvals"."finished_at" AS "guardrails_approvals_finished_at",
    "guardrails_approvals"."resolved_by" AS "guardrails_approvals_resolved_by",
    "guardrails_approvals"."resolved_at" AS "guardrails_approvals_resolved_at",
    "guardrails_approvals"."resolved_reason" AS "guardrails_approvals_resolved_reason",
    "guardrails_approvals"."claims" AS "guardrails_approvals_claims",
    "guardrails_approvals"."notify_attempts" AS "guardrails_approvals_notify_attempts",
    "guardrails_approvals"."result" AS "guardrails_approvals_result",
    "guardrails_approvals"."error" AS "guardrails_approvals_error"
FROM "guardrails_approvals" "guardrails_approvals"
WHERE (("guardrails_approvals"."id" > $1))
ORDER BY "guardrails_approvals"."id" ASC
LIMIT 200;

-- maintenance.verify
-- $1 bigint
with steps as (
  select approval_id, count(*) filter (where approval_step = 'voted') as voted,
  bool_or(approval_step in ('parked', 'proposed')) as requested,
  (array_agg(approval_step::text order by id desc)
    filter (where approval_step not in ('voted', 'reminded', 'escalated')))[1] as latest
  from "guardrails_audit_evidence" where approval_id is not null group by approval_id),
compared as (
  select a.id, a.status, latest, coalesce(requested, false) as "isRequested", vote_count as "voteCount",
  coalesce(case a.status
    when 'pending' then latest not in ('parked', 'proposed')
    when 'executing' then latest <> 'approved'
    else latest <> a.status end, true) as "isStatusOther",
  (select count(*) from "guardrails_approval_votes" v where v.approval_id = a.id) as votes,
  coalesce(voted, 0) + case when vote_count > 0 and latest not in ('parked', 'proposed', 'rejected', 'expired')
  and decision = 'approved' then 1 else 0 end as recorded
  from "guardrails_approvals" a left join steps on steps.approval_id = a.id)
select * from compared
where "isStatusOther" or not "isRequested" or votes <> "voteCount" or votes <> recorded
order by id limit $1;

-- maintenance.verify
select coalesce(sum((counts::jsonb ->> 'entries')::bigint), 0) as "all",
coalesce(sum((counts::jsonb ->> 'entries')::bigint) filter (where scope::jsonb ->> 'kind' = 'entry'), 0) as single
from "guardrails_retention_runs" where strategy = 'purge';

-- maintenance.verify
select e.approval_id as id, false as "isErased" from "guardrails_audit_evidence" e
where e.approval_id is not null and not exists (select 1 from "guardrails_approvals" a where a.id = e.approval_id)
group by 1
union all
select id, true from "guardrails_approvals" where arguments is null
order by 1;

-- maintenance.verify
select coalesce(sum((counts::jsonb ->> 'approvals')::bigint), 0) as handled from "guardrails_retention_runs";

-- maintenance.verify
-- $1 bigint
select id, approval_id as "approvalId" from "guardrails_approval_votes" v
where not exists (select 1 from "guardrails_approvals" a where a.id = v.approval_id) order by id limit $1;

-- maintenance.verify
-- $1 text
select sum((counts::jsonb ->> 'entries')::bigint) as number from "guardrails_retention_runs" where strategy = $1;

-- maintenance.verify
select sum(last_sequence - first_sequence + 1) as number from "guardrails_removed_ranges";

-- maintenance.verify
select sum(removed) as number from "guardrails_removed_hours";

-- maintenance.verify
select size, through_id as "throughId", seal from "guardrails_log_state";

-- maintenance.verify
select size, root, note from "guardrails_log_checkpoints" order by size;

-- maintenance.verify
-- $1 bigint, $2 bigint, $3 bigint
select index, kind, refs, times, hashes from "guardrails_log_leaves"
where index >= $1 and index < $2 + (select min(index) from "guardrails_log_leaves" where index >= $3)
order by index;

-- maintenance.verify
-- $1 bigint[]
select r."id", r."actor_id", r."key", r."old_value", r."new_value", r."request_id", r."occurred_at"
    from "guardrails_setting_changes" r where r.id = any($1::bigint[]);

-- maintenance.verify
-- $1 bigint[]
select r."id", r."kind", r."run_id", r."application", r."first_id", r."last_id", r."from_time", r."to_time",
    r."reason", r."set_by", r."set_at" from "guardrails_holds" r where r.id = any($1::bigint[]);

-- maintenance.verify
-- $1 bigint[]
select r."id", r."released_by", r."released_at" from "guardrails_holds" r where r.id = any($1::bigint[]);

-- maintenance.verify
-- $1 bigint[]
select r."id", r."evidence_id", r."verdict", r."rule_id", r."actor_id", r."request_id", r."reviewed_at"
    from "guardrails_audit_reviews" r where r.id = any($1::bigint[]);

-- maintenance.verify
-- $1 bigint[]
select id, occurred_at as time, row_hash as hash from "guardrails_audit_evidence" where id = any($1::bigint[]);

-- maintenance.verify
-- $1 bigint[]
select r."id", r."reference", r."tool", r."tool_fingerprint", r."step_name", r."call_mac", r."created_at"
    from "guardrails_approvals" r where r.id = any($1::bigint[]);

-- maintenance.verify
-- $1 bigint[]
select r."id", r."decision", r."decided_by", r."decided_at", r."decision_mac" from "guardrails_approvals" r
    where r.id = any($1::bigint[]);

-- maintenance.verify
-- $1 bigint[]
select r."id", r."approval_id", r."actor_id", r."voted_at", r."vote_mac" from "guardrails_approval_votes" r
    where r.id = any($1::bigint[]);

-- maintenance.verify
-- $1 bigint[]
select r."id", r."actor_id", r."strategy", r."scope", r."counts", r."held_by", r."started_at", r."finished_at"
    from "guardrails_retention_runs" r where r.id = any($1::bigint[]);

-- maintenance.verify
-- $1 bigint, $2 bigint
select e.id from "guardrails_audit_evidence" e
left join "guardrails_log_writers" l on l.writer = e.writer
left join (select unnest(refs) as id from "guardrails_log_leaves" where kind = 'evidence') leaf on leaf.id = e.id
where e.id <= $1 and leaf.id is null
and not (e.sequence > coalesce(l.sequence, 0)
  and exists (select 1 from "guardrails_audit_writers" w where w.writer = e.writer and w.sequence >= e.sequence))
order by e.id limit $2;

-- maintenance.verify
select counts from "guardrails_retention_runs" where strategy = 'purge';

-- maintenance.verify
declare event cursor for select event_id, name, subject, severity, payload, sinks, mac,
occurred_at >= (select min(occurred_at) + interval '1 hour' from "guardrails_outbox"
    where mac is not null) as "needsMac"
from "guardrails_outbox";

-- maintenance.verify
fetch 2000 from event;

-- maintenance.verify
declare reservation cursor for select reference, budget, amount::text,
to_char(reserved_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as time, mac, reserved_at >=
(select min(reserved_at) + interval '1 hour' from "guardrails_budget_reservations"
    where mac is not null) as "needsMac"
from "guardrails_budget_reservations";

-- maintenance.verify
fetch 2000 from reservation;

-- maintenance.verify
declare settings cursor for select change.id, array(select entry from (
    select "key" || ' ' || value collate "C" as entry from "guardrails_settings") entries order by entry), mac,
occurred_at >= (select min(occurred_at) + interval '1 hour' from "guardrails_outbox"
    where mac is not null) as "needsMac"
from "guardrails_settings_revision" left join (
  select id, occurred_at from "guardrails_setting_changes" order by id desc limit 1) change on true
where mac is not null or change.id is not null;

-- maintenance.verify
fetch 2000 from settings;

-- maintenance.verify
declare minimum_days cursor for select minimum_days, mac, "needsMac" from "guardrails_retention_lock" cross join (
  select exists (select 1 from "guardrails_outbox" where mac is not null)
  or exists (select 1 from "guardrails_settings_revision" where mac is not null) as "needsMac") others
where minimum_days > 0 or mac is not null or "needsMac";

-- maintenance.verify
fetch 2000 from minimum_days;

-- maintenance.verify
-- $1 bigint
select message from (
  select format('audit_id_ranges: the %s %s (UTC) has the ids %s to %s, but its entries have %s to %s.',
    unit, time, coalesce(min_id::text, 'none'), coalesce(max_id::text, 'none'), first, last) as message
  from (
    select unit, substr(time, 1, size) as time, min(first) as first, max(last) as last
    from (select to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI') as time, min(id) as first,
        max(id) as last from "guardrails_audit_evidence" group by 1) rows
    join (values ('day', 10), ('hour', 13), ('minute', 16)) units (unit, size) on unit <> 'day'
    group by 1, 2) found
  left join "guardrails_audit_id_ranges" ranges using (unit, time)
  where min_id is null or first < min_id or last > max_id) differing order by message limit $1;

-- maintenance.verify
-- $1 bigint
select message from (
  select format('%s: %s counts of the %s %s (UTC) differ from the rows, such as %s.', source, count(*), unit,
      each.time,
    min(format('%s %s: counted %s, found %s%s', kind, name, counted, found,
        ', and ' || removed || ' entries were deleted by retention'))) as message
  from (
    select *, sum(counted - found) over (partition by source, unit, time, kind) as extra
    from (
      select source, unit, time, kind, name, sum(counted)::bigint as counted, sum(found)::bigint as found
      from (
        select case unit when 'day' then 'audit_daily' when 'hour' then 'audit_hourly'
            else 'audit_fine_counts' end as source, unit, substr(time, 1, size) as time,
        case grouping(rule_id, application, ruleset_version)
        when 6 then 'total' when 5 then 'application' when 3 then 'rule' else 'pair' end as kind,
        json_build_array(control, outcome, rule_id, application, ruleset_version)::text as name,
            sum(counted) as counted, sum(found) as found
        from (
          select time, control, rule_id, application, ruleset_version, outcome, n as counted, 0 as found
          from "guardrails_audit_new_counts" cross join lateral
          (values ('allowed', allowed), ('observed', observed), ('blocked', blocked)) each (outcome, n) where n <> 0
          union all
          select to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI'), control, coalesce(rule_id, ''),
              coalesce(application, ''), ruleset_version, outcome,
          0, count(*)
          from "guardrails_audit_evidence" group by 1, 2, 3, 4, 5, 6) single
        cross join (values ('day', 10), ('hour', 13), ('minute', 16)) units (unit, size)
        group by unit, size, substr(time, 1, size), control, outcome,
        grouping sets ((ruleset_version), (rule_id), (application), (rule_id, application))
        having size <= 13 or grouping(rule_id, application, ruleset_version) in (6, 1)
        union all
        select case unit when 'day' then 'audit_daily' when 'hour' then 'audit_hourly' else 'audit_fine_counts' end,
            unit, time, kind, json_build_array(control, outcome, rule_id, application, ruleset_version)::text, n, 0
        from (
          select 'day' as unit, day as time, * from "guardrails_audit_daily"
          union all select 'hour', hour, * from "guardrails_audit_hourly"
          union all
              select unit, time, time, kind, group_hash, control, rule_id, application, ruleset_version, allowed,
          observed, blocked, last_seen_at from "guardrails_audit_fine_counts") moved cross join lateral
        (values ('allowed', allowed), ('observed', observed), ('blocked', blocked)) each (outcome, n)
            where n <> 0) both_sides
      group by 1, 2, 3, 4, 5) named) each
  left join (
    select hour as time, removed from "guardrails_removed_hours"
    union all select substr(hour, 1, 10), sum(removed) from "guardrails_removed_hours" group by 1) gone
  on gone.time = substr(each.time, 1, case unit when 'day' then 10 else 13 end)
  where counted < found or (counted <> found or extra = 0) and case
  when source in ('audit_hourly', 'audit_daily') then extra <> coalesce(removed, 0)
  else extra <> 0 and removed is null end
  group by source, unit, each.time) differing order by message limit $1;

-- maintenance.verify
-- $1 bigint
select message from (
  select format('%s: %s counts of the %s %s (UTC) differ from the rows, such as %s.', source, count(*), unit,
      each.time,
    min(format('%s %s: counted %s, found %s%s', kind, name, counted, found,
        ', and ' || removed || ' entries were deleted by retention'))) as message
  from (
    select *, sum(counted - found) over (partition by source, unit, time, kind) as extra
    from (
      select source, unit, time, kind, name, sum(counted)::bigint as counted, sum(found)::bigint as found
      from (
        select 'output_sums' as source, unit, time, kind, json_build_array(detector, enforced)::text as name,
        count as counted, 0 as found
        from "guardrails_output_sums"
        union all
        select 'output_sums', unit, substr(time, 1, size), kind, json_build_array(detector, enforced)::text, 0,
            count
        from (
          select to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI') as time, kind, detector, enforced,
              sum(count) as count
          from "guardrails_output_counts" group by 1, 2, 3, 4) single
        cross join (values ('day', 10), ('hour', 13), ('minute', 16)) units (unit, size)) both_sides
      group by 1, 2, 3, 4, 5) named) each
  left join (
    select hour as time, removed from "guardrails_removed_hours"
    union all select substr(hour, 1, 10), sum(removed) from "guardrails_removed_hours" group by 1) gone
  on gone.time = substr(each.time, 1, case unit when 'day' then 10 else 13 end)
  where counted < found or (counted <> found or extra = 0) and case
  when source in ('audit_hourly', 'audit_daily') then extra <> coalesce(removed, 0)
  else extra <> 0 and removed is null end
  group by source, unit, each.time) differing order by message limit $1;

-- maintenance.verify
-- $1 bigint, $2 bigint
select message from (
  select format('budget_hours: budget %s has the sum %s in the hour %s, but its reservations add up to %s.', budget,
    coalesce(counted, 0), to_char(to_timestamp(hour * 3600) at time zone 'UTC', 'YYYY-MM-DD"T"HH24'),
    coalesce(found, 0)) as message
  from (select budget, hour, amount as counted from "guardrails_budget_hours") sums
  full join (
    select budget, floor(extract(epoch from reserved_at) / 3600)::bigint as hour, sum(amount) as found
        from "guardrails_budget_reservations" group by 1, 2) rows
  using (budget, hour)
  where hour > floor(extract(epoch
      from date_trunc('milliseconds', clock_timestamp()) + $1::bigint * interval '1 millisecond') / 3600)::bigint
      and coalesce(counted, 0) <> coalesce(found, 0)) differing order by message limit $2;

-- maintenance.verify
-- $1 bigint
select message from (
  select format('principals: the digest of principal %s is not that of the name.', id) as message
  from "guardrails_principals" where digest <> sha256(convert_to(name, 'UTF8'))
  union all
  select format('audit_reviews: review %s of entry %s does not name the rule of the entry, or the entry is missing.',
    r.id, r.evidence_id)
  from "guardrails_audit_reviews" r left join "guardrails_audit_evidence" e on e.id = r.evidence_id
  where e.id is null or r.rule_id is distinct from e.rule_id
  union all
  select format('retention_lock: the texts up to entry %s are recorded as erased, but that of entry %s is not.',
    anonymized_through, min(evidence_id))
  from "guardrails_retention_lock" join "guardrails_audit_content" c on evidence_id <= anonymized_through
  where holds_released = (select count(*) from "guardrails_holds" where released_at is not null)
  and storage <> 'erased' and not exists (select 1 from "guardrails_audit_evidence" held_row
      where held_row.id = c.evidence_id
    and not (not exists (select 1 from "guardrails_holds" h where h.released_at is null and case h.kind
        when 'principal' then coalesce(held_row.principal_ref = (select principal.id
        from "guardrails_principals" principal
            where principal.digest = sha256(convert_to(h.principal_id, 'UTF8'))), false)
                when 'run' then coalesce(held_row.run_id = h.run_id, false)
                when 'application' then coalesce(held_row.application = h.application, false)
                when 'entries' then coalesce(held_row.id between h.first_id and h.last_id, false)
                when 'period' then coalesce(held_row.occurred_at between h.from_time and h.to_time, false)
                else true end)))
  group by anonymized_through) differing order by message limit $1;

-- maintenance.verify
-- $1 bigint, $2 bigint
select message from (
  with operations as (
    select 'setting_change' as kind, id, occurred_at as time from "guardrails_setting_changes"
    union all select 'hold', id, set_at from "guardrails_holds"
    union all select 'review', id, reviewed_at from "guardrails_audit_reviews")
  select format('The %s %s of %s has no leaf in the log, although later ones have one.', kind, id, time) as message
  from operations
  where time < date_trunc('milliseconds', clock_timestamp()) + $1::bigint * interval '1 millisecond'
  and id < (select max(refs[1]) from "guardrails_log_leaves" leaf where leaf.kind = operations.kind)
  and not exists (select 1 from "guardrails_log_leaves" leaf where leaf.kind = operations.kind and refs[1] = id)
  union all
  select 'The log is missing, or has neither a keyed digest nor a checkpoint, although an instance kept one: it was removed.'
  || ' After a rotation of the secret, start an instance, which seals it, and verify again.'
  from "guardrails_log_state"
  where seal = '' and not exists (select 1 from "guardrails_log_checkpoints") and exists (
    select 1 from operations
    where time < (select max(occurred_at) from "guardrails_audit_evidence") - interval '1 minute' and (
      time > (select min(occurred_at) from "guardrails_outbox" where mac is not null)
      or kind = 'setting_change' and id = (select max(id) from "guardrails_setting_changes")
      and exists (select 1 from "guardrails_settings_revision" where mac is not null)))) differing order by message
          limit $2;

-- maintenance.verify
-- $1 bigint
select message from (
  select format('%s: %s counts of the %s %s (UTC) differ from the rows, such as %s.', source, count(*), unit,
      each.time,
    min(format('%s %s: counted %s, found %s%s', kind, name, counted, found,
        ', and ' || removed || ' entries were deleted by retention'))) as message
  from (
    select *, sum(counted - found) over (partition by source, unit, time, kind) as extra
    from (
      select source, unit, time, kind, name, sum(counted)::bigint as counted, sum(found)::bigint as found
      from (
        select 'rule_hits' as source, unit, time, kind, rule_id as name, n as counted, 0 as found
        from "guardrails_rule_hits" cross join lateral (values ('hits', hits), ('silenced', silenced)) each (kind,
            n)
        union all
        select 'rule_hits', unit, substr(time, 1, size), kind, rule, 0, count(distinct id)
        from (
          select id, to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI') as time,
              matched ->> 'ruleId' as rule,
          case when matched ->> 'exception' = 'true' then 'silenced' else 'hits' end as kind
          from "guardrails_audit_evidence" cross join jsonb_array_elements(matched_rules::jsonb) matched
          where control = 'input_screen' and matched_rules <> '[]'
          and matched ->> 'notJudged' is distinct from 'true') matches
        join (values ('day', 10), ('hour', 13), ('minute', 16)) units (unit, size) on unit <> 'day'
        group by 2, 3, 4, 5) both_sides
      group by 1, 2, 3, 4, 5) named) each
  left join (
    select hour as time, removed from "guardrails_removed_hours"
    union all select substr(hour, 1, 10), sum(removed) from "guardrails_removed_hours" group by 1) gone
  on gone.time = substr(each.time, 1, case unit when 'day' then 10 else 13 end)
  where counted < found or (counted <> found or extra = 0) and case
  when source in ('audit_hourly', 'audit_daily') then extra <> coalesce(removed, 0)
  else extra <> 0 and removed is null end
  group by source, unit, each.time) differing order by message limit $1;

-- maintenance.verify
-- $1 bigint
select message from (
  select format('output_counts: the counts of entry %s differ from its findings.', id) as message
  from (
    select id, kind, detector, sum(counted) as counted, sum(found) as found
    from (
      select evidence_id as id, kind, detector, count as counted, 0 as found from "guardrails_output_counts"
      union all
      select id, finding ->> 'kind', finding ->> 'detector', 0, 1
      from "guardrails_audit_evidence" cross join jsonb_array_elements(findings::jsonb) finding
      where control = 'output_handler') single
    group by 1, 2, 3) each
  left join "guardrails_audit_evidence" e using (id)
  group by id, finding_count
  having bool_or(counted < found or found = 0) or sum(counted) is distinct from finding_count) differing
      order by message limit $1;

-- maintenance.inspect
select current_setting('server_version') as version,
current_setting('server_version_num')::integer as "versionNumber",
current_setting('server_encoding') as encoding,
pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "readOnly",
current_user::text as role,
(select rolsuper from pg_roles where rolname = current_user) as superuser,
extract(epoch from clock_timestamp()) * 1000 as milliseconds;

-- maintenance.inspect
-- $1 name[], $2 name
select table_name || '.' || column_name as "column" from information_schema.columns
where table_name = any($1)
and (table_schema = $2 or ($2::text is null and table_schema = any(current_schemas(false))));

-- maintenance.inspect
select name from "guardrails_migrations";

-- maintenance.inspect
-- $1 name, $2 name
select format('%I.%I', table_schema, table_name) as place from information_schema.columns
where table_name = $1 and column_name = 'name'
and (table_schema = $2 or table_schema = any(current_schemas(false)));

-- maintenance.inspect
-- $1 name[], $2 name, $3 text[]
select c.relname as name,
pg_has_role(c.relowner, 'USAGE') as owned,
array(select p from unnest($3::text[]) p where case when p in ('DELETE', 'TRUNCATE')
  then has_table_privilege(c.oid, p) else has_any_column_privilege(c.oid, p) end) as held,
array(
  select statement from (values ('DELETE', 8), ('UPDATE', 16), ('TRUNCATE', 32)) guarded (statement, bit)
  where exists (
    select 1 from pg_trigger t
    where t.tgrelid = c.oid and not t.tgisinternal and t.tgenabled in ('O', 'A')
    and t.tgtype & 2 = 2 and t.tgtype & guarded.bit = guarded.bit)) as guarded
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind = 'r' and c.relname = any($1)
and (n.nspname = $2 or ($2::text is null and n.nspname = any(current_schemas(false))));
