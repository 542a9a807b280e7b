import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '#contracts/common/errors.js';
import { ToolAuthorizer, type Tool, type ToolArguments } from '#contracts/firewall/firewall.js';
import type { SettingValues } from '#contracts/settings/settings.schema.js';
import { DEFAULT_SETTINGS, Settings } from '#contracts/settings/settings.js';
import { fingerprintOf, isDestructive, ToolRegistry } from './tool-registry.js';
import { policyRevision, ToolFirewall } from './tool-firewall.js';

function settings(values: Partial<SettingValues> = {}): Settings {
  return new Settings({ ...DEFAULT_SETTINGS, ...values });
}

function tool(changes: Partial<Tool> = {}): Tool {
  return {
    name: 'refund',
    parameters: { properties: { amount: { type: 'number' }, user_id: { type: 'string' } } },
    execute: () => null,
    ...changes,
  };
}

class Decides extends ToolAuthorizer {
  readonly asked: ToolArguments[] = [];

  constructor(private readonly answer: (args: ToolArguments) => boolean | Promise<boolean>) {
    super();
  }

  override authorize(_: Tool, args: ToolArguments): boolean | Promise<boolean> {
    this.asked.push(args);
    return this.answer(args);
  }
}

const asking = settings({ 'tool_authorization.enabled': true });
const context = { principalId: 'customer-42' };

describe('the tool firewall', () => {
  it('overwrites owner keys and validates', async () => {
    const judgement = await new ToolFirewall(null).judge(
      tool(),
      '{"amount":"5","user_id":"victim-1","extra":1}',
      context,
      settings(),
    );
    expect(judgement).toEqual({
      args: { amount: '5', user_id: 'customer-42', extra: 1 },
      given: { amount: '5', user_id: 'victim-1', extra: 1 },
      overwritten: [{ path: '/user_id', from: 'victim-1', to: 'customer-42' }],
      denied: false,
      errored: false,
      violations: { amount: 'must be a number', extra: 'is not declared by the tool' },
      rawText: '{"amount":"5","user_id":"victim-1","extra":1}',
    });
  });

  it('passes a valid call with the principal', async () => {
    const judgement = await new ToolFirewall(null).judge(tool(), { amount: 5 }, context, settings());
    expect(judgement).toMatchObject({
      args: { amount: 5, user_id: 'customer-42' },
      denied: false,
      violations: {},
    });
  });

  it('reports unreadable arguments', async () => {
    const judgement = await new ToolFirewall(null).judge(tool(), 'give me money', context, settings());
    expect(judgement).toMatchObject({
      given: null,
      violations: { '(arguments)': 'is not valid JSON of at most 64 levels' },
      rawText: 'give me money',
    });
  });

  it.each([
    ['there is no authorizer', null],
    ['it denies', new Decides(() => false)],
    ['it denies later', new Decides(() => Promise.resolve(false))],
    ['it answers something else', new Decides(() => 'yes' as unknown as boolean)],
    [
      'it throws',
      new Decides(() => {
        throw new Error('down');
      }),
    ],
    ['it fails later', new Decides(() => Promise.reject(new Error('down')))],
    ['it never answers', new Decides(() => new Promise(() => undefined))],
  ])('denies where authorization is enabled and %s', async (_, authorizer) => {
    const judgement = await new ToolFirewall(authorizer, undefined, 5).judge(
      tool(),
      { amount: 'x' },
      context,
      asking,
    );
    expect(judgement).toMatchObject({ denied: true, violations: {} });
  });

  it('passes the arguments that would run to the authorizer, in a copy', async () => {
    const authorizer = new Decides((args) => {
      (args as Record<string, unknown>)['amount'] = 1_000_000;
      return true;
    });
    const { args } = await new ToolFirewall(authorizer).judge(
      tool(),
      { amount: 5, user_id: 'x' },
      context,
      asking,
    );
    expect(authorizer.asked[0]).toHaveProperty('user_id', 'customer-42');
    expect(args).toEqual({ amount: 5, user_id: 'customer-42' });
  });

  it('does not call the authorizer where authorization is off', async () => {
    const authorizer = new Decides(() => false);
    const { denied } = await new ToolFirewall(authorizer).judge(tool(), {}, context, settings());
    expect([denied, authorizer.asked]).toEqual([false, []]);
  });
});

describe('a destructive tool', () => {
  it('is destructive if any source marks it', () => {
    expect(isDestructive(tool(), settings())).toBe(true);
    expect(isDestructive(tool({ name: 'look' }), settings())).toBe(false);
    expect(isDestructive(tool({ name: 'look', destructive: true }), settings())).toBe(true);
    expect(isDestructive(tool({ name: 'look', annotations: { destructiveHint: true } }), settings())).toBe(
      true,
    );
  });

  it('stays destructive if other sources disagree', () => {
    expect(
      isDestructive(tool({ destructive: false, annotations: { destructiveHint: false } }), settings()),
    ).toBe(true);
  });

  it('matches by its whole name, or by part of it under substring', () => {
    const parts = settings({ 'tool_authorization.destructive_match': 'substring' });
    expect(isDestructive(tool({ name: 'bulkDelete' }), settings())).toBe(false);
    expect(isDestructive(tool({ name: 'bulkDelete' }), parts)).toBe(true);
  });
});

