import { useEffect, useState } from 'preact/hooks';
import type { EventData } from '#client/index.js';
import { liveState, useLive } from '../../data/live.js';
import { readMe } from '../../data/me.js';
import { href } from '../../data/page.js';
import { client, noteFailure, signIns } from '../../data/session.js';
import { NameText } from '../../ui/plain-text.js';
import { rowAt } from '../../ui/rows.js';
import { Empty, Skeleton } from '../../ui/states.js';
import { Time } from '../../ui/time.js';

const KEPT = 50;
/** Many numbers belong to events that the stream does not show. */
const EARLIER_NUMBERS = 500;
/** The stream sends the kept events without a pause, so they have all arrived at the first pause. */
const SILENCE_MS = 500;

/** The newest events that the server keeps, and those that arrive. */
export function LiveEvents() {
  const [events, setEvents] = useState<readonly EventData[]>([]);
  const [isReading, setReading] = useState(true);
  const add = (added: readonly EventData[]): void => setEvents((before) => newest([...added, ...before]));
  useLive(add);
  useEffect(() => {
    const abort = new AbortController();
    readEarlier(add, abort)
      .catch(noteFailure)
      .finally(() => setReading(false));
    return () => abort.abort();
  }, [signIns.value]);
  return (
    <section class="card stack-s" aria-label="Newest events">
      <h2>Newest events</h2>
      {events.length === 0 && isReading ? (
        <Skeleton lines={6} />
      ) : events.length === 0 ? (
        <Empty title={liveState.value === 'polling' ? 'There is no live stream.' : 'No event is stored.'}>
          {liveState.value === 'polling'
            ? 'The server has none for this page: it is off, or too many are open. The setting is events.stream.'
            : 'Events appear here as they happen, and stay for events.retention days.'}
        </Empty>
      ) : (
        <div class="table-scroll newest-events">
          <table>
            <thead>
              <tr>
                <th>Time</th>
                <th>Event</th>
                <th>Severity</th>
                <th class="number">Entry</th>
                <th class="number">Number</th>
              </tr>
            </thead>
            <tbody>
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
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** Reads the stream from an earlier number, apart from the one of this browser, until it is silent. */
async function readEarlier(
  add: (events: readonly EventData[]) => void,
  abort: AbortController,
): Promise<void> {
  const { live, sequence } = await readMe();
  if (live === 'off' || sequence === 0) return;
  const after = Math.max(0, sequence - EARLIER_NUMBERS);
  let timer = setTimeout(() => abort.abort(), SILENCE_MS);
  const waitAgain = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => abort.abort(), SILENCE_MS);
  };
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
  return [...bySequence.values()].toSorted((a, b) => b.sequence - a.sequence).slice(0, KEPT);
}
