import type { TableKey } from './tables.js';

/** Quoted and qualified names of tables, as text: the triggers of the tables use the same conditions as the statements. */
type Names = Readonly<Record<Extract<TableKey, 'holds' | 'principals' | 'evidence'>, string>>;

/** Conditions that the hold `h` covers a row. They are never null, and a hold of an unknown kind covers every row. */
export interface HeldRows {
  evidence(alias: string): string;
  approval(alias: string): string;
  event(alias: string): string;
}

export function coveredBy({ principals, evidence }: Names): HeldRows {
  const stepOf = (alias: string, condition: string) =>
    `exists (select 1 from ${evidence} step where step.approval_id = ${alias}.id and ${condition})`;
  return {
    evidence: (e) =>
      byKind({
        principal: `${e}.principal_ref = (select principal.id from ${principals} principal
          where principal.digest = sha256(convert_to(h.principal_id, 'UTF8')))`,
        run: `${e}.run_id = h.run_id`,
        application: `${e}.application = h.application`,
        entries: `${e}.id between h.first_id and h.last_id`,
        period: `${e}.occurred_at between h.from_time and h.to_time`,
      }),
    /** A hold on the entry of a step also covers the approval. */
    approval: (a) =>
      byKind({
        principal: `${a}.principal_id = h.principal_id`,
        run: `${a}.run_id = h.run_id`,
        application: `${a}.application = h.application`,
        entries: stepOf(a, 'step.id between h.first_id and h.last_id'),
        period: `(${a}.created_at between h.from_time and h.to_time
          or ${stepOf(a, 'step.occurred_at between h.from_time and h.to_time')})`,
      }),
    event: (o) =>
      byKind({
        principal: `${o}.payload::jsonb ->> 'principal_id' = h.principal_id`,
        run: `${o}.payload::jsonb ->> 'run_id' = h.run_id`,
        application: `${o}.payload::jsonb ->> 'application' = h.application`,
        entries: `${o}.audit_id between h.first_id and h.last_id`,
        period: `${o}.occurred_at between h.from_time and h.to_time`,
      }),
  };
}

function byKind(conditions: Readonly<Record<string, string>>) {
  const cases = Object.entries(conditions).map(
    ([kind, condition]) => `when '${kind}' then coalesce(${condition}, false)`,
  );
  return `case h.kind ${cases.join(' ')} else true end`;
}

/** Conditions that any active hold covers a row. */
export function heldRows(names: Names): HeldRows {
  const covered = coveredBy(names);
  const isHeld = (covers: string) =>
    `exists (select 1 from ${names.holds} h where h.released_at is null and ${covers})`;
  return {
    evidence: (alias) => isHeld(covered.evidence(alias)),
    approval: (alias) => isHeld(covered.approval(alias)),
    event: (alias) => isHeld(covered.event(alias)),
  };
}
