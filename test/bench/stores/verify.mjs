import { hash } from 'node:crypto';
import { DEFAULT_SETTINGS } from 'nest-guardrails/contracts';
import { createEngine } from 'nest-guardrails/engine';
import { Maintenance, typeormStores } from 'nest-guardrails/typeorm';
import { Client } from 'pg';
import { brokenCommitments } from '../../../dist/libs/engine/src/record/commitments.js';
import { brokenSeals } from '../../../dist/libs/engine/src/controls/approvals/approval-keys.js';
import { median, ratioOf, timesInTurn } from '../measure.mjs';
import { figure, sized, thousands } from './figures.mjs';

const CALLERS = 512;
const PAGE = 2_000;
const EXTENDED_AT_ONCE = 5_000;

/** Verification, compared with reading the same rows in order and hashing each: without and with a transparency log. */
export async function verify(server, { rows, rounds }) {
  const url = await server.database('verify');
  const stores = typeormStores({ url, migrate: true });
  await stores.open();
  const maintenance = new Maintenance({ url });
  await maintenance.open();
  const client = new Client(url);
  await client.connect();
  try {
    await recordDecisions(stores, rows);
    await client.query('vacuum (analyze)');
    const check = () => verifyWhole(maintenance, rows);
    const read = () => readAndHash(client, rows);
    const plain = await figureOf('without a transparency log', { rows, rounds }, check, read);
    while (await stores.log.extend(EXTENDED_AT_ONCE));
    await client.query('vacuum (analyze)');
    return [plain, await figureOf('with a transparency log', { rows, rounds }, check, read)];
  } finally {
    await client.end();
    await maintenance.close();
    await stores.close();
  }
}

async function figureOf(circumstance, { rows, rounds }, check, read) {
  const [checking, reading] = await timesInTurn(rounds, [check, read]);
  const rate = (times) => thousands((rows / median(times)) * 1000);
  return figure({
    name: `verify of ${sized(rows)} rows, ${circumstance}`,
    floor: 'a sequential read of the same rows with a SHA-256 each',
    value: ratioOf(reading, checking),
    unit: '×',
    atLeast: 0.3,
    detail: `${rate(checking)} against ${rate(reading)} rows/s`,
  });
}

/** By the engine, because the commitments have to match the texts. */
async function recordDecisions(stores, rows) {
  const engine = createEngine({ stores, configured: DEFAULT_SETTINGS });
  await engine.start();
  let number = 0;
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (number < rows)
        await engine.guardrails.screen(`Where is order A-${number++}? It has not arrived yet.`, {
          principalId: `customer-${number % 1_000}`,
          application: 'shop',
        });
    }),
  );
  await engine.stop();
}

async function verifyWhole(maintenance, rows) {
  const checks = { brokenCommitments, brokenSeals: brokenSeals(null) };
  const report = await maintenance.verify(checks, () => undefined);
  if (report.entries !== rows || report.findings.length > 0)
    throw new Error(`Of ${rows} rows ${report.entries} were verified: ${report.findings[0]?.message}`);
}

async function readAndHash(client, rows) {
  let read = 0;
  for (let last = 0; ;) {
    const { rows: page } = await client.query({
      name: 'page',
      text: `select e.*, c.storage, c.prompt, c.matched_text, c.policy, c.salt
        from guardrails_audit_evidence e join guardrails_audit_content c on c.evidence_id = e.id
        where e.id > $1 order by e.id limit ${PAGE}`,
      values: [last],
    });
    for (const row of page) hash('sha256', JSON.stringify(row));
    read += page.length;
    if (page.length < PAGE) break;
    last = page.at(-1).id;
  }
  if (read !== rows) throw new Error(`Read ${read} rows of ${rows}.`);
}
