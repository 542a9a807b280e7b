import type { AuditListItem } from '#client/index.js';
import { href } from '../../data/page.js';
import { useResource } from '../../data/resource.js';
import { client } from '../../data/session.js';
import { CONTROL_LABELS } from '../../text/names.js';
import { PlainText } from '../../ui/plain-text.js';
import { Loaded } from '../../ui/states.js';
import { OutcomeStatus } from '../../ui/status.js';
import { Time } from '../../ui/time.js';

const SHOWN = 50;

/** The decisions of the run that requested the call, oldest first. */
export function RunSoFar({ runId }: { readonly runId: string }) {
  const resource = useResource<readonly AuditListItem[]>(`run ${runId}`, async (signal) => {
    const { data } = await client.call('audit.index', {
      query: { control: 'all', run_id: runId, limit: SHOWN },
      signal,
    });
    return data.entries.toReversed();
  });
  return (
    <section class="card">
      <h2>Earlier in this run</h2>
      <Loaded resource={resource} lines={3}>
        {(entries) => (
          <>
            {entries.length === 0 && <p class="muted">No decision of this run is stored.</p>}
            <ol class="run-so-far">
              {entries.map((entry) => (
                <li key={entry.id}>
                  <div class="row">
                    <OutcomeStatus entry={entry} />
                    <a href={href(`/audit/${entry.id}`)} data-row>
                      {CONTROL_LABELS[entry.control]}
                    </a>
                    <Time at={entry.occurred_at} />
                  </div>
                  {entry.prompt_preview !== null && (
                    <p class="small break">
                      <PlainText text={entry.prompt_preview} />
                    </p>
                  )}
                </li>
              ))}
            </ol>
            {entries.length === SHOWN && (
              <a href={href('/audit', { run_id: runId })}>All decisions of this run</a>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
