import { describe, expect } from '@jest/globals';
import type { RunDetailData, RunListData } from '#contracts/audit/runs.api.js';
import { decision } from '#stores/contract/builders.js';
import { expectError } from '../support/envelope.js';
import type { Bench } from '../support/hosts.js';
import { keep, query, refund, unique, INJECTION, type QueryParameters } from './material.js';
import { wireValues } from './parameters.js';

export function describeRuns(bench: Bench): void {
  const { it, itOnEachStore } = bench;

  const list = (parameters: QueryParameters): Promise<RunListData> =>
    bench.read<RunListData>(`/runs${query(parameters)}`);

  describe('GET /runs', () => {
    itOnEachStore('shows what a run said and did as one row, and its entries in their order', async () => {
      const run = { principalId: 'customer-42', application: unique('shop'), runId: unique('run') };
      bench.clock.set('2031-02-03T04:05:06.789Z');
      const { guardrails } = bench.host;
      await guardrails.screen(INJECTION, run);
      const guarded = guardrails.guardTool(refund, run);
      await guarded.execute({ order: 'A-1182', amount: 'much' });
      const { runs, next_cursor, as_of } = await list({ run_id: run.runId });
      expect(runs).toEqual([
        {
          id: expect.any(Number),
          run_id: run.runId,
          application: run.application,
          principal_id: 'customer-42',
          said: INJECTION,
          outcome: 'blocked',
          controls: { tool_firewall: 'blocked', input_screen: 'blocked', output_handler: null, hitl: null },
          label: 'clean',
          entries: 2,
          started_at: '2031-02-03T04:05:06.789Z',
          last_at: '2031-02-03T04:05:06.789Z',
        },
      ]);
      expect(next_cursor).toBeNull();
      expect(as_of).toMatch(/Z$/);
      const detail = await bench.read<RunDetailData>(`/runs/${runs[0]?.id}`);
      expect(detail.run).toEqual(runs[0]);
      expect(detail.entries).toMatchObject([
        { id: runs[0]?.id, control: 'input_screen', prompt_preview: INJECTION },
        { control: 'tool_firewall', tool: 'refund', outcome: 'blocked' },
      ]);
    });

    itOnEachStore('shows the newest 200 entries of a longer run, and the number of all', async () => {
      const runId = unique('run');
      await keep(
        bench,
        Array.from({ length: 201 }, (_, index) => decision({ runId, prompt: `step ${index}` })),
      );
      const [run] = (await list({ run_id: runId })).runs;
      const { entries } = await bench.read<RunDetailData>(`/runs/${run?.id}`);
      expect([run?.said, run?.entries, entries.length]).toEqual(['step 0', 201, 200]);
      expect([entries[0]?.prompt_preview, entries.at(-1)?.prompt_preview]).toEqual(['step 1', 'step 200']);
    });

    itOnEachStore('finds names that are hostile or too long for an index', async () => {
      const application = unique('shop');
      const names = [`%_' or 1=1 -- ${application}`, `${'é'.repeat(400)}${application}`];
      await keep(
        bench,
        names.map((runId) => decision({ application, runId, principalId: runId })),
      );
      for (const name of names)
        for (const filter of ['run_id', 'principal_id'])
          expect((await list({ [filter]: name, application })).runs).toMatchObject([{ run_id: name }]);
    });

    it.each([...wireValues('0 -1 abc 1.0 %FF 9007199254740993'), '999999999'])(
      'GET /runs/%s answers 404',
      async (id) => {
        expectError(await bench.api.get(`/runs/${id}`), 404, 'run-detail', 'not_found');
      },
    );
  });
}
