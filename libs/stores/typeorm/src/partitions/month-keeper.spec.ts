import { describe, expect, it } from '@jest/globals';
import type { Database } from '../database.js';
import { tablesOf } from '../tables.js';
import { MonthKeeper } from './month-keeper.js';

/** Answers what is asked, and keeps it. */
function database(seconds: number) {
  const asked: string[] = [];
  const control = { asked, fails: false };
  const manager = {
    connection: { options: { type: 'postgres' } },
    query: async (statement: string) => {
      asked.push(/guardrails_(\w+)/.exec(statement)?.[1] ?? '');
      if (control.fails) throw new Error('permission denied');
      return [{ seconds }];
    },
  };
  const fake = {
    tables: tablesOf({ tablePrefix: 'guardrails_', schema: undefined }),
    statement: (work: (given: typeof manager) => Promise<unknown>) => work(manager),
  } as unknown as Database;
  return { fake, control };
}

const DAY_MS = 86_400_000;

describe('the keeper of months', () => {
  it('makes months and turns to the one that is, when it opens and when that has ended, and not before', async () => {
    const { fake, control } = database(86_400);
    const keeper = new MonthKeeper(fake);
    await keeper.open();
    expect(control.asked).toEqual(['make_months', 'turn_month']);
    keeper.mind(Date.now() + DAY_MS - 60_000);
    expect(control.asked).toHaveLength(2);
    keeper.mind(Date.now() + DAY_MS + 60_000);
    keeper.mind(Date.now() + DAY_MS + 60_000);
    await keeper.close();
    expect(control.asked).toHaveLength(4);
  });

  it('says loudly what it could not do, asks again a minute later, and lets every append go on', async () => {
    const { fake, control } = database(0);
    const warnings: string[] = [];
    const keeper = new MonthKeeper(fake, (message) => warnings.push(message));
    await keeper.open();
    control.fails = true;
    keeper.mind(Date.now() + 10_000);
    await keeper.settled();
    expect(warnings).toEqual([expect.stringMatching(/could not be made: .*permission denied/)]);
    keeper.mind(Date.now() + 50_000);
    expect(warnings).toHaveLength(1);
    keeper.mind(Date.now() + 70_000);
    await keeper.settled();
    expect(warnings).toHaveLength(2);
  });

  it('does not open where it may not', async () => {
    const { fake, control } = database(0);
    control.fails = true;
    await expect(new MonthKeeper(fake).open()).rejects.toThrow(/permission denied/);
  });
});
