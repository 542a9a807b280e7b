/** The settings of GET /settings on sub-pages. Edits collect in a draft until they are reviewed and saved. */
import { useEffect, useState } from 'preact/hooks';
import type { FieldErrors, SettingSchemaData } from '#client/index.js';
import type { ModeName } from '#contracts/common/control-mode.js';
import { useAddress } from '../../data/page.js';
import { useWrite } from '../../data/requests.js';
import { client, type May, useMay } from '../../data/session.js';
import { plural } from '../../text/format.js';
import { announce, announceResult } from '../../ui/announcer.js';
import { Button, Fact, typed } from '../../ui/controls.js';
import { PlainText } from '../../ui/plain-text.js';
import { Empty, ErrorBox, Loaded, Screen } from '../../ui/screen.js';
import { Ago } from '../../ui/values.js';
import { pageOf, SettingsTabs } from './changed-value.js';
import {
  change,
  countChanges,
  discard,
  draft,
  draftedIn,
  draftedValue,
  takeChange,
  type Preview,
  undoOf,
  usePreview,
} from './draft.js';
import { Editor } from './editors.js';
import { Review } from './review.js';
import { labelOf, MODE_EFFECTS, warningText, wordOf } from './sentences.js';
import {
  groupOf,
  GROUPS,
  isSame,
  matching,
  type Settings,
  useSettings,
  type Values,
} from './settings-data.js';

export default function SettingsScreen() {
  const { screen, query } = useAddress();
  const resource = useSettings();
  const may = useMay('settings.update');
  const { updated_at: at = null, updated_by: by = null } = resource.data ?? {};
  const page = GROUPS.find(({ name }) => screen === `/settings/${name}`) ?? groupOf(query['key'] ?? 'modes.');
  const title = query['q'] ? undefined : page?.title;
  return (
    <Screen
      title="Settings"
      lead="What the controls do now. A saved change is in force on every instance within two seconds."
    >
      <SettingsTabs open={title} />
      {may.reason !== null && <p class="notice">{may.reason}</p>}
      {at !== null && by !== null && (
        <p class="muted small">
          Last changed by <PlainText text={by} />, <Ago at={at} isAlone />.
        </p>
      )}
      <Loaded resource={resource} lines={14}>
        {(settings) => <Editing settings={settings} title={title} may={may} reload={resource.reload} />}
      </Loaded>
    </Screen>
  );
}

interface OfSettings {
  readonly settings: Settings;
}

interface OfPage extends OfSettings {
  /** Of the sub-page; not set in a search, which finds settings of all. */
  readonly title: string | undefined;
}

interface Save {
  /** What a save sends to undo it. */
  readonly undo: Values;
  readonly etag: string | null;
}

function Editing({
  settings,
  title,
  may,
  reload,
}: OfPage & { readonly may: May; readonly reload: () => void }) {
  const { query, change: changeAddress } = useAddress();
  const [saved, setSaved] = useState<Save | null>(null);
  const changes = draft.value?.changes ?? {};
  const preview = usePreview(settings, changes);
  const count = countChanges(settings);
  const drafted = draftedIn(query);
  useEffect(() => {
    if (drafted.length === 0 || !may.isAllowed) return;
    for (const name of drafted) takeChange(settings, query, name);
    const [key] = Object.keys(draft.value?.changes ?? {});
    changeAddress(
      { key, ...Object.fromEntries(drafted.map((name) => [name, undefined])) },
      { replace: true },
    );
  }, [drafted.join(' '), may.isAllowed]);
  const closeReview = () => changeAddress({ review: undefined }, { replace: true });
  const onSaved = (etag: string | null) => {
    setSaved({ undo: undoOf(settings), etag });
    discard();
    closeReview();
    reload();
    announce('Saved.');
  };
  return (
    <>
      <Groups settings={settings} title={title} errors={preview.errors} isDisabled={!may.isAllowed} />
      {count > 0 && <DraftBar count={count} preview={preview} />}
      {count === 0 && saved !== null && (
        <SavedBar
          save={saved}
          onUndone={() => {
            setSaved(null);
            reload();
            announceResult('The values from before are in force again.');
          }}
        />
      )}
      {query['review'] !== undefined && count > 0 && (
        <Review
          settings={settings}
          preview={preview}
          may={may}
          onClose={closeReview}
          reload={reload}
          onSaved={onSaved}
        />
      )}
    </>
  );
}

