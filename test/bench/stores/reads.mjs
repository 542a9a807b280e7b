// @ts-check
import { typeormStores } from 'nest-guardrails/typeorm';
import { median, ratioOf, timesInTurn } from '../measure.mjs';
import { figure, rounded, sized } from './figures.mjs';
import { approvalsOf } from './invented-approvals.mjs';
import { VALUES } from './invented-rows.mjs';

const DAY = 86_400_000;
const { rule, principal, application, tool, actor } = VALUES;
/** @type {PageRequest} */
const page = { limit: 50 };

/**
 * @import { ApprovalFilter, AuditFilter, AuditStore, FirewallStore, PageRequest, StoreBackend } from 'nest-guardrails/contracts'
 * @typedef {(stores: StoreBackend) => unknown} Read
 * @typedef {{ url: string, rows: number, highest: number, end: number }} Filled
 * @typedef {Filled & { stores: StoreBackend, lists: Record<string, Read>, aggregates: Record<string, Read> }} Opened
 */

/**
 * Every list and filter of the API: name → the call of the stores.
 * @param {Filled} database
 * @returns {Record<string, Read>}
 */
function lists({ rows, highest, end }) {
  /** @type {(filter: AuditFilter, request?: PageRequest) => Read} */
  const audit =
    (filter, request = page) =>
    (stores) =>
      stores.audit.list(filter, request);
  /** @type {(filter: AuditFilter, request?: PageRequest) => Read} */
  const prompts = (filter, request) => audit({ control: 'input_screen', ...filter }, request);
  /** @type {(filter: Parameters<FirewallStore['list']>[0], request?: PageRequest) => Read} */
  const firewall =
    (filter, request = page) =>
    (stores) =>
      stores.firewall.list(filter, request);
  /** @type {(filter: ApprovalFilter, request?: PageRequest) => Read} */
  const history =
    (filter, request = page) =>
    (stores) =>
      stores.approvals.history(filter, request);
  /** @type {(filter: Parameters<StoreBackend['runIndex']['list']>[0], request?: PageRequest) => Read} */
  const runs =
    (filter, request = page) =>
    (stores) =>
      stores.runIndex.list(filter, request);
  /** @param {number} back */
  const day = (back) => ({ from: new Date(end - back * DAY), to: new Date(end - (back - 1) * DAY) });
  return {
    'audit: newest page': prompts({}),
    'audit: all controls': audit({}),
    'audit: half-way down': prompts({}, { ...page, cursor: Math.floor(highest / 2) }),
    'audit: near the end': prompts({}, { ...page, cursor: 1_000 }),
    'audit: blocked': prompts({ blocked: true }),
    'audit: blocked, half-way down': prompts({ blocked: true }, { ...page, cursor: Math.floor(highest / 2) }),
    'audit: not blocked': prompts({ blocked: false }),
    'audit: observed': prompts({ outcome: 'observed' }),
    'audit: a rare control': audit({ control: 'hitl' }),
    'audit: a control, blocked': audit({ control: 'hitl', blocked: true }),
    'audit: rule, common': prompts({ rule_id: [rule.common] }),
    'audit: rule, rare': prompts({ rule_id: [rule.rare] }),
    'audit: rule, absent': prompts({ rule_id: [rule.absent] }),
    'audit: principal, common': prompts({ principal_id: principal.common }),
    'audit: principal, rare': prompts({ principal_id: principal.rare }),
    'audit: principal, absent': prompts({ principal_id: principal.absent }),
    'audit: application, common': prompts({ application: application.common }),
    'audit: application, rare': prompts({ application: application.rare }),
    'audit: application, absent': prompts({ application: application.absent }),
    'audit: principal and blocked': prompts({ principal_id: principal.common, blocked: true }),
    'audit: rule and application': prompts({ rule_id: [rule.common], application: application.common }),
    'audit: today': prompts(day(1)),
    'audit: a day far back': prompts(day(390)),
    'audit: a day far back, blocked': prompts({ ...day(390), blocked: true }),
    'audit: a day far back, a rule': prompts({ ...day(390), rule_id: [rule.common] }),
    'audit: a day before all rows': prompts(day(800)),
    'audit: newer than an id near the newest': prompts({}, { ...page, after: highest - 100 }),
    'audit: newer than an id far back': prompts({}, { ...page, after: 1_000 }),
    'audit: tool, common': audit({ tool: tool.common }),
    'audit: tool, absent': audit({ tool: tool.absent }),
    'audit: request, absent': audit({ request_id: 'no such request' }),
    'audit: run, absent': audit({ run_id: 'no such run' }),
    'audit: blocked, without a review': prompts({ blocked: true, review: 'none' }),
    'audit: false alarms': prompts({ review: 'false_positive' }),
    'audit: the next without a review, behind all reviews': (stores) =>
      stores.reviews.nextUnreviewed('input_screen', Math.floor(highest * 0.99)),
    'audit: one row': async (stores) => stores.audit.find(Math.floor(highest / 2)),
    'audit: previous and next of a row': (stores) =>
      stores.audit.neighbors({ id: Math.floor(highest / 2), control: 'input_screen' }),
    'audit: previous and next of a row of a rare control': (stores) =>
      stores.audit.neighbors({ id: Math.floor(highest / 2), control: 'hitl' }),
    'firewall: newest page': firewall({}),
    'firewall: tool, common': firewall({ tool: tool.common }),
    'firewall: tool, absent': firewall({ tool: tool.absent }),
    'firewall: principal, common': firewall({ principal_id: principal.common }),
    'firewall: principal, absent': firewall({ principal_id: principal.absent }),
    'firewall: application, common': firewall({ application: application.common }),
    'firewall: a day far back': firewall(day(390)),
    'approvals: open': (stores) => stores.approvals.pending(page),
    'approvals: history': history({}),
    'approvals: history, half-way down': history({}, { ...page, cursor: Math.floor(approvalsOf(rows) / 2) }),
    'approvals: history, rejected': history({ status: 'rejected' }),
    'approvals: history, tool, common': history({ tool: tool.common }),
    'approvals: history, tool, rare': history({ tool: tool.rare }),
    'approvals: history, tool, absent': history({ tool: tool.absent }),
    'approvals: history, actor, common': history({ actor: actor.common }),
    'approvals: history, actor, rare': history({ actor: actor.rare }),
    'approvals: history, actor, absent': history({ actor: actor.absent }),
    'runs: newest page': runs({}),
    'runs: half-way down': runs({}, { ...page, cursor: Math.floor(highest / 2) }),
    'runs: blocked': runs({ outcome: 'blocked' }),
    'runs: blocked, half-way down': runs(
      { outcome: 'blocked' },
      { ...page, cursor: Math.floor(highest / 2) },
    ),
    'runs: a rare control': runs({ control: 'hitl' }),
    'runs: principal, common': runs({ principal_id: principal.common }),
    'runs: principal, rare': runs({ principal_id: principal.rare }),
    'runs: principal, absent': runs({ principal_id: principal.absent }),
    'runs: application, rare': runs({ application: application.rare }),
    'runs: a day far back': runs(day(390)),
    'runs: one run': (stores) => stores.runIndex.find(Math.floor(highest / 2)),
    'settings: changes of a key': (stores) => stores.settings.changes({ key: 'retention.days' }, page),
  };
}

