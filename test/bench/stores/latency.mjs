import { DEFAULT_SETTINGS } from 'nest-guardrails/contracts';
import { createEngine } from 'nest-guardrails/engine';
import { typeormStores } from 'nest-guardrails/typeorm';
import { Client } from 'pg';
import { median, ratioOf, timesInTurn } from '../measure.mjs';
import { figure, rounded, thousands } from './figures.mjs';
import { invented } from './ingest.mjs';
import { OneCommit } from './one-commit.mjs';
import { EVIDENCE, evidenceValues } from './plain-rows.mjs';
import { rateOf } from './rates.mjs';

const PROMPT = 'Where is the parcel that I ordered on Monday, and why did no one write to me about it?';

/** Calls before the measured ones, because the first thousands of a process run code that is not compiled yet. */
const WARM_UP = 2_000;

/** A whole screened call (rules, hygiene, durable audit), compared with the insert of one row. */
export async function latency(url, { calls, milliseconds }) {
  const stores = typeormStores({ url });
  await stores.open();
  const engine = createEngine({ stores, configured: DEFAULT_SETTINGS });
  await engine.start();
  const client = new Client(url);
  await client.connect();
  const numbered = evidenceValues(invented(1), 1).map((_, index) => `$${index + 1}`);
  const text = `insert into guardrails_audit_evidence (${EVIDENCE}) values (${numbered.join(', ')})`;
  const least = new OneCommit(client);
  let number = 0;
  const screen = () =>
    engine.guardrails.screen(PROMPT, { principalId: 'customer-42', requestId: `call-${number++}` });
  const insert = () =>
    client.query({ name: 'bare', text, values: evidenceValues(invented(number), number++) });
  const commit = () => least.append(invented(number++));
  try {
    const works = [screen, insert, commit];
    await timesInTurn(WARM_UP, works);
    const [ours, bare, one] = await timesInTurn(calls, works);
    const rate = await rateOf(screen, { callers: 64, milliseconds });
    return [
      figure({
        name: 'added latency of a screened call at 1 caller: screen and durable audit',
        floor: 'one bare INSERT of an entry',
        value: ratioOf(ours, bare),
        unit: '×',
        atMost: 1.3,
        detail: `p50 ${rounded(median(ours))} against ${rounded(median(bare))} ms`,
      }),
      figure({
        name: 'added latency of a screened call at 1 caller, against one commit into the same tables',
        floor:
          'one statement with plain values: evidence, content, ids of the times, number of the writer, count',
        value: ratioOf(ours, one),
        unit: '×',
        atMost: 1.3,
        detail: `p50 ${rounded(median(ours))} against ${rounded(median(one))} ms; such a commit takes ${rounded(ratioOf(one, bare))} × of the bare INSERT`,
      }),
      figure({
        name: 'screened calls a second at 64 callers: rules, hygiene, durable audit',
        value: rate,
        unit: 'calls/s',
        detail: `${thousands(rate)} a second in one process`,
      }),
    ];
  } finally {
    await engine.stop();
    await stores.close();
    await client.end();
  }
}
