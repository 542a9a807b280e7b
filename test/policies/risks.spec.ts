import { describe, expect, it } from '@jest/globals';
import { RISK_NAMES } from '#contracts/approvals/approvals.js';
import { Detector } from '#contracts/output/output.js';
import type { Tool } from '#contracts/firewall/firewall.js';
import { memoryStores } from '#stores/memory/index.js';
import { decide, parkedCall, recordWarnings } from '../support/approvals.js';
import { bench, type Bench } from '../support/engine.js';

const PAY: Tool = { name: 'pay', parameters: { type: 'object' }, destructive: true, execute: () => 'paid' };

const setUp = (options = {}): Promise<Bench> => bench({ 'hitl.enabled': true }, { tools: [PAY], ...options });

async function risksOf(
  { engine, stores }: Bench,
  args: unknown,
  principalId = 'customer-42',
): Promise<string[]> {
  const { approvalId } = await parkedCall(engine, PAY, args, { application: 'desk', principalId });
  const { risk = [] } = (await stores.approvals.find(approvalId)) ?? {};
  const names = risk.map(({ name }) => name);
  expect(names).toEqual(RISK_NAMES.flatMap((name) => names.filter((other) => other === name)));
  return risk.map(({ name, text }) => `${name}: ${text}`);
}

async function approve({ engine }: Bench, calls: readonly object[], application = 'desk'): Promise<void> {
  for (const [place, args] of calls.entries())
    await decide(
      engine,
      await parkedCall(engine, PAY, args, { application, principalId: `customer-${place}` }),
    );
}

describe('an unusual amount', () => {
  it('is above the 95th percentile of approved calls, also as a decimal text', async () => {
    const setup = await setUp();
    const usual = Array.from({ length: 20 }, (_, place) => ({
      euros: place < 19 ? 10 + place : 500,
      price: '9.50',
    }));
    await approve(setup, usual);
    expect(await risksOf(setup, { euros: 129, price: '9.51', order_id: 999_999 })).toEqual([
      'unusual_amount: 129 in "euros" is more than 19 of 20 earlier calls of pay (largest usual: 28).',
      'unusual_amount: 9.51 in "price" is more than 20 of 20 earlier calls of pay (largest usual: 9.5).',
    ]);
    expect(await risksOf(setup, { euros: 28, price: '1,200.50', other: 7 })).toEqual([]);
  });

  it('needs twenty earlier calls of the same application', async () => {
    const setup = await setUp();
    await approve(
      setup,
      Array.from({ length: 19 }, () => ({ euros: 1 })),
    );
    await approve(
      setup,
      Array.from({ length: 5 }, () => ({ euros: 1 })),
      'another',
    );
    expect(await risksOf(setup, { euros: 129 })).toEqual([]);
  });
});

describe('a new recipient', () => {
  const MAILS = Array.from({ length: 5 }, () => ({
    to: 'Kim@shop.example',
    link: 'see https://shop.example/a?b=1',
  }));

  it('is an address, an account or a host that no earlier call has', async () => {
    const setup = await setUp();
    await approve(setup, MAILS);
    expect(await risksOf(setup, { to: 'kim@SHOP.example', link: 'http://shop.example:80' })).toEqual([]);
    const [risk] = await risksOf(setup, {
      to: 'evil@out.example',
      link: String.raw`https://evil.example\@shop.example/`,
    });
    expect(risk).toMatch(
      /^new_recipient: In none of 5 earlier calls of pay: "evil@out\.example",.* "evil\.example"\.$/,
    );
    const [account] = await risksOf(setup, { iban: 'DE89 3704 0044 0532 0130 00' });
    expect(account).toContain('"de89370400440532013000"');
  });

  it('is not marked before five calls were approved, and many take one sentence', async () => {
    const setup = await setUp();
    await approve(setup, MAILS.slice(1));
    expect(await risksOf(setup, { to: 'evil@out.example' })).toEqual([]);
    await approve(setup, MAILS.slice(4));
    const list = Array.from({ length: 2000 }, (_, place) => `a${place}@${'x'.repeat(60)}.example`);
    const risks = await risksOf(setup, { list, note: list[0] });
    expect(risks).toHaveLength(2);
    expect(risks[0]).toContain(' and 1997 more.');
    expect(Math.max(...risks.map(({ length }) => length))).toBeLessThan(500);
  });
});

describe('personal data', () => {
  it.each([
    ['one address', { to: 'kim@shop.example', text: 'to kim@shop.example' }, null],
    ['one number', { to: '+44 20 7946 0042' }, null],
    ['an address and a number', { to: 'kim@shop.example', text: '+44 20 7946 0042' }, 'email, phone'],
    ['a list of addresses', { list: ['a@shop.example', 'b@shop.example'] }, 'email'],
    ['an account', { iban: 'DE89 3704 0044 0532 0130 00' }, 'iban'],
    ['the principal, who may be named', { to: 'kim@shop.example', for: 'Own@shop.example' }, null],
  ])('%s', async (_what, args, kinds) => {
    expect(await risksOf(await setUp(), args, 'own@shop.example')).toEqual(
      kinds === null ? [] : [`personal_data: The arguments contain personal data: ${kinds}.`],
    );
  });
});

