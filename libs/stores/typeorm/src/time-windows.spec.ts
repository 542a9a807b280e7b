import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { dayParts, hourParts, spanOf, type TimeSpan } from './time-windows.js';

const HOUR = 3_600_000;

const span = (from: string, end: string): TimeSpan => ({ from: new Date(from), end: new Date(end) });

const words = (spans: readonly TimeSpan[]): string[] =>
  spans.map(({ from, end }) => `${from.toISOString().slice(0, 16)} ${end.toISOString().slice(0, 16)}`);

describe('parts of a time window', () => {
  it('are whole days, the whole hours around them, and the remaining edges', () => {
    const parts = dayParts(span('2026-03-01T22:30:00Z', '2026-03-04T01:15:00Z'));
    expect([words(parts.days), words(parts.hours), words(parts.edges)]).toEqual([
      ['2026-03-02T00:00 2026-03-04T00:00'],
      ['2026-03-01T23:00 2026-03-02T00:00', '2026-03-04T00:00 2026-03-04T01:00'],
      ['2026-03-01T22:30 2026-03-01T23:00', '2026-03-04T01:00 2026-03-04T01:15'],
    ]);
  });

  it('are a single edge for a window within an hour, and empty for an empty window', () => {
    const within = dayParts(span('2026-03-01T22:10:00Z', '2026-03-01T22:20:00Z'));
    expect([within.days, within.hours, words(within.edges)]).toEqual([
      [],
      [],
      ['2026-03-01T22:10 2026-03-01T22:20'],
    ]);
    const backwards = { from: new Date('2026-03-02'), to: new Date('2026-03-01') };
    expect(dayParts(spanOf(backwards))).toEqual({ days: [], hours: [], edges: [] });
  });

  it('cover every moment of a window exactly once, with edges that stay within one hour', () => {
    const times = fc.integer({ min: 0, max: 40 * 24 * HOUR });
    fc.assert(
      fc.property(times, times, (one, other) => {
        const whole = { from: new Date(Math.min(one, other)), end: new Date(Math.max(one, other)) };
        const { hours, edges } = hourParts(whole);
        const all = dayParts(whole);
        for (const parts of [
          [...hours, ...edges],
          [...all.days, ...all.hours, ...all.edges],
        ]) {
          let at = whole.from.getTime();
          for (const { from, end } of parts.toSorted((a, b) => a.from.getTime() - b.from.getTime())) {
            expect(from.getTime()).toBe(at);
            at = end.getTime();
          }
          expect(at).toBe(whole.end.getTime());
        }
        for (const { from, end } of edges) {
          expect(Math.floor((end.getTime() - 1) / HOUR)).toBe(Math.floor(from.getTime() / HOUR));
        }
      }),
    );
  });
});
