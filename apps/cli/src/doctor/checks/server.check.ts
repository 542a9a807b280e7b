import type { ServerFacts } from '../../../../../libs/stores/typeorm/src/index.js';
import { findingsOf, type Finding } from '../finding.js';

const { ok, error } = findingsOf('server');

const OLDEST = 14;

export function checkServer(server: ServerFacts): readonly Finding[] {
  const findings: Finding[] = [];
  if (server.versionNumber < OLDEST * 10_000)
    findings.push(error(`PostgreSQL ${server.version} is too old.`, `Use PostgreSQL ${OLDEST} or later.`));
  if (server.encoding !== 'UTF8')
    findings.push(
      error(
        `The database is encoded in ${server.encoding}, which cannot hold every text.`,
        "Create one with encoding 'UTF8' and move the tables there.",
      ),
    );
  if (server.readOnly)
    findings.push(error('This server takes no writes: it is a standby, or read-only.', 'Name the primary.'));
  return findings.length > 0
    ? findings
    : [ok(`PostgreSQL ${server.version} in ${server.encoding} takes writes.`)];
}
