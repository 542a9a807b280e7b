import { useEffect } from 'preact/hooks';
import type { FieldErrors } from '#client/index.js';
import type { May } from '../../data/me.js';
import { useAddress } from '../../data/address.js';
import { useMay } from '../../data/me.js';
import { plural } from '../../text/format.js';
import { announceResult } from '../../ui/announcer.js';
import { Screen } from '../../ui/screen.js';
import { PlainText } from '../../ui/plain-text.js';
import { Empty, Loaded as LoadedBox } from '../../ui/states.js';
import { Ago } from '../../ui/time.js';
import { discard, draft } from './draft.js';
import { useSettings } from './loading.js';
import { usePreview } from './preview.js';
import { Review } from './review.js';
import { SettingRow } from './setting-row.js';
import { groupsOf, type Loaded } from './settings-data.js';
import { SettingsTabs } from './tabs.js';

/** All settings of GET /settings. Edits collect in a draft until they are reviewed and saved. */
export default function Settings() {
  const resource = useSettings();
  const may = useMay('settings.update');
  const updated = resource.data?.updated;
  return (
    <Screen
      title="Settings"
      lead="What the four controls do now. A saved change is in force on every instance within two seconds."
    >
      <SettingsTabs open="values" />
      {may.reason !== null && <p class="notice">{may.reason}</p>}
      {updated !== undefined && updated !== null && (
        <p class="muted small">
          Last changed by <PlainText text={updated.by} />, <Ago at={updated.at} isAlone />.
        </p>
      )}
      <LoadedBox resource={resource} lines={14}>
        {(loaded) => <Editing loaded={loaded} may={may} reload={resource.reload} />}
      </LoadedBox>
    </Screen>
  );
}

function Editing({
  loaded,
  may,
  reload,
}: {
  readonly loaded: Loaded;
  readonly may: May;
  readonly reload: () => void;
}) {
  const { query, change } = useAddress();
  const changes = draft.value?.changes ?? {};
  const preview = usePreview(loaded, changes);
  const count = Object.keys(changes).length;
  const weaker = preview.data?.changes.filter(({ weakens }) => weakens).length ?? 0;
  const isRefused = preview.error !== undefined || Object.keys(preview.errors).length > 0;
  const closeReview = (): void => change({ review: undefined }, { replace: true });
  return (
    <>
      <Groups loaded={loaded} errors={preview.errors} isDisabled={!may.isAllowed} />
      {count > 0 && (
        <div class="draft-bar" role="region" aria-label="Changes">
          <span class="row">
            <strong>{plural(count, 'change')} not saved</strong>
            {isRefused && <span class="tag blocked">cannot be saved yet</span>}
            {weaker > 0 && <span class="tag blocked">{weaker} weaker</span>}
          </span>
          <span class="row">
            <button type="button" onClick={discard}>
              Discard
            </button>
            <button type="button" class="primary" onClick={() => change({ review: '1' })}>
              Review changes
            </button>
          </span>
        </div>
      )}
      {query['review'] !== undefined && count > 0 && (
        <Review
          loaded={loaded}
          preview={preview}
          may={may}
          onClose={closeReview}
          onStale={reload}
          onSaved={() => {
            discard();
            closeReview();
            reload();
            announceResult('The settings were saved.');
          }}
        />
      )}
    </>
  );
}

function Groups({
  loaded,
  errors,
  isDisabled,
}: {
  readonly loaded: Loaded;
  readonly errors: FieldErrors;
  readonly isDisabled: boolean;
}) {
  const { query, change } = useAddress();
  const search = query['q'] ?? '';
  const wanted = query['key'];
  useEffect(() => {
    if (wanted === undefined) return;
    const row = document.getElementById(`setting-${wanted}`);
    row?.scrollIntoView({ block: 'center' });
    row?.focus({ preventScroll: true });
  }, [wanted]);
  const groups = groupsOf(loaded.schema, search);
  return (
    <>
      {loaded.warnings.length > 0 && (
        <ul class="notice observed">
          {loaded.warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      <div class="filters" role="search">
        <input
          type="search"
          data-search
          aria-label="Search settings"
          placeholder="Search names and descriptions"
          value={search}
          onInput={({ currentTarget }) =>
            change({ q: currentTarget.value || undefined, key: undefined }, { replace: true })
          }
        />
      </div>
      <div class="settings-columns">
        {groups.length > 1 && (
          <nav class="group-links" aria-label="Groups of settings">
            {groups.map(({ title }) => (
              <a key={title} href={`#${idOf(title)}`}>
                {title}
              </a>
            ))}
          </nav>
        )}
        <div class="stack">
          {groups.length === 0 && <Empty title="No setting matches this search." />}
          {groups.map(({ title, settings }) => (
            <section class="card setting-group" key={title} id={idOf(title)}>
              <h2>{title}</h2>
              {settings.map((setting) => (
                <SettingRow
                  key={setting.key}
                  loaded={loaded}
                  setting={setting}
                  isDisabled={isDisabled}
                  errors={errorsAt(errors, setting.key)}
                />
              ))}
            </section>
          ))}
        </div>
      </div>
    </>
  );
}

/** `input-screening`: the fragment of an address that leads to a group. */
function idOf(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}

/** Errors of the key, or of one of its entries. */
function errorsAt(errors: FieldErrors, key: string): readonly string[] {
  return Object.entries(errors).flatMap(([name, reasons]) =>
    name === key || name.startsWith(`${key}.`) ? reasons : [],
  );
}