describe('risks that cannot be found', () => {
  class Failing extends Detector {
    override readonly name = 'failing';
    override readonly kind = 'pii_redaction';
    override find(): never {
      throw new Error('it fails');
    }
  }

  it('do not stop a call from waiting', async () => {
    const stores = memoryStores();
    stores.approvals.approvedArguments = async () => {
      throw new Error('the table is gone');
    };
    const setup = await setUp({ stores });
    expect(await risksOf(setup, { euros: 1, list: ['a@shop.example', 'b@shop.example'] })).toHaveLength(1);
    expect(await risksOf(await setUp({ detectors: [new Failing()] }), { to: 'a@shop.example' })).toEqual([]);
  });
});

describe('a headline', () => {
  const headlineFor = async (describeCall: unknown, args: object = {}): Promise<unknown> => {
    const { diagnostics, warnings } = recordWarnings();
    const tool = { ...PAY, describe: describeCall } as Tool;
    const setup = await bench({ 'hitl.enabled': true }, { tools: [tool], diagnostics });
    const shown = [];
    for (const context of [{ runId: '1' }, { runId: '2' }]) {
      const { approvalId } = await parkedCall(setup.engine, tool, args, { ...context, principalId: 'kim' });
      shown.push((await setup.stores.approvals.find(approvalId))?.headline);
    }
    expect(shown[0]).toEqual(shown[1]);
    expect(warnings).toHaveLength(shown[0] === null ? 1 : 0);
    return shown[0];
  };
  const say = (args: { a: unknown }, tag: (texts: TemplateStringsArray, ...values: unknown[]) => unknown) =>
    tag`Pay ${args.a} now`;

  it.each<[string, unknown, unknown]>([
    ['a text', 'A-1\u0000', ['Pay ', 'A-1\uFFFD', ' now']],
    ['a number', 49.9, ['Pay ', '49.9', ' now']],
    ['a structure', { b: [1] }, ['Pay ', '{"b":[1]}', ' now']],
    ['a missing value', undefined, ['Pay ', '', ' now']],
    ['a long value', '\u{1F600}'.repeat(41), ['Pay ', `${'\u{1F600}'.repeat(39)}…`, ' now']],
  ])('keeps %s apart from its text', async (_what, a, parts) => {
    expect(await headlineFor(say, { a })).toEqual(parts);
  });

  it('has at most 120 characters, and a plain text is one value', async () => {
    const long = (_: object, tag: typeof String.raw) =>
      tag`${'x'.repeat(50)}${'y'.repeat(50)}${'z'.repeat(50)} ${'w'.repeat(50)} end`;
    const parts = (await headlineFor(long)) as string[];
    expect(Array.from(parts.join('')).length).toBeLessThanOrEqual(120);
    expect(parts.every((part) => Array.from(part).length <= 40)).toBe(true);
    expect(await headlineFor(async () => 'Pays')).toEqual(['', 'Pays', '']);
  });

  it.each<[string, unknown]>([
    ['throws', () => JSON.parse('{')],
    ['rejects', async () => JSON.parse('{')],
    ['never answers', () => new Promise(() => {})],
    ['answers late', () => busyFor(60)],
    ['answers with another type', () => ['Pay', '1']],
    ['imitates a sentence', () => ({ parts: ['Pay', '1'] })],
  ])('is left out, and one warning is logged, where the code %s', async (_what, describeCall) => {
    expect(await headlineFor(describeCall)).toBeNull();
  });

  it('comes from code that cannot change the arguments', async () => {
    const change = (args: Record<string, unknown>) => ((args['a'] = 2), 'changed');
    const tool = { ...PAY, describe: change } as Tool;
    const { engine, stores } = await bench({ 'hitl.enabled': true }, { tools: [tool] });
    const { approvalId } = await parkedCall(engine, tool, { a: 1 });
    expect((await stores.approvals.find(approvalId))?.arguments).toEqual({ a: 1 });
  });

  it.each(['orders/id', '/a~2b'])('trusts no malformed pointer: %s', async (pointer) => {
    const returns = { trusted: [pointer] };
    await expect(bench({}, { tools: [{ ...PAY, returns }] })).rejects.toThrow('is no JSON pointer');
  });

  it.each([
    [{ destructive: 'yes' }, '`destructive` is not a boolean; pass true or false'],
    [{ idempotent: null }, '`idempotent` is not a boolean; pass true or false'],
    [{ desctructive: true }, 'a tool has no member `desctructive`; did you mean destructive?'],
    [{ readonly: true }, 'did you mean readOnly?'],
  ])('needs the flags of the tool as booleans under their names: %j', async (flags, why) => {
    const tool = { ...PAY, ...(flags as object) };
    await expect(bench({}, { tools: [tool] })).rejects.toThrow(why);
    const { engine } = await bench();
    expect(() => engine.guardrails.guardTool({ ...tool, name: 'other' }, {})).toThrow(why);
  });

  it('may have members of the host', async () => {
    await bench({}, { tools: [{ ...PAY, title: 'Pay', team: 5 } as Tool] });
  });

  it('needs a function', async () => {
    await expect(bench({}, { tools: [{ ...PAY, describe: 'Pay' as never }] })).rejects.toThrow(
      'is not a function; pass (args, say) => …',
    );
  });
});

function busyFor(milliseconds: number): string {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
  return 'late';
}
