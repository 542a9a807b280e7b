import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DEFAULT_SETTINGS } from '#contracts/settings/settings.js';
import { commitmentsTo, newSalt } from '#engine/record/commitments.js';
import { createEngine } from '#engine/index.js';
import { approvalEvidence, decision, newApproval, noonPlus, refusal } from '#stores/contract/index.js';
import { typeormStores } from '#stores/typeorm/index.js';
import { freshDatabase, type FreshDatabase } from '../postgres/database.js';
import { parkedCall } from '../support/approvals.js';
import { bench, refundTool, TOKEN_SECRET } from '../support/engine.js';
import { cli, type CliResult } from './built-cli.js';
import { tamper } from './tampering.js';

const HOUR = 3_600_000;

let database: FreshDatabase;

/** Twenty decisions of one writer and four principals, two per hour. */
beforeEach(async () => {
  database = await freshDatabase();
  const stores = typeormStores({ url: database.url });
  await stores.open();
  for (let n = 0; n < 20; n++) {
    const [salt, prompt, principalId] = [newSalt(), `prompt number ${n}`, `customer-${n % 4}`];
    const commitments = commitmentsTo(
      { prompt, matchedText: null, principal: principalId, policy: null },
      salt,
    );
    const occurredAt = noonPlus((n / 2) * HOUR);
    await stores.audit.append(decision({ occurredAt, prompt, principalId, salt, commitments }));
  }
  await stores.close();
});

afterEach(async () => {
  await database.drop();
});

interface Report extends CliResult {
  readonly ok: boolean;
  readonly entries: number;
  readonly erased: number;
  readonly forgotten: number;
  readonly removed: number;
  readonly findings: readonly {
    readonly kind: string;
    readonly id: number | null;
    readonly message: string;
  }[];
}

async function verify(): Promise<Report> {
  const ended = await cli(['verify', '--json'], { DATABASE_URL: database.url });
  return { ...ended, ...(JSON.parse(ended.stdout) as Report) };
}

async function kinds(): Promise<readonly (readonly [kind: string, id: number | null])[]> {
  const { code, ok, findings } = await verify();
  expect([code, ok]).toEqual(findings.length === 0 ? [0, true] : [1, false]);
  // A changed entry differs from the counts of several units.
  const isFirst = (index: number): boolean => findings.findIndex(({ kind }) => kind === 'counts') === index;
  return findings.flatMap(({ kind, id }, index) =>
    kind === 'counts' && !isFirst(index) ? [] : [[kind, id] as const],
  );
}

const purge = (...words: string[]): Promise<CliResult> =>
  cli(['purge', '--actor', 'ops-1', ...words], { DATABASE_URL: database.url });

