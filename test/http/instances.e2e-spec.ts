import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { boolean, constantFrom, integer, nat, record, sample, uniqueArray } from 'fast-check';
import type { ApprovalDecisionData, ApprovalListData } from '#contracts/approvals/approvals.api.js';
import type { TryScreenData } from '#contracts/api/try.js';
import type {
  SettingsChangesData,
  SettingsData,
  SettingsUpdateData,
} from '#contracts/settings/settings.api.js';
import { SettingsChanged } from '#contracts/events/operation-events.js';
import type { FreezeData } from '#contracts/freeze/freezes.api.js';
import type { Tool, ToolArguments } from '#contracts/firewall/firewall.js';
import { typeormStores } from '#stores/typeorm/typeorm-stores.js';
import { freshDatabase } from '../postgres/database.js';
import type { Answer } from './support/client.js';
import { TestHost } from './support/host.js';

type Person = 'operator' | 'second-operator';

const ACTORS: Readonly<Record<Person, string>> = { operator: 'ops-1', 'second-operator': 'ops-2' };

/** One of several processes, with the calls and events in it. */
class Instance {
  readonly published: SettingsChanged[] = [];

  private constructor(
    readonly host: TestHost,
    private readonly refund: Tool,
    /** The arguments of each run in this process. */
    readonly ran: readonly ToolArguments[],
  ) {
    host.application
      .get(EventEmitter2, { strict: false })
      .on(SettingsChanged.eventName, (event: SettingsChanged) => void this.published.push(event));
  }

  static async start(): Promise<Instance> {
    const ran: ToolArguments[] = [];
    const refund: Tool = {
      name: 'refund',
      parameters: { type: 'object', properties: { order: { type: 'string' } } },
      execute: (args) => {
        ran.push(args);
        return { refunded: args['order'] };
      },
    };
    const stores = typeormStores({
      url: database.url,
      poolSize: 25,
      statementTimeoutMs: 30_000,
      responseTimeoutMs: 60_000,
    });
    const settings = { 'hitl.enabled': true };
    return new Instance(
      await TestHost.start({ guardrails: { stores, settings, tools: [refund] } }),
      refund,
      ran,
    );
  }

