import type { Inspection, TableFacts } from '../../../../../libs/stores/typeorm/src/index.js';
import { findingsOf, type Finding } from '../finding.js';

const { ok, warning, error } = findingsOf('rights');

const OWN_ROLE =
  'Let the application connect as a role of its own that does not own the tables: nest-guardrails grants prints the script.';

/** What the connected role may do. Asked with the application's own address, it tells how well the record is protected from it. */
export function checkRights({ server, tables }: Inspection): readonly Finding[] {
  const { role } = server;
  const lacking = tables.filter(({ lacks }) => lacks.length > 0);
  const findings = lacking.map(({ name, lacks }) =>
    error(
      `${role} may not ${lacks.join(', ')} on ${name}.`,
      `grant ${lacks.join(', ')} on ${name} to ${role};`,
    ),
  );
  if (server.superuser) {
    findings.push(warning(`${role} is a superuser: no grant or trigger holds it back.`, OWN_ROLE));
  } else if (tables.some(({ owned }) => owned)) {
    findings.push(warning(`${role} owns the tables, and could switch their triggers off.`, OWN_ROLE));
  } else findings.push(...excesses(role, tables));
  return findings.length > 0 ? findings : [ok(`${role} may do what the stores need, and no more.`)];
}

function excesses(role: string, tables: readonly TableFacts[]): readonly Finding[] {
  return tables
    .filter(({ exceeds }) => exceeds.length > 0)
    .map(({ name, exceeds }) =>
      warning(
        `${role} may ${exceeds.join(', ')} on ${name}, which is only ever added to.`,
        `revoke ${exceeds.join(', ')} on ${name} from ${role};`,
      ),
    );
}
