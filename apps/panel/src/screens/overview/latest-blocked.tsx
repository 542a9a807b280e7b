import { useLiveReload } from '../../data/live.js';
import { href } from '../../data/page.js';
import { useResource } from '../../data/resource.js';
import { client } from '../../data/session.js';
import { CONTROL_LABELS } from '../../text/names.js';
import { PromptPreview } from '../../ui/prompt-preview.js';
import { Loaded } from '../../ui/states.js';
import { OutcomeStatus } from '../../ui/status.js';
import { Time } from '../../ui/time.js';

const SHOWN = 5;

/** The last decisions that stopped or changed something, with links to their entries. */
export function LatestBlocked() {
  const latest = useResource('latest blocked', async (signal) => {
    const { data } = await client.call('audit.index', {
      query: { control: 'all', outcome: 'blocked', limit: SHOWN },
      signal,
    });
    return data.entries;
  });
  useLiveReload(latest.reload);
  return (
    <section class="card">
      <div class="split">
        <h2>Latest blocked and pending</h2>
        <a class="small" href={href('/audit', { control: 'all', outcome: 'blocked' })}>
          All blocked decisions
        </a>
      </div>
      <Loaded resource={latest} lines={SHOWN}>
        {(entries) =>
          entries.length === 0 ? (
            <p class="muted">Nothing has been blocked yet.</p>
          ) : (
            <ul class="latest">
              {entries.map((entry) => (
                <li key={entry.id}>
                  <a href={href(`/audit/${entry.id}`, { control: 'all', outcome: 'blocked' })}>
                    <span class="muted">
                      <Time at={entry.occurred_at} />
                    </span>
                    <OutcomeStatus entry={entry} />
                    <span class="cut">{CONTROL_LABELS[entry.control]}</span>
                    <span class="cut">
                      <PromptPreview text={entry.prompt_preview} />
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}
