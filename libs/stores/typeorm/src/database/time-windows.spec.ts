import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { spanOf, windowParts, type TimeSpan, type WindowParts } from './time-windows.js';

const HOUR = 3_600_000;

const span = (from: string, end: string): TimeSpan => ({ from: new Date(from), end: new Date(end) });

const words = (spans: readonly TimeSpan[]): string[] =>
  spans.map(({ from, end }) => `${from.toISOString().slice(0, 23)} ${end.toISOString().slice(0, 23)}`);

const spansOf = ({ days, hours, minutes, edges }: WindowParts): TimeSpan[] => [
  ...days,
  ...hours,
  ...minutes,
  ...edges.flatMap(({ seconds, rest }) => [...seconds, ...rest]),
];

describe('parts of a time window', () => {
  it('are the largest whole units that fit, and what remains within a second', () => {
    const parts = windowParts(span('2026-03-01T22:30:10.500Z', '2026-03-04T01:15:02Z'), 'day');
    expect([parts.days, parts.hours, parts.minutes].map(words)).toEqual([
      ['2026-03-02T00:00:00.000 2026-03-04T00:00:00.000'],
      ['2026-03-01T23:00:00.000 2026-03-02T00:00:00.000', '2026-03-04T00:00:00.000 2026-03-04T01:00:00.000'],
      ['2026-03-01T22:31:00.000 2026-03-01T23:00:00.000', '2026-03-04T01:00:00.000 2026-03-04T01:15:00.000'],
    ]);
    expect(parts.edges.map(({ seconds, rest }) => [words(seconds), words(rest)])).toEqual([
      [
        ['2026-03-01T22:30:11.000 2026-03-01T22:31:00.000'],
        ['2026-03-01T22:30:10.500 2026-03-01T22:30:11.000'],
      ],
      [['2026-03-04T01:15:00.000 2026-03-04T01:15:02.000'], []],
    ]);
  });

  it('are a single edge for a window within a minute, and empty for an empty window', () => {
    const inMinute = span('2026-03-01T22:10:01.001Z', '2026-03-01T22:10:01.002Z');
    expect(windowParts(inMinute, 'day')).toEqual({
      whole: [],
      days: [],
      hours: [],
      minutes: [],
      edges: [{ ...inMinute, seconds: [], rest: [inMinute] }],
    });
    const backwards = { from: new Date('2026-03-02'), to: new Date('2026-03-01') };
    expect(windowParts(spanOf(backwards), 'day')).toEqual({
      whole: [],
      days: [],
      hours: [],
      minutes: [],
      edges: [],
    });
  });

  it('cover every moment of a window exactly once, in whole units', () => {
    const times = fc.integer({ min: 0, max: 40 * 24 * HOUR });
    fc.assert(
      fc.property(times, times, fc.constantFrom('day', 'hour'), (one, other, largest) => {
        const whole = { from: new Date(Math.min(one, other)), end: new Date(Math.max(one, other)) };
        const parts = windowParts(whole, largest);
        let at = whole.from.getTime();
        for (const { from, end } of spansOf(parts).toSorted((a, b) => a.from.getTime() - b.from.getTime())) {
          expect(from.getTime()).toBe(at);
          at = end.getTime();
        }
        expect(at).toBe(whole.end.getTime());
        for (const [unit, spans] of [
          [24 * HOUR, parts.days],
          [HOUR, parts.hours],
          [60_000, parts.minutes],
          [1_000, parts.edges.flatMap(({ seconds }) => seconds)],
        ] as const)
          for (const { from, end } of spans)
            expect([from.getTime() % unit, end.getTime() % unit]).toEqual([0, 0]);
        for (const [unit, spans] of [
          [60_000, parts.edges],
          [1_000, parts.edges.flatMap(({ rest }) => rest)],
        ] as const)
          for (const { from, end } of spans)
            expect(Math.floor((end.getTime() - 1) / unit)).toBe(Math.floor(from.getTime() / unit));
      }),
    );
  });
});
