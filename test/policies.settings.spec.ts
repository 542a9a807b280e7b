import { describe, expect, it } from '@jest/globals';
import { bench, type Bench } from './support/engine.js';

const OPS = { actorId: 'ops-1', requestId: null, ifMatch: null };

const UNLOCKED = { 'hitl.policies_overridable': true };

const deny = { rules: [{ when: {}, require: 'deny' }], limits: [] };
const allow = { rules: [{ when: {}, require: 'allow' }], limits: [] };

const changesOf = async ({ stores }: Bench): Promise<unknown[]> =>
  (await stores.settings.changes({ key: 'hitl.policies' }, { limit: 100 })).entries.map(
    ({ key, before, after }) => ({ key, before, after }),
  );

describe('hitl.policies', () => {
  it('is configuration only, and names the setting that unlocks it', async () => {
    const { engine } = await bench({ 'hitl.policies': { refund: deny } });
    await expect(engine.settings.update({ 'hitl.policies': {} }, OPS)).rejects.toMatchObject({
      code: 'not_overridable',
      fields: {
        'hitl.policies': [expect.stringContaining('unless the deployer sets hitl.policies_overridable')],
      },
    });
    expect(engine.settings.current().get('hitl.policies')).toEqual({ refund: deny });
    expect(JSON.stringify(engine.settings.current().shown())).not.toContain('policies');
  });

  it('is set whole where the deployer permits it, with one change record per tool', async () => {
    const setup = await bench({ ...UNLOCKED, 'hitl.policies': { a: allow, b: deny, c: deny } });
    const { changed } = await setup.engine.settings.update(
      { hitl: { policies: { a: deny, b: deny, 'd.e': allow } } },
      OPS,
    );
    expect(changed).toEqual(['hitl.policies.a', 'hitl.policies.c', 'hitl.policies.d.e']);
    expect(await changesOf(setup)).toEqual([
      { key: 'hitl.policies.d.e', before: null, after: allow },
      { key: 'hitl.policies.c', before: deny, after: null },
      { key: 'hitl.policies.a', before: allow, after: deny },
    ]);
    const { settings } = await setup.engine.settings.update({ 'hitl.policies': null }, OPS);
    expect(settings.get('hitl.policies')).toEqual({ a: allow, b: deny, c: deny });
    expect(settings.shown()).toMatchObject({ hitl: { policies: { a: allow } } });
  });

  it('reports tool, rule and condition of an error in a PUT, and changes nothing', async () => {
    const setup = await bench(UNLOCKED);
    const rules = [{ require: 'allow' }, { when: { '/amount': { gt: 'much' } }, require: 'deny' }];
    await expect(
      setup.engine.settings.update({ 'hitl.policies': { refund: { rules } } }, OPS),
    ).rejects.toMatchObject({
      code: 'invalid_settings',
      fields: {
        'hitl.policies': [expect.stringMatching(/^tool "refund", rule 2, condition "\/amount": gt must be/)],
      },
    });
    expect(setup.engine.settings.current().revision).toBe(0);
  });

  it('ignores a stored override after the deployer locks it', async () => {
    const { engine, stores } = await bench(UNLOCKED);
    await engine.settings.update({ 'hitl.policies': { refund: allow } }, OPS);
    const warnings: unknown[] = [];
    const diagnostics = { warn: (_: string, facts?: unknown): void => void warnings.push(facts) };
    const locked = await bench({}, { stores, diagnostics });
    expect(locked.engine.settings.current().get('hitl.policies')).toEqual({});
    expect(warnings).toEqual([{ keys: ['hitl.policies'] }]);
  });
});
