import type { SettingSchemaData } from '#client/index.js';
import { ExceptionsEditor } from './exceptions-editor.js';
import { MapEditor } from './map-editor.js';
import { PoliciesEditor } from './policies-editor.js';
import { isObject, wordOf } from './settings-data.js';
import { useTypedText } from './typed-text.js';

export interface EditorProps {
  readonly setting: SettingSchemaData;
  readonly value: unknown;
  readonly isDisabled: boolean;
  /** Ids of the label and of the texts that describe the field. */
  readonly labelledBy: string;
  readonly describedBy: string;
  readonly isInvalid: boolean;
  readonly onChange: (value: unknown) => void;
}

/** The field that fits the kind of a setting. */
export function Editor(props: EditorProps) {
  const { key, value_schema: schema } = props.setting;
  if (key === 'hitl.policies') return <PoliciesEditor {...props} />;
  if (key === 'input_screen.exceptions') return <ExceptionsEditor {...props} />;
  if (isObject(schema['properties'])) return <Members {...props} members={schema['properties']} />;
  if (schema['type'] === 'object') return <MapEditor {...props} />;
  if (schema['type'] === 'boolean') return <Choice {...props} choices={[true, false]} />;
  if (Array.isArray(schema['enum'])) return <Choice {...props} choices={schema['enum']} />;
  if (schema['type'] === 'array') {
    const { enum: choices } = schema['items'] as { enum?: readonly string[] };
    return choices === undefined ? <Lines {...props} /> : <Checks {...props} choices={choices} />;
  }
  return schema['type'] === 'integer' ? <Whole {...props} /> : <Text {...props} />;
}

function Choice({
  choices,
  value,
  labelledBy,
  describedBy,
  isDisabled,
  onChange,
}: EditorProps & { readonly choices: readonly unknown[] }) {
  return (
    <div class="segments" role="group" aria-labelledby={labelledBy} aria-describedby={describedBy}>
      {choices.map((choice) => (
        <button
          type="button"
          key={String(choice)}
          aria-pressed={choice === value}
          disabled={isDisabled}
          onClick={() => onChange(choice)}
        >
          {wordOf(choice)}
        </button>
      ))}
    </div>
  );
}

/** An object whose members are known; each has listed values, or is absent. */
function Members({
  members,
  value,
  labelledBy,
  describedBy,
  isDisabled,
  onChange,
}: EditorProps & { readonly members: Readonly<Record<string, unknown>> }) {
  const chosen: Readonly<Record<string, unknown>> = isObject(value) ? value : {};
  return (
    <div class="row" role="group" aria-labelledby={labelledBy} aria-describedby={describedBy}>
      {Object.entries(members).map(([name, schema]) => (
        <label class="field" key={name}>
          {name.replaceAll('_', ' ')}
          <select
            value={wordIn(chosen, name)}
            disabled={isDisabled}
            onChange={({ currentTarget: { value: mode } }) => {
              const { [name]: _before, ...others } = chosen;
              onChange(mode === '' ? others : { ...others, [name]: mode });
            }}
          >
            <option value="">not set</option>
            {(schema as { readonly enum: readonly string[] }).enum.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </select>
        </label>
      ))}
    </div>
  );
}

function wordIn(values: Readonly<Record<string, unknown>>, name: string): string {
  const value = values[name];
  return typeof value === 'string' ? value : '';
}

function Checks({
  choices,
  value,
  labelledBy,
  describedBy,
  isDisabled,
  onChange,
}: EditorProps & { readonly choices: readonly string[] }) {
  const chosen = Array.isArray(value) ? value : [];
  return (
    <div class="row" role="group" aria-labelledby={labelledBy} aria-describedby={describedBy}>
      {choices.map((choice) => (
        <label class="check" key={choice}>
          <input
            type="checkbox"
            checked={chosen.includes(choice)}
            disabled={isDisabled}
            onChange={({ currentTarget }) =>
              onChange(
                choices.filter((one) => (one === choice ? currentTarget.checked : chosen.includes(one))),
              )
            }
          />
          {choice}
        </label>
      ))}
    </div>
  );
}

function Whole({ setting, value, labelledBy, describedBy, isDisabled, isInvalid, onChange }: EditorProps) {
  const { minimum, maximum = Infinity } = setting.value_schema as { minimum?: number; maximum?: number };
  const unit = setting.key.endsWith('days') ? 'days' : setting.key.endsWith('length') ? 'characters' : '';
  return (
    <div class="row">
      <input
        inputMode="numeric"
        class="number"
        value={String(value)}
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        aria-invalid={isInvalid}
        disabled={isDisabled}
        onInput={({ currentTarget: { value: text } }) =>
          onChange(/^\d{1,15}$/.test(text.trim()) ? Number(text) : text)
        }
      />
      <span class="muted">
        {[
          unit,
          minimum !== undefined && `at least ${minimum}`,
          maximum < Number.MAX_SAFE_INTEGER && `at most ${maximum}`,
        ]
          .filter(Boolean)
          .join(', ')}
      </span>
    </div>
  );
}

function Text({ value, labelledBy, describedBy, isDisabled, isInvalid, onChange }: EditorProps) {
  return (
    <textarea
      rows={2}
      value={typeof value === 'string' ? value : ''}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      aria-invalid={isInvalid}
      disabled={isDisabled}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** A list of strings, one in each line. */
function Lines({ value, labelledBy, describedBy, isDisabled, isInvalid, onChange }: EditorProps) {
  const [text, setText] = useTypedText(value, linesOf, (lines) =>
    Array.isArray(lines) ? lines.join('\n') : '',
  );
  return (
    <div class="stack-s">
      <textarea
        rows={Math.min(12, Math.max(3, text.split('\n').length + 1))}
        class="mono"
        value={text}
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        aria-invalid={isInvalid}
        disabled={isDisabled}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          onChange(linesOf(currentTarget.value));
        }}
      />
      <span class="muted small">One entry in each line.</span>
    </div>
  );
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
