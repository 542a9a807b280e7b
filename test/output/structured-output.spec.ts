import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { DEFAULT_SETTINGS, Settings } from '#contracts/settings/settings.js';
import { Sanitizer } from '#engine/controls/output/sanitizer.js';
import { sanitizeStructure } from '#engine/controls/output/structured-output.js';
import { bench, type Bench } from '../support/engine.js';

const CALLER = { principalId: 'customer-42' };
const SCHEMA = {
  type: 'object',
  properties: { note: { type: 'string' }, count: { type: 'integer', minimum: 1 } },
  required: ['count'],
  additionalProperties: false,
};

async function left({ engine, stores, log }: Bench): Promise<unknown> {
  await engine.stop();
  const { entries } = await stores.audit.list({ control: 'output_handler' }, { limit: 50 });
  const stats = await stores.output.stats({ from: new Date(0), to: new Date('9999-01-01') });
  return {
    outcomes: entries.map(({ outcome }) => outcome),
    stats: stats.map(({ kind, count, enforced }) => [kind, count, enforced]),
    events: log.names,
  };
}

describe('a structured output', () => {
  it('is sanitized in every text, including names, and otherwise unchanged', async () => {
    const setup = await bench();
    const value = {
      items: ['<div>x</div>', { note: 'mail ops@a.example' }, 7, null, true],
      'ops@a.example': 1,
      'ops@b.example': 2,
      password: 'hunter2abcQ',
      ['__proto__x']: '![x](https://evil.example/?q=1)',
    };
    const { value: clean, findings } = await setup.engine.guardrails.sanitizeStructured(value, null, CALLER);
    expect(clean).toEqual({
      items: ['&lt;div>x&lt;/div>', { note: 'mail [email]' }, 7, null, true],
      '[email]': 1,
      '[email] (2)': 2,
      password: '[assigned_secret]',
      ['__proto__x']: 'x [image removed]',
    });
    expect(findings.map(({ path, detector }) => `${path}: ${detector}`)).toEqual([
      'items.0: html',
      'items.0: html',
      'items.1.note: email',
      'ops@a.example: email',
      'ops@b.example: email',
      'password: assigned_secret',
      '__proto__x: markdown',
    ]);
    expect(await left(setup)).toMatchObject({
      outcomes: ['blocked'],
      events: ['guardrails.output.sanitized'],
    });
  });

  it.each([
    ['JSON Schema', SCHEMA],
    ['zod', z.strictObject({ note: z.string().optional(), count: z.number().int().min(1) })],
  ])('with violations is blocked in enforce and passes in monitor: %s', async (_, schema) => {
    const value = { note: 'fine', count: 0 };
    for (const [mode, shown, outcome] of [
      ['enforce', null, 'blocked'],
      ['monitor', value, 'observed'],
    ] as const) {
      const setup = await bench({ 'modes.output_handler': mode });
      const judged = await setup.engine.guardrails.sanitizeStructured(value, schema, CALLER);
      expect(judged).toMatchObject({ value: shown, found: true, outcome });
      expect(Object.keys(judged.violations)).toEqual(['count']);
      expect(await left(setup)).toEqual({
        outcomes: [outcome],
        stats: [['structured_validation_failure', 1, mode === 'enforce']],
        events: ['guardrails.output.sanitized'],
      });
    }
    const setup = await bench();
    expect(await setup.engine.guardrails.sanitizeStructured({ count: 2 }, schema)).toMatchObject({
      value: { count: 2 },
      found: false,
      violations: {},
    });
    expect(await left(setup)).toEqual({
      outcomes: ['allowed'],
      stats: [],
      events: ['guardrails.output.clean'],
    });
  });

  it('has violations if it is not JSON, circular, too deep, or its schema is unusable', async () => {
    const setup = await bench();
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    let deep: unknown = 1;
    for (let level = 0; level < 1000; level++) deep = [deep];
    const values: readonly [unknown, Record<string, unknown> | null][] = [
      [{ when: new Date(0) }, null],
      [{ big: 1n }, null],
      [Number.NaN, null],
      [undefined, null],
      [circle, null],
      [deep, null],
      [{}, { type: 'nonsense' }],
      [
        {
          get trap() {
            throw new Error('no');
          },
        },
        null,
      ],
    ];
    for (const [value, schema] of values) {
      const judged = await setup.engine.guardrails.sanitizeStructured(value, schema);
      expect(judged).toMatchObject({ value: null, found: true, outcome: 'blocked' });
    }
  });

  it('pauses after a bounded number of values, also of values without text', () => {
    let read = 0;
    const counted = <Values extends object>(values: Values): Values =>
      new Proxy(values, {
        get(target, key) {
          read++;
          return Reflect.get(target, key) as unknown;
        },
      });
    const numbers = Array.from({ length: 20_000 }, (_, index) => index);
    const settings = new Settings(DEFAULT_SETTINGS);
    for (const value of [
      counted(numbers),
      numbers.map(() => counted([1])),
      counted(Object.fromEntries(numbers.entries())),
    ]) {
      const work = sanitizeStructure(value, new Sanitizer([]), settings, 'text');
      let most = 0;
      for (let step = work.next(); step.done !== true; step = work.next()) {
        most = Math.max(most, read);
        read = 0;
      }
      expect(Math.max(most, read)).toBeLessThan(8000);
    }
  });

  it('with many names that become equal numbers each of them', async () => {
    const setup = await bench();
    const names = Array.from({ length: 2_000 }, (_, index) => [`user${index}@a.example`, index]);
    const given = { '[email] (3)': 'given', ...Object.fromEntries(names) };
    const { value } = await setup.engine.guardrails.sanitizeStructured(given, null, CALLER);
    const shown = Object.keys(value as object);
    expect(shown.slice(0, 4)).toEqual(['[email] (3)', '[email]', '[email] (2)', '[email] (4)']);
    expect(shown.at(-1)).toBe('[email] (2001)');
  });

  it('is not changed or recorded if the control is off', async () => {
    const setup = await bench({ 'modes.output_handler': 'off' });
    const value = { note: '<b>' };
    expect((await setup.engine.guardrails.sanitizeStructured(value, { type: 'string' })).value).toBe(value);
    expect(await left(setup)).toEqual({ outcomes: [], stats: [], events: [] });
  });
});
