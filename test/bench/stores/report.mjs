import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { rounded, sized } from './figures.mjs';
import { SETTINGS } from './server.mjs';

const PAGE = fileURLToPath(new URL('../../../docs/reference/performance.md', import.meta.url));

export function machine({ version, commitMs }) {
  return {
    date: new Date().toISOString().slice(0, 10),
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    memory_gb: Math.round(totalmem() / 2 ** 30),
    load_before: Number(loadavg()[0].toFixed(1)),
    node: process.versions.node,
    postgres: version,
    settings: SETTINGS,
    commit_ms: Number(commitMs.toFixed(2)),
  };
}

export function line({ name, value, unit, goal, met, detail }) {
  const verdict = met === null ? '    ' : met ? 'met ' : 'MISS';
  return `${verdict} ${name}: ${rounded(value)} ${unit}${goal === null ? '' : ` (goal ${goal})`}  ${detail}`;
}

/** Formats the page with prettier. */
export async function writePage(data) {
  const text = await format(pageOf(data), { ...(await resolveConfig(PAGE)), parser: 'markdown' });
  await writeFile(PAGE, text);
}

function pageOf({ machine: on, sizes, figures }) {
  const goals = figures.filter(({ met }) => met !== null);
  const missed = goals.filter(({ met }) => !met);
  return [
    '<!-- Written by `npm run x -- bench`. -->',
    '# Performance',
    `Every goal is a ratio to a floor or a peer that was measured in the same run, in turn with it; medians. Absolute ` +
      `times hold for this machine; ratios also hold on others. ${goals.length - missed.length} of ${goals.length} goals were met.`,
    table(
      ['', ''],
      [
        ['Date', on.date],
        [
          'Machine',
          `${on.cores} cores (${on.processor}), ${on.memory_gb} GB, load ${on.load_before} before the run`,
        ],
        ['Node', on.node],
        ['PostgreSQL', `${on.postgres}, ${on.settings.map((setting) => `\`${setting}\``).join(', ')}`],
        [
          'A commit',
          `${on.commit_ms} ms: \`fsync\`, \`synchronous_commit\` and \`full_page_writes\` are on, unless stated otherwise`,
        ],
        ['Audit entries', `${sizes.map(sized).join(', ')} over 400 days: 3 % blocked, 5 % observed`],
      ],
    ),
    table(
      ['Figure', 'Value', 'Goal', 'Met', 'Against', 'Measured'],
      figures.map(({ name, value, unit, floor, goal, met, detail }) => [
        name,
        `${rounded(value)} ${unit}`,
        goal ?? '',
        met === null ? '' : met ? 'yes' : '**no**',
        floor ?? '',
        detail,
      ]),
    ),
  ].join('\n\n');
}

const cell = (text) => String(text).replaceAll('|', '\\|');
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');
