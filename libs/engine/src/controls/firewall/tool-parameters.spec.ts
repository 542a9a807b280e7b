import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { ConfigurationError } from '#contracts/common/errors.js';
import type {
  StandardResult,
  StandardSchema,
  ToolArguments,
  ToolParameters,
} from '#contracts/firewall/firewall.js';
import { DEFAULT_SETTINGS, Settings } from '#contracts/settings/settings.js';
import { ToolFirewall, type FirewallResult } from './tool-firewall.js';
import { fingerprintOf, ToolRegistry } from './tool-registry.js';

const lenient = { 'tool_firewall.reject_unknown_arguments': false } as const;

function judge(
  parameters: ToolParameters,
  args: unknown,
  values: Partial<typeof DEFAULT_SETTINGS> = {},
  principalId: string | undefined = 'customer-42',
): Promise<FirewallResult> {
  const tool = { name: 'lookup', parameters, execute: () => null };
  const context = principalId === '' ? {} : { principalId };
  return new ToolFirewall(null, undefined, 20).judge(
    tool,
    args,
    context,
    new Settings({ ...DEFAULT_SETTINGS, ...values }),
  );
}

async function violations(...given: Parameters<typeof judge>): Promise<Readonly<Record<string, string>>> {
  return (await judge(...given)).violations;
}

/** A Standard Schema without a JSON form. */
function opaque(
  validate: (value: ToolArguments) => StandardResult | Promise<StandardResult>,
): StandardSchema {
  return {
    '~standard': { version: 1, vendor: 'opaque', validate: (value) => validate(value as ToolArguments) },
  };
}

describe('parameters in zod', () => {
  const lookup = z.object({
    order: z.string().regex(/^A-\d{4}$/),
    amount: z.number().max(100).optional(),
    limit: z.number().default(10),
    customer_id: z.string(),
    lines: z.array(z.object({ sku: z.string(), owner_id: z.string().optional() })).optional(),
  });

  it('report every violation and unknown arguments at any depth, like JSON Schema', async () => {
    expect(
      await violations(lookup, { order: 'B', amount: '5', extra: 1, lines: [{ sku: 's', more: 1 }] }),
    ).toEqual({
      order: 'must match the pattern that the tool declares',
      amount: 'must be a number',
      extra: 'is not declared by the tool',
      'lines.0.more': 'is not declared by the tool',
    });
  });

  it('declare owner keys, which are added and overwritten', async () => {
    const { args } = await judge(lookup, {
      order: 'A-1182',
      lines: [{ sku: 's', owner_id: 'victim-1' }],
    });
    expect(args).toEqual({
      order: 'A-1182',
      limit: 10,
      customer_id: 'customer-42',
      lines: [{ sku: 's', owner_id: 'customer-42' }],
    });
    expect(await violations(z.object({ user_id: z.int() }), {})).toEqual({
      user_id: 'must contain the principal as a number, but its id is not a number',
    });
    expect((await judge(z.object({ user_id: z.int() }), {}, {}, '42')).args).toEqual({ user_id: 42 });
  });

  it('apply refinements to arguments that their JSON form accepts', async () => {
    const refined = z.object({ from: z.number(), to: z.number() }).refine(({ from, to }) => from <= to);
    expect(await violations(refined, { from: 1, to: 2 })).toEqual({});
    expect(await violations(refined, { from: 2, to: 1 })).toEqual({
      '(arguments)': 'does not match the schema of the tool',
    });
  });

  it('transform arguments, but not owner keys', async () => {
    const renamed = z
      .object({ note: z.string() })
      .transform(({ note }) => ({ note: note.trim(), owner_id: note }));
    expect(await judge(renamed, { note: ' victim-1 ' })).toMatchObject({
      args: { note: 'victim-1', owner_id: 'customer-42' },
      violations: {},
    });
    expect(await violations(renamed, { note: 'x' }, {}, '')).toEqual({
      owner_id: 'must contain the principal, but the context has no principalId',
    });
    const dated = z.object({ at: z.string().transform((at) => new Date(at)) });
    expect(await violations(dated, { at: '2024-01-01' })).toEqual({
      '(schema)': 'the schema of the tool returned something that is not JSON',
    });
  });

  it('do not run their patterns on arguments that the linear engine refused', async () => {
    const text = `${'a'.repeat(50_000)}!`;
    expect(await violations(z.object({ a: z.string().regex(/^(a+)+$/) }), { a: text })).toHaveProperty('a');
  });

  it('support every format with a pattern', async () => {
    const formats = z.object({
      mail: z.email(),
      id: z.uuid(),
      day: z.iso.date(),
      at: z.iso.datetime(),
      link: z.url(),
      address: z.ipv4(),
      lasts: z.iso.duration(),
      host: z.hostname(),
    });
    const good = {
      mail: 'ops-1@mail.example',
      id: '123e4567-e89b-42d3-a456-426614174000',
      day: '2024-02-29',
      at: '2024-02-29T23:59:59Z',
      link: 'https://a.example/x',
      address: '203.0.113.7',
      lasts: 'P1DT2H',
      host: 'mail.example',
    };
    expect(await violations(formats, good)).toEqual({});
    const bad = Object.fromEntries(Object.keys(good).map((key) => [key, '(']));
    expect(Object.keys(await violations(formats, bad))).toEqual(Object.keys(good));
  });

  it('refuse a tool whose schema cannot be written as JSON Schema', () => {
    const registry = new ToolRegistry();
    const dated = { name: 'lookup', parameters: z.object({ at: z.date() }), execute: () => null };
    expect(() => registry.register(dated)).toThrow(ConfigurationError);
    expect(() => registry.register(dated)).toThrow(/"lookup".*\n.*cannot be written as JSON Schema: Date/);
  });

  it('have equal fingerprints for equal schemas, and another one after a change', () => {
    const of = (schema: ToolParameters): string | null =>
      fingerprintOf({ name: 'lookup', parameters: schema });
    const written = (): ToolParameters => z.object({ order: z.string(), amount: z.number().optional() });
    expect(of(written())).toBe(of(written()));
    expect(of(written())).not.toBe(of(z.object({ order: z.string() })));
    const plain = JSON.parse(
      JSON.stringify(z.toJSONSchema(z.object({ a: z.string() }), { io: 'input' })),
    ) as ToolParameters;
    expect(of(z.object({ a: z.string() }))).toBe(of(plain));
  });
});