/**
 * Reads of counts, up to `end`.
 *
 * @param {number} end
 * @returns {Record<string, Read>}
 */
export function countReads(end) {
  const asOf = new Date(end);
  const lastDay = { from: new Date(Math.floor((end - DAY) / 60_000) * 60_000), to: asOf };
  /** @param {number} days */
  const window = (days) => ({ from: new Date(end - days * DAY), to: asOf });
  /** @type {(filter: Parameters<AuditStore['trend']>[0], days: number) => Read} */
  const trend = (filter, days) => (stores) => stores.audit.trend(filter, window(days));
  return {
    'GET /overview': (stores) => stores.overview.activity(lastDay),
    'GET /audit/trend, 366 days': trend({ control: 'input_screen' }, 366),
    'GET /audit/trend, 366 days, a rule': trend({ control: 'input_screen', rule_id: [rule.common] }, 366),
    'GET /audit/trend, 366 days, an application': trend({ application: application.common }, 366),
    'GET /audit/trend, 366 days, by rule': (stores) =>
      stores.audit.trendBy('rule_id', { control: 'input_screen' }, window(366), 'day'),
    'GET /audit/trend, 31 days by hour': (stores) => stores.audit.trendBy('control', {}, window(31), 'hour'),
    'GET /rules: hits of a day': (stores) => stores.overview.ruleHits(lastDay),
    'GET /output/stats, 30 days': (stores) => stores.output.stats(window(30)),
  };
}

