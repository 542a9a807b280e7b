import { useState } from 'preact/hooks';
import type { EventData } from '#client/index.js';
import { liveState, useLive } from '../../data/live.js';
import { href } from '../../data/page.js';
import { PlainText } from '../../ui/plain-text.js';
import { Empty } from '../../ui/states.js';
import { Time } from '../../ui/time.js';

const KEPT = 50;

/** Events that arrived while the screen is open, newest first. */
export function LiveEvents() {
  const [events, setEvents] = useState<readonly EventData[]>([]);
  useLive((added) => setEvents((before) => [...added.toReversed(), ...before].slice(0, KEPT)));
  return (
    <section class="card stack-s" aria-label="Newest events">
      <h2>Newest events</h2>
      {events.length === 0 ? (
        <Empty
          title={
            liveState.value === 'polling'
              ? 'There is no live stream.'
              : 'No event since you opened this screen.'
          }
        >
          {liveState.value === 'polling'
            ? 'The server has none for this page: it is off, or too many are open. The setting is events.stream.'
            : 'Events appear here as they happen.'}
        </Empty>
      ) : (
        <div class="table-scroll" tabIndex={0} role="region" aria-label="Newest events, as a table">
          <table>
            <thead>
              <tr>
                <th>Number</th>
                <th>Event</th>
                <th>Severity</th>
                <th>Time</th>
                <th>Entry</th>
              </tr>
            </thead>
            <tbody>
              {events.map(({ sequence, name, severity, occurred_at: at, audit_id: auditId }) => (
                <tr key={sequence}>
                  <td class="number">{sequence}</td>
                  <td>
                    <PlainText text={name} />
                  </td>
                  <td>{severity}</td>
                  <td>
                    <Time at={at} />
                  </td>
                  <td>{auditId === null ? '–' : <a href={href(`/audit/${auditId}`)}>{auditId}</a>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
