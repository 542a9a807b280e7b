import type { SettingChangeData } from '#client/index.js';
import { useAddress } from '../../data/page.js';
import { useRange } from '../../data/range.js';
import { useList, useLivePages } from '../../data/requests.js';
import { useMay } from '../../data/session.js';
import { plural } from '../../text/format.js';
import { Button, Form, useFilters } from '../../ui/controls.js';
import { NameText, PlainText } from '../../ui/plain-text.js';
import { rowAt } from '../../ui/rows.js';
import { Empty, ListEnd, Screen } from '../../ui/screen.js';
import { Ago, Time } from '../../ui/values.js';
import { Differences, SettingsTabs } from './changed-value.js';
import { change, draftedValue } from './draft.js';
import { HISTORY_LEAD, PUT_BACK_OBSTACLES } from './sentences.js';
import { isSame, settingOf, type Settings, useSettings, withEntry } from './settings-data.js';

type Save = readonly SettingChangeData[];

/** Saved changes, newest first. */
export default function History() {
  const { open } = useAddress();
  const settings = useSettings().data;
  const may = useMay('settings.update');
  const { last, ...filters } = useFilters(['actor', 'key', 'last', 'from', 'to']);
  const { from } = useRange();
  const query = { ...filters, ...(last && { from }), limit: 100 };
  const pages = useList('settings.changes', { query }, ({ changes }) => changes);
  useLivePages(pages, (name) => name === 'guardrails.settings.changed');
  return (
    <Screen title="Settings history" lead={HISTORY_LEAD}>
      <SettingsTabs open="History" />
      <Filters />
      <ol class="stack">
        {savesOf(pages.items).map((changes, index, saves) => {
          const [first] = changes as [SettingChangeData];
          // The next page may begin with other changes of the oldest save.
          const isComplete = pages.state === 'end' || index < saves.length - 1;
          const obstacle = settings && obstacleTo(settings, changes, isComplete);
          return (
            <li class="card" key={first.id} {...rowAt(index)}>
              <div class="split">
                <h2>
                  <PlainText text={first.actor_id} /> changed {plural(changes.length, 'value')}
                </h2>
                <span class="muted">
                  <Time at={first.occurred_at} /> (<Ago at={first.occurred_at} />)
                </span>
              </div>
              {changes.map(({ id, key, old_value: before, new_value: after }) => (
                <div class="stack-s" key={id}>
                  <h3>
                    <code>
                      <NameText text={key} />
                    </code>
                  </h3>
                  <Differences before={before} after={after} />
                </div>
              ))}
              {settings !== undefined && (
                <p class="row">
                  <Button
                    may={may}
                    disabled={obstacle !== null}
                    onClick={() => {
                      putBack(settings, changes);
                      open('/settings', { review: '1' });
                    }}
                  >
                    Put back
                  </Button>
                  <span class="muted small">{may.reason ?? obstacle}</span>
                </p>
              )}
            </li>
          );
        })}
      </ol>
      <ListEnd pages={pages} lines={8} older="Show older changes">
        {Object.keys(query).length > 1 ? (
          <Empty title="No change matches these filters." />
        ) : (
          <Empty title="No setting has been changed yet.">
            The values come from the configuration of the application.
          </Empty>
        )}
      </ListEnd>
    </Screen>
  );
}

const FIELDS = [
  ['actor', 'Actor', 'ops-1'],
  ['key', 'Key', 'modes.hitl'],
] as const;

function Filters() {
  const { screen, query, change: changeAddress, open } = useAddress();
  const filter = (textOf: (name: string) => string) =>
    changeAddress({ actor: textOf('actor').trim(), key: textOf('key').trim() });
  return (
    <Form class="filters" role="search" key={JSON.stringify(query)} onSend={filter}>
      {FIELDS.map(([name, label, example]) => (
        <label class="field" key={name}>
          {label}
          <input name={name} defaultValue={query[name] ?? ''} placeholder={example} />
        </label>
      ))}
      <button type="submit">Filter</button>
      {Object.keys(query).length > 0 && (
        <Button class="ghost" onClick={() => open(screen, { last: undefined })}>
          Remove filters
        </Button>
      )}
    </Form>
  );
}

/** Changes of one request belong to one save. */
function savesOf(changes: Save): readonly Save[] {
  const saves: SettingChangeData[][] = [];
  for (const one of changes) {
    const last = saves.at(-1);
    const before = last?.[0];
    const isSameSave = (['request_id', 'occurred_at', 'actor_id'] as const).every(
      (name) => before?.[name] === one[name],
    );
    if (isSameSave) last?.push(one);
    else saves.push([one]);
  }
  return saves;
}

/** What the values from before a save would change in `valueOf`. A change of a pattern or a policy concerns one entry of its setting. */
function oldValues(settings: Settings, changes: Save, valueOf: (key: string) => unknown) {
  const values = new Map<string, unknown>();
  for (const { key: changed, old_value: old } of changes) {
    const setting = settingOf(settings, changed);
    if (setting === undefined || setting.locked) continue;
    const { key } = setting;
    const now = values.has(key) ? values.get(key) : valueOf(key);
    const value = changed === key ? old : withEntry(now, changed.slice(key.length + 1), old);
    if (!isSame(value, now)) values.set(key, value);
  }
  return values;
}

function putBack(settings: Settings, changes: Save): void {
  for (const [key, value] of oldValues(settings, changes, (name) => draftedValue(settings, name))) {
    const isReset = isSame(value, settingOf(settings, key)?.configured) && settings.overridden.has(key);
    change(settings, key, isReset ? null : value);
  }
}

/** Why the values from before a save cannot be put back; `null` if they can. */
function obstacleTo(settings: Settings, changes: Save, isComplete: boolean): string | null {
  if (!isComplete) return PUT_BACK_OBSTACLES.incomplete;
  const isSomething = oldValues(settings, changes, (key) => settings.values[key]).size > 0;
  return isSomething ? null : PUT_BACK_OBSTACLES.same;
}
