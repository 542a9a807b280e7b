/** One row per run of the model, each of which unfolds into its steps. */
import { useState } from 'preact/hooks';
import type { RouteData } from '#client/index.js';
import { CONTROL_KEYS, type ControlKey } from '#contracts/common/control-mode.js';
import { useLiveReload } from '../../data/live.js';
import { href, type Query, useAddress } from '../../data/page.js';
import { useAnswer, useList } from '../../data/requests.js';
import { CONTROL_WORDS, outcomeWord } from '../../text/names.js';
import { EntryPreview } from '../../ui/arguments.js';
import { Button } from '../../ui/controls.js';
import { PlainText } from '../../ui/plain-text.js';
import { Empty, ListEnd, Loaded } from '../../ui/screen.js';
import { OutcomeStatus, Status, Time, toneOf } from '../../ui/values.js';
import { isDecision, letterOf, NO_RUN, NO_RUN_HELP } from './sentences.js';

const PAGE_SIZE = 50;

type Run = RouteData<'runs.index'>['runs'][number];

/** The runs of the range, the one that began last first. */
export function Runs({ filters: { control, ...others } }: { readonly filters: Query }) {
  const { query } = useAddress();
  const request = { ...others, ...(control !== 'all' && { control }), limit: PAGE_SIZE };
  const pages = useList('runs.index', { query: request }, ({ runs, as_of: asOf }) =>
    runs.map((run) => ({ ...run, asOf })),
  );
  const [isBehind, setBehind] = useState(false);
  const refresh = () => {
    setBehind(false);
    pages.reload();
  };
  useLiveReload(() => {
    if (pages.items.length === 0) refresh();
    else setBehind(others['to'] === undefined);
  }, isDecision);
  const [first] = pages.items;
  return (
    <>
      {isBehind && (
        <p class="arrivals" role="status">
          <Button class="primary" onClick={refresh}>
            Newer decisions were recorded: Refresh
          </Button>
        </p>
      )}
      {first !== undefined && (
        <ul class="runs card">
          {pages.items.map((run) => (
            <RunRow key={run.id} run={run} />
          ))}
        </ul>
      )}
      <ListEnd pages={pages} lines={12} older="Older runs">
        <Empty title={NO_RUN}>
          {NO_RUN_HELP} <a href={href('/audit', { ...query, view: 'entries' })}>Show all entries</a>
        </Empty>
      </ListEnd>
      {first !== undefined && (
        <p class="muted small">
          The totals of runs include every entry up to <Time at={first.asOf} isAlone />.
        </p>
      )}
    </>
  );
}

function RunRow({ run }: { readonly run: Run }) {
  const { query, change } = useAddress();
  const isOpen = query['run'] === String(run.id);
  return (
    <li>
      <details open={isOpen}>
        <summary
          data-row
          onClick={(event) => {
            event.preventDefault();
            change({ run: isOpen ? undefined : run.id }, { replace: true });
          }}
        >
          <Status tone={toneOf(run.outcome)}>
            {outcomeWord(
              CONTROL_KEYS.find((key) => run.controls[key] === run.outcome),
              run.outcome,
            )}
          </Status>
          <span class="cut said">
            {run.said === null ? <span class="muted">no stored prompt</span> : <PlainText text={run.said} />}
          </span>
          <span class="row marks">
            {CONTROL_KEYS.map((control) => (
              <ControlMark key={control} control={control} worst={run.controls[control]} />
            ))}
          </span>
          <span class="cut muted">
            <PlainText text={run.principal_id ?? 'no principal'} />
            {run.application !== null && (
              <>
                {' · '}
                <PlainText text={run.application} />
              </>
            )}
          </span>
          <Time at={run.started_at} />
        </summary>
        {isOpen && <RunSteps id={run.id} />}
      </details>
    </li>
  );
}

/** The letter of a control, with the colour and the shape of its worst outcome. */
function ControlMark({
  control,
  worst,
}: {
  readonly control: ControlKey;
  readonly worst: Run['outcome'] | null;
}) {
  const word = worst === null ? 'decided nothing' : outcomeWord(control, worst);
  const name = `${CONTROL_WORDS[control].label}: ${word}`;
  return (
    <span
      role="img"
      aria-label={name}
      title={name}
      class={worst === null ? 'muted' : `status ${toneOf(worst)}`}
    >
      {letterOf(control)}
    </span>
  );
}

/** The decisions of a run in their order. */
function RunSteps({ id }: { readonly id: number }) {
  const { query } = useAddress();
  const run = useAnswer('runs.show', { params: { id } });
  useLiveReload(run.reload, isDecision);
  return (
    <Loaded resource={run} lines={4}>
      {({ run: { entries: total }, entries }) => (
        <>
          {total > entries.length && (
            <p class="muted">The newest {entries.length} entries of this run are shown.</p>
          )}
          <ol class="run">
            {entries.map((entry) => (
              <li key={entry.id}>
                <OutcomeStatus entry={entry} />
                <a href={href(`/audit/${entry.id}`, query)}>
                  {CONTROL_WORDS[entry.control].label}
                  {entry.tool !== null && (
                    <>
                      {': '}
                      <PlainText text={entry.tool} />
                    </>
                  )}
                </a>
                <span class="cut">
                  <EntryPreview entry={entry} />
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
    </Loaded>
  );
}
