/** The field for a setting, by the kind of its value. */
import { useEffect, useState } from 'preact/hooks';
import type { SettingSchemaData } from '#client/index.js';
import { isPlainObject, parsedJson } from '#contracts/common/text.js';
import { serverNow } from '../../data/clock.js';
import { useAddress } from '../../data/page.js';
import { DAY_MS, duration, isoOf, wallClock } from '../../text/format.js';
import { spaced } from '../../text/names.js';
import { asChoices, Button, type Choice, Icon, Segments, Select, typed } from '../../ui/controls.js';
import { PlainText } from '../../ui/plain-text.js';
import { Status } from '../../ui/values.js';
import { EXACTLY, limitsOf, policyText, wordOf } from './sentences.js';
import { isSame, objectOf, type Values } from './settings-data.js';
import { TextTrial } from './trials.js';

interface Props {
  readonly setting: SettingSchemaData;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** The label and the texts that describe the field, and whether it can be changed. */
  readonly field: {
    readonly 'aria-labelledby': string;
    readonly 'aria-describedby': string;
    readonly 'aria-invalid': boolean;
    readonly disabled: boolean;
  };
}

/** For editors of several fields. */
function groupOf({ field: { 'aria-labelledby': label, 'aria-describedby': description } }: Props) {
  return { role: 'group', 'aria-labelledby': label, 'aria-describedby': description } as const;
}

export function Editor(props: Props) {
  const { key, value_schema: schema } = props.setting;
  if (key === 'hitl.policies') return <Policies {...props} />;
  if (key === 'input_screen.exceptions') return <Exceptions {...props} />;
  if (Array.isArray(schema['enum'])) return <OneOf {...props} choices={schema['enum']} />;
  switch (schema['type']) {
    case 'object':
      return isPlainObject(schema['properties']) ? (
        <Members {...props} members={schema['properties'] as Members} />
      ) : (
        <Entries {...props} />
      );
    case 'boolean':
      return <OneOf {...props} choices={[true, false]} />;
    case 'array': {
      const { enum: choices } = schema['items'] as { enum?: readonly string[] };
      return choices === undefined ? <Lines {...props} /> : <Checks {...props} choices={choices} />;
    }
    case 'integer':
      return <Whole {...props} />;
    default:
      return <Text {...props} />;
  }
}

function OneOf({ choices, value, onChange, field }: Props & { readonly choices: readonly unknown[] }) {
  const { 'aria-invalid': _, ...others } = field;
  const named = choices.map((choice): Choice<unknown> => [choice, wordOf(choice)]);
  return <Segments {...others} choices={named} chosen={value} onChoose={onChange} />;
}

type Members = Readonly<Record<string, { readonly enum: readonly string[] }>>;

/** An object whose members are known; each has listed values, or is absent. */
function Members({ members, ...props }: Props & { readonly members: Members }) {
  const chosen = objectOf(props.value);
  return (
    <div class="row" {...groupOf(props)}>
      {Object.entries(members).map(([name, { enum: choices }]) => (
        <label class="field" key={name}>
          {spaced(name)}
          <Select
            value={textOf(chosen[name])}
            disabled={props.field.disabled}
            choices={[['', 'not set'], ...asChoices(choices)]}
            onChoose={(mode) => props.onChange(withMember(chosen, name, mode || undefined))}
          />
        </label>
      ))}
    </div>
  );
}

function Checks({ choices, ...props }: Props & { readonly choices: readonly string[] }) {
  const chosen: readonly unknown[] = Array.isArray(props.value) ? props.value : [];
  return (
    <div class="row" {...groupOf(props)}>
      {choices.map((choice) => (
        <label class="check" key={choice}>
          <input
            type="checkbox"
            checked={chosen.includes(choice)}
            disabled={props.field.disabled}
            onChange={({ currentTarget: { checked } }) =>
              props.onChange(choices.filter((one) => (one === choice ? checked : chosen.includes(one))))
            }
          />
          {choice}
        </label>
      ))}
    </div>
  );
}

function Whole({ setting, value, onChange, field }: Props) {
  return (
    <div class="row">
      <input
        inputMode="numeric"
        class="number"
        value={String(value)}
        {...field}
        onInput={typed((text) => onChange(/^\d{1,15}$/.test(text.trim()) ? Number(text) : text))}
      />
      <span class="muted">{limitsOf(setting)}</span>
    </div>
  );
}

