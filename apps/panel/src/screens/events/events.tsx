import type { EventSinksData } from '#client/index.js';
import { useLiveReload } from '../../data/live.js';
import { useResource } from '../../data/resource.js';
import { client } from '../../data/session.js';
import { rowAt } from '../../ui/rows.js';
import { Screen } from '../../ui/screen.js';
import { Empty, Loaded } from '../../ui/states.js';
import { LiveEvents } from './live-events.js';
import { SinkCard } from './sink-card.js';

/** Where events are sent, what waits or has failed, and the newest events. */
export default function Events() {
  const sinks = useResource<EventSinksData>(
    'sinks',
    async (signal) => (await client.call('events.sinks', { signal })).data,
  );
  useLiveReload(sinks.reload);
  return (
    <Screen
      title="Events"
      lead="Sinks receive events of the guardrails, such as blocked decisions and approvals that wait."
      actions={
        <button type="button" disabled={sinks.isLoading} onClick={sinks.reload}>
          Read again
        </button>
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
