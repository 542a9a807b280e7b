import { useEffect, useState } from 'preact/hooks';
import type { EventData } from '#client/index.js';
import { liveState, useLive, useLiveReload } from '../../data/live.js';
import { href } from '../../data/page.js';
import { useAnswer } from '../../data/requests.js';
import { client, noteFailure, readMe, signIns } from '../../data/session.js';
import { Button, Table } from '../../ui/controls.js';
import { NameText } from '../../ui/plain-text.js';
import { rowAt } from '../../ui/rows.js';
import { Empty, Loaded, Screen, Skeleton } from '../../ui/screen.js';
import { Time } from '../../ui/values.js';
import { SinkCard } from './sinks.js';

/** Where events are sent, what waits or has failed, and the newest events. */
export default function Events() {
  const sinks = useAnswer('events.sinks');
  useLiveReload(sinks.reload);
  return (
    <Screen
      title="Events"
      lead="Sinks receive events of the guardrails, such as blocked decisions and approvals that wait."
      actions={
        <Button disabled={sinks.isLoading} onClick={sinks.reload}>
          Refresh
        </Button>
      }
    >
      <section class="stack" aria-label="Sinks">
        <Loaded resource={sinks} lines={7}>
          {(data) =>
            data.sinks.length === 0 ? (
              <Empty title="No sink is configured.">
                Events are sent nowhere. Add a sink to <code>sinks</code> of <code>forRoot()</code>, such as a
                webhook or a SIEM.
              </Empty>
            ) : (
              data.sinks.map((sink, index) => (
                <SinkCard key={sink.name} sink={sink} row={rowAt(index)} onChanged={sinks.reload} />
              ))
            )
          }
        </Loaded>
      </section>
      <LiveEvents />
    </Screen>
  );
}

const MAX_SHOWN = 50;
/** Many numbers belong to events that the stream does not show. */
const EARLIER_NUMBERS = 500;
/** The stream sends the stored events without a pause, so they have all arrived at the first pause. */
const PAUSE_MS = 500;

/** The newest events that the server keeps, and those that arrive. */
function LiveEvents() {
  const [events, setEvents] = useState<readonly EventData[]>([]);
  const [isReading, setReading] = useState(true);
  const [hasFailed, setFailed] = useState(false);
  const add = (added: readonly EventData[]) => setEvents((before) => newest([...added, ...before]));
  useLive(add);
  useEffect(() => {
    const abort = new AbortController();
    setFailed(false);
    readEarlier(add, abort)
      .catch((failure: Error) => {
        noteFailure(failure);
        setFailed(!abort.signal.aborted);
      })
      .finally(() => setReading(false));
    return () => abort.abort();
  }, [signIns.value]);
  return (
    <section class="card newest-events" aria-label="Newest events">
      <h2>Newest events</h2>
      {events.length === 0 && (isReading ? <Skeleton lines={6} /> : <NoEvents hasFailed={hasFailed} />)}
      {events.length > 0 && (
        <Table texts={['Time', 'Event', 'Severity']} numbers={['Entry', 'Number']}>
          {events.map(({ sequence, name, severity, occurred_at: at, audit_id: auditId }, index) => (
            <tr key={sequence} {...rowAt(index)}>
              <td>
                <Time at={at} />
              </td>
              <td>
                <NameText text={name} />
              </td>
              <td>{severity}</td>
              <td class="number">
                {auditId === null ? '–' : <a href={href(`/audit/${auditId}`)}>{auditId}</a>}
              </td>
              <td class="number">{sequence}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

function NoEvents({ hasFailed }: { readonly hasFailed: boolean }) {
  if (hasFailed)
    return <Empty title="The stored events could not be read.">Load the page again to read them.</Empty>;
  return liveState.value === 'polling' ? (
    <Empty title="There is no live stream.">
      The server has none for this page: it is off, or too many are open. The setting is events.stream.
    </Empty>
  ) : (
    <Empty title="No event is stored.">
      Events appear here as they happen, and stay for events.retention days.
    </Empty>
  );
}

/** Reads the stream from an earlier number, apart from the one of this browser, until it pauses. */
async function readEarlier(
  add: (events: readonly EventData[]) => void,
  abort: AbortController,
): Promise<void> {
  const { live, sequence } = await readMe();
  if (live === 'off' || sequence === 0) return;
  const after = Math.max(0, sequence - EARLIER_NUMBERS);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waitAgain = () => {
    clearTimeout(timer);
    timer = setTimeout(() => abort.abort(), PAUSE_MS);
  };
  waitAgain();
  try {
    for await (const event of client.events({ after, signal: abort.signal, onState: waitAgain })) {
      waitAgain();
      add([event]);
      if (event.sequence >= sequence) return;
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Each event once, newest first. */
function newest(events: readonly EventData[]): readonly EventData[] {
  const bySequence = new Map(events.map((event) => [event.sequence, event]));
  return [...bySequence.values()].toSorted((a, b) => b.sequence - a.sequence).slice(0, MAX_SHOWN);
}