/**
 * @param {Filled} database
 * @returns {Record<string, Read>}
 */
function aggregates({ end }) {
  return {
    ...countReads(end),
    'GET /audit/facets of an hour': (stores) =>
      stores.audit.facets('rule_id', {
        control: 'input_screen',
        from: new Date(end - DAY / 24),
        to: new Date(end),
      }),
    'GET /rules: precision of 90 days': (stores) => stores.reviews.counts(new Date(end - 90 * DAY)),
  };
}

/**
 * The p50 of every read at every size, measured alternately. The goal is the ratio of the largest size to the smallest.
 * @param {readonly Filled[]} databases
 * @param {{ rounds: number }} options
 */
export async function reads(databases, { rounds }) {
  /** @type {Opened[]} */
  const opened = [];
  for (const database of databases) {
    const stores = typeormStores({
      url: database.url,
      statementTimeoutMs: 30_000,
      responseTimeoutMs: 60_000,
    });
    await stores.open();
    opened.push({ ...database, stores, lists: lists(database), aggregates: aggregates(database) });
  }
  try {
    const figures = [];
    for (const sort of /** @type {const} */ (['lists', 'aggregates'])) {
      for (const name of Object.keys(opened[0]?.[sort] ?? {})) {
        const works = opened.map((database) => () => database[sort][name]?.(database.stores));
        const sizes = (await Promise.all(works.map((work) => work()))).map(sizeOf);
        const times = await timesInTurn(rounds, works);
        figures.push(...figuresOf(name, times, opened, sizes, sort === 'aggregates'));
      }
    }
    return figures;
  } finally {
    for (const { stores } of opened) await stores.close();
  }
}

/**
 * Entries of an answer. A database with fewer rows may have fewer of them, which takes less time.
 *
 * @param {any} answer
 * @returns {number | undefined}
 */
const sizeOf = (answer) => (Array.isArray(answer) ? answer.length : answer?.entries?.length);

/**
 * @param {string} name
 * @param {number[][]} rounds
 * @param {readonly Filled[]} databases
 * @param {readonly (number | undefined)[]} entries of each answer
 * @param {boolean} inDatabase
 */
function figuresOf(name, rounds, databases, entries, inDatabase) {
  const times = rounds.map(median);
  const sizes = databases.map(({ rows }) => sized(rows));
  const answered = new Set(entries).size === 1 ? '' : `; ${entries.join(' · ')} entries`;
  const detail = `${times.map(rounded).join(' · ')} ms at ${sizes.join(' · ')}${answered}`;
  const [least, most] = [sizes[0], sizes.at(-1)];
  const figures = [
    figure({
      name: `${name}, p50 at ${most}`,
      floor: `the same at ${least} rows`,
      value: ratioOf(rounds.at(-1) ?? [], rounds[0] ?? []),
      unit: '×',
      atMost: 1.5,
      detail,
    }),
  ];
  if (!inDatabase) return figures;
  const there = figure({
    name: `${name}, round trip`,
    value: Math.max(...times),
    unit: 'ms',
    atMost: 5,
    detail,
  });
  return [...figures, there];
}
