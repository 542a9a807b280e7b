import type { SettingChangeData } from '#client/index.js';
import { useAddress } from '../../data/address.js';
import { useMay } from '../../data/me.js';
import { useLivePages, usePages } from '../../data/pages.js';
import { client } from '../../data/session.js';
import { plural } from '../../text/format.js';
import { NameText, PlainText } from '../../ui/plain-text.js';
import { rowAt } from '../../ui/rows.js';
import { Screen } from '../../ui/screen.js';
import { Empty, Skeleton } from '../../ui/states.js';
import { Ago, Time } from '../../ui/time.js';
import { ChangedValue } from './changed-value.js';
import { FailureBox } from './failure-box.js';
import { HistoryFilters } from './history-filters.js';
import { useSettings } from './loading.js';
import { putBack } from './put-back.js';
import { settingOf, type Loaded } from './settings-data.js';
import { SettingsTabs } from './tabs.js';

type Change = SettingChangeData;

/** Saved changes, newest first. */
export default function History() {
  const { query, open } = useAddress();
  const settings = useSettings();
  const may = useMay('settings.update');
  const filters = { key: query['key'], actor: query['actor'], from: query['from'], to: query['to'] };
  const pages = usePages<Change>(JSON.stringify(filters), async (cursor, signal) => {
    const { data } = await client.call('settings.changes', {
      query: { ...filters, limit: 100, cursor },
      signal,
    });
    return { items: data.changes, next: data.next_cursor };
  });
  useLivePages(pages, (name) => name === 'guardrails.settings.changed');
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Screen title="Settings history" lead="Every saved change of a setting, newest first.">
      <SettingsTabs open="history" />
      <HistoryFilters query={query} />
      <ol class="stack">
        {savesOf(pages.items).map((changes, index, saves) => {
          const [first] = changes;
          const loaded = settings.data;
          // The next page may begin with other changes of the oldest save.
          const isComplete = pages.state === 'end' || index < saves.length - 1;
          const obstacle = loaded === undefined ? null : obstacleTo(loaded, changes, isComplete);
          return first === undefined ? null : (
            <li class="card" key={first.id} {...rowAt(index)}>
              <div class="split">
                <h2>
                  <PlainText text={first.actor_id} /> changed {plural(changes.length, 'value')}
                </h2>
                <span class="muted">
                  <Time at={first.occurred_at} /> (<Ago at={first.occurred_at} />)
                </span>
              </div>
              {changes.map((change) => (
                <div class="stack-s" key={change.id}>
                  <h3>
                    <code>
                      <NameText text={change.key} />
                    </code>
                  </h3>
                  <ChangedValue before={['Before', change.old_value]} after={['After', change.new_value]} />
                </div>
              ))}
              {loaded !== undefined && (
                <p class="row">
                  <button
                    type="button"
                    disabled={!may.isAllowed || obstacle !== null}
                    onClick={() => {
                      putBack(loaded, changes);
                      open('/settings', { review: '1' });
                    }}
                  >
                    Put back
                  </button>
                  <span class="muted small">{may.reason ?? obstacle}</span>
                </p>
              )}
            </li>
          );
        })}
      </ol>
      {pages.state === 'failed' && pages.error !== undefined && (
        <FailureBox error={pages.error} retry={pages.more} />
      )}
      {pages.state === 'loading' && <Skeleton lines={8} />}
      {pages.state === 'more' && (
        <p>
          <button type="button" onClick={pages.more}>
            Show older changes
          </button>
        </p>
      )}
      {pages.state === 'end' &&
        pages.items.length === 0 &&
        (isFiltered ? (
          <Empty title="No change matches these filters." />
        ) : (
          <Empty title="No setting has been changed yet.">
            The values come from the configuration of the application.
          </Empty>
        ))}
    </Screen>
  );
}

/** Why the values from before a save cannot be put back; `null` if they can. */
function obstacleTo(loaded: Loaded, changes: readonly Change[], isComplete: boolean): string | null {
  if (!isComplete) return 'Show older changes first: more of them may belong to this save.';
  if (putBack(loaded, changes, { isDry: true })) return null;
  const settings = changes.map(({ key }) => settingOf(loaded, key));
  if (settings.every((setting) => setting === undefined)) return 'The setting no longer exists.';
  return settings.some((setting) => setting?.locked === true)
    ? 'The deployer sets this value, in code or in the environment.'
    : 'Nothing to put back: these values are in force now.';
}

/** Changes of one request belong to one save. */
function savesOf(changes: readonly Change[]): readonly (readonly Change[])[] {
  const saves: Change[][] = [];
  for (const change of changes) {
    const last = saves.at(-1);
    const before = last?.[0];
    const isOne =
      before?.request_id === change.request_id &&
      before.occurred_at === change.occurred_at &&
      before.actor_id === change.actor_id;
    if (isOne) last?.push(change);
    else saves.push([change]);
  }
  return saves;
}
