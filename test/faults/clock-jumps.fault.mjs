import assert from 'node:assert/strict';
import { Clock } from 'nest-guardrails/contracts';
import { Load } from './load.mjs';
import { until } from './time-limits.mjs';
import { query } from './fault-environment.mjs';
import { assertRecorded, assertRollupsEqualRows, assertWhole } from './records.mjs';

const HOUR = 3_600_000;

class JumpingClock extends Clock {
  offset = 0;

  now() {
    return new Date(Date.now() + this.offset);
  }
}

export const faults = {
  async 'hours back and forth: nothing throws, every row is listed, every time range is exact'(environment) {
    const url = await environment.database();
    const clock = new JumpingClock();
    const engine = await environment.engine(url, { clock });
    const load = new Load(engine, { callers: 8 });
    for (const hours of [0, -3, 5, -30, 27, 0]) {
      clock.offset = hours * HOUR;
      const before = load.acknowledged.length;
      await until(() => load.acknowledged.length >= before + 200, `two hundred calls at ${hours} hours`);
      await engine.overview.read();
    }
    await load.stop();

    assert.deepEqual(load.refused, []);
    await assertRecorded(url, load.acknowledged);
    await assertWhole(url);
    await assertRollupsEqualRows(url);
    await assertRangesExact(url, engine.stores.audit);
  },
};

/** A list over a time range has exactly its rows, although ids and times are in a different order. */
async function assertRangesExact(url, audit) {
  for (const hours of [-31, -30, -4, -3, -1, 0, 4, 5, 26, 27]) {
    const from = new Date(Date.now() + (hours - 0.5) * HOUR);
    const to = new Date(Date.now() + (hours + 0.5) * HOUR);
    const rows = await query(
      url,
      'select id from guardrails_audit_evidence where occurred_at between $1 and $2 order by id desc',
      [from, to],
    );
    const listed = [];
    let cursor;
    do {
      const page = await audit.list({ from, to }, { limit: 200, ...(cursor && { cursor }) });
      listed.push(...page.entries.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    assert.deepEqual(
      listed,
      rows.map(({ id }) => Number(id)),
      `the hour around ${hours}`,
    );
  }
}
