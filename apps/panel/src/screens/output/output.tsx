/** What was found in the answers of the model. */
import type { AuditListItem } from '#client/index.js';
import { useLiveReload } from '../../data/live.js';
import { href, useAddress } from '../../data/page.js';
import { rangeQuery, useRange } from '../../data/range.js';
import { useAnswer } from '../../data/requests.js';
import { count, day, plural } from '../../text/format.js';
import { ColumnChart } from '../../ui/charts.js';
import { asChoices, Segments, Select, Table } from '../../ui/controls.js';
import { Fold, grouped, sameText } from '../../ui/groups.js';
import { NameText, PromptPreview } from '../../ui/plain-text.js';
import { Empty, Loaded, Screen } from '../../ui/screen.js';
import { OutcomeStatus, Time } from '../../ui/values.js';
import { KIND_LABELS, kindsIn, outputsOf, type Points, rowsOf, type Window } from './kinds.js';
import { OutputDrawer } from './output-drawer.js';

interface Shown {
  readonly points: Points;
  readonly window: Window;
}

export default function Output() {
  const { query, change } = useAddress();
  const { open, application } = query;
  const window: Window = { ...rangeQuery(useRange()), application };
  const stats = useAnswer('output.stats', { query: { ...window, bucket: 'day' } });
  useLiveReload(stats.reload);
  return (
    <Screen
      title="Output"
      lead="Outputs of the model in which something was found. An output with findings of two kinds counts for both."
      actions={<Applications {...window} />}
    >
      <Loaded resource={stats} lines={14}>
        {({ points = [] }) =>
          points.every(({ values }) => values.length === 0) ? (
            <Empty title="Nothing was found in outputs of this period.">
              Choose a longer period at the top, or another application. Clean outputs are in the{' '}
              <a href={href('/audit', { control: 'output_handler' })}>audit</a>.
            </Empty>
          ) : (
            <>
              <section class="card">
                <h2>Outputs with findings, by kind</h2>
                <KindChart points={points} window={window} />
              </section>
              <Detectors points={points} window={window} />
              <OutputList points={points} window={window} />
            </>
          )
        }
      </Loaded>
      {open !== undefined && (
        <OutputDrawer
          key={open}
          id={Number(open)}
          onClose={() => change({ open: undefined }, { replace: true })}
        />
      )}
    </Screen>
  );
}

/** A choice of the application. It has its place before the names are known, so that nothing below it moves. */
function Applications({ application: chosen, ...range }: Window) {
  const { change } = useAddress();
  const query = { field: 'application', control: 'output_handler', ...range };
  const { data } = useAnswer('audit.facets', { query });
  const known = [...(data?.values.map(({ value }) => value) ?? []), chosen ?? null];
  const names = [...new Set(known.filter((name) => name !== null))];
  return (
    <label class="row">
      <span class="muted">Application</span>
      <Select
        class="application"
        value={chosen ?? ''}
        disabled={names.length === 0}
        choices={[['', 'all'], ...asChoices(names)]}
        onChoose={(application) => change({ application }, { replace: true })}
      />
    </label>
  );
}

/** Stacked days, of which the first and the last may be parts. Each part of a column is a link to the outputs that it counts. */
function KindChart({ points, window }: Shown) {
  const kinds = kindsIn(points);
  const columns = points.map((point) => ({
    label: day(point.date),
    parts: kinds.map((kind) => {
      const value = outputsOf([point], kind);
      const edge = (at = '') => (at.startsWith(point.date) ? at : point.date);
      return {
        name: kind,
        value,
        href: rowsOf({ ...window, from: edge(window.from), to: edge(window.to) }, kind),
        text: `${plural(value, 'output')} with ${KIND_LABELS[kind]}`,
      };
    }),
  }));
  return (
    <ColumnChart
      title="Outputs with findings by day, in UTC"
      unit="Day (UTC)"
      columns={columns}
      heads={kinds.map((kind) => KIND_LABELS[kind]).toReversed()}
      legend={kinds.map((kind) => (
        <a key={kind} class={`key ${kind}`} href={rowsOf(window, kind)}>
          {KIND_LABELS[kind]}: {count(outputsOf(points, kind))}
        </a>
      ))}
    />
  );
}

function Detectors({ points, window }: Shown) {
  const values = points.flatMap((point) => point.values);
  const rows = kindsIn(points)
    .flatMap((kind) => {
      const detectors = values.filter((value) => value.kind === kind).map(({ detector }) => detector);
      return [...new Set(detectors)]
        .filter((detector) => detector !== null)
        .map((detector) => ({ kind, detector, outputs: outputsOf(points, kind, detector) }));
    })
    .toSorted((a, b) => b.outputs - a.outputs);
  return (
    <section class="stack-s">
      <h2>By detector</h2>
      <Table texts={['Detector', 'Kind']} numbers={['Outputs']}>
        {rows.map(({ kind, detector, outputs }) => (
          <tr key={`${kind} ${detector}`}>
            <td class="mono">
              <NameText text={detector} />
            </td>
            <td>
              <span class={`key ${kind}`}>{KIND_LABELS[kind]}</span>
            </td>
            <td class="number">
              <a href={rowsOf(window, kind, detector)}>{count(outputs)}</a>
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

const NEWEST = 20;

/** The newest outputs of one kind. Each opens with its text before and after. */
function OutputList({ points, window }: Shown) {
  const { query, change } = useAddress();
  const kinds = kindsIn(points);
  const chosen = kinds.find((kind) => kind === query['kind']) ?? kinds[0]!;
  const outputs = useAnswer('audit.index', {
    query: { ...window, control: 'output_handler', kind: chosen, limit: NEWEST },
  });
  useLiveReload(outputs.reload, (name) => name.startsWith('guardrails.output.'));
  const rowOf = (entry: AuditListItem) => (
    <a key={entry.id} href={href('/output', { ...query, open: entry.id })} data-row>
      <span class="row">
        <Time at={entry.occurred_at} />
        <OutcomeStatus entry={entry} />
      </span>
      <span class="cut">
        <PromptPreview text={entry.prompt_preview} />
      </span>
    </a>
  );
  return (
    <section class="stack-s">
      <div class="split">
        <h2>Before and after</h2>
        <Segments
          aria-label="Kind"
          choices={kinds.map((kind) => [kind, KIND_LABELS[kind]] as const)}
          chosen={chosen}
          onChoose={(kind) => change({ kind }, { replace: true })}
        />
      </div>
      <Loaded resource={outputs} lines={5}>
        {({ entries }) => (
          <>
            <ul class="output-list">
              {grouped(entries, sameText).map(([key, rows]) => (
                <li key={key}>
                  {rowOf(rows[0])}
                  <Fold rows={rows}>{rowOf}</Fold>
                </li>
              ))}
            </ul>
            {entries.length === NEWEST && (
              <p>
                <a href={rowsOf(window, chosen)}>All of them in the audit</a>
              </p>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