function DraftBar({ count, preview }: { readonly count: number; readonly preview: Preview }) {
  const { change: changeAddress } = useAddress();
  const weaker = preview.data?.changes.filter(({ weakens }) => weakens).length ?? 0;
  const isRefused = preview.error !== undefined || Object.keys(preview.errors).length > 0;
  return (
    <div class="draft-bar" role="region" aria-label="Changes">
      <span class="row">
        <strong>{plural(count, 'change')} not saved</strong>
        {isRefused && <span class="tag blocked">cannot be saved yet</span>}
        {weaker > 0 && <span class="tag blocked">{weaker} weaker</span>}
      </span>
      <span class="row">
        <Button onClick={discard}>Discard</Button>
        <Button class="primary" onClick={() => changeAddress({ review: '1' })}>
          Review changes
        </Button>
      </span>
    </div>
  );
}

/** Undo is another save, which the server refuses if somebody saved in between. */
function SavedBar({
  save: { undo, etag },
  onUndone,
}: {
  readonly save: Save;
  readonly onUndone: () => void;
}) {
  const { error, isSending, write } = useWrite();
  const send = () =>
    write(async () => {
      await client.call('settings.update', { body: { settings: undo }, ifMatch: etag ?? undefined });
      onUndone();
    });
  return (
    <div class="draft-bar" role="region" aria-label="Saved changes">
      <ErrorBox error={error} />
      <strong>Saved.</strong>
      <Button disabled={isSending} onClick={() => void send()}>
        Undo
      </Button>
    </div>
  );
}

