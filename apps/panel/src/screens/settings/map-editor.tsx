import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../../ui/icon.js';
import { Backtest } from './backtest.js';
import type { EditorProps } from './editors.js';
import { TextTrial } from './text-trial.js';
import { isObject, isSame } from './settings-data.js';

type Row = readonly [name: string, value: string];

/** Values by rule: patterns as texts, modes as choices. */
export function MapEditor({ setting, value, labelledBy, isDisabled, onChange }: EditorProps) {
  const [rows, setRows] = useState<readonly Row[]>(() => rowsOf(value));
  const [isTried, setTried] = useState<'text' | 'recorded' | null>(null);
  const toggle = (what: 'text' | 'recorded'): void => setTried(isTried === what ? null : what);
  useEffect(() => {
    if (!isSame(value, objectOf(rows))) setRows(rowsOf(value));
  }, [value]);
  const { enum: choices } = (setting.value_schema['additionalProperties'] ?? {}) as {
    enum?: readonly string[];
  };
  const update = (next: readonly Row[]): void => {
    setRows(next);
    onChange(objectOf(next));
  };
  const edit = (index: number, row: Row): void => update(rows.map((old, at) => (at === index ? row : old)));
  return (
    <div class="stack-s" role="group" aria-labelledby={labelledBy}>
      {rows.length === 0 && <p class="muted">No entries.</p>}
      {rows.map(([name, text], index) => (
        <div class="map-row" key={index}>
          <label class="field">
            Rule id
            <input
              class="mono"
              value={name}
              disabled={isDisabled}
              onInput={({ currentTarget }) => edit(index, [currentTarget.value, text])}
            />
            {rows.some(([other], at) => at < index && other === name) && (
              <span class="field-error">This id is used above. Only one can be saved.</span>
            )}
          </label>
          <label class="field">
            {choices === undefined ? 'Pattern, such as /text/i' : 'Mode'}
            {choices === undefined ? (
              <input
                class="mono"
                value={text}
                disabled={isDisabled}
                onInput={({ currentTarget }) => edit(index, [name, currentTarget.value])}
              />
            ) : (
              <select
                value={text}
                disabled={isDisabled}
                onChange={({ currentTarget }) => edit(index, [name, currentTarget.value])}
              >
                {choices.map((choice) => (
                  <option key={choice}>{choice}</option>
                ))}
              </select>
            )}
          </label>
          <button
            type="button"
            class="ghost"
            aria-label={`Remove ${name || 'the entry'}`}
            disabled={isDisabled}
            onClick={() => update(rows.filter((_, at) => at !== index))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <p class="row">
        <button
          type="button"
          disabled={isDisabled}
          onClick={() => setRows([...rows, ['', choices?.[0] ?? '']])}
        >
          Add an entry
        </button>
        <button type="button" class="ghost" aria-expanded={isTried === 'text'} onClick={() => toggle('text')}>
          Try on a text
        </button>
        <button
          type="button"
          class="ghost"
          aria-expanded={isTried === 'recorded'}
          onClick={() => toggle('recorded')}
        >
          Try on recorded prompts
        </button>
      </p>
      {isTried === 'text' && <TextTrial candidate={{ [setting.key]: objectOf(rows) }} />}
      {isTried === 'recorded' && <Backtest changes={{ [setting.key]: objectOf(rows) }} />}
    </div>
  );
}

function rowsOf(value: unknown): readonly Row[] {
  return isObject(value) ? Object.entries(value).map(([name, text]) => [name, String(text)]) : [];
}

/** A row without an id is not part of the value yet. Of equal ids the first counts. */
function objectOf(rows: readonly Row[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    rows.filter(([name], index) => name !== '' && rows.findIndex(([other]) => other === name) === index),
  );
}
