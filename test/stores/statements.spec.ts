import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import type { Approval, NewApproval } from '#contracts/approvals/approvals.js';
import { overviewWindow } from '#contracts/overview/overview.js';
import type { ApprovalCommand } from '#contracts/stores/approvals.store.js';
import type { QueuedEvent } from '#contracts/events/outbox.js';
import type { RetentionScope, RetentionStrategy } from '#contracts/retention/retention.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { brokenCommitments, brokenSeals, logSeal } from '#engine/index.js';
import {
  approvalEvidence as evidence,
  decision,
  newApproval,
  newRejection,
  NOON,
  outgoingEvent,
  settingsPlan,
} from '#stores/contract/index.js';
import {
  claiming,
  command,
  finishing,
  resolution,
  superseding,
  voting,
} from '#stores/contract/approval-helpers.js';
import { complete } from '#stores/contract/retention-helpers.js';
import { Maintenance, typeormStores } from '#stores/typeorm/index.js';
import { freshDatabase } from '../postgres/database.js';
import { withFolding } from '../support/count-folding.js';
import { named, sentBy, SentStatements, withNames } from './sent-statements.js';
import { READING, RUN } from '#stores/contract/runs.contract.js';

/**
 * Every statement of the stores, with the operations that send it. To record changed statements:
 * UPDATE_STATEMENTS=1 npm test -- --selectProjects system -- test/stores/statements
 */
const FILE = join(import.meta.dirname, 'statements.sql');

type Stores = Omit<StoreBackend, 'open' | 'close'>;

/** Calls a method in each way that sends other statements. A new method of a store does not compile until it is listed. */
type Story = {
  readonly [Store in keyof Stores]: {
    readonly [Method in keyof Stores[Store]]: 'no statement' | (() => Promise<unknown>);
  };
};

const LONG = 3_600_000;
const PAGE = { limit: 10 };
const PART = { cursor: 1_000, after: 1, limit: 10 };
const WINDOW = { from: new Date(NOON.getTime() - 30 * 3_600_000), to: NOON };
const OLD = new Date(0);
const PERSON = 'customer-42';
const RESULT = { result: null, error: null };
const FILTER = {
  tool: 'refund',
  principalId: PERSON,
  application: 'shop',
  runId: 'run-1',
  q: 'A-1',
  ...WINDOW,
};
const CLAIM = { budget: 'refunds', owner: PERSON, amount: '5' };
const LIMIT = { budget: 'refunds', exactBudget: 'exact', windowMs: LONG * 3, lte: '10' };

const database = await freshDatabase();
const backend = typeormStores({ url: database.url });
await backend.open({ statementTimeoutMs: 30_000 });
const statements = new SentStatements();

afterAll(async () => {
  statements.stop();
  await backend.close();
  await database.drop();
});

it('are those of statements.sql', async () => {
  backend.log.sealRows(logSeal('a secret of at least 32 characters'));
  for (const methods of Object.values(storyOf(withNames(backend))))
    for (const call of Object.values(methods)) if (typeof call === 'function') await call();
  await withFolding(database.url, (fold) => named('counts.fold', fold));
  await verify();
  const printed = await statements.printed(database.url);
  if (process.env['UPDATE_STATEMENTS'] === '1') writeFileSync(FILE, printed);
  expect(printed).toBe(readFileSync(FILE, 'utf8'));
});

it('lock and read an approval at once, and read nothing after it is written', async () => {
  const park = async (parts: Partial<NewApproval> = {}): Promise<number> =>
    (await backend.approvals.park(newApproval(parts), evidence, 100))?.approval.id ?? 0;
  const sent = async (id: number, ...commands: readonly ApprovalCommand[]): Promise<readonly string[]> => {
    const found = await sentBy(async () => {
      for (const each of commands) await backend.approvals.change(id, each, evidence);
    });
    return found.map(({ text }) => /^(select|update|insert|with)/i.exec(text)?.[0].toLowerCase() ?? '');
  };

  const call = await park();
  expect(await sent(call, command())).toEqual(['select', 'update', 'with']);
  expect(await sent(call, claiming())).toEqual(['select', 'update']);
  const shared = await park({ requirement: { rule: 1, approvers: 2, group: null, isReasonRequired: false } });
  expect(await sent(shared, voting({ afterCount: 0 }))).toEqual(['select', 'update', 'insert', 'with']);
  // Its second statement reads the votes, after the lock.
  expect(await sent(shared, voting({ actorId: 'ops-2', afterCount: 1, isLast: true }))).toEqual([
    'select',
    'select',
    'update',
    'insert',
    'with',
  ]);
});

