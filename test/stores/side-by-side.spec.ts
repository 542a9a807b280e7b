import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type AuditFilter, TREND_BUCKETS } from '#contracts/audit/filter.js';
import type { Decision } from '#contracts/audit/record.js';
import { CONTROL_KEYS } from '#contracts/common/control-mode.js';
import type { RejectionFilter } from '#contracts/firewall/firewall.js';
import { OUTPUT_KINDS } from '#contracts/output/output.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { decision, newBytes, newRejection, NOON, settingsPlan } from '#stores/contract/index.js';
import { memoryStores } from '#stores/memory/index.js';
import { typeormStores } from '#stores/typeorm/index.js';
import { freshDatabase } from '../postgres/database.js';

const HOUR = 3_600_000;
const RUNS = 4;
const OPERATIONS = 250;

const maybe = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> => fc.option(value);

const outcomes = fc.constantFrom('allowed', 'observed', 'blocked' as const);
const controls = fc.constantFrom(...CONTROL_KEYS);
const rules = fc.constantFrom('role_override', 'Role_Override', 'leak', "o'clock", '', 'ä\uD800');
const principals = fc.constantFrom(
  'customer-7',
  'customer-42',
  'Customer-42',
  '',
  'x'.repeat(5000),
  '😀\u0000',
);
const applications = fc.constantFrom('support', 'sales', '', "'; --", 'Support');
const texts = fc
  .array(fc.constantFrom('ignore', 'IGNORE', 'all', '100%', '_', '\\', "'", '😀', 'é', 'K', '\u0000'), {
    maxLength: 8,
  })
  .map((words) => words.join(' '));
const tools = fc.constantFrom('refund', 'Refund', 'send_email', 'a%b');

/** Within a few days, often at the limit of an hour or a day. */
const times = fc
  .oneof(
    fc.integer({ min: -40 * 24, max: 30 }).map((hours) => hours * HOUR),
    fc.integer({ min: -72, max: 2 }).map((hours) => hours * HOUR - 1),
    fc.integer({ min: -40 * 24 * HOUR, max: 30 * HOUR }),
    fc.integer({ min: -26 * HOUR, max: 0 }),
  )
  .map((milliseconds) => new Date(NOON.getTime() + milliseconds));

const decisions: fc.Arbitrary<Decision> = fc
  .record({
    occurredAt: times,
    control: controls,
    outcome: outcomes,
    ruleId: maybe(rules),
    matched: fc.array(rules, { maxLength: 3 }),
    principalId: maybe(principals),
    application: maybe(applications),
    prompt: texts,
    storage: fc.constantFrom('redact', 'hash', 'raw' as const),
    rulesetVersion: fc.constantFrom('builtin-1', 'builtin-2', 'shop-1'),
    tool: maybe(tools),
    counts: fc.array(
      fc.record({
        kind: fc.constantFrom(...OUTPUT_KINDS),
        detector: fc.constantFrom('email', 'html'),
        enforced: fc.boolean(),
        count: fc.integer({ min: 1, max: 5 }),
      }),
      { maxLength: 2 },
    ),
  })
  .map(({ matched, counts, ...parts }) => {
    const { tool, principalId, application, occurredAt } = parts;
    return decision({
      ...parts,
      matchedRules: matched.map((ruleId) => ({ ruleId, span: [0, 1] })),
      outputCounts: counts,
      salt: newBytes(),
      commitments: { prompt: newBytes(), matchedText: null, principal: newBytes(), policy: null },
      rejection: tool === null ? null : newRejection({ tool, principalId, application, occurredAt }),
    });
  });

const auditFilters: fc.Arbitrary<AuditFilter> = fc.record(
  {
    control: controls,
    blocked: fc.boolean(),
    outcome: outcomes,
    rule_id: rules.map((rule) => [rule]),
    principal_id: principals,
    application: applications,
    run_id: fc.constantFrom('run-1', 'run-2'),
    errored: fc.boolean(),
    origin: fc.constantFrom('prompt', 'tool_result'),
    q: fc.constantFrom('ignore', 'all 1', '%', '_', '\\', 'K', 'É', 'é', '\u0000'),
    from: times,
    to: times,
  },
  { requiredKeys: [] },
);

