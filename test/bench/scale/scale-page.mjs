import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { rounded, thousands } from '../stores/figures.mjs';

const PAGE = fileURLToPath(new URL('../../../docs/reference/sizing.md', import.meta.url));
const BEGIN = '<!-- Written by `npm run x -- bench:scale --write`. -->';
const END = '<!-- End of the written part. -->';

const DAY_SECONDS = 86_400;
/** The busiest second of a day, compared with the average. */
const PEAK = 3;
const KEPT_DAYS = 90;
const PER_DAY = [1e6, 1e7, 1e8, 1e9];
const GIGABYTE = 2 ** 30;
const MEGABYTE = 2 ** 20;
/** Smaller tables are added up. */
const SHOWN_BYTES = MEGABYTE;

/** The figures as Markdown. */
export function scalePage({ measured, storage }) {
  return [
    `Measured on ${availableParallelism()} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}. 64 callers in each instance: prompts of about 100 characters, one attack in thirty, one output and one refused tool call in twenty. One decision each.`,
    '## Processor seconds per million decisions',
    table(
      [
        'Arrangement',
        'The instances',
        'PostgreSQL, all processes',
        'PgBouncer',
        'Replica',
        'Decisions a second',
      ],
      measured.map(({ name, instance, postgres, pgbouncer, replica, rate }) => [
        name,
        rounded(instance),
        rounded(postgres),
        shown(pgbouncer),
        shown(replica),
        thousands(rate),
      ]),
    ),
    'The rates are those of instances, database and other load that share these cores. Processor seconds are not affected by waiting, so multiply these: cores = decisions a second × seconds ÷ 1,000,000.',
    '## Storage per million decisions',
    storageTable(storage),
    '## Sizing',
    sizing({ measured, storage }),
  ].join('\n\n');
}

export async function writeFigures(page) {
  const guide = await readFile(PAGE, 'utf8');
  const [begin, end] = [guide.indexOf(BEGIN), guide.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`${PAGE} lacks the marks around the written part.`);
  const next = `${guide.slice(0, begin)}${BEGIN}\n\n${page}\n\n${guide.slice(end)}`;
  await writeFile(PAGE, await format(next, { ...(await resolveConfig(PAGE)), parser: 'markdown' }));
}

const shown = (seconds) => (seconds === undefined ? '' : rounded(seconds));
const megabytes = (bytes) => `${rounded(bytes / MEGABYTE)} MB`;

function storageTable({ tables, written }) {
  const large = tables.filter(({ rows, indexes }) => rows + indexes >= SHOWN_BYTES);
  const small = tables.filter(({ rows, indexes }) => rows + indexes < SHOWN_BYTES);
  const sum = (each, part) => each.reduce((total, one) => total + one[part], 0);
  const line = (name, rows, indexes) => [
    name,
    megabytes(rows),
    megabytes(indexes),
    megabytes(rows + indexes),
  ];
  return table(
    ['Table', 'Rows', 'Indexes', 'Together'],
    [
      ...large.map(({ name, rows, indexes }) => line(`\`${name}\``, rows, indexes)),
      line(`${small.length} other tables`, sum(small, 'rows'), sum(small, 'indexes')),
      line('**All**', sum(tables, 'rows'), sum(tables, 'indexes')),
      ['Write-ahead log', megabytes(written), '', megabytes(written)],
    ],
  );
}

function sizing({ measured, storage }) {
  const [single] = measured;
  const fastest = Math.max(...measured.map(({ rate }) => rate));
  const bytes = storage.tables.reduce((sum, { rows, indexes }) => sum + rows + indexes, 0) / 1e6;
  const cores = (second, seconds) => {
    const busy = (second * seconds) / 1e6;
    return busy < 0.01 ? '< 0.01' : rounded(busy);
  };
  const gigabytes = (count) => thousands((count * bytes) / GIGABYTE);
  return [
    `The peak is ${PEAK} times the average. Cores are busy cores at the peak: plan at least twice as many. Rows marked as extrapolated have a peak above ${thousands(fastest)} decisions a second, the highest rate that was measured here.`,
    table(
      [
        'Decisions a day',
        'Peak a second',
        'Cores of instances',
        'Cores of PostgreSQL',
        'Disk a day',
        `Disk of ${KEPT_DAYS} days`,
        '',
      ],
      PER_DAY.map((count) => {
        const peak = (count / DAY_SECONDS) * PEAK;
        return [
          thousands(count),
          thousands(peak),
          cores(peak, single.instance),
          cores(peak, single.postgres),
          `${gigabytes(count)} GB`,
          `${gigabytes(count * KEPT_DAYS)} GB`,
          peak > fastest ? 'extrapolated' : '',
        ];
      }),
    ),
  ].join('\n\n');
}

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