function Text({ value, onChange, field }: Props) {
  return <textarea rows={2} value={textOf(value)} {...field} onInput={typed(onChange)} />;
}

/** A value as a text of several lines, which stays as it was typed while it represents the value. */
function TypedText({
  value,
  onChange,
  field,
  rows: [least, most],
  parse,
  format,
}: Props & {
  readonly rows: readonly [least: number, most: number];
  readonly parse: (text: string) => unknown;
  readonly format: (value: unknown) => string;
}) {
  const [last, setLast] = useState<string | null>(null);
  const text = last !== null && isSame(parse(last), value) ? last : format(value);
  return (
    <textarea
      rows={Math.min(most, Math.max(least, text.split('\n').length + 1))}
      class="mono"
      spellcheck={false}
      value={text}
      {...field}
      onInput={typed((given) => {
        setLast(given);
        onChange(parse(given));
      })}
    />
  );
}

/** A list of strings, one in each line. */
function Lines(props: Props) {
  return (
    <div class="stack-s">
      <TypedText
        {...props}
        rows={[3, 12]}
        parse={linesOf}
        format={(lines) => (Array.isArray(lines) ? lines.join('\n') : '')}
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

/** The id of a rule without one, while it is tried. */
const UNNAMED = 'new';

type Row = readonly [name: string, value: string];

/** Values by rule: patterns as texts, modes as choices. */
function Entries(props: Props) {
  const { setting, value, onChange, field } = props;
  const { query } = useAddress();
  const { enum: choices } = objectOf(setting.value_schema['additionalProperties']) as {
    enum?: readonly string[];
  };
  const blank: Row = ['', choices?.[0] ?? ''];
  const isNew = query['new'] === setting.key;
  const [rows, setRows] = useState<readonly Row[]>(() => [...rowsOf(value), ...(isNew ? [blank] : [])]);
  const [isTried, setTried] = useState(isNew);
  useEffect(() => {
    if (!isSame(value, entriesOf(rows))) setRows(rowsOf(value));
  }, [value]);
  const update = (next: readonly Row[]) => {
    setRows(next);
    onChange(entriesOf(next));
  };
  return (
    <div class="stack-s" role="group" aria-labelledby={field['aria-labelledby']}>
      {rows.length === 0 && <p class="muted">No entries.</p>}
      {rows.map((row, index) => (
        <Entry
          key={index}
          row={row}
          isTwice={rows.some(([other], at) => at < index && other === row[0])}
          choices={choices}
          disabled={field.disabled}
          onEdit={(edited) => update(rows.with(index, edited))}
          onRemove={() => update(rows.toSpliced(index, 1))}
        />
      ))}
      <p class="row">
        <Button disabled={field.disabled} onClick={() => setRows([...rows, blank])}>
          Add an entry
        </Button>
        <Button class="ghost" aria-expanded={isTried} onClick={() => setTried(!isTried)}>
          Try on a text
        </Button>
      </p>
      {isTried && (
        <TextTrial
          setting={setting.key}
          entries={entriesOf(rows.map(([name, text]) => [name || (text && UNNAMED), text]))}
        />
      )}
    </div>
  );
}

function Entry({
  row: [name, text],
  isTwice,
  choices,
  disabled,
  onEdit,
  onRemove,
}: {
  readonly row: Row;
  readonly isTwice: boolean;
  readonly choices: readonly string[] | undefined;
  readonly disabled: boolean;
  readonly onEdit: (row: Row) => void;
  readonly onRemove: () => void;
}) {
  const value = { value: text, disabled };
  const edit = (next: string) => onEdit([name, next]);
  return (
    <div class="map-row">
      <label class="field">
        Rule id
        <input
          class="mono"
          value={name}
          disabled={disabled}
          onInput={typed((next) => onEdit([next, text]))}
        />
        {isTwice && <span class="field-error">This id is used above. Only one can be saved.</span>}
      </label>
      <label class="field">
        {choices === undefined ? 'Pattern, such as /text/i' : 'Mode'}
        {choices === undefined ? (
          <input class="mono" {...value} onInput={typed(edit)} />
        ) : (
          <Select {...value} choices={asChoices(choices)} onChoose={edit} />
        )}
      </label>
      <Button
        class="ghost"
        aria-label={`Remove ${name || 'the entry'}`}
        disabled={disabled}
        onClick={onRemove}
      >
        <Icon name="close" />
      </Button>
    </div>
  );
}

function rowsOf(value: unknown): readonly Row[] {
  return Object.entries(objectOf(value)).map(([name, text]) => [name, String(text)]);
}

/** A row without an id is not part of the value yet. Of equal ids the first counts. */
function entriesOf(rows: readonly Row[]): Values {
  return Object.fromEntries(rows.filter(([name]) => name !== '').toReversed());
}

/** Policies as a list to read and as JSON to edit. */
function Policies(props: Props) {
  return (
    <div class="stack-s">
      {isPlainObject(props.value) && <PolicyList policies={props.value} />}
      <TypedText
        {...props}
        rows={[6, 24]}
        parse={(text) => {
          const parsed = parsedJson(text);
          return isPlainObject(parsed) ? parsed : text;
        }}
        format={(value) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))}
      />
    </div>
  );
}

