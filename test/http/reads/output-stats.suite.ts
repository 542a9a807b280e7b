import { describe, expect } from '@jest/globals';
import type { AuditListData } from '#contracts/audit/entry.js';
import type { OutputStatsData } from '#contracts/output/output.api.js';
import type { OutputCount } from '#contracts/output/output.js';
import { decision } from '#stores/contract/builders.js';
import type { Bench } from '../support/hosts.js';
import { keep, query, under, type QueryParameters } from './material.js';

const NONE = {
  html_stripped: 0,
  markdown_sanitized: 0,
  structured_validation_failure: 0,
  pii_redaction: 0,
  secret_redaction: 0,
  too_long: 0,
};

const counted = (occurredAt: string, outputCounts: readonly OutputCount[]) =>
  decision({ control: 'output_handler', origin: 'output', occurredAt: new Date(occurredAt), outputCounts });

export function describeOutputStats(bench: Bench): void {
  const { it, itOnEachStore } = bench;

  const stats = (parameters: QueryParameters = {}): Promise<OutputStatsData> =>
    bench.read<OutputStatsData>(`/output/stats${query(parameters)}`);

  describe('contract 5: GET /output/stats', () => {
    it('contains every kind, with 0 for those that did not occur, over the last 30 days', async () => {
      bench.clock.set('2051-03-01T08:00:00.000Z');
      expect(await stats()).toEqual({
        from: '2051-01-31T00:00:00.000Z',
        to: '2051-03-01T23:59:59.999Z',
        counts: { ...NONE, pii: { by_detector: {} }, secrets: { by_detector: {} } },
        pii: { by_detector: {} },
        secrets: { by_detector: {} },
        total: 0,
        enforced: 0,
        observed: 0,
      });
    });

    itOnEachStore('counts findings by kind and by detector; the total is the sum of the kinds', async () => {
      bench.clock.set('2052-03-01T08:00:00.000Z');
      const found = await bench.host.guardrails.sanitize(
        '<script>steal()</script> write to jane.roe@example.com or joe@example.com, key AKIAIOSFODNN7EXAMPLE',
      );
      await bench.host.guardrails.sanitize('All is well.');
      const shown = await stats();
      const count = (kind: string): number =>
        found.findings.filter((finding) => finding.kind === kind).length;
      expect(shown.counts).toEqual({
        html_stripped: count('html_stripped'),
        markdown_sanitized: count('markdown_sanitized'),
        structured_validation_failure: 0,
        pii_redaction: 2,
        secret_redaction: count('secret_redaction'),
        too_long: 0,
        pii: { by_detector: { email: 2 } },
        secrets: shown.secrets,
      });
      expect(shown.counts.html_stripped).toBeGreaterThan(0);
      expect(shown.counts.secret_redaction).toBeGreaterThan(0);
      expect(shown.pii.by_detector).toEqual({ email: 2 });
      expect(Object.values(shown.secrets.by_detector).reduce((sum, some) => sum + some, 0)).toBe(
        shown.counts.secret_redaction,
      );
      expect(shown).toMatchObject({
        total: found.findings.length,
        enforced: found.findings.length,
        observed: 0,
      });
    });

    it('contract 4: counts observed findings as observed', async () => {
      bench.clock.set('2053-03-01T08:00:00.000Z');
      await bench.host.guardrails.sanitize('mail jane.roe@example.com');
      await under(bench, { 'modes.output_handler': 'monitor' }, () =>
        bench.host.guardrails.sanitize('mail joe@example.com and jim@example.com'),
      );
      // Observed decisions are buffered and written later.
      let shown = await stats();
      while (shown.observed === 0) shown = await stats();
      expect(shown).toMatchObject({ total: 3, enforced: 1, observed: 2, pii: { by_detector: { email: 3 } } });
    });

    itOnEachStore('sums counts of the same detector, and separates personal data from secrets', async () => {
      const at = '2026-05-02T12:00:00.000Z';
      await keep(bench, [
        counted(at, [
          { kind: 'html_stripped', detector: 'html', enforced: true, count: 3 },
          { kind: 'markdown_sanitized', detector: 'markdown', enforced: true, count: 2 },
          { kind: 'structured_validation_failure', detector: 'schema', enforced: true, count: 1 },
          { kind: 'pii_redaction', detector: 'email', enforced: true, count: 4 },
          { kind: 'secret_redaction', detector: 'jwt', enforced: true, count: 5 },
        ]),
        counted(at, [
          { kind: 'pii_redaction', detector: 'email', enforced: false, count: 10 },
          { kind: 'pii_redaction', detector: '__proto__', enforced: false, count: 20 },
          { kind: 'secret_redaction', detector: 'aws_access_key', enforced: false, count: 30 },
        ]),
      ]);
      const answer = await bench.api.get('/output/stats?from=2026-05-02&to=2026-05-02');
      expect(answer.body.data).toMatchObject({
        counts: {
          html_stripped: 3,
          markdown_sanitized: 2,
          structured_validation_failure: 1,
          pii_redaction: 34,
          secret_redaction: 35,
          secrets: { by_detector: { jwt: 5, aws_access_key: 30 } },
        },
        secrets: { by_detector: { jwt: 5, aws_access_key: 30 } },
        total: 75,
        enforced: 15,
        observed: 60,
      });
      expect(answer.text).toContain('"__proto__":20');
    });

    it.each([
      { range: { from: '2026-06-02', to: '2026-06-02' }, total: 110 },
      { range: { from: '2026-06-01T23:59:59.999Z', to: '2026-06-02T00:00:00.000Z' }, total: 11 },
      { range: { from: '2026-06-02T23:59:59.999Z', to: '2026-06-03T00:00Z' }, total: 1100 },
      { range: { from: '2026-06-01', to: '2026-06-03' }, total: 1111 },
      { range: { from: '1990-01-01', to: '2026-06-01' }, total: 1 },
    ])('contract 3.3: $range counts $total', async ({ range, total }) => {
      const kind = `edge_${range.from}_${range.to}`;
      const line = (count: number): readonly OutputCount[] => [
        { kind: 'pii_redaction', detector: kind, enforced: true, count },
      ];
      await keep(bench, [
        counted('2026-06-01T23:59:59.999Z', line(1)),
        counted('2026-06-02T00:00:00.000Z', line(10)),
        counted('2026-06-02T23:59:59.999Z', line(100)),
        counted('2026-06-03T00:00:00.000Z', line(1000)),
      ]);
      expect((await stats(range)).counts.pii.by_detector[kind]).toBe(total);
    });

    itOnEachStore(
      'bucket=day adds the outputs and findings of each day, as GET /audit lists them',
      async () => {
        bench.clock.set('2059-03-02T08:00:00.000Z');
        await bench.host.guardrails.sanitize('jane.roe@example.com and joe@example.com', {
          application: 'days',
        });
        await bench.host.guardrails.sanitize('<b onclick=x>hi</b> jim@example.com', { application: 'days' });
        await bench.host.guardrails.sanitize('jim@example.com', { application: 'elsewhere' });
        const range = { from: '2059-03-01', to: '2059-03-02', application: 'days' };
        const { points, total, counts } = await stats({ ...range, bucket: 'day' });
        expect(points?.map(({ date }) => date)).toEqual(['2059-03-01', '2059-03-02']);
        expect(points?.[0]?.values).toEqual([]);
        const values = points?.[1]?.values ?? [];
        expect(values).toContainEqual({ kind: 'pii_redaction', detector: null, outputs: 2, findings: 3 });
        expect(values).toContainEqual({ kind: 'pii_redaction', detector: 'email', outputs: 2, findings: 3 });
        const kinds = values.filter(({ detector }) => detector === null);
        expect(kinds.reduce((sum, { findings }) => sum + findings, 0)).toBe(total);
        for (const { kind, findings } of kinds) expect(counts[kind]).toBe(findings);
        for (const { kind, detector, outputs } of values) {
          const filters = {
            ...range,
            control: 'output_handler',
            kind,
            ...(detector !== null && { detector }),
          };
          const { entries } = await bench.read<AuditListData>(`/audit${query(filters)}`);
          expect(entries).toHaveLength(outputs);
        }
      },
    );

    itOnEachStore('without bucket there are no points, and application counts its outputs only', async () => {
      const range = { from: '2059-03-01', to: '2059-03-02' };
      expect(await stats(range)).not.toHaveProperty('points');
      expect((await stats({ ...range, application: 'elsewhere' })).counts.pii.by_detector).toEqual({
        email: 1,
      });
    });

    it('from alone ends today, to alone starts 30 days earlier', async () => {
      bench.clock.set('2026-05-03T10:00:00.000Z');
      expect(await stats({ from: '2020-01-01' })).toMatchObject({
        from: '2020-01-01T00:00:00.000Z',
        to: '2026-05-03T23:59:59.999Z',
      });
      expect(await stats({ to: '2024-03-01' })).toMatchObject({
        from: '2024-02-01T00:00:00.000Z',
        to: '2024-03-01T23:59:59.999Z',
      });
    });
  });
}