describe('the registry of tools', () => {
  it('keeps the first tool of a name, and refuses another schema', () => {
    const registry = new ToolRegistry();
    const first = tool();
    registry.register(first);
    registry.register(tool());
    expect(registry.find('refund')).toBe(first);
    expect(registry.find('toString')).toBeUndefined();
    expect(() => registry.register(tool({ parameters: {} }))).toThrow(ConfigurationError);
    expect(registry.find('refund')).toBe(first);
  });

  it('runs the listed tool, or else the code that was registered first', () => {
    class Refund {
      readonly name = 'refund';
      readonly parameters = {};
      execute(): this {
        return this;
      }
    }
    const [first, listed, method] = [tool(), new ToolRegistry(), new ToolRegistry()];
    const met = new ToolRegistry();
    met.register(first);
    expect([first, { ...first, description: 'x' }].map((one) => met.runsSameCode(one))).toEqual([true, true]);
    expect([tool(), tool({ name: 'unmet' })].map((one) => met.runsSameCode(one))).toEqual([false, false]);
    // The function is the same, and its data differ.
    expect(met.runsSameCode({ ...first, till: 'of customer-7' } as Tool)).toBe(false);
    listed.list(first);
    listed.list(first);
    expect([listed.runsSameCode(tool()), listed.find('refund')]).toEqual([true, first]);
    expect(() => listed.list(tool())).toThrow(/Two tools in `tools` are named "refund"/);
    method.register(new Refund());
    expect(method.runsSameCode(new Refund())).toBe(false);
  });

  it.each(['Refund', '\uff52efund', 'refund\u200b'])(
    'refuses %j beside `refund`, which is compared as the same',
    (name) => {
      const [met, listed] = [new ToolRegistry(), new ToolRegistry()];
      met.register(tool());
      listed.list(tool());
      const same = /and "refund", which are compared as the same name\. Rename one of them/;
      expect(() => met.register(tool({ name }))).toThrow(same);
      expect(() => listed.list(tool({ name }))).toThrow(same);
      expect(() => listed.register(tool({ name }))).toThrow(same);
    },
  );

  it('refuses a tool without a name, or with a schema that is not JSON', () => {
    const registry = new ToolRegistry();
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(() => registry.register(tool({ name: '' }))).toThrow(/has no name/);
    expect(() => registry.register(tool({ parameters: circle }))).toThrow(/invalid `parameters`/);
  });

  it('identifies tools by name and schema, in any order of keys', () => {
    const one = fingerprintOf({ name: 'a', parameters: { type: 'object', title: 'x' } });
    expect(fingerprintOf({ name: 'a', parameters: { title: 'x', type: 'object', $id: undefined } })).toBe(
      one,
    );
    expect(fingerprintOf({ name: 'b', parameters: { type: 'object', title: 'x' } })).not.toBe(one);
    expect(one).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('the policy revision', () => {
  const revision = policyRevision(settings(), null, 'refund');

  it('is sixteen hex digits, and equal for equal policies', () => {
    expect(revision).toMatch(/^[0-9a-f]{16}$/);
    expect(policyRevision(settings({ 'hitl.ttl': DEFAULT_SETTINGS['hitl.ttl'] }), null, 'refund')).toBe(
      revision,
    );
  });

  it.each([
    { 'modes.hitl': 'monitor' },
    { 'modes.tool_firewall': 'off' },
    { 'hitl.enabled': true },
    { 'hitl.destructive_tools': ['refund'] },
    { 'tool_firewall.owner_keys': ['tenant'] },
    { 'tool_authorization.enabled': true },
  ] satisfies Partial<SettingValues>[])('changes with %j', (values) => {
    expect(policyRevision(settings(values), null, 'refund')).not.toBe(revision);
  });

  it.each([
    { enabled: false },
    { 'modes.input_screen': 'off' },
    { 'output_handler.enabled': false },
    { 'hitl.token_secret': 'x'.repeat(32) },
    { 'retention.days': 1 },
  ] satisfies Partial<SettingValues>[])('does not change with %j', (values) => {
    expect(policyRevision(settings(values), null, 'refund')).toBe(revision);
  });

  it('covers only the policy of its own tool', () => {
    const allow = { rules: [{ when: {}, require: 'allow' as const }], limits: [] };
    const revisionOf = (policies: SettingValues['hitl.policies']): string =>
      policyRevision(settings({ 'hitl.policies': policies }), null, 'refund');
    expect(revisionOf({ wire: allow })).toBe(revision);
    expect(revisionOf({ refund: allow })).not.toBe(revision);
    expect(revisionOf({ refund: allow, wire: allow })).toBe(revisionOf({ refund: allow }));
  });

  it('changes with the version of the authorizer', () => {
    class Second extends Decides {
      override readonly version = '2';
    }
    const revisions = [null, new Decides(() => true), new Second(() => true)].map((authorizer) =>
      policyRevision(settings(), authorizer, 'refund'),
    );
    expect(new Set(revisions).size).toBe(3);
  });
});
