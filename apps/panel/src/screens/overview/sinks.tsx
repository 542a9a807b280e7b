import type { EventSinksData } from '#client/index.js';
import { href } from '../../data/page.js';
import { useLiveReload } from '../../data/live.js';
import { useResource } from '../../data/resource.js';
import { client } from '../../data/session.js';
import { duration, plural } from '../../text/format.js';
import { PlainText } from '../../ui/plain-text.js';
import { Status } from '../../ui/status.js';

const LATE_SECONDS = 60;

/** Whether the sinks deliver, with those that receive events late or not at all. */
export function Sinks() {
  const sinks = useResource('sinks', async (signal) => {
    const { data } = await client.call('events.sinks', { signal });
    return data.sinks;
  });
  useLiveReload(sinks.reload);
  const known = sinks.data;
  if (known === undefined) return null;
  const late = known.filter((sink) => problemsOf(sink).length > 0);
  return (
    <>
      <dt>Events</dt>
      <dd>
        {late.length === 0 ? (
          known.length === 0 ? (
            'sent nowhere: no sink is configured'
          ) : (
            <Status tone="ok">
              <a href={href('/events')}>{plural(known.length, 'sink')}</a>{' '}
              {known.length === 1 ? 'delivers' : 'deliver'}
            </Status>
          )
        ) : (
          <ul class="stack-s">
            {late.map((sink) => (
              <li key={sink.name}>
                <Status tone={sink.dead > 0 || sink.state === 'open' ? 'blocked' : 'observed'}>
                  <a href={href('/events')}>
                    <PlainText text={sink.name} />
                  </a>
                </Status>{' '}
                {problemsOf(sink).join(', ')}
              </li>
            ))}
          </ul>
        )}
      </dd>
    </>
  );
}

function problemsOf({ state, lag_seconds: lag, dead }: EventSinksData['sinks'][number]): readonly string[] {
  return [
    ...(state === 'open' || state === 'half_open' ? ['refuses events at present'] : []),
    ...(lag > LATE_SECONDS ? [`${duration(lag)} behind`] : []),
    ...(dead > 0 ? ['has events that were not delivered'] : []),
  ];
}
