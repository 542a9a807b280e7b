import assert from 'node:assert/strict';
import type { AuditFilter } from '../../../contracts/src/audit.js';
import { decision, noonPlus, type DecisionParts } from './builders.js';
import type { Runner, Stage } from './harness.js';
import { entriesOf, pagesOf } from './reading.js';

export function auditListContract({ describe, it }: Runner, stage: Stage): void {
  const list =
    (filter: AuditFilter) =>
    (page: { cursor?: number; limit: number }): ReturnType<typeof stage.backend.audit.list> =>
      stage.backend.audit.list(filter, page);

  async function append(count: number, parts: DecisionParts = {}): Promise<number[]> {
    const ids: number[] = [];
    for (let index = 0; index < count; index++) ids.push(await stage.backend.audit.append(decision(parts)));
    return ids.toReversed();
  }

  describe('list', () => {
    it('is one empty page at first', async () => {
      assert.deepEqual(await list({})({ limit: 50 }), { entries: [], nextCursor: null, partial: false });
    });

    it('shows an entry with a preview in place of its text, and no more', async () => {
      const shown = {
        control: 'input_screen',
        outcome: 'observed',
        mode: 'monitor',
        origin: 'tool_result',
        ruleId: 'role_override',
        principalId: 'customer-42',
        application: 'support',
        rulesetVersion: 'builtin-fedcba987654',
        promptLength: 999,
        errored: true,
        occurredAt: noonPlus(7),
      } as const;
      const [id] = await append(1, { ...shown, requestId: 'request-1', runId: 'run-1', tool: 'refund' });
      assert.deepEqual((await list({})({ limit: 50 })).entries, [{ id, ...shown, promptPreview: 'hello' }]);
    });

    for (const [rows, limit, sizes] of [
      [7, 3, [3, 3, 1]],
      [6, 3, [3, 3]],
      [3, 3, [3]],
      [2, 3, [2]],
      [3, 1, [1, 1, 1]],
    ] as const) {
      it(`reads ${rows} rows newest first in pages of ${sizes.join(', ')} and ends with null`, async () => {
        const ids = await append(rows);
        const pages = await pagesOf(list({}), limit);
        assert.deepEqual(
          pages.map((page) => page.entries.length),
          sizes,
        );
        assert.deepEqual(
          pages.flatMap((page) => page.entries.map((entry) => entry.id)),
          ids,
        );
        assert.deepEqual(
          pages.map((page) => page.nextCursor),
          pages.map((page, index) => (index === sizes.length - 1 ? null : page.entries.at(-1)?.id)),
        );
        assert.ok(pages.every((page) => !page.partial));
      });
    }

    it('begins with the newest without a cursor, and with one above every id', async () => {
      const ids = await append(3);
      for (const page of [{ limit: 2 }, { limit: 2, cursor: Number.MAX_SAFE_INTEGER }]) {
        assert.deepEqual(
          (await list({})(page)).entries.map((entry) => entry.id),
          ids.slice(0, 2),
        );
      }
    });

    it('has nothing below the lowest id', async () => {
      await append(2);
      assert.deepEqual(await list({})({ limit: 2, cursor: 1 }), {
        entries: [],
        nextCursor: null,
        partial: false,
      });
    });

    it('takes a cursor that names no row of the filter', async () => {
      const [, blocked] = [await append(1), ...(await append(1, { outcome: 'blocked' }))];
      const [allowed] = await append(1);
      const page = await list({ blocked: true })({ limit: 5, cursor: allowed ?? 0 });
      assert.deepEqual(
        page.entries.map((entry) => entry.id),
        [blocked],
      );
    });

    it('does not move a page when newer rows arrive while it is read', async () => {
      const ids = await append(6);
      const first = await list({})({ limit: 3 });
      await append(4);
      const second = await list({})({ limit: 3, cursor: first.nextCursor ?? 0 });
      assert.deepEqual(
        [...first.entries, ...second.entries].map((entry) => entry.id),
        ids,
      );
      assert.equal(second.nextCursor, null);
    });

    it('orders by id, not by the time told', async () => {
      const late = await append(1, { occurredAt: noonPlus(60_000) });
      const early = await append(1, { occurredAt: noonPlus(-60_000) });
      assert.deepEqual(
        (await entriesOf(list({}))).map((entry) => entry.id),
        [...early, ...late],
      );
    });

    it('finds the rare rows of a filter, page by page, between many others', async () => {
      const rare: number[] = [];
      for (let round = 0; round < 4; round++) {
        await append(8);
        rare.unshift(...(await append(1, { principalId: 'customer-42' })));
      }
      const pages = await pagesOf(list({ principalId: 'customer-42' }), 2);
      assert.deepEqual(
        pages.map((page) => page.entries.map((entry) => entry.id)),
        [rare.slice(0, 2), rare.slice(2)],
      );
    });

    for (const [name, prompt, preview] of [
      ['a text of 160 characters whole', 'x'.repeat(160), 'x'.repeat(160)],
      ['160 characters and an ellipsis of a longer text', 'x'.repeat(161), `${'x'.repeat(160)}…`],
      ['160 emoji, whole ones', '😀'.repeat(161), `${'😀'.repeat(160)}…`],
      ['160 emoji without an ellipsis', '😀'.repeat(160), '😀'.repeat(160)],
      ['an empty text', '', ''],
    ] as const) {
      it(`previews ${name}`, async () => {
        await append(1, { prompt });
        assert.equal((await list({})({ limit: 1 })).entries[0]?.promptPreview, preview);
      });
    }

    for (const storage of ['hash', 'erased'] as const) {
      it(`previews nothing under ${storage}`, async () => {
        await append(1, { storage, prompt: storage === 'hash' ? 'hmac-sha256:00' : '' });
        assert.equal((await list({})({ limit: 1 })).entries[0]?.promptPreview, null);
      });
    }
  });
}
