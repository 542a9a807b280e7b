/** All settings of GET /settings. Edits collect in a draft until they are reviewed and saved. */
import { useEffect } from 'preact/hooks';
import type { FieldErrors, SettingSchemaData } from '#client/index.js';
import { useAddress } from '../../data/page.js';
import { type May, useMay } from '../../data/session.js';
import { plural } from '../../text/format.js';
import { announceResult } from '../../ui/announcer.js';
import { Button, typed } from '../../ui/controls.js';
import { PlainText } from '../../ui/plain-text.js';
import { Empty, Loaded, Screen } from '../../ui/screen.js';
import { Ago } from '../../ui/values.js';
import { SettingsTabs } from './changed-value.js';
import { change, discard, draft, draftedValue, usePreview } from './draft.js';
import { Editor } from './editors.js';
import { Review } from './review.js';
import { labelOf, problemOf, wordOf } from './sentences.js';
import { groupsOf, isSame, type Settings, useSettings } from './settings-data.js';

export default function SettingsScreen() {
  const resource = useSettings();
  const may = useMay('settings.update');
  const { updated_at: at = null, updated_by: by = null } = resource.data ?? {};
  return (
    <Screen
      title="Settings"
      lead="What the controls do now. A saved change is in force on every instance within two seconds."
    >
      <SettingsTabs isHistory={false} />
      {may.reason !== null && <p class="notice">{may.reason}</p>}
      {at !== null && by !== null && (
        <p class="muted small">
          Last changed by <PlainText text={by} />, <Ago at={at} isAlone />.
        </p>
      )}
      <Loaded resource={resource} lines={14}>
        {(settings) => <Editing settings={settings} may={may} reload={resource.reload} />}
      </Loaded>
    </Screen>
  );
}

interface OfSettings {
  readonly settings: Settings;
}

function Editing({ settings, may, reload }: OfSettings & { readonly may: May; readonly reload: () => void }) {
  const { query, change: changeAddress } = useAddress();
  const changes = draft.value?.changes ?? {};
  const preview = usePreview(settings, changes);
  const count = Object.keys(changes).length;
  const weaker = preview.data?.changes.filter(({ weakens }) => weakens).length ?? 0;
  const isRefused = preview.error !== undefined || Object.keys(preview.errors).length > 0;
  const closeReview = (): void => changeAddress({ review: undefined }, { replace: true });
  return (
    <>
      <Groups settings={settings} errors={preview.errors} isDisabled={!may.isAllowed} />
      {count > 0 && (
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
      )}
      {query['review'] !== undefined && count > 0 && (
        <Review
          settings={settings}
          preview={preview}
          may={may}
          onClose={closeReview}
          reload={reload}
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
  settings,
  errors,
  isDisabled,
}: OfSettings & { readonly errors: FieldErrors; readonly isDisabled: boolean }) {
  const { query, change: changeAddress } = useAddress();
  const { q: search = '', key: wanted } = query;
  useEffect(() => {
    if (wanted === undefined) return;
    const row = document.getElementById(`setting-${wanted}`);
    row?.scrollIntoView({ block: 'center' });
    row?.focus({ preventScroll: true });
  }, [wanted]);
  const groups = groupsOf(settings.schema, search);
  return (
    <>
      {settings.warnings.length > 0 && (
        <ul class="notice observed">
          {settings.warnings.map((warning) => (
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
          onInput={typed((q) => changeAddress({ q, key: undefined }, { replace: true }))}
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
          {groups.map((group) => (
            <section class="card setting-group" key={group.title} id={idOf(group.title)}>
              <h2>{group.title}</h2>
              {group.settings.map((setting) => (
                <SettingRow
                  key={setting.key}
                  settings={settings}
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
  const problem = problemOf(setting, value);
  const shownErrors = problem === null ? errors : [problem];
  return (
    <div class={`setting${isDrafted ? ' drafted' : ''}`} id={id} tabIndex={-1}>
      <div class="stack-s">
        <h3 id={`${id}-label`}>{labelOf(key)}</h3>
        <p class="row">
          <code class="muted small break">{key}</code>
          {isOverridden && <span class="tag waiting">overridden</span>}
          {isDrafted && <span class="tag observed">changed</span>}
          {locked && <span class="tag">read-only</span>}
        </p>
        <p class="muted" id={`${id}-help`}>
          {setting.help}
        </p>
      </div>
      <div class="stack-s">
        {locked ? (
          <>
            <p>
              <PlainText text={wordOf(value)} />
            </p>
            <p class="muted small">
              Set by the deployer, in code or with <code class="break">{setting.environment}</code>.
            </p>
          </>
        ) : (
          <Editor
            setting={setting}
            value={value}
            onChange={(next) => change(settings, key, next)}
            field={{
              'aria-labelledby': `${id}-label`,
              'aria-describedby': `${id}-help ${id}-error`,
              'aria-invalid': shownErrors.length > 0,
              disabled: isDisabled,
            }}
          />
        )}
        <div id={`${id}-error`} class="field-error">
          {shownErrors.map((text) => (
            <p key={text}>
              <PlainText text={text} />
            </p>
          ))}
        </div>
        {!locked && <Origin {...props} isOverridden={isOverridden} isDrafted={isDrafted} />}
      </div>
    </div>
  );
}

/** The default and the configured value, and the ways back to them. */
function Origin({
  settings,
  setting: { key, default: fallback, configured, environment },
  isDisabled,
  isOverridden,
  isDrafted,
}: OfSetting & { readonly isOverridden: boolean; readonly isDrafted: boolean }) {
  const ofKey = <span class="visually-hidden">: {labelOf(key)}</span>;
  return (
    <div class="row small muted">
      <Value name="Default" value={fallback} />
      {!isSame(fallback, configured) && <Value name="Configured" value={configured} />}
      <code class="break">{environment}</code>
      {isOverridden && (
        <Button class="link" disabled={isDisabled} onClick={() => change(settings, key, null)}>
          Reset to configured{ofKey}
        </Button>
      )}
      {isDrafted && (
        <Button class="link" onClick={() => change(settings, key, settings.values[key])}>
          Undo{ofKey}
        </Button>
      )}
    </div>
  );
}

const LONGEST_VALUE = 120;

function Value({ name, value }: { readonly name: string; readonly value: unknown }) {
  const text = wordOf(value);
  return text.length <= LONGEST_VALUE ? (
    <span class="break">
      {name}: <PlainText text={text} />
    </span>
  ) : (
    <details>
      <summary>{name}</summary>
      <pre>
        <PlainText text={text} />
      </pre>
    </details>
  );
}