describe('nest-guardrails verify', () => {
  it('reports no difference for an unchanged audit and lists the changes that it cannot detect', async () => {
    const { code, stdout } = await cli(['verify'], { DATABASE_URL: database.url });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^20 entries of 1 writers and 0 approvals were verified\.$/m);
    const { ok, findings, stdout: json } = await verify();
    expect([ok, findings]).toEqual([true, []]);
    expect((JSON.parse(json) as { unseen: string[] }).unseen.length).toBeGreaterThan(3);
  });

  it.each([
    ['outcome', "outcome = 'blocked'"],
    ['time', "occurred_at = occurred_at + interval '1 millisecond'"],
    ['rule', "rule_id = 'none'"],
    ['commitment', "prompt_commitment = sha256('another')"],
    ['number', 'prompt_length = prompt_length + 1'],
    ['day', "day = '2026-03-09'"],
  ])('reports a row with a changed %s', async (_, change) => {
    await tamper(database, `update guardrails_audit_evidence set ${change} where id = 7`);
    expect(await kinds()).toContainEqual(['altered', 7]);
  });

  it('reports a removed step of an approval, which has a separate writer', async () => {
    const stores = typeormStores({ url: database.url });
    await stores.open();
    await stores.approvals.park(newApproval(), approvalEvidence, 20);
    await stores.close();
    expect((await verify()).stdout).not.toMatch(/Rows 1 to 1 at the end/);
    await tamper(database, 'delete from guardrails_audit_evidence where id = 21');
    expect((await verify()).findings.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^Rows 1 to 1 at the end of writer .* are missing/),
    );
  });

  it('reports rows deleted in the middle, and the count of their hour', async () => {
    await tamper(database, 'delete from guardrails_audit_evidence where id in (7, 8)');
    expect(await kinds()).toEqual([
      ['missing', 9],
      ['counts', null],
    ]);
  });

  it('reports rows deleted at the end by the counts and the last position of the writer', async () => {
    await tamper(database, 'delete from guardrails_audit_evidence where id > 18');
    expect(await kinds()).toEqual([
      ['missing', null],
      ['counts', null],
    ]);
  });

  it('reports changed counts', async () => {
    await tamper(
      database,
      `update guardrails_audit_hourly set observed = allowed, allowed = 0 where hour = '2026-03-10T13'`,
      `update guardrails_audit_new_counts set observed = allowed, allowed = 0 where time like '2026-03-10T13%'`,
      `update guardrails_audit_daily set observed = allowed, allowed = 0`,
    );
    expect((await verify()).findings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^audit_daily: 4 counts of the day 2026-03-10 .* counted 18, found 20/),
      ...['13:00', '13:30'].map((time) =>
        expect.stringMatching(`^audit_fine_counts: 2 counts of the minute 2026-03-10T${time}`),
      ),
      ...['13:00:00', '13:30:00'].map((time) =>
        expect.stringMatching(`^audit_fine_counts: 2 counts of the second 2026-03-10T${time}`),
      ),
      expect.stringMatching(
        /^audit_hourly: 4 counts of the hour 2026-03-10T13 .*"input_screen", "allowed".*: counted 0, found 2/,
      ),
    ]);
  });

  it('reports an entry without a principal that retention did not remove', async () => {
    await tamper(database, 'update guardrails_audit_evidence set principal_ref = 4711 where id = 5');
    expect(await kinds()).toContainEqual(['unrecorded_removal', 5]);
  });

  it('reports changed and removed refused calls', async () => {
    const stores = typeormStores({ url: database.url });
    await stores.open();
    for (const tool of ['refund', 'refund', 'send_email']) await stores.audit.append(refusal({ tool }));
    await stores.close();
    expect(await kinds().then((found) => found.filter(([kind]) => kind !== 'text_altered'))).toEqual([]);
    await tamper(
      database,
      `update guardrails_firewall_rejections set enforced = false where evidence_id = 21`,
      'delete from guardrails_firewall_rejections where evidence_id = 22',
      `insert into guardrails_firewall_rejections (evidence_id, tool, violations, violation_count, enforced, occurred_at)
       values (4711, 'refund', '{}', 0, true, now())`,
    );
    const found = await kinds();
    for (const finding of [
      ['altered', 21],
      ['altered', 4711],
      ['unrecorded_removal', null],
    ])
      expect(found).toContainEqual(finding);
  });

  it('accepts patterns that an override has in common with the configuration', async () => {
    const stores = typeormStores({ url: database.url });
    const own = { 'shop.codes': '/secret/i' };
    const engine = createEngine({
      stores,
      configured: { ...DEFAULT_SETTINGS, 'input_screen.patterns': own },
    });
    await stores.open();
    await engine.start();
    await engine.settings.update(
      { 'input_screen.patterns': { ...own, 'shop.orders': '/order/i' } },
      { actorId: 'ops-1', requestId: null, ifMatch: null },
    );
    await engine.stop();
    await stores.close();
    expect(await kinds()).toEqual([]);
  });

  it('reports settings without a change record', async () => {
    const stores = typeormStores({ url: database.url });
    const engine = createEngine({ stores, configured: DEFAULT_SETTINGS });
    await stores.open();
    await engine.start();
    await engine.settings.update(
      { 'modes.hitl': 'monitor', 'retention.days': 30, 'input_screen.patterns': { 'shop.codes': 'secret' } },
      { actorId: 'ops-1', requestId: null, ifMatch: null },
    );
    await engine.stop();
    await stores.close();
    expect(await kinds()).toEqual([]);
    await tamper(
      database,
      `update guardrails_settings set value = '"off"' where key = 'modes.hitl'`,
      `insert into guardrails_settings (key, value) values ('output_handler.redact_pii', 'false')`,
    );
    expect((await verify()).findings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/modes\.hitl differs from its latest recorded change/),
      expect.stringMatching(/output_handler\.redact_pii is overridden, but no change/),
    ]);
  });

  it('verifies approvals, and their keyed digests only with the secret of the application', async () => {
    const stores = typeormStores({ url: database.url });
    const { engine } = await bench({ 'hitl.enabled': true }, { stores, tools: [refundTool()] });
    const { approvalId } = await parkedCall(engine, refundTool());
    await engine.stop();
    await stores.close();
    const environment = { DATABASE_URL: database.url, GUARDRAILS_HITL_TOKEN_SECRET: TOKEN_SECRET };
    expect(await cli(['verify'], environment)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^22 entries of \d writers and 1 approvals were verified\.\nThe log of what operators do .* is empty, .*\nRetention/m,
      ),
    });
    await tamper(
      database,
      `update guardrails_approvals set principal_id = 'customer-7' where id = ${approvalId}`,
    );
    expect(await cli(['verify'], { DATABASE_URL: database.url })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/1 approvals, their .* not verified: set GUARDRAILS_HITL_TOKEN_SECRET/),
    });
    expect(await cli(['verify'], environment)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        `altered: Approval ${approvalId}: its call does not match its keyed digest`,
      ),
    });
    const { stdout } = await cli(['verify', '--json'], environment);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      unchecked: [expect.stringMatching(/is empty, so there is nothing to verify/)],
      findings: [{ approvalId, id: null }],
    });
  });

  it('reports reordered rows', async () => {
    await tamper(
      database,
      'update guardrails_audit_evidence set id = -7 where id = 7',
      'alter table guardrails_audit_evidence disable trigger all',
      `update guardrails_audit_evidence set id = 7 where id = 8`,
      `update guardrails_audit_evidence set id = 8 where id = -7`,
    ).catch(async () => {
      // The id is an identity column, which a superuser can drop.
      await tamper(
        database,
        'alter table guardrails_audit_evidence alter column id drop identity',
        'update guardrails_audit_evidence set id = -7 where id = 7',
        'update guardrails_audit_evidence set id = 7 where id = 8',
        'update guardrails_audit_evidence set id = 8 where id = -7',
      );
    });
    expect((await kinds()).map(([kind]) => kind)).toEqual(expect.arrayContaining(['missing', 'reordered']));
  });

  it('reports a changed text, name and salt, and a missing text', async () => {
    await tamper(
      database,
      `update guardrails_audit_content set prompt = 'harmless' where evidence_id = 3`,
      `update guardrails_audit_content set salt = sha256('salt') where evidence_id = 4`,
      'delete from guardrails_audit_content where evidence_id = 5',
      `update guardrails_principals set name = 'somebody' where name = 'customer-1'`,
    );
    const found = await kinds();
    expect(found).toEqual(
      expect.arrayContaining([
        ['text_altered', 3],
        ['text_altered', 4],
        ['text_missing', 5],
      ]),
    );
    expect(found.filter(([kind, id]) => kind === 'text_altered' && (id ?? 0) % 4 === 2).length).toBe(5);
  });

  it('reports removals without a retention run', async () => {
    await tamper(
      database,
      `update guardrails_audit_content set storage = 'erased', prompt = '', salt = null where evidence_id = 3`,
      `insert into guardrails_removed_ranges (writer, first_sequence, last_sequence, run_id)
       select writer, 7, 7, 1 from guardrails_audit_evidence where id = 7`,
      'delete from guardrails_audit_evidence where id = 7',
      "insert into guardrails_removed_hours (hour, removed) select to_char(timestamp '2026-03-10 15:00', 'YYYY-MM-DD\"T\"HH24'), 1",
    );
    expect(await kinds()).toEqual([
      ['unrecorded_removal', null],
      ['unrecorded_removal', null],
    ]);
  });

  it('accepts what retention erased and deleted, and prints how much', async () => {
    await purge('--strategy', 'anonymize', '--principal', 'customer-0');
    await purge('--strategy', 'purge', '--principal', 'customer-1');
    await purge('--strategy', 'purge', '--entry', '3');
    await purge('--strategy', 'purge', '--entry', '4');
    expect(await verify()).toMatchObject({
      code: 0,
      findings: [],
      entries: 13,
      erased: 5,
      forgotten: 5,
      removed: 7,
    });
    await tamper(database, 'delete from guardrails_audit_evidence where id = 8');
    expect(await kinds()).toContainEqual(['missing', 9]);
  });

  it('verifies the rows after a gap of retention', async () => {
    await purge('--strategy', 'purge', '--principal', 'customer-1');
    await tamper(database, `update guardrails_audit_evidence set outcome = 'blocked' where id = 7`);
    expect(await kinds()).toEqual([
      ['altered', 7],
      ['counts', null],
    ]);
  });
});
