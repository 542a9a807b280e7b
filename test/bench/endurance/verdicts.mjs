import { figure, rounded, thousands } from '../stores/figures.mjs';
import { line } from '../stores/report.mjs';
import { quantile } from '../measure.mjs';
import { growthOf } from './growth.mjs';

const MAX_PERCENT = 5;
const MEGABYTE = 2 ** 20;
/** Smaller tables are judged by their size. */
const FEW_ROWS = 1_000;
/** Tables grow by whole pages, and one connection or lock more is not growth. */
const NEGLIGIBLE = { bytes: MEGABYTE, count: 1 };

/** A line for each figure, and a sentence for each that misses its goal. */
export function verdicts(windows, rate) {
  const last = windows.at(-1);
  const series = (name) => windows.map((window) => window[name]);
  const found = [
    growing('heap after a collection', series('heap'), { unit: MEGABYTE, as: 'MB' }),
    growing('resident memory of the process', series('rss'), { unit: MEGABYTE, as: 'MB' }),
    growing('connections', series('connections'), { negligible: NEGLIGIBLE.count }),
    growing('locks that are kept', series('held'), { negligible: NEGLIGIBLE.count }),
    ...tableVerdicts(windows.flatMap(({ tables }) => tables ?? [])),
    none(
      'answers with 5xx',
      last.reads.serverErrors,
      `of ${thousands(last.reads.answers)}. ${last.reads.first ?? ''}`,
    ),
    none('other failed reads', last.reads.otherErrors, last.reads.first ?? ''),
    none('failed calls', last.failed, last.firstFailure ?? ''),
    none('calls left out, because too many were open', last.leftOut, `at ${thousands(rate)} calls/s`),
    none(
      'windows in which the live stream had no event',
      series('events').filter((count) => count === 0).length,
    ),
    none(
      'failed purges',
      last.purges.problem === null ? 0 : 1,
      last.purges.problem ?? `${last.purges.runs} ran`,
    ),
    {
      ...figure({
        name: 'rows purged',
        value: last.purges.entries,
        unit: 'rows',
        atLeast: 1,
      }),
    },
  ];
  const sentences = found.map((each) => ({
    met: each.met,
    line: line(each),
    sentence:
      each.met === false
        ? `${each.name}: ${rounded(each.value)} ${each.unit}, the goal is ${each.goal}. ${each.detail}`
        : null,
  }));
  return [...sentences, ...notes(windows)];
}

/** Figures without a goal: the times depend on the other load of the machine. */
function notes(windows) {
  const half = windows.slice(Math.floor(windows.length / 2));
  return ['p50', 'p99', 'longest'].map((name) => {
    const [first, second] = [windows.slice(0, -half.length), half].map((each) =>
      quantile(
        each.map((window) => window[name]),
        0.5,
      ),
    );
    const value = figure({
      name: `${name} of a screened call, median of the windows of 30 s in the second half`,
      value: second,
      unit: 'ms',
      detail: `${rounded(first)} ms in the first half; longest wait for a lock at an instant ${rounded(Math.max(...half.map(({ waitedMs }) => waitedMs)))} ms`,
    });
    return { met: null, line: line(value), sentence: null };
  });
}

function growing(name, samples, { negligible = 0, unit = 1, as = '' }) {
  const { mean, share } = growthOf(samples, negligible);
  const shown = [samples[0], samples[Math.floor(samples.length / 2)], samples.at(-1)].map((sample) =>
    rounded(sample / unit),
  );
  return figure({
    name: `growth of ${name}, second half`,
    value: share * 100,
    unit: '%',
    atMost: MAX_PERCENT,
    detail: `mean ${rounded(mean / unit)} ${as}; ${shown.join(' · ')} at the begin, in the middle, at the end`,
  });
}

/** Rows that are recorded must grow in number, so bytes and dead rows are judged for each live row. */
function tableVerdicts(samples) {
  const names = [...samples[0].keys()];
  const found = names.map((name) => {
    const each = samples.map((tables) => tables.get(name));
    const counted = each.map(({ rows }) => Math.max(rows, FEW_ROWS));
    const mean = counted.reduce((sum, rows) => sum + rows, 0) / counted.length;
    const size = `${thousands(each.at(-1).rows)} rows, ${rounded(each.at(-1).bytes / MEGABYTE)} MB at the end`;
    const judged = (values, negligible) => ({ name, size, values, ...growthOf(values, negligible / mean) });
    return {
      bytes: judged(
        each.map(({ bytes }, at) => bytes / counted[at]),
        NEGLIGIBLE.bytes,
      ),
      dead: judged(
        each.map(({ dead }, at) => (counted[at] + dead) / counted[at]),
        FEW_ROWS,
      ),
    };
  });
  return [
    ...worst(
      'bytes for each live row',
      found.map(({ bytes }) => bytes),
    ),
    ...worst(
      'live and dead rows for each live row',
      found.map(({ dead }) => dead),
    ),
  ];
}

/** Every table that grows too much, or the one that grows most. */
function worst(what, tables) {
  const sorted = tables.toSorted((one, other) => other.share - one.share);
  const failing = sorted.filter(({ share }) => share * 100 > MAX_PERCENT);
  return (failing.length === 0 ? sorted.slice(0, 1) : failing).map(({ name, size, values, share }) =>
    figure({
      name: `growth of ${what}, second half, ${failing.length === 0 ? `worst of ${tables.length} tables: ` : ''}${name}`,
      value: share * 100,
      unit: '%',
      atMost: MAX_PERCENT,
      detail: `${values.map(rounded).join(' · ')}; ${size}`,
    }),
  );
}

function none(name, value, detail = '') {
  return figure({ name, value, unit: '', atMost: 0, detail });
}
