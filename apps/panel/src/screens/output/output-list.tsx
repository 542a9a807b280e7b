import { useAddress } from '../../data/address.js';
import { useLiveReload } from '../../data/live.js';
import { href } from '../../data/page.js';
import { useResource } from '../../data/resource.js';
import { client } from '../../data/session.js';
import { PromptPreview } from '../../ui/prompt-preview.js';
import { Loaded } from '../../ui/states.js';
import { OutcomeStatus } from '../../ui/status.js';
import { Time } from '../../ui/time.js';
import { KINDS, outputsOf, rowsOf, type Points, type Window } from './kinds.js';

const NEWEST = 20;

/** The newest outputs of one kind. Each opens with its text before and after. */
export function OutputList({ points, window }: { readonly points: Points; readonly window: Window }) {
  const { query, change } = useAddress();
  const found = KINDS.filter(({ name }) => outputsOf(points, name) > 0);
  const chosen = found.find(({ name }) => name === query['kind']) ?? found[0]!;
  const outputs = useResource(`outputs ${chosen.name} ${JSON.stringify(window)}`, async (signal) => {
    const filters = { ...window, control: 'output_handler', kind: chosen.name };
    const { data } = await client.call('audit.index', { query: { ...filters, limit: NEWEST }, signal });
    return data.entries;
  });
  useLiveReload(outputs.reload, (name) => name.startsWith('guardrails.output.'));
  return (
    <section class="stack-s">
      <div class="split">
        <h2>Before and after</h2>
        <div class="segments" role="group" aria-label="Kind">
          {found.map(({ name, label }) => (
            <button
              type="button"
              key={name}
              aria-pressed={name === chosen.name}
              onClick={() => change({ kind: name }, { replace: true })}
            >
              {label}
            </button>
          ))}
        </div>
      </div>
      <Loaded resource={outputs} lines={5}>
        {(entries) => (
          <>
            <ul class="output-list">
              {entries.map((entry) => (
                <li key={entry.id}>
                  <a href={href('/output', { ...query, open: entry.id })} data-row>
                    <span class="row">
                      <Time at={entry.occurred_at} />
                      <OutcomeStatus entry={entry} />
                    </span>
                    <span class="cut">
                      <PromptPreview text={entry.prompt_preview} />
                    </span>
                  </a>
                </li>
              ))}
            </ul>
            {entries.length === NEWEST && (
              <p>
                <a href={rowsOf(window, chosen.name)}>All of them in the audit</a>
              </p>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