const rejectionFilters: fc.Arbitrary<RejectionFilter> = fc.record(
  { principal_id: principals, application: applications, tool: tools, q: tools, from: times, to: times },
  { requiredKeys: [] },
);

/** At most two filters, because more of them would match nothing. */
const few = <Filter extends object>(filters: fc.Arbitrary<Filter>): fc.Arbitrary<Filter> =>
  fc.tuple(filters, fc.integer({ min: 0, max: 2 })).map(([filter, most]) => {
    const conditions = Object.entries(filter).slice(-most);
    return Object.fromEntries(most === 0 ? [] : conditions) as Filter;
  });

const pages = fc.record({ limit: fc.integer({ min: 1, max: 12 }), cursor: fc.integer({ min: 1, max: 900 }) });
const windows = fc.tuple(times, times).map(([from, to]) => ({ from, to }));

type Operation = readonly [name: string, act: (backend: StoreBackend) => Promise<unknown>];

const operations: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .array(decisions, { minLength: 1, maxLength: 12 })
      .map((many): Operation => ['append', ({ audit }) => Promise.all(many.map((one) => audit.append(one)))]),
  },
  fc
    .tuple(fc.constantFrom('modes.hitl', 'retention.days', 'a.b'), maybe(fc.integer()), times)
    .map(([key, value, occurredAt]): Operation => [
      'settings',
      async ({ settings }) => {
        const { values, revision } = await settings.apply(() =>
          settingsPlan({ overrides: { [key]: value }, occurredAt }),
        );
        return [Object.fromEntries(values), revision, await settings.changes({ key }, { limit: 3 })];
      },
    ]),
  fc
    .tuple(few(auditFilters), pages)
    .map(([filter, page]): Operation => [
      `list ${JSON.stringify(filter)}`,
      ({ audit }) => audit.list(filter, page),
    ]),
  fc.integer({ min: 1, max: 900 }).map((id): Operation => [`find ${id}`, ({ audit }) => audit.find(id)]),
  fc
    .tuple(few(auditFilters), windows, fc.constantFrom(...TREND_BUCKETS))
    .map(([filter, window, bucket]): Operation => [
      `trend ${JSON.stringify([filter, window, bucket])}`,
      ({ audit }) => audit.trend(filter, window, bucket),
    ]),
  fc
    .tuple(few(rejectionFilters), pages)
    .map(([filter, page]): Operation => [
      `rejections ${JSON.stringify(filter)}`,
      ({ firewall }) => firewall.list(filter, page),
    ]),
  windows.map((window): Operation => [
    `stats ${JSON.stringify(window)}`,
    async ({ output }) =>
      (await output.stats(window))
        .map((line) => JSON.stringify(line))
        .toSorted((one, other) => (one < other ? -1 : 1)),
  ]),
  times.map((asOf): Operation => [
    `overview ${asOf.toISOString()}`,
    ({ overview }) => overview.activity(asOf),
  ]),
  times.map((asOf): Operation => [`hits ${asOf.toISOString()}`, ({ overview }) => overview.ruleHits(asOf)]),
);

describe('memory and PostgreSQL', () => {
  it(`return the same for ${RUNS * OPERATIONS} operations`, async () => {
    const many = fc.array(operations, { minLength: OPERATIONS, maxLength: OPERATIONS });
    await fc.assert(
      fc.asyncProperty(many, async (acts) => {
        const fresh = await freshDatabase();
        const [memory, postgres] = [memoryStores(), typeormStores({ url: fresh.url })];
        await postgres.open();
        try {
          for (const [name, act] of acts) {
            const [expected, answer] = [await act(memory), await act(postgres)];
            expect([name, answer]).toEqual([name, expected]);
          }
        } finally {
          await postgres.close();
          await fresh.drop();
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  }, 120_000);
});