  async read<Data>(path: string): Promise<Data> {
    const { status, text, body } = await this.host.get(path);
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text}`);
    return body.data as unknown as Data;
  }

  async put(settings: object, as: Person = 'operator'): Promise<SettingsUpdateData> {
    const { status, text, body } = await this.host.put('/settings', { settings }, { as });
    if (status !== 200) throw new Error(`PUT answered ${status}: ${text}`);
    return body.data as unknown as SettingsUpdateData;
  }

  settings(): Promise<SettingsData> {
    return this.read('/settings');
  }

  /** Polls until this revision of the settings is in force. */
  async reaches(revision: number): Promise<void> {
    while ((await this.settings()).revision < revision);
  }

  /** Requests a refund, which waits for approval. */
  async ask(runId: string): Promise<void> {
    const guarded = this.host.guardrails.guardTool(this.refund, { runId, principalId: 'customer-42' });
    expect(await guarded.execute({ order: runId })).toMatchObject({ status: 'parked' });
  }

  screen = async (prompt: string): Promise<TryScreenData> =>
    (await this.host.post('/try/screen', { prompt })).body.data as unknown as TryScreenData;
}

const database = await freshDatabase();
const [one, other] = await Promise.all([Instance.start(), Instance.start()]);

afterAll(async () => {
  await Promise.all([one.host.stop(), other.host.stop()]);
  await database.drop();
});

beforeEach(async () => {
  await one.reaches((await other.settings()).revision);
  await other.reaches((await one.settings()).revision);
  const { overridden } = await one.settings();
  const { revision } = await one.put(Object.fromEntries(overridden.map((key) => [key, null])));
  await other.reaches(revision);
  one.published.length = 0;
  other.published.length = 0;
});

describe('contract 6.2: settings', () => {
  it('a change on one instance applies on the other, too, and is published once', async () => {
    const before = await other.screen('a zebra');
    const { revision, settings } = await one.put({
      'modes.input_screen': 'monitor',
      'input_screen.patterns': { zebra: 'zebra' },
    });
    const here = await one.screen('a zebra');
    await other.reaches(revision);
    expect((await other.settings()).settings).toEqual(settings);
    expect(await other.screen('a zebra')).toEqual(here);
    expect(here).toMatchObject({ blocked: true, would_enforce: false, rule_id: 'zebra' });
    expect(here.ruleset_version).not.toBe(before.ruleset_version);
    expect(one.published).toHaveLength(1);
    expect(other.published).toEqual([]);
  });

  it('apply in both directions, with the same ETag', async () => {
    const { revision } = await other.put({ 'retention.days': 17 });
    await one.reaches(revision);
    const etag = (await one.host.get('/settings')).headers.etag;
    expect(etag).toBe((await other.host.get('/settings')).headers.etag);
    const call = { headers: { 'if-match': String(etag) } };
    expect((await one.host.put('/settings', { settings: { 'retention.days': 18 } }, call)).status).toBe(200);
    const late = await other.host.put('/settings', { settings: { 'retention.days': 19 } }, call);
    expect([late.status, late.body.data.error.code]).toEqual([412, 'stale_settings']);
  });

  it('a PUT builds on the latest change of the other instance', async () => {
    await one.put({ 'retention.days': 20 });
    const { changed, settings, overridden } = await other.put({ 'retention.strategy': 'keep' });
    expect(changed).toEqual(['retention.strategy']);
    expect(overridden).toEqual(['retention.days', 'retention.strategy']);
    expect(settings).toMatchObject({ retention: { days: 20, strategy: 'keep' } });
  });

  it('a new instance starts with the settings of the others', async () => {
    const { settings, revision } = await one.put({ 'retention.days': 21, 'hitl.fallback': 'pass' });
    const late = await Instance.start();
    try {
      expect(await late.settings()).toMatchObject({ settings, revision });
    } finally {
      await late.host.stop();
    }
  });
});

describe('contract 8.10: a freeze', () => {
  it('stops the tools of the other instance with its next poll, also after the first instance has ended', async () => {
    const first = await Instance.start();
    const guarded = other.host.guardrails.guardTool(
      { name: 'note', parameters: { type: 'object' }, execute: () => 'done' },
      { principalId: 'customer-42' },
    );
    expect(await guarded.execute({})).toMatchObject({ status: 'executed' });
    const { freeze } = (await first.host.post('/freeze', { scope: 'all', reason: 'r' })).body
      .data as unknown as FreezeData;
    await first.host.stop();
    await other.reaches(freeze.id);
    expect(await guarded.execute({})).toMatchObject({ status: 'refused', reason: 'frozen' });
    await one.host.post(`/freeze/${freeze.id}/lift`, { reason: 'r' });
    await other.reaches(freeze.id + 1);
    expect(await guarded.execute({})).toMatchObject({ status: 'executed' });
  });
});

/** A change of one key to a value that identifies its author. */
type Change = (person: Person, turn: number) => readonly [key: string, value: unknown];

const CHANGES: readonly Change[] = [
  (person, turn) => ['retention.days', (person === 'operator' ? 10_000 : 20_000) + (turn % 3)],
  (person, turn) => ['input_screen.refusal_message', `${ACTORS[person]} says ${turn % 3}`],
  (person, turn) => ['hitl.destructive_tools', [ACTORS[person], `tool ${turn % 3}`]],
  (person, turn) => [
    'input_screen.patterns',
    { [`of.${ACTORS[person]}`]: `/turn ${turn % 4}/i`, shared: `/${ACTORS[person]} ${turn % 2}/` },
  ],
  (person, turn) => [
    'normalization.max_prompt_length',
    (person === 'operator' ? 10_000 : 20_000) + (turn % 2),
  ],
  (person) => ['input_screen.rule_modes', { [`of.${ACTORS[person]}`]: 'monitor' }],
];

/** The only actor who can have written this value; `null` for a configured value or none. */
function authorOf(key: string, value: unknown): string | null {
  if (value === null) return null;
  if (typeof value === 'number') return { 1: 'ops-1', 2: 'ops-2' }[Math.trunc(value / 10_000)] ?? null;
  return /ops-[12]/.exec(`${key} ${JSON.stringify(value)}`)?.[0] ?? null;
}

/** The newest `count` changes, oldest first. */
async function newestChanges(count: number): Promise<SettingsChangesData['changes']> {
  const found: SettingsChangesData['changes'][number][] = [];
  for (let cursor = ''; found.length < count;) {
    const page: SettingsChangesData = await one.read(`/settings/changes?limit=200${cursor}`);
    found.push(...page.changes);
    if (page.next_cursor === null) break;
    cursor = `&cursor=${page.next_cursor}`;
  }
  return found.slice(0, count).toReversed();
}

describe('contract 6.2: fifty concurrent PUTs from two clients on two instances', () => {
  it('the change log replays to the settings, and each change has its own actor', async () => {
    const start = await one.settings();
    const puts = sample(
      record({
        person: constantFrom<Person>('operator', 'second-operator'),
        elsewhere: boolean(),
        keys: uniqueArray(nat(CHANGES.length - 1), { minLength: 1, maxLength: 3 }),
        turn: nat(11),
        back: integer({ min: 0, max: 5 }).map((dice) => dice === 0),
      }),
      { numRuns: 50 },
    );
    const answers = await Promise.all(
      puts.map(async ({ person, elsewhere, keys, turn, back }) => {
        const entries = keys.map((index) => CHANGES[index]?.(person, turn) ?? ['', null]);
        const settings = Object.fromEntries(entries.map(([key, value]) => [key, back ? null : value]));
        return { person, answer: await (elsewhere ? other : one).put(settings, person) };
      }),
    );
    const revision = Math.max(...answers.map(({ answer }) => answer.revision));
    await Promise.all([one.reaches(revision), other.reaches(revision)]);
    const final = await one.settings();
    expect(await other.settings()).toEqual(final);

    const effective = answers.filter(({ answer }) => answer.changed.length > 0);
    expect(effective.length).toBeGreaterThan(20);
    expect(final.revision).toBe(start.revision + effective.length);

    const events = [...one.published, ...other.published].toSorted((a, b) => a.revision - b.revision);
    expect(events.map((event) => event.revision)).toEqual(
      Array.from({ length: effective.length }, (_, index) => start.revision + 1 + index),
    );
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);

    const log = await newestChanges(events.reduce((sum, { changes }) => sum + changes.length, 0));
    expect(
      log.map(({ actor_id, key, old_value, new_value }) => ({ actor_id, key, old_value, new_value })),
    ).toEqual(
      events.flatMap(({ actorId, changes }) =>
        changes.map(({ key, before, after }) => ({
          actor_id: actorId,
          key,
          old_value: before,
          new_value: after,
        })),
      ),
    );

    for (const { actor_id, key, new_value } of log) {
      expect([key, actor_id]).toEqual([key, authorOf(key, new_value) ?? actor_id]);
    }
    const published = events.map(({ actorId, changes }) =>
      [actorId, ...changes.map(({ key }) => key)].join(' '),
    );
    const answered = effective.map(({ person, answer }) => [ACTORS[person], ...answer.changed].join(' '));
    expect(published.toSorted()).toEqual(answered.toSorted());

    const replayed = new Map<string, unknown>(flat(start.settings));
    for (const { key, old_value, new_value } of log) {
      expect([key, replayed.get(key) ?? null]).toEqual([key, old_value]);
      if (new_value === null) replayed.delete(key);
      else replayed.set(key, new_value);
    }
    expect(Object.fromEntries(replayed)).toEqual(Object.fromEntries(flat(final.settings)));
  });
});

/** Nested settings → dotted keys, one per pattern, as in the change log. */
function flat(settings: SettingsData['settings']): [string, unknown][] {
  return Object.entries(settings).flatMap(([group, members]): [string, unknown][] =>
    typeof members !== 'object' || members === null
      ? [[group, members]]
      : Object.entries(members).flatMap(([name, value]): [string, unknown][] =>
          name === 'patterns'
            ? Object.entries(value as object).map(([id, pattern]) => [`${group}.patterns.${id}`, pattern])
            : [[`${group}.${name}`, value]],
        ),
  );
}

const waitingOn = async (instance: Instance, runId: string): Promise<string> => {
  const { pending } = await instance.read<ApprovalListData>('/approvals');
  return pending.find((item) => item.run_id === runId)?.token ?? '';
};

const decisionOf = ({ status, body }: Answer): ApprovalDecisionData => {
  expect(status).toBe(200);
  return body.data as unknown as ApprovalDecisionData;
};

/** Parks a call on one instance, and returns the token that the other one shows for it. */
async function park(runId: string): Promise<string> {
  await one.ask(runId);
  const token = await waitingOn(other, runId);
  expect(token).toBe(await waitingOn(one, runId));
  expect(token).toMatch(/^[\w-]{43}$/);
  return token;
}

describe('contract 7.7: an approval', () => {
  it('a call that is parked on one instance is decided and run on the other', async () => {
    const token = await park('run-1');
    const answer = await other.host.post(`/approvals/${token}/approve`, {}, { as: 'second-operator' });
    expect(decisionOf(answer)).toMatchObject({
      status: 'executed',
      decided_by: 'ops-2',
      result: { refunded: 'run-1' },
    });
    expect(other.ran).toContainEqual(expect.objectContaining({ order: 'run-1' }));
    expect(one.ran).not.toContainEqual(expect.objectContaining({ order: 'run-1' }));
    expect(await waitingOn(one, 'run-1')).toBe('');
    const again = await one.host.post(`/approvals/${token}/approve`, {}, { as: 'second-operator' });
    expect(decisionOf(again)).toEqual(decisionOf(answer));
    const late = await one.host.post(`/approvals/${token}/reject`);
    expect(late.status).toBe(409);
    expect(late.body.data.error.details).toMatchObject({ decision: 'approved', decided_by: 'ops-2' });
  });

  it('a call that is parked on one instance is rejected on the other', async () => {
    const token = await park('run-2');
    expect(decisionOf(await other.host.post(`/approvals/${token}/reject`))).toMatchObject({
      status: 'rejected',
    });
    expect((await one.host.post(`/approvals/${token}/approve`)).body.data.error.code).toBe('already_decided');
    expect([...one.ran, ...other.ran]).not.toContainEqual(expect.objectContaining({ order: 'run-2' }));
  });

  it('a parked call remains when its instance stops', async () => {
    const short = await Instance.start();
    await short.ask('run-3');
    await short.host.stop();
    const token = await waitingOn(other, 'run-3');
    expect(decisionOf(await other.host.post(`/approvals/${token}/approve`)).result).toEqual({
      refunded: 'run-3',
    });
  });

  it('contract 7.3: a call that is approved on both instances at once runs once', async () => {
    const token = await park('run-4');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? one : other).host.post(
          `/approvals/${token}/approve`,
          {},
          {
            as: index % 4 < 2 ? 'operator' : 'second-operator',
          },
        ),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const ran = [...one.ran, ...other.ran].filter(({ order }) => order === 'run-4');
    expect(ran).toHaveLength(1);
  });
});
