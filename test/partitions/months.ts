import type { StoreBackend } from '../../libs/contracts/src/store-backend.js';
import { brokenCommitments, commitmentsTo, newSalt } from '../../libs/engine/src/audit/commitments.js';
import { decision, newRejection, type DecisionParts } from '../../libs/stores/contract/src/index.js';
import { Maintenance, type VerificationReport } from '../../libs/stores/typeorm/src/index.js';
import { onServer } from '../postgres/database.js';

export const IDS_OF_A_MONTH = 1_000_000_000_000;
const MINUTE_MS = 60_000;

/** Months since January 2020, of now and before. */
export function monthsBefore(count: number): number {
  const now = new Date();
  return (now.getUTCFullYear() - 2020) * 12 + now.getUTCMonth() - count;
}

/** So many minutes into a month. */
export const timeIn = (month: number, minutes = 0): Date =>
  new Date(Date.UTC(2020, month) + minutes * MINUTE_MS);

/** Behind the names of its partitions. */
export const suffixOf = (month: number): string =>
  `_${timeIn(month).toISOString().slice(0, 7).replace('-', '_')}`;

/** As if it were that month: made, and its ids the next to be given. */
export async function turnTo(url: string, month: number): Promise<void> {
  await onServer(async (server) => {
    await server.query('select guardrails_make_month($1)', [month]);
    const first = String(month * IDS_OF_A_MONTH + 1);
    await server.query(
      `select setval(pg_get_serial_sequence('guardrails_audit_evidence', 'id'), $1::bigint, false)`,
      [first],
    );
  }, url);
}

export const turnToNow = (url: string): Promise<void> => turnTo(url, monthsBefore(0));

/** Three decisions in each of these months, two hours apart, and one of now. */
export async function fill(url: string, stores: StoreBackend, months: readonly number[]): Promise<void> {
  for (const month of months) {
    await turnTo(url, month);
    for (const hour of [0, 2, 4]) await append(stores, timeIn(month, 60 * hour));
  }
  await turnToNow(url);
  await append(stores, new Date());
}

export function append(stores: StoreBackend, occurredAt: Date, parts: DecisionParts = {}): Promise<number> {
  const salt = newSalt();
  const prompt = `written ${occurredAt.toISOString()}`;
  const principalId = 'customer-42';
  const commitments = commitmentsTo({ prompt, matchedText: null, principal: principalId }, salt);
  const refused = {
    control: 'tool_firewall',
    outcome: 'blocked',
    origin: 'tool_call',
    tool: 'refund',
  } as const;
  const rejection = newRejection({ principalId, occurredAt });
  return stores.audit.append(
    decision({ ...refused, occurredAt, prompt, principalId, salt, commitments, rejection, ...parts }),
  );
}

export async function verify(url: string): Promise<VerificationReport> {
  return withMaintenance(url, (maintenance) => maintenance.verify(brokenCommitments, () => undefined));
}

export async function withMaintenance<Result>(
  url: string,
  work: (maintenance: Maintenance) => Promise<Result>,
): Promise<Result> {
  const maintenance = new Maintenance({ url, partitions: 'monthly' });
  await maintenance.open();
  try {
    return await work(maintenance);
  } finally {
    await maintenance.close();
  }
}

/** Partitions of the evidence, oldest first, by their suffix. */
export function partitions(url: string, table = 'audit_evidence'): Promise<string[]> {
  return onServer(async (server) => {
    const { rows } = await server.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1`,
      [`guardrails_${table}`],
    );
    return rows.map(({ name }) => name.slice(`guardrails_${table}`.length));
  }, url);
}
