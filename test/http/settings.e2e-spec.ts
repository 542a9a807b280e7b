import { describe, expect, it } from '@jest/globals';
import { TestHost } from './support/host.js';
import { describeOnEachStore } from './support/hosts.js';
import { FILE } from './settings/material.js';
import { changesOf, phrase, SettingsBench } from './settings/settings-bench.js';
import { describeActor } from './settings/actor.suite.js';
import { describeChanges } from './settings/changes.suite.js';
import { describeEffect } from './settings/effect.suite.js';
import { describePatterns } from './settings/patterns.suite.js';
import { describePreviewing } from './settings/preview.suite.js';
import { describePutting } from './settings/put.suite.js';
import { describeShowing } from './settings/show.suite.js';
import { describeTable } from './settings/table.suite.js';
import './settings/events.suite.js';

const controls = { toolAuthorizer: { version: '1', authorize: () => true } };

describeOnEachStore({ settings: FILE, controls }, (bench) => {
  const settings = new SettingsBench(bench);
  describeShowing(settings);
  describeTable(settings);
  describePutting(settings);
  describePatterns(settings);
  describeEffect(settings);
  describeActor(settings);
  describeChanges(settings);
  describePreviewing(settings);
});

/** The actor in the change log after a PUT to this host; `null` if the PUT is refused. */
async function asActor(other: TestHost, actor: string | null): Promise<void> {
  try {
    const answer = await other.put('/settings', { settings: { 'retention.days': 1 } });
    expect([answer.status, actor]).toEqual(actor === null ? [403, null] : [200, actor]);
    const changes = changesOf(await other.get('/settings/changes')).changes;
    expect(changes.map(({ actor_id }) => actor_id)).toEqual(actor === null ? [] : [actor]);
  } finally {
    await other.stop();
  }
}

describe('contract 6.3: the actor is derived on the server', () => {
  it.each<readonly [string, unknown, string | null]>([
    ['id', { id: 'ops-7', sub: 'other' }, 'ops-7'],
    ['sub, where there is no id', { sub: 'auth0|7' }, 'auth0|7'],
    ['sub, where id is null', { id: null, sub: 'auth0|8' }, 'auth0|8'],
    ['a numeric id', { id: 7 }, '7'],
    ['nothing, where id is empty', { id: '', sub: 'x' }, null],
    ['nothing, where id is an object', { id: { toString: () => 'ops-1' } }, null],
    ['nothing, where there is no user', undefined, null],
    ['nothing, where the user is null', null, null],
  ])('is request.user.id ?? request.user.sub by default: %s', async (_, user, actor) => {
    const enter = (request: { user?: unknown }, _response: unknown, next: () => void): void => {
      request.user = user;
      next();
    };
    await asActor(await TestHost.start({ api: { middleware: [enter] } }), actor);
  });

  it.each<readonly [string, () => never | object | string | null | Promise<object>, string | null]>([
    ['an actor', () => ({ id: 'svc-1' }), 'svc-1'],
    ['a promise of one', () => Promise.resolve({ id: 'svc-2' }), 'svc-2'],
    ['a text', () => 'svc-3', 'svc-3'],
    ['null', () => null, null],
  ])('is the result of api.actor: %s', async (_, actor, expected) => {
    await asActor(await TestHost.start({ api: { actor: actor as () => null } }), expected);
  });
});

it('contract 6: a thousand patterns, and patterns of two thousand characters, fit into one PUT', async () => {
  const patterns = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => [
      `rule-${index}`,
      `/${phrase(index, index < 990 ? 98 : 1998)}/`,
    ]),
  );
  const host = await TestHost.start();
  try {
    const { status, body } = await host.put('/settings', { settings: { 'input_screen.patterns': patterns } });
    expect(status).toBe(200);
    expect(body.data['changed']).toHaveLength(1000);
    const tried = await host.post('/try/screen', { prompt: phrase(999, 1998) });
    expect(tried.body.data).toMatchObject({ blocked: true, rule_id: 'rule-999' });
  } finally {
    await host.stop();
  }
});
