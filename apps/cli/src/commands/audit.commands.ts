// audit tail and audit export, over the API.
import { mkdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { AuditListItem, GuardrailsClient } from '#client/index.js';
import { CONTROL_KEYS, type Outcome } from '#contracts/common/control-mode.js';
import { API_OPTIONS, apiClient } from '../shared/api.js';
import { UsageError, type Command, type Session } from '../shared/command.js';
import { ProgressBar } from '../shared/terminal.js';
import { principalOf, printable } from '../shared/text-input.js';
import { ExportFolder, type ExportQuery } from './export-folder.js';
import { writeParquet } from './export-parquet.js';

const OUTCOMES: readonly Outcome[] = ['allowed', 'observed', 'blocked'];

const INTERVAL_MS = 1000;
const MAX_LINES = 200;

/** Decisions that commit together can become visible out of order, so entries below the newest are read again. */
const OVERLAP = 100;

export const auditTailCommand: Command = {
  name: 'audit tail',
  summary: 'Prints the newest audit entries, oldest first, and with --follow those that arrive.',
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

  async run(session) {
    const { options, terminal } = session;
    const client = apiClient(session);
    const lines = options.id('lines') ?? 10;
    if (lines > MAX_LINES) throw new UsageError(`--lines must be at most ${MAX_LINES}.`);
    const filters = {
      control: options.choice('control', [...CONTROL_KEYS, 'all']) ?? 'all',
      outcome: options.choice('outcome', OUTCOMES),
      application: options.text('application'),
    };
    const print = (entry: AuditListItem) =>
      terminal.print(options.has('json') ? JSON.stringify(entry) : entryLine(entry));
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
  printed: readonly AuditListItem[],
): AsyncGenerator<AuditListItem> {
  const seen = new Set(printed.map(({ id }) => id));
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
  const shown = (text: string | null) => (text === null ? '-' : printable(text));
  const facts = [occurred_at, id, control, outcome, rule_id ?? '-', shown(tool), approval_step ?? '-'];
  return [...facts, printable(principal_id), shown(prompt_preview)].join('  ');
}

const PART_ROWS = 250_000;

export const auditExportCommand: Command = {
  name: 'audit export',
  summary: 'Exports audit entries of all controls into a folder.',
  positionals: ['out'],
  details: [
    'Writes gzip files with one line of JSON for each entry, oldest first. manifest.json has the number of rows, the first and last id and the SHA-256 for every part, and one SHA-256 over the list of parts. Without --with-content, the lines have no texts and no salts: they show what was decided and the commitments, but not the texts.',
    'Run the same command again to continue an export that was interrupted. It verifies complete parts and does not load them again. Every part is one request, which the API records with its actor.',
    'With --parquet, the result is one file for analysis, for example with DuckDB, and needs the package hyparquet-writer. It has no proofs, so that only the folder can be verified. An export that was interrupted begins again.',
  ],
  options: {
    api: API_OPTIONS.api,
    out: {
      short: 'o',
      value: 'DIR',
      help: 'The folder; created if it is missing. Only its owner can read the files in it. With --parquet, a new file.',
    },
    from: { value: 'TIME', help: 'Inclusive, such as 2026-03-01. Default: from the first entry.' },
    to: { value: 'TIME', help: 'Inclusive; a date includes the whole UTC day. Default: now.' },
    principal: {
      value: 'ID',
      help: 'Only entries of one principal. Write - to read the name from standard input, because other users of this machine can read command lines.',
    },
    'with-content': { help: 'Adds texts, policy records and salts.' },
    parquet: { help: 'Writes one Parquet file instead of a folder.' },
    'part-rows': { value: 'NUMBER', help: `Entries in each part. Default: ${PART_ROWS}.` },
  },
  examples: [
    'nest-guardrails audit export audit-october --from 2026-10-01',
    'nest-guardrails audit export october.parquet --parquet --from 2026-10-01',
  ],
  exits: ['The export is complete.', null, 'The export is incomplete. Run the command again to continue it.'],

  async run(session) {
    const { options, terminal } = session;
    const out = options.required('out');
    const query = await readQuery(session);
    if (options.has('parquet')) return exportParquet(out, query, session);
    await mkdir(out, { recursive: true, mode: 0o700 });
    const folder = await ExportFolder.open(out, query);
    if (!folder.isComplete) await exportParts(folder, session);
    const { rows, parts } = folder.manifest;
    const count = `${parts.length} part${parts.length === 1 ? '' : 's'}`;
    terminal.print(`${rows} entries in ${count} are exported to ${out}.`);
    return 0;
  },
};

async function readQuery(session: Session): Promise<ExportQuery> {
  const { options } = session;
  return {
    from: options.text('from'),
    to: options.text('to'),
    principal_id: await principalOf(session),
    with_content: options.has('with-content'),
  };
}

async function exportParts(folder: ExportFolder, session: Session): Promise<void> {
  const partRows = session.options.id('part-rows') ?? PART_ROWS;
  const client = apiClient(session);
  const { query, first_id } = folder.manifest;
  await withProgress(session, client, query, first_id, async (filters, onId) => {
    for (;;) {
      const part = { ...filters, limit: partRows, after: folder.manifest.last_id };
      const lines = await client.download('audit.export', { query: part });
      if ((await folder.addPart(lines, onId)) < partRows) break;
    }
  });
  await folder.addLog(await client.download('audit.log'));
  await folder.complete();
}

async function exportParquet(out: string, query: ExportQuery, session: Session): Promise<number> {
  if (session.options.id('part-rows') !== null)
    throw new UsageError('A Parquet file has no parts. Leave out --part-rows.');
  const client = apiClient(session);
  const rows = await withProgress(session, client, query, null, (filters, onId) =>
    writeParquet(out, query.with_content, () => client.download('audit.export', { query: filters }), onId),
  );
  session.terminal.print(`${rows} entries are exported to ${out}.`);
  return 0;
}

/** Shows how far an export is, by the ids of its entries. */
async function withProgress<Result>(
  { terminal }: Session,
  client: GuardrailsClient,
  { with_content, ...period }: ExportQuery,
  first: number | null,
  run: (
    filters: Readonly<Record<string, string | true | null>>,
    onId: (id: number) => void,
  ) => Promise<Result>,
): Promise<Result> {
  const filters = { control: 'all', ...period };
  const { data: newest } = await client.call('audit.index', { query: { ...filters, limit: 1 } });
  const last = newest.entries[0]?.id ?? 0;
  const bar = new ProgressBar(terminal, 'exporting');
  try {
    return await run({ ...filters, with_content: with_content || null }, (id) => {
      first ??= id;
      bar.show(id - first, last - first);
    });
  } finally {
    bar.end();
  }
}
