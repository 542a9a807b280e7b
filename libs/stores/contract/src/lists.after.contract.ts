import assert from 'node:assert/strict';
import type { Page, PageRequest } from '#contracts/common/page.js';
import { command, park } from './approval-helpers.js';
import type { BackendFixture, Runner } from './backend-fixture.js';
import { decision, refusal } from './builders.js';
import { newHold } from './holds.contract.js';
import { write } from './settings-helpers.js';

interface List {
  readonly name: string;
  readonly add: (fixture: BackendFixture, index: number) => Promise<unknown>;
  readonly read: (fixture: BackendFixture, page: PageRequest) => Promise<Page<{ readonly id: number }>>;
}

const LISTS: readonly List[] = [
  {
    name: 'the audit',
    add: ({ backend }) => backend.audit.append(decision()),
    read: ({ backend }, page) => backend.audit.list({ control: 'input_screen' }, page),
  },
  {
    name: 'a search in the audit',
    add: ({ backend }) => backend.audit.append(decision({ prompt: 'a needle' })),
    read: ({ backend }, page) => backend.audit.list({ q: 'needle' }, page),
  },
  {
    name: 'rejections',
    add: ({ backend }) => backend.audit.append(refusal()),
    read: ({ backend }, page) => backend.firewall.list({}, page),
  },
  {
    name: 'pending approvals',
    add: (fixture) => park(fixture),
    read: ({ backend }, page) => backend.approvals.pending(page),
  },
  {
    name: 'decided approvals of an actor',
    add: async (fixture) => {
      const { tokenHash } = await park(fixture);
      await fixture.backend.approvals.decide(tokenHash, command({ actorId: 'ops-1' }));
    },
    read: ({ backend }, page) => backend.approvals.history({ actor: 'ops-1' }, page),
  },
  {
    name: 'holds',
    add: ({ backend }) => backend.holds.set(newHold(), () => []),
    read: ({ backend }, page) => backend.holds.list({}, page),
  },
  {
    name: 'setting changes',
    add: (fixture, index) => write(fixture, { 'retention.days': index + 1 }),
    read: ({ backend }, page) => backend.settings.changes({}, page),
  },
];

/** `after` serves clients that follow a list: they request the rows that are newer than the first one. */
export function listsAfterContract({ describe, it }: Runner, fixture: BackendFixture): void {
  describe('after an id', () => {
    for (const { name, add, read } of LISTS) {
      it(`${name}: returns only newer rows, newest first, and a cursor if there are more`, async () => {
        for (let index = 0; index < 5; index++) await add(fixture, index);
        const { entries } = await read(fixture, { limit: 10 });
        const ids = entries.map(({ id }) => id);
        assert.equal(ids.length, 5);
        const [newest = 0, second = 0, third = 0, fourth = 0] = ids;
        const newer = async (after: number, limit: number): Promise<unknown> => {
          const page = await read(fixture, { after, limit });
          return [page.entries.map(({ id }) => id), page.next_cursor, page.partial ?? false];
        };
        assert.deepEqual(await newer(newest, 10), [[], null, false]);
        assert.deepEqual(await newer(third, 10), [[newest, second], null, false]);
        assert.deepEqual(await newer(third, 2), [[newest, second], null, false]);
        assert.deepEqual(await newer(fourth, 2), [[newest, second], second, false]);
        assert.deepEqual(await newer(newest + 1_000, 2), [[], null, false]);
        const between = await read(fixture, { after: fourth, cursor: newest, limit: 10 });
        assert.deepEqual(
          between.entries.map(({ id }) => id),
          [second, third],
        );
      });
    }
  });
}
