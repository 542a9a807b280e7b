import { mkdir } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { API_OPTIONS, apiClient } from '../shared/api.js';
import { type Command, type ParsedOptions, type Session } from '../shared/command.js';
import { ExportFolder, type ExportQuery } from '../shared/export-folder.js';
import { ProgressBar } from '../shared/terminal.js';
import { principalOf } from '../shared/text-input.js';

const PART_ROWS = 250_000;

export const auditExportCommand: Command = {
  name: 'audit export',
  summary: 'Exports audit entries of all controls into a folder.',
  positionals: ['out'],
  details: [
    'Writes gzip files with one line of JSON for each entry, oldest first. manifest.json has the number of rows, the first and last id and the SHA-256 for every part, and one SHA-256 over the list of parts. Without --with-content, the lines have no texts and no salts: they show what was decided and the commitments, but not the texts.',
    'Run the same command again to continue an export that was interrupted. It verifies complete parts and does not load them again. Every part is one request, which the API records with its actor.',
  ],
  options: {
    api: API_OPTIONS.api,
    out: {
      short: 'o',
      value: 'DIR',
      help: 'The folder; created if it is missing. Only its owner can read the files in it.',
    },
    from: { value: 'TIME', help: 'Inclusive, such as 2026-03-01. Default: from the first entry.' },
    to: { value: 'TIME', help: 'Inclusive; a date includes the whole UTC day. Default: now.' },
    principal: {
      value: 'ID',
      help: 'Only entries of one principal. Write - to read the name from standard input, because other users of this machine can read command lines.',
    },
    'with-content': { help: 'Adds texts, policy records and salts.' },
    'part-rows': { value: 'NUMBER', help: `Entries in each part. Default: ${PART_ROWS}.` },
  },
  examples: ['nest-guardrails audit export audit-october --from 2026-10-01'],
  exits: ['The export is complete.', null, 'The export is incomplete. Run the command again to continue it.'],

  async run(options, session) {
    const { terminal } = session;
    const out = options.required('out');
    const query = await readQuery(options, () => text(process.stdin));
    await mkdir(out, { recursive: true, mode: 0o700 });
    const folder = await ExportFolder.open(out, query);
    if (!folder.isComplete) await exportParts(folder, options, session);
    const { rows, parts } = folder.manifest;
    const count = `${parts.length} part${parts.length === 1 ? '' : 's'}`;
    terminal.print(`${rows} entries in ${count} are exported to ${out}.`);
    return 0;
  },
};

async function readQuery(options: ParsedOptions, readInput: () => Promise<string>): Promise<ExportQuery> {
  return {
    from: options.text('from'),
    to: options.text('to'),
    principal_id: await principalOf(options, readInput),
    with_content: options.has('with-content'),
  };
}

async function exportParts(folder: ExportFolder, options: ParsedOptions, session: Session): Promise<void> {
  const bar = new ProgressBar(session.terminal, 'exporting');
  const partRows = options.id('part-rows') ?? PART_ROWS;
  const client = apiClient(options, session);
  const { from, to, principal_id, with_content } = folder.manifest.query;
  const filters = { control: 'all', from, to, principal_id };
  const { data: newest } = await client.call('audit.index', { query: { ...filters, limit: 1 } });
  const lastId = newest.entries[0]?.id ?? 0;
  try {
    for (;;) {
      const lines = await client.download('audit.export', {
        query: {
          ...filters,
          limit: partRows,
          after: folder.manifest.last_id,
          with_content: with_content || null,
        },
      });
      const rows = await folder.addPart(lines, (id) =>
        bar.show(id - folder.firstId(id), lastId - folder.firstId(id)),
      );
      if (rows < partRows) break;
    }
  } finally {
    bar.end();
  }
  await folder.addLog(await client.download('audit.log'));
  await folder.complete();
}
