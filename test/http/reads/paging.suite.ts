import { describe, expect } from '@jest/globals';
import { approvalEvidence, decision, newApproval, refusal, settingsPlan } from '#stores/contract/builders.js';
import type { Bench } from '../support/hosts.js';
import { unique } from './material.js';

/** A page of any list. Its rows have one of these names. */
interface AnyPage {
  readonly entries?: readonly { readonly id: number }[];
  readonly runs?: readonly { readonly id: number }[];
  readonly pending?: readonly { readonly approval_id: number }[];
  readonly changes?: readonly { readonly id: number }[];
  readonly next_cursor: number | null;
  readonly partial?: true;
}

interface PagedList {
  readonly name: string;
  readonly path: string;
  readonly add: (bench: Bench) => Promise<unknown>;
}

const application = unique('shop');
const key = unique('setting');

function idsOf({ entries, runs, pending, changes }: AnyPage): readonly number[] {
  return (
    pending?.map(({ approval_id }) => approval_id) ?? (entries ?? runs ?? changes ?? []).map(({ id }) => id)
  );
}

const LISTS: readonly PagedList[] = [
  {
    name: '/audit',
    path: `/audit?application=${application}`,
    add: ({ stores }) => stores.audit.append(decision({ application })),
  },
  {
    name: '/audit of every control',
    path: `/audit?control=all&application=${application}`,
    add: ({ stores }) => stores.audit.append(decision({ application, control: 'hitl' })),
  },
  {
    name: '/audit with q, among rows that do not match',
    path: `/audit?q=needle&application=${application}`,
    add: async ({ stores }) => {
      await stores.audit.append(decision({ application, prompt: 'hay' }));
      await stores.audit.append(decision({ application, prompt: 'a NEEDLE in hay' }));
    },
  },
  {
    name: '/runs',
    path: `/runs?application=${application}`,
    add: async ({ stores }) => {
      const runId = unique('run');
      await stores.audit.append(decision({ application, runId }));
      await stores.audit.append(decision({ application, runId }));
    },
  },
  {
    name: '/firewall',
    path: `/firewall?application=${application}`,
    add: ({ stores }) => stores.audit.append(refusal({ application })),
  },
  {
    name: '/approvals',
    path: '/approvals?',
    add: ({ stores }) => stores.approvals.park(newApproval(), approvalEvidence, 20),
  },
  {
    name: '/settings/changes',
    path: `/settings/changes?key=${key}`,
    add: ({ stores }) =>
      stores.settings.apply(({ values }) =>
        settingsPlan({ overrides: {}, changes: [{ key, before: values.size, after: null }] }),
      ),
  },
];

export function describePaging(bench: Bench): void {
  const { it, itOnEachStore } = bench;

  describe('contract 3.7: paging', () => {
    itOnEachStore.each(LISTS)(
      '$name shows every row exactly once while newer ones are added',
      async ({ path, add }) => {
        for (let index = 0; index < 17; index++) await add(bench);
        const all = idsOf(await bench.read<AnyPage>(`${path}&limit=200`));
        expect(all.length).toBeGreaterThanOrEqual(17);
        expect(all).toEqual(all.toSorted((one, other) => other - one));

        const seen: number[] = [];
        let cursor: number | null = null;
        do {
          const page: AnyPage = await bench.read(
            `${path}&limit=5${cursor === null ? '' : `&cursor=${cursor}`}`,
          );
          const ids = idsOf(page);
          seen.push(...ids);
          expect(page.partial).toBeUndefined();
          if (page.next_cursor !== null) {
            expect(ids).toHaveLength(5);
            expect(page.next_cursor).toBe(ids.at(-1));
          }
          cursor = page.next_cursor;
          await add(bench);
        } while (cursor !== null);
        expect(seen).toEqual(all);
      },
    );

    itOnEachStore.each(LISTS)('$name shows only newer rows after an id', async ({ path, add }) => {
      await add(bench);
      const [newest = 0] = idsOf(await bench.read<AnyPage>(`${path}&limit=1`));
      expect(idsOf(await bench.read<AnyPage>(`${path}&after=${newest}`))).toEqual([]);
      for (let index = 0; index < 3; index++) await add(bench);
      const page = await bench.read<AnyPage>(`${path}&limit=2&after=${newest}`);
      expect([idsOf(page).length, page.next_cursor]).toEqual([2, idsOf(page).at(-1)]);
      const all = await bench.read<AnyPage>(`${path}&after=${newest}`);
      expect(idsOf(all)).toEqual(idsOf(await bench.read<AnyPage>(`${path}&limit=3`)));
      expect(all.next_cursor).toBeNull();
    });

    it.each(LISTS)('$name refuses after together with cursor', async ({ path }) => {
      const answer = await bench.api.get(`${path}&after=1&cursor=2`);
      expect([answer.status, answer.body.data.error.fields]).toEqual([
        422,
        { after: ['must not be combined with cursor'] },
      ]);
    });
  });
}
