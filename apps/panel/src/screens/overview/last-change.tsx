import { useLiveReload } from '../../data/live.js';
import { href } from '../../data/page.js';
import { useResource } from '../../data/resource.js';
import { client } from '../../data/session.js';
import { NameText, PlainText } from '../../ui/plain-text.js';
import { Ago } from '../../ui/time.js';

/** The newest change of a setting, with a link to all of them. */
export function LastChange() {
  const newest = useResource('newest change', async (signal) => {
    const { data } = await client.call('settings.changes', { query: { limit: 1 }, signal });
    return data.changes[0] ?? null;
  });
  useLiveReload(newest.reload, (name) => name === 'guardrails.settings.changed');
  const change = newest.data;
  if (change === undefined) return null;
  return (
    <>
      <dt>Settings</dt>
      <dd>
        {change === null ? (
          'as configured'
        ) : (
          <>
            <a href={href('/settings/history')}>
              <NameText text={change.key} />
            </a>{' '}
            <span class="muted">
              changed <Ago at={change.occurred_at} /> by <PlainText text={change.actor_id} />
            </span>
          </>
        )}
      </dd>
    </>
  );
}
