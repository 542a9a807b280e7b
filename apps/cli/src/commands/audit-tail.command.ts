import { setTimeout as delay } from 'node:timers/promises';
import type { AuditListItem, GuardrailsClient } from '#client/index.js';
import { CONTROL_KEYS, type Outcome } from '#contracts/index.js';
import { API_OPTIONS, apiClient } from '../shared/api.js';
import { UsageError, type Command } from '../shared/command.js';
import { printable } from '../shared/text-input.js';

const OUTCOMES: readonly Outcome[] = ['allowed', 'observed', 'blocked'];

const INTERVAL_MS = 1000;
const MAX_LINES = 200;

/** Decisions that commit together can become visible out of order, so entries below the newest are read again. */
const OVERLAP = 100;

export const auditTailCommand: Command = {
  name: 'audit tail',
  summary: 'Prints the newest audit entries, oldest first, and with --follow those that arrive.',
  details: [],
  options: {
    ...API_OPTIONS,
    lines: { short: 'n', value: 'NUMBER', help: `Entries to begin with, at most ${MAX_LINES}. Default: 10.` },
    follow: { short: 'f', help: 'Continues until it is stopped, as tail -f does.' },
    control: { value: [...CONTROL_KEYS, 'all'].join('|'), help: 'Default: all.' },
    outcome: { value: OUTCOMES.join('|'), help: 'Default: all outcomes.' },
    application: { value: 'NAME', help: 'Only entries of this application.' },
    json: { help: 'Prints one JSON object per entry.' },
  },
  examples: ['nest-guardrails audit tail -f --outcome blocked'],
  exits: ['The entries are printed.', null, 'The request failed.'],

  async run(options, session) {
    const client = apiClient(options, session);
    const lines = options.id('lines') ?? 10;
    if (lines > MAX_LINES) throw new UsageError(`--lines must be at most ${MAX_LINES}.`);
    const filters = {
      control: options.choice('control', [...CONTROL_KEYS, 'all']) ?? 'all',
      outcome: options.choice('outcome', OUTCOMES),
      application: options.text('application'),
    };
    const print = (entry: AuditListItem): void =>
      session.terminal.print(options.has('json') ? JSON.stringify(entry) : entryLine(entry));
    const { data } = await client.call('audit.index', { query: { ...filters, limit: lines } });
    const newest = data.entries.toReversed();
    for (const entry of newest) print(entry);
    if (!options.has('follow')) return 0;
    for await (const entry of arriving(client, filters, newest)) print(entry);
    return 0;
  },
};

type Filters = Readonly<Record<string, string | null>>;

async function* arriving(
  client: GuardrailsClient,
  filters: Filters,
  known: readonly AuditListItem[],
): AsyncGenerator<AuditListItem> {
  const seen = new Set(known.map(({ id }) => id));
  const first = Math.max(0, ...seen);
  for (let newest = first; ; newest = Math.max(newest, ...seen)) {
    await delay(INTERVAL_MS);
    const entries = await newerThan(Math.max(first, newest - OVERLAP), client, filters);
    for (const entry of entries) {
      if (seen.has(entry.id)) continue;
      seen.add(entry.id);
      yield entry;
    }
    for (const id of seen) if (id < newest - OVERLAP) seen.delete(id);
  }
}

/** Oldest first. */
async function newerThan(id: number, client: GuardrailsClient, filters: Filters): Promise<AuditListItem[]> {
  const entries: AuditListItem[] = [];
  for (let cursor: number | null | undefined; cursor !== null;) {
    const place = cursor === undefined && id > 0 ? { after: id } : { cursor };
    const { data } = await client.call('audit.index', { query: { ...filters, ...place, limit: MAX_LINES } });
    const newer = data.entries.filter((entry) => entry.id > id);
    entries.push(...newer);
    cursor = newer.length < data.entries.length ? null : data.next_cursor;
  }
  return entries.toReversed();
}

function entryLine({
  id,
  occurred_at,
  control,
  outcome,
  rule_id,
  tool,
  approval_step,
  principal_id,
  prompt_preview,
}: AuditListItem) {
  const shown = (text: string | null): string => (text === null ? '-' : printable(text));
  const facts = [occurred_at, id, control, outcome, rule_id ?? '-', shown(tool), approval_step ?? '-'];
  return [...facts, printable(principal_id), shown(prompt_preview)].join('  ');
}