function PolicyList({ policies }: { readonly policies: Values }) {
  return (
    <ul class="stack-s">
      {Object.entries(policies).map(([tool, policy]) => {
        const { rules, limits } = objectOf(policy);
        return (
          <li key={tool}>
            <strong>
              <PlainText text={tool} />
            </strong>
            <ol class="policy-rules">
              {[rules, limits].filter(Array.isArray).map((parts) =>
                parts.map((part, index) => (
                  <li key={index}>
                    <PlainText text={policyText(part)} />
                  </li>
                )),
              )}
            </ol>
          </li>
        );
      })}
    </ul>
  );
}

const EXCEPTION = [
  ['rule_id', 'Rule'],
  ['phrase', 'Phrase, 10 to 200 characters'],
  ['application', 'Application; empty: all'],
  ['reason', 'Reason'],
] as const;

const DEFAULT_DAYS = 30;
const MAX_DAYS = 90;

/** Exceptions with their ends. */
function Exceptions({ value, onChange, field }: Props) {
  const { disabled } = field;
  const entries = Array.isArray(value) ? value.filter(isPlainObject) : [];
  const edit = (index: number, member: string, text: string | undefined) =>
    onChange(entries.with(index, { ...withMember(entries[index] ?? {}, member, text) }));
  return (
    <div class="stack-s" role="group" aria-labelledby={field['aria-labelledby']}>
      <p class="muted">{entries.length === 0 ? 'No exceptions.' : EXACTLY}</p>
      {entries.map((entry, index) => (
        <fieldset class="stack-s" key={index}>
          <legend>
            Exception {index + 1} <End at={textOf(entry['ends_at'])} />
          </legend>
          {EXCEPTION.map(([member, label]) => (
            <label class="field" key={member}>
              {label}
              <input
                value={textOf(entry[member])}
                disabled={disabled}
                onInput={typed((text) =>
                  edit(index, member, member === 'application' ? text || undefined : text),
                )}
              />
            </label>
          ))}
          <label class="field">
            End, at most {MAX_DAYS} days ahead
            <input
              type="datetime-local"
              value={converted(textOf(entry['ends_at']), wallClock).slice(0, 16)}
              max={wallClock(inDays(MAX_DAYS)).slice(0, 16)}
              disabled={disabled}
              onInput={typed((local) => edit(index, 'ends_at', converted(local, isoOf)))}
            />
          </label>
          <Button disabled={disabled} onClick={() => onChange(entries.toSpliced(index, 1))}>
            Remove
          </Button>
        </fieldset>
      ))}
      <p>
        <Button
          disabled={disabled}
          onClick={() =>
            onChange([...entries, { rule_id: '', phrase: '', reason: '', ends_at: inDays(DEFAULT_DAYS) }])
          }
        >
          Add an exception
        </Button>
      </p>
    </div>
  );
}

function End({ at }: { readonly at: string }) {
  const ms = Date.parse(at) - serverNow.value;
  if (Number.isNaN(ms)) return null;
  if (ms <= 0) return <Status tone="quiet">ended</Status>;
  return <Status tone={ms < 7 * DAY_MS ? 'observed' : 'waiting'}>{duration(ms / 1000)} left</Status>;
}

function textOf(value: unknown) {
  return typeof value === 'string' ? value : '';
}

/** `undefined` removes the member. */
function withMember(entry: Values, member: string, value: string | undefined): Values {
  const { [member]: _, ...others } = entry;
  return value === undefined ? others : { ...entry, [member]: value };
}

function inDays(days: number) {
  return new Date(serverNow.peek() + days * DAY_MS).toISOString();
}

/** Empty where there is no time. */
function converted(time: string, by: (time: string) => string) {
  return Number.isNaN(Date.parse(time)) ? '' : by(time);
}
