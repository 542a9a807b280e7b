import { href } from '../../data/page.js';
import { useResource } from '../../data/resource.js';
import { client } from '../../data/session.js';
import { CONTROL_LABELS } from '../../text/names.js';
import { PlainText } from '../../ui/plain-text.js';
import { Loaded } from '../../ui/states.js';
import { OutcomeStatus } from '../../ui/status.js';

const LIMIT = 50;

/** The decisions of a run in their order. */
export function Run({ runId, current }: { readonly runId: string; readonly current: number }) {
  const run = useResource(`run ${runId}`, async (signal) => {
    const query = { control: 'all', run_id: runId, limit: LIMIT };
    const { data } = await client.call('audit.index', { query, signal });
    return data;
  });
  return (
    <section class="stack-s">
      <h3>The run</h3>
      <Loaded resource={run} lines={3}>
        {({ entries, next_cursor: next }) => (
          <>
            {next !== null && (
              <p>
                <a href={href('/audit', { run_id: runId })}>The newest {LIMIT} are shown here; show all</a>
              </p>
            )}
            <ol class="run">
              {entries.toReversed().map((entry) => (
                <li key={entry.id} aria-current={entry.id === current ? 'step' : undefined}>
                  <OutcomeStatus entry={entry} />
                  <a href={href(`/audit/${entry.id}`)}>{CONTROL_LABELS[entry.control]}</a>
                  <span class="cut muted">
                    <PlainText text={entry.prompt_preview ?? 'not stored'} />
                  </span>
                </li>
              ))}
            </ol>
          </>
        )}
      </Loaded>
    </section>
  );
}