function storyOf(stores: StoreBackend): Story {
  const {
    approvals,
    audit,
    budgets,
    firewall,
    runIndex,
    holds,
    log,
    outbox,
    output,
    overview,
    retention,
    reviews,
    runs,
    settings,
  } = stores;
  const call = decision({
    control: 'tool_firewall',
    outcome: 'blocked',
    ruleId: 'role_override',
    matchedRules: [{ ruleId: 'role_override', span: [0, 1] }],
    principalId: PERSON,
    rejection: newRejection({ principalId: PERSON }),
    outputCounts: [{ kind: 'pii_redaction', detector: 'email', enforced: true, count: 2 }],
    outgoing: [outgoingEvent({ payload: { principal_id: PERSON } })],
  });
  let [id, holdId] = [0, 0];
  let waiting: Approval;

  async function park(parts: Partial<NewApproval> = {}): Promise<Approval> {
    const parked = await approvals.park(newApproval({ principalId: PERSON, ...parts }), evidence, 100);
    if (parked === null) throw new Error('Too many calls are pending.');
    return parked.approval;
  }

  async function changed(approval: number, ...commands: readonly ApprovalCommand[]): Promise<void> {
    for (const each of commands) await approvals.change(approval, each, evidence);
  }

  async function started(leaseMs = LONG): Promise<number> {
    const { id: approval } = await park();
    await changed(approval, command(), claiming({ leaseMs }));
    return approval;
  }

  async function claimed(): Promise<QueuedEvent> {
    await outbox.add([outgoingEvent()]);
    const event = (await outbox.claim('siem', 100, LONG)).at(-1);
    if (event === undefined) throw new Error('No event is due.');
    return event;
  }

  async function retain(strategy: RetentionStrategy, scope: RetentionScope): Promise<number> {
    const run = await retention.begin({ strategy, scope, actorId: 'ops-1' }, LONG, 1);
    return (await complete(retention, run!)).id;
  }

  return {
    audit: {
      commits: 'no statement',
      append: async () => {
        id = await audit.append(call);
        await Promise.all([audit.append(decision()), audit.append(call), audit.append(decision())]);
      },
      list: async () => {
        await audit.list({}, PAGE);
        await audit.list(
          {
            control: 'input_screen',
            rule_id: ['a', 'b'],
            principal_id: PERSON,
            q: 'hello',
            review: 'any',
            ...WINDOW,
          },
          PART,
        );
        await audit.list(
          { kind: 'pii_redaction', detector: 'email', matched: ['a'], review: 'none', blocked: true },
          PAGE,
        );
      },
      find: () => audit.find(id),
      neighbors: () => audit.neighbors({ id, control: 'input_screen' }),
      decidedCalls: () => audit.decidedCalls(WINDOW, PAGE),
      newestId: () => audit.newestId(),
      exportSlice: async () => {
        for (const withContent of [true, false])
          await audit.exportSlice({}, { after: 0, through: 10 }, { limit: 10, withContent });
      },
      recordedTexts: () => audit.recordedTexts({ control: 'input_screen' }, PAGE),
      trend: async () => {
        await audit.trend({ control: 'input_screen' }, WINDOW, 'hour');
        await audit.trend({ principal_id: PERSON }, WINDOW);
      },
      trendBy: async () => {
        await audit.trendBy('rule_id', {}, WINDOW, 'day');
        await audit.trendBy('rule_id', { q: 'hello' }, WINDOW, 'day');
      },
      facets: () => audit.facets('principal_id', {}),
    },
    runIndex: {
      list: async () => {
        await audit.append(decision({ ...RUN, control: 'hitl', approvalId: 1 }));
        await runIndex.list({}, PAGE);
        const names = { application: 'shop', principal_id: PERSON, run_id: 'run-1' };
        await runIndex.list({ outcome: 'blocked', control: 'hitl', ...names, ...WINDOW }, PART);
      },
      find: async () => {
        const [run] = (await runIndex.list({}, PAGE)).runs;
        await runIndex.find(run?.id ?? 0);
      },
    },
    firewall: {
      list: async () => {
        await firewall.list({}, PAGE);
        await firewall.list(
          { tool: 'refund', principal_id: PERSON, reason: 'must be a number', q: 'ref' },
          PART,
        );
      },
      find: () => firewall.find(id),
    },
    output: {
      stats: () => output.stats(WINDOW),
      daily: () => output.daily({ ...WINDOW, application: 'shop' }),
    },
    overview: {
      activity: () => overview.activity(overviewWindow(NOON)),
      ruleHits: () => overview.ruleHits(overviewWindow(NOON)),
    },
    reviews: {
      append: () => {
        const author = { actorId: 'ops-1', requestId: null, reviewedAt: NOON };
        return reviews.append({ entryId: id, verdict: 'false_positive', note: 'harmless', ...author });
      },
      ofEntry: () => reviews.ofEntry(id),
      nextUnreviewed: () => reviews.nextUnreviewed('input_screen', 1_000),
      counts: () => reviews.counts(OLD),
      labelled: () => reviews.labelled(PAGE),
    },
    approvals: {
      park: async () => {
        await park({ runId: 'run-1', claims: [CLAIM] });
        waiting = await park();
      },
      findSame: () => approvals.findSame({ ...waiting, runId: 'run-1' }),
      findLast: () => approvals.findLast({ ...waiting, runId: 'run-1' }),
      pending: async () => {
        await approvals.pending(PAGE);
        await approvals.pending(PART, FILTER);
      },
      history: async () => {
        await approvals.history({}, PAGE);
        await approvals.history({ status: 'executed', actor: 'ops-1', ...FILTER }, PART);
      },
      approvedArguments: () => approvals.approvedArguments({ tool: 'refund', application: 'shop' }, 200),
      find: () => approvals.find(waiting.id),
      findByTokenHash: () => approvals.findByTokenHash(waiting.tokenHash),
      encryptedToken: () => approvals.encryptedToken(waiting.id),
      change: async () => {
        const requirement = { rule: 1, approvers: 2, group: null, isReasonRequired: false };
        await changed(
          (await park({ requirement, claims: [CLAIM] })).id,
          voting({ afterCount: 0 }),
          voting({ actorId: 'ops-2', voided: [1], afterCount: 1, isLast: true }),
        );
        await changed(
          await started(),
          { kind: 'renew', fence: 1, leaseMs: LONG },
          finishing('executed'),
          { kind: 'claimNotification', leaseMs: LONG },
          { kind: 'retryNotification', status: 'executed', inMs: 0 },
          { kind: 'markNotified', status: 'executed' },
        );
        await changed(
          await started(0),
          { kind: 'claimAgain', fence: 1, leaseMs: LONG },
          finishing('failed', RESULT, 2),
        );
        await changed(await started(0), { kind: 'markUnknown', fence: 1, result: RESULT }, resolution());
        await changed((await park()).id, command(), superseding(RESULT));
        await changed((await park({ ttlMs: 0 })).id, { kind: 'expire' });
        await changed(waiting.id, { kind: 'remind', reminder: 'escalated', afterMs: 0 });
      },
      propose: async () => {
        const { id: first } = await park();
        const edited = newApproval({ principalId: PERSON, supersedes: first, firstId: first });
        return approvals.propose(first, edited, evidence);
      },
      dueReminders: () => approvals.dueReminders('reminded', 0, 10),
      stuck: async () => {
        for (const kind of ['overdue', 'unrun', 'lost', 'restored'] as const)
          await approvals.stuck(kind, 0, PART);
      },
      settled: () => approvals.settled([waiting.id]),
      dueNotifications: () => approvals.dueNotifications(0, 10),
    },
    budgets: {
      states: () => budgets.states([CLAIM], [LIMIT]),
      admit: () => budgets.admit({ reference: 'call-1', claims: [CLAIM] }, [LIMIT], () => decision()),
      release: () => budgets.release('call-1'),
    },
    runs: {
      read: () => runs.read(RUN, { ...READING, parentRunId: 'parent', label: 'suspect', entryId: 3 }),
      vouch: () => runs.vouch(RUN, '00', '0123456789abcdef'),
      find: () => runs.find(RUN),
      end: () => runs.end(RUN),
      deleteOld: () => runs.deleteOld(10),
    },
    settings: {
      read: () => settings.read(),
      revision: () => settings.revision(),
      apply: async () => {
        const patterns = { 'input_screen.patterns': { competitor: '/acme/' } };
        await settings.apply(() => settingsPlan({ overrides: patterns, outgoing: [outgoingEvent()] }));
        await settings.apply(() => settingsPlan({ overrides: { 'input_screen.patterns': null } }));
      },
      changes: async () => {
        await settings.changes({}, PAGE);
        await settings.changes({ key: 'input_screen', actor: 'ops-1', ...WINDOW }, PART);
      },
    },
    outbox: {
      claim: () => claimed(),
      delivered: async () => outbox.delivered('siem', [await claimed()]),
      retry: async () => outbox.retry('siem', await claimed(), LONG, 'refused'),
      retryNow: () => outbox.retryNow('siem', 10),
      markDead: async () => outbox.markDead('siem', await claimed(), 'refused'),
      release: async () => outbox.release('siem', [await claimed()]),
      deadLetters: async () => {
        await outbox.deadLetters('siem', PAGE);
        await outbox.deadLetters('siem', { ...PART, sequence: 1 });
      },
      retryDead: async () => {
        await outbox.retryDead('siem', 10);
        await outbox.retryDead('siem', 10, 1);
      },
      add: () => outbox.add([outgoingEvent({ sinks: [] })]),
      markOldDead: () => outbox.markOldDead('siem', LONG, 10, 'too old'),
      requeue: () => outbox.requeue('siem', [1]),
      backlog: () => outbox.backlog(),
      after: () => outbox.after(0, 10),
      newest: () => outbox.newest(),
      prune: () => outbox.prune(OLD, 10, ['siem']),
    },
    holds: {
      set: async () => {
        const scope = { kind: 'run', runId: 'run-9' } as const;
        holdId = (await holds.set({ scope, reason: 'case 118', setBy: 'ops-1' }, () => [outgoingEvent()])).id;
      },
      list: async () => {
        await holds.list({}, PAGE);
        for (const active of [true, false]) await holds.list({ active }, PART);
      },
      release: async () => {
        await holds.release(holdId, 'ops-2', () => [outgoingEvent()]);
        await holds.release(holdId, 'ops-2', () => []);
      },
    },
    log: {
      sealRows: 'no statement',
      seal: () => log.seal(logSeal('a secret of at least 32 characters')),
      extend: () => log.extend(100),
      leaves: () => log.leaves(0, 10),
      checkpoint: () => log.checkpoint(0, () => ({ note: 'signed', outgoing: [] })),
      checkpoints: () => log.checkpoints(0, 10),
      newest: () => log.newest(),
    },
    retention: {
      count: async () => {
        for (const strategy of ['anonymize', 'purge'] as const)
          for (const scope of scopesOf(id)) await retention.count({ strategy, scope });
      },
      setMinimumDays: () => retention.setMinimumDays(0),
      begin: async () => {
        const order = { strategy: 'anonymize', scope: { kind: 'entry', id }, actorId: 'ops-1' } as const;
        await retention.begin(order, 0);
      },
      takeOver: async () => {
        const left = await retention.takeOver(0);
        if (left !== null) await retention.finish(left);
      },
      proceed: async () => {
        await retain('anonymize', { kind: 'entry', id });
        await retain('purge', { kind: 'principal', principalId: PERSON });
        await audit.append(call);
        await retain('anonymize', { kind: 'principal', principalId: PERSON });
        await retain('anonymize', { kind: 'before', before: new Date() });
        await retain('purge', { kind: 'before', before: new Date() });
      },
      finish: async () =>
        retention.markPublished(await retain('purge', { kind: 'entry', id }), [outgoingEvent()]),
      runs: () => retention.runs(10),
      unpublished: () => retention.unpublished(10),
      markPublished: () => retention.markPublished(1, [outgoingEvent()]),
    },
  };
}

const scopesOf = (id: number): readonly RetentionScope[] => [
  { kind: 'entry', id },
  { kind: 'principal', principalId: PERSON },
  { kind: 'before', before: NOON },
];

async function verify(): Promise<void> {
  const maintenance = new Maintenance({ url: database.url });
  await maintenance.open();
  const checks = {
    brokenCommitments,
    brokenSeals: brokenSeals(null),
    sealOf: logSeal('a secret of at least 32 characters'),
  };
  await named('maintenance.verify', () => maintenance.verify(checks, () => undefined));
  await named('maintenance.inspect', () => maintenance.inspect());
  await maintenance.close();
}