function Groups({
  settings,
  title,
  errors,
  isDisabled,
}: OfPage & { readonly errors: FieldErrors; readonly isDisabled: boolean }) {
  const { query, change: changeAddress } = useAddress();
  const { q: search = '', key: wanted } = query;
  useEffect(() => {
    if (wanted === undefined) return;
    const row = document.getElementById(`setting-${wanted}`);
    row?.scrollIntoView({ block: 'center' });
    row?.focus({ preventScroll: true });
  }, [wanted]);
  const found = matching(settings.schema, search);
  return (
    <>
      {settings.warnings.length > 0 && (
        <ul class="notice observed">
          {settings.warnings.map((warning) => (
            <li key={warning}>
              <PlainText text={warningText(warning)} />
            </li>
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
          onInput={typed((q) => changeAddress({ q, key: undefined }, { replace: true }))}
        />
      </div>
      {found.length === 0 && <Empty title="No setting matches this search." />}
      {GROUPS.filter((group) => title === undefined || group.title === title).map((group) => {
        const own = found.filter(({ key }) => groupOf(key) === group);
        return (
          own.length > 0 && (
            <section class="card setting-group" key={group.title}>
              <h2>{group.title}</h2>
              {own.map((setting) => (
                <SettingRow
                  key={setting.key}
                  settings={settings}
                  setting={setting}
                  isDisabled={isDisabled}
                  errors={errorsAt(errors, setting.key)}
                />
              ))}
            </section>
          )
        );
      })}
      {title === GROUPS[0].title && <Index settings={settings} />}
    </>
  );
}

/** The other sub-pages, with what was changed on them. */
function Index({ settings: { schema, overridden } }: OfSettings) {
  return (
    <ul class="card stack-s">
      {GROUPS.slice(1).map((group) => {
        const own = schema.filter(({ key }) => groupOf(key) === group);
        const changed = own.filter(({ key }) => overridden.has(key)).length;
        return (
          <li key={group.title} class="split">
            <a href={pageOf(group.name)}>{group.title}</a>
            <span class="muted small">
              {plural(own.length, 'setting')}, {changed} overridden
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** Errors of the key, or of one of its entries. */
function errorsAt(errors: FieldErrors, key: string): readonly string[] {
  return Object.entries(errors).flatMap(([name, reasons]) =>
    name === key || name.startsWith(`${key}.`) ? reasons : [],
  );
}

interface OfSetting extends OfSettings {
  readonly setting: SettingSchemaData;
  readonly isDisabled: boolean;
}

function SettingRow({
  errors,
  ...props
}: OfSetting & {
  readonly errors: readonly string[];
}) {
  const { settings, setting, isDisabled } = props;
  const { key, locked } = setting;
  const id = `setting-${key}`;
  const value = draftedValue(settings, key);
  const drafted = draft.value?.changes ?? {};
  const isDrafted = Object.hasOwn(drafted, key);
  const isOverridden = settings.overridden.has(key) && drafted[key] !== null;
  const effect = MODE_EFFECTS[key]?.[value as ModeName];
  return (
    <div class={`setting${isDrafted ? ' drafted' : ''}`} id={id} tabIndex={-1}>
      <details>
        <summary>
          <h3 id={`${id}-label`}>{labelOf(key)}</h3>
          <span class="info" aria-hidden="true">
            i
          </span>
          {isOverridden && <span class="tag waiting">overridden</span>}
          {isDrafted && <span class="tag observed">changed</span>}
          {locked && <span class="tag">read-only</span>}
        </summary>
        <About id={`${id}-help`} setting={setting} />
      </details>
      <div class="stack-s">
        {locked ? (
          <p>
            <PlainText text={wordOf(value)} />{' '}
            <span class="muted small">Set by the deployer, in code or in the environment.</span>
          </p>
        ) : (
          <Editor
            setting={setting}
            value={value}
            onChange={(next) => change(settings, key, next)}
            field={{
              'aria-labelledby': `${id}-label`,
              'aria-describedby': `${id}-help ${id}-error`,
              'aria-invalid': errors.length > 0,
              disabled: isDisabled,
            }}
          />
        )}
        {effect !== undefined && <p class="muted">{effect}</p>}
        <div id={`${id}-error`} class="field-error">
          {errors.map((text) => (
            <p key={text}>
              {/* The server counts entries from 0. */}
              <PlainText text={text.replace(/(?<=^entry )\d+/, (index) => `${Number(index) + 1}`)} />
            </p>
          ))}
        </div>
        <p class="row small">
          {isOverridden && (
            <Button class="link" disabled={isDisabled} onClick={() => change(settings, key, null)}>
              Reset to configured<span class="visually-hidden">: {labelOf(key)}</span>
            </Button>
          )}
          {isDrafted && (
            <Button class="link" onClick={() => change(settings, key, settings.values[key])}>
              Undo<span class="visually-hidden">: {labelOf(key)}</span>
            </Button>
          )}
        </p>
      </div>
    </div>
  );
}

/** What a setting is, and where its value comes from. */
function About({
  id,
  setting: { key, help, environment, default: fallback, configured },
}: {
  readonly id: string;
  readonly setting: SettingSchemaData;
}) {
  return (
    <>
      <p id={id}>{help}</p>
      <dl class="facts small">
        <Fact name="Key">
          <code>{key}</code>
        </Fact>
        <Fact name="Variable">
          <code>{environment}</code>
        </Fact>
        <Fact name="Default">
          <PlainText text={wordOf(fallback)} />
        </Fact>
        {!isSame(fallback, configured) && (
          <Fact name="Configured">
            <PlainText text={wordOf(configured)} />
          </Fact>
        )}
      </dl>
    </>
  );
}
