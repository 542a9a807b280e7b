import type { OutputStatsData } from '#client/index.js';
import { useAddress } from '../../data/address.js';
import { useLiveReload } from '../../data/live.js';
import { href } from '../../data/page.js';
import { useResource } from '../../data/resource.js';
import { client } from '../../data/session.js';
import { count } from '../../text/format.js';
import { daysOf, lastDays, Period } from '../../ui/period.js';
import { PlainText } from '../../ui/plain-text.js';
import { Screen } from '../../ui/screen.js';
import { Empty, Loaded } from '../../ui/states.js';
import { Applications } from './applications.js';
import { KINDS, outputsOf, rowsOf, type Points, type Window } from './kinds.js';
import { KindChart } from './kind-chart.js';
import { OutputDrawer } from './output-drawer.js';
import { OutputList } from './output-list.js';

const CHOICES = [7, 30, 90, 366];

/** What was found in the answers of the model. */
export default function Output() {
  const { query, change } = useAddress();
  const days = daysOf(query, CHOICES);
  const window: Window = { ...lastDays(days), application: query['application'] };
  const stats = useResource<OutputStatsData>(`output ${JSON.stringify(window)}`, async (signal) => {
    const { data } = await client.call('output.stats', { query: { ...window, bucket: 'day' }, signal });
    return data;
  });
  useLiveReload(stats.reload);
  return (
    <Screen
      title="Output"
      lead="Outputs of the model in which something was found. An output with findings of two kinds counts for both."
      actions={
        <>
          <Applications from={window.from} chosen={window.application} />
          <Period choices={CHOICES} chosen={days} />
        </>
      }
    >
      <Loaded resource={stats} lines={14}>
        {({ points = [] }) => <Content points={points} window={window} />}
      </Loaded>
      {query['open'] !== undefined && (
        <OutputDrawer
          key={query['open']}
          id={Number(query['open'])}
          onClose={() => change({ open: undefined }, { replace: true })}
        />
      )}
    </Screen>
  );
}

function Content({ points, window }: { readonly points: Points; readonly window: Window }) {
  if (points.every(({ values }) => values.length === 0)) {
    return (
      <Empty title="Nothing was found in outputs of this period.">
        Choose a longer period or another application. Clean outputs are in the{' '}
        <a href={href('/audit', { control: 'output_handler' })}>audit</a>.
      </Empty>
    );
  }
  return (
    <>
      <section class="card">
        <h2>Outputs with findings, by kind</h2>
        <KindChart points={points} window={window} />
      </section>
      <Detectors points={points} window={window} />
      <OutputList points={points} window={window} />
    </>
  );
}

function Detectors({ points, window }: { readonly points: Points; readonly window: Window }) {
  const rows = KINDS.flatMap((kind) => {
    const found = points.flatMap(({ values }) => values.filter((value) => value.kind === kind.name));
    const names = [...new Set(found.map(({ detector }) => detector))].filter((name) => name !== null);
    return names.map((detector) => ({ kind, detector, outputs: outputsOf(points, kind.name, detector) }));
  }).toSorted((a, b) => b.outputs - a.outputs);
  return (
    <section class="stack-s">
      <h2>By detector</h2>
      <div class="table-scroll">
        <table>
          <thead>
            <tr>
              <th>Detector</th>
              <th>Kind</th>
              <th class="number">Outputs</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ kind, detector, outputs }) => (
              <tr key={`${kind.name} ${detector}`}>
                <td class="mono break">
                  <PlainText text={detector} />
                </td>
                <td>
                  <span class={`key ${kind.name}`}>{kind.label}</span>
                </td>
                <td class="number">
                  <a href={rowsOf(window, kind.name, detector)}>{count(outputs)}</a>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
