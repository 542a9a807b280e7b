import assert from 'node:assert/strict';
import type { AuditFilter, TrendPoint } from '../../../contracts/src/audit.js';
import { decision, type DecisionParts } from './builders.js';
import type { Runner, Stage } from './harness.js';

const EVERYTHING = { from: new Date('2026-01-01T00:00:00.000Z'), to: new Date('2026-12-31T23:59:59.999Z') };

const ROWS: readonly DecisionParts[] = [
  { occurredAt: new Date('2026-03-09T23:59:59.999Z'), outcome: 'blocked', ruleId: 'role_override' },
  { occurredAt: new Date('2026-03-10T00:00:00.000Z'), outcome: 'observed', ruleId: 'role_override' },
  { occurredAt: new Date('2026-03-10T12:00:00.000Z'), principalId: 'customer-42', prompt: 'a Needle' },
  { occurredAt: new Date('2026-03-10T23:59:59.999Z'), outcome: 'blocked', application: 'support' },
  { occurredAt: new Date('2026-03-12T00:00:00.000Z'), outcome: 'blocked', control: 'hitl' },
];

const point = (date: string, total: number, blocked: number, observed: number): TrendPoint => ({
  date,
  total,
  blocked,
  observed,
});

const FILTERS: readonly (readonly [name: string, filter: AuditFilter, points: readonly TrendPoint[]])[] = [
  ['nothing', {}, [point('2026-03-09', 1, 1, 0), point('2026-03-10', 3, 1, 1), point('2026-03-12', 1, 1, 0)]],
  ['control', { control: 'hitl' }, [point('2026-03-12', 1, 1, 0)]],
  [
    'blocked',
    { blocked: true },
    [point('2026-03-09', 1, 1, 0), point('2026-03-10', 1, 1, 0), point('2026-03-12', 1, 1, 0)],
  ],
  ['not blocked', { blocked: false }, [point('2026-03-10', 2, 0, 1)]],
  ['outcome', { outcome: 'observed' }, [point('2026-03-10', 1, 0, 1)]],
  ['rule', { ruleId: 'role_override' }, [point('2026-03-09', 1, 1, 0), point('2026-03-10', 1, 0, 1)]],
  ['principal', { principalId: 'customer-42' }, [point('2026-03-10', 1, 0, 0)]],
  ['application', { application: 'support' }, [point('2026-03-10', 1, 1, 0)]],
  ['search', { q: 'nEEDLE' }, [point('2026-03-10', 1, 0, 0)]],
  ['a literal search', { q: 'a_needle' }, []],
  [
    'several at once',
    { control: 'input_screen', blocked: true, ruleId: 'role_override' },
    [point('2026-03-09', 1, 1, 0)],
  ],
  ['a value that is absent', { principalId: 'nobody' }, []],
];

export function auditTrendContract({ describe, it }: Runner, stage: Stage): void {
  async function trend(filter: AuditFilter, window = EVERYTHING): Promise<readonly TrendPoint[]> {
    for (const row of ROWS) await stage.backend.audit.append(decision(row));
    const points = await stage.backend.audit.trend(filter, window);
    return points.filter((day) => day.total > 0);
  }

  describe('trend', () => {
    it('has no counts at first', async () => {
      const points = await stage.backend.audit.trend({}, EVERYTHING);
      assert.ok(points.every((day) => day.total === 0));
    });

    for (const [name, filter, points] of FILTERS) {
      it(`counts per UTC day, oldest first, filtered by ${name}`, async () => {
        assert.deepEqual(await trend(filter), points);
      });
    }

    it('is closed at both ends, to the millisecond', async () => {
      const window = { from: new Date('2026-03-10T00:00:00.000Z'), to: new Date('2026-03-10T23:59:59.999Z') };
      assert.deepEqual(await trend({}, window), [point('2026-03-10', 3, 1, 1)]);
    });

    it('leaves out what lies a millisecond outside', async () => {
      const window = { from: new Date('2026-03-10T00:00:00.001Z'), to: new Date('2026-03-10T23:59:59.998Z') };
      assert.deepEqual(await trend({}, window), [point('2026-03-10', 1, 0, 0)]);
    });

    it('does not read from and to of the filter', async () => {
      const window = { from: new Date('2026-03-12T00:00:00.000Z'), to: EVERYTHING.to };
      const filter = { from: new Date('2026-03-09T00:00:00.000Z'), to: new Date('2026-03-09T23:59:59.999Z') };
      assert.deepEqual(await trend(filter, window), [point('2026-03-12', 1, 1, 0)]);
    });

    it('takes text that no store can hold', async () => {
      assert.deepEqual(await trend({ q: '\u0000\uD83D', principalId: 'x\u0000' }), []);
    });
  });
}