describe('parameters in a Standard Schema without a JSON form', () => {
  const order = mini.object({
    order: mini.string(),
    lines: mini.optional(mini.array(mini.object({ sku: mini.string() }))),
    owner_id: mini.optional(mini.string()),
  });

  it('validate synchronously or asynchronously', async () => {
    expect(await violations(order, { order: 'A-1' })).toEqual({});
    expect(await violations(order, { order: 1, lines: [{ sku: 1 }] })).toEqual({
      order: 'does not match the schema of the tool',
      'lines.0.sku': 'does not match the schema of the tool',
    });
    const later = opaque(async (value) =>
      'bad' in value ? { issues: [{ path: [{ key: 'bad' }] }] } : { value },
    );
    expect(await violations(later, { good: 1 })).toEqual({});
    expect(await violations(later, { bad: 1 })).toEqual({ bad: 'does not match the schema of the tool' });
    expect(
      await violations(
        opaque(() => ({ issues: [] })),
        {},
      ),
    ).toHaveProperty('(arguments)');
  });

  it('refuse arguments that they drop, at any depth, where unknown arguments are refused', async () => {
    const args = { order: 'A-1', extra: 1, lines: [{ sku: 's', more: 1 }] };
    expect(await violations(order, args)).toEqual({
      extra: 'is not declared by the tool',
      'lines.0.more': 'is not declared by the tool',
    });
    expect(await judge(order, args, lenient)).toMatchObject({
      args: { order: 'A-1', lines: [{ sku: 's' }] },
      violations: {},
    });
  });

  it('have their owner keys overwritten at every depth', async () => {
    expect((await judge(order, { order: 'A-1', owner_id: 'victim-1' })).args).toEqual({
      order: 'A-1',
      owner_id: 'customer-42',
    });
    expect(await violations(order, { order: 'A-1', owner_id: 'x' }, {}, '')).toHaveProperty('owner_id');
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('hunter2');
      },
    ],
    ['fails later', () => Promise.reject(new Error('hunter2'))],
    ['never answers', () => new Promise<StandardResult>(() => undefined)],
  ])('refuse every call where validation %s', async (_, validate) => {
    expect(await violations(opaque(validate), { a: 1 })).toEqual({
      '(schema)': 'the schema of the tool cannot check these arguments',
    });
  });

  it('do not change the given arguments', async () => {
    const meddling = opaque((value) => {
      (value as Record<string, unknown>)['owner_id'] = 'victim-1';
      return { value };
    });
    expect((await judge(meddling, { owner_id: 'x' })).args).toEqual({ owner_id: 'customer-42' });
  });

  it('are refused with another version of Standard Schema', () => {
    const next = { '~standard': { version: 2, vendor: 'next', validate: () => ({ value: {} }) } };
    const tool = { name: 'lookup', parameters: next as unknown as StandardSchema, execute: () => null };
    expect(() => new ToolRegistry().register(tool)).toThrow(/version 1 of Standard Schema/);
  });

  it('are identified by schemaVersion only', () => {
    const of = (name: string, schemaVersion?: string): string | null => {
      const parameters = opaque((value) => ({ value }));
      return fingerprintOf({ name, parameters, ...(schemaVersion !== undefined && { schemaVersion }) });
    };
    expect(of('a')).toBeNull();
    expect(of('a', '1')).toMatch(/^[0-9a-f]{64}$/);
    expect(of('a', '1')).toBe(of('a', '1'));
    expect(new Set([of('a', '1'), of('a', '2'), of('b', '1')]).size).toBe(3);
    for (const version of ['', 1 as unknown as string])
      expect(() => of('a', version)).toThrow(/`schemaVersion` must be a non-empty string/);
  });

  it('report whether they accept given arguments unchanged', async () => {
    const firewall = new ToolFirewall(null, undefined, 20);
    const takes = (parameters: ToolParameters, args: ToolArguments, values = {}): Promise<boolean> =>
      firewall.acceptsUnchanged(
        { name: 'lookup', parameters, execute: () => null },
        args,
        new Settings({ ...DEFAULT_SETTINGS, ...values }),
      );
    const coerced = z.object({ amount: z.coerce.number(), limit: z.number().default(10) });
    expect(await takes(coerced, { amount: 5, limit: 10 })).toBe(true);
    expect(await takes(coerced, { amount: 5 })).toBe(false);
    const counted = z.object({ order: z.string().transform((text) => text.length) });
    expect(await takes(counted, { order: 3 })).toBe(false);
    expect(await takes(counted, { order: 3 }, { 'modes.tool_firewall': 'monitor' })).toBe(true);
    const refined = z.object({ order: z.string().refine((given) => given !== 'B-1') });
    expect([await takes(refined, { order: 'A-1' }), await takes(refined, { order: 'B-1' })]).toEqual([
      true,
      false,
    ]);
  });
});
