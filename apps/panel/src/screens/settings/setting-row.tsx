import type { SettingSchemaData } from '#client/index.js';
import { PlainText } from '../../ui/plain-text.js';
import { change, draft, draftedValue } from './draft.js';
import { Editor } from './editors.js';
import { isSame, labelOf, problemOf, wordOf, type Loaded } from './settings-data.js';

export function SettingRow({
  loaded,
  setting,
  isDisabled,
  errors,
}: {
  readonly loaded: Loaded;
  readonly setting: SettingSchemaData;
  readonly isDisabled: boolean;
  readonly errors: readonly string[];
}) {
  const { key, help, locked } = setting;
  const id = `setting-${key}`;
  const value = draftedValue(loaded, key);
  const isDrafted = Object.hasOwn(draft.value?.changes ?? {}, key);
  const isReset = isDrafted && draft.value?.changes[key] === null;
  const isOverridden = loaded.overridden.has(key) && !isReset;
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
          {help}
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
            isDisabled={isDisabled}
            labelledBy={`${id}-label`}
            describedBy={`${id}-help ${id}-error`}
            isInvalid={shownErrors.length > 0}
            onChange={(next) => change(loaded, key, next)}
          />
        )}
        <div id={`${id}-error`} class="field-error">
          {shownErrors.map((text) => (
            <p key={text}>
              <PlainText text={text} />
            </p>
          ))}
        </div>
        {!locked && (
          <Origin
            loaded={loaded}
            setting={setting}
            isDisabled={isDisabled}
            isOverridden={isOverridden}
            isDrafted={isDrafted}
          />
        )}
      </div>
    </div>
  );
}

/** The default and the configured value, and the ways back to them. */
function Origin({
  loaded,
  setting: { key, default: fallback, configured, environment },
  isDisabled,
  isOverridden,
  isDrafted,
}: {
  readonly loaded: Loaded;
  readonly setting: SettingSchemaData;
  readonly isDisabled: boolean;
  readonly isOverridden: boolean;
  readonly isDrafted: boolean;
}) {
  return (
    <div class="row small muted">
      <Value name="Default" value={fallback} />
      {!isSame(fallback, configured) && <Value name="Configured" value={configured} />}
      <code class="break">{environment}</code>
      {isOverridden && loaded.overridden.has(key) && (
        <button type="button" class="link" disabled={isDisabled} onClick={() => change(loaded, key, null)}>
          Reset to configured<span class="visually-hidden">: {labelOf(key)}</span>
        </button>
      )}
      {isDrafted && (
        <button type="button" class="link" onClick={() => change(loaded, key, loaded.values[key])}>
          Undo<span class="visually-hidden">: {labelOf(key)}</span>
        </button>
      )}
    </div>
  );
}

function Value({ name, value }: { readonly name: string; readonly value: unknown }) {
  const text = wordOf(value);
  return text.length <= 120 ? (
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
