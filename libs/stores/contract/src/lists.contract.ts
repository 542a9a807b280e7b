import assert from 'node:assert/strict';
import type { Page, PageRequest } from '#contracts/common/page.js';
import { changed, command, park, parkApproved } from './approval-helpers.js';
import { entriesOf, idsOf, pagesOf, type BackendFixture, type Contract } from './backend-fixture.js';
import { noonPlus, refusal } from './builders.js';
import { newHold } from './holds.contract.js';
import { RUN } from './runs.contract.js';
import { write } from './settings-helpers.js';

interface List {
  readonly name: string;
  readonly add: (fixture: BackendFixture, index: number) => Promise<unknown>;
  readonly read: (fixture: BackendFixture, page: PageRequest) => Promise<Page<{ readonly id: number }>>;
}

const LISTS: readonly List[] = [
  {
    name: 'the audit',
    // Ids decide about the order, and not times.
    add: (fixture, index) => fixture.append({ occurredAt: noonPlus(-index) }, { control: 'hitl' }),
    read: ({ audit }, page) => audit.list({ control: 'input_screen' }, page),
  },
  {
    name: 'a search in the audit',
    add: (fixture) => fixture.append({ prompt: 'a needle' }, { prompt: 'hay' }),
    read: ({ audit }, page) => audit.list({ q: 'needle' }, page),
  },
  {
    name: 'recorded texts',
    add: (fixture) => fixture.append({ application: 'shop' }, {}),
    read: ({ audit }, page) => audit.recordedTexts({ application: 'shop' }, page),
  },
  {
    name: 'decided calls',
    add: (fixture) =>
      fixture.append({ control: 'hitl', origin: 'tool_call' }, { control: 'hitl', origin: 'approval' }),
    read: ({ audit }, page) => audit.decidedCalls({ from: noonPlus(-1), to: noonPlus(1) }, page),
  },
  {
    name: 'rejections',
    add: ({ audit }) => audit.append(refusal()),
    read: ({ firewall }, page) => firewall.list({}, page),
  },
  {
    name: 'runs',
    add: (fixture, index) => fixture.append({ ...RUN, runId: `run-${index}` }, {}),
    async read({ runIndex }, page) {
      const { runs: entries, next_cursor } = await runIndex.list({}, page);
      return { entries, next_cursor };
    },
  },
  {
    name: 'pending approvals',
    add: async (fixture, index) => {
      await park(fixture);
      await park(fixture, { ttlMs: -index });
      await parkApproved(fixture);
    },
    read: ({ approvals }, page) => approvals.pending(page),
  },
  {
    name: 'past approvals',
    add: async (fixture) => {
      await parkApproved(fixture);
      await park(fixture);
    },
    read: ({ approvals }, page) => approvals.history({}, page),
  },
  {
    name: 'stuck approvals',
    add: async (fixture) => {
      await parkApproved(fixture);
      await park(fixture);
    },
    read: ({ approvals }, page) => approvals.stuck('unrun', 0, page),
  },
  {
    name: 'decided approvals of an actor',
    add: async (fixture) => {
      await changed(fixture, await park(fixture), command({ actorId: 'ops-1' }));
    },
    read: ({ approvals }, page) => approvals.history({ actor: 'ops-1' }, page),
  },
  {
    name: 'holds',
    add: ({ holds }) => holds.set(newHold(), () => []),
    read: ({ holds }, page) => holds.list({}, page),
  },
  {
    name: 'setting changes',
    add: (fixture, index) => write(fixture, { 'retention.days': index + 1 }),
    read: ({ settings }, page) => settings.changes({}, page),
  },
];

export const listsContract: Contract = ({ describe, it }, fixture) => {
  for (const { name, add, read } of LISTS) {
    const list = (page: PageRequest) => read(fixture, page);
    const shown = async (page: PageRequest): Promise<readonly unknown[]> => {
      const { entries, next_cursor, partial } = await list(page);
      return [idsOf(entries), next_cursor, partial ?? false];
    };
    const added = async (count: number): Promise<readonly number[]> => {
      for (let index = 0; index < count; index++) await add(fixture, index);
      return idsOf(await entriesOf(list));
    };

    describe(name, () => {
      it('returns full pages, newest first, and no cursor at the end', async () => {
        assert.deepEqual(await shown({ limit: 50 }), [[], null, false]);
        const ids = await added(5);
        assert.equal(ids.length, 5);
        assert.deepEqual(
          ids,
          ids.toSorted((one, other) => other - one),
        );
        for (const [limit, sizes] of [
          [1, [1, 1, 1, 1, 1]],
          [2, [2, 2, 1]],
          [5, [5]],
          [9, [5]],
        ] as const) {
          const pages = await pagesOf(list, limit);
          assert.deepEqual(
            pages.map(({ entries }) => entries.length),
            sizes,
          );
          assert.deepEqual(
            pages.flatMap(({ entries }) => idsOf(entries)),
            ids,
          );
          assert.ok(pages.every(({ partial }) => partial !== true));
        }
        assert.deepEqual((await list({ limit: 2, cursor: ids.at(-1) ?? 0 })).entries, []);
        assert.deepEqual(await shown({ limit: 2 }), [ids.slice(0, 2), ids[1], false]);
      });

      it('returns stable pages while newer rows arrive', async () => {
        const ids = await added(3);
        const { next_cursor: cursor } = await list({ limit: 2 });
        await add(fixture, 3);
        assert.deepEqual(await shown({ limit: 2, cursor: cursor ?? 0 }), [ids.slice(2), null, false]);
      });

      /** For clients that follow a list: they request the rows that are newer than the first one. */
      it('returns only newer rows after an id, and a cursor if there are more', async () => {
        const [newest = 0, second = 0, third = 0, fourth = 0] = await added(5);
        for (const [page, ids, cursor] of [
          [{ after: newest, limit: 10 }, [], null],
          [{ after: third, limit: 10 }, [newest, second], null],
          [{ after: third, limit: 2 }, [newest, second], null],
          [{ after: fourth, limit: 2 }, [newest, second], second],
          [{ after: newest + 1_000, limit: 2 }, [], null],
          [{ after: fourth, cursor: newest, limit: 10 }, [second, third], null],
        ] as const)
          assert.deepEqual(await shown(page), [ids, cursor, false]);
      });
    });
  }
};
