import { serverNow } from '../../data/clock.js';
import { duration } from '../../text/format.js';
import { Status } from '../../ui/status.js';
import type { EditorProps } from './editors.js';
import { isObject } from './settings-data.js';

const MEMBERS = [
  ['rule_id', 'Rule'],
  ['phrase', 'Phrase, 10 to 200 characters'],
  ['application', 'Application; empty: all'],
  ['reason', 'Reason'],
] as const;

const MAX_DAYS = 90;

/** Exceptions with their ends. */
export function ExceptionsEditor({ value, labelledBy, isDisabled, onChange }: EditorProps) {
  const entries = Array.isArray(value) ? value.filter(isObject) : [];
  const edit = (index: number, member: string, text: string): void =>
    onChange(entries.map((entry, at) => (at === index ? withMember(entry, member, text) : entry)));
  return (
    <div class="stack-s" role="group" aria-labelledby={labelledBy}>
      {entries.length === 0 && <p class="muted">No exceptions.</p>}
      {entries.map((entry, index) => (
        <fieldset class="exception" key={index}>
          <legend>
            Exception {index} <End at={textOf(entry['ends_at'])} />
          </legend>
          {MEMBERS.map(([member, label]) => (
            <label class="field" key={member}>
              {label}
              <input
                value={textOf(entry[member])}
                disabled={isDisabled}
                onInput={({ currentTarget }) => edit(index, member, currentTarget.value)}
              />
            </label>
          ))}
          <label class="field">
            End, in your time, at most {MAX_DAYS} days ahead
            <input
              type="datetime-local"
              value={localTime(textOf(entry['ends_at']))}
              max={localTime(inDays(MAX_DAYS))}
              disabled={isDisabled}
              onInput={({ currentTarget }) => edit(index, 'ends_at', utcTime(currentTarget.value))}
            />
          </label>
          <button
            type="button"
            disabled={isDisabled}
            onClick={() => onChange(entries.filter((_, at) => at !== index))}
          >
            Remove
          </button>
        </fieldset>
      ))}
      <p>
        <button
          type="button"
          disabled={isDisabled}
          onClick={() => onChange([...entries, { rule_id: '', phrase: '', reason: '', ends_at: inDays(30) }])}
        >
          Add an exception
        </button>
      </p>
    </div>
  );
}

function End({ at }: { readonly at: string }) {
  const seconds = (Date.parse(at) - serverNow.value) / 1000;
  if (Number.isNaN(seconds)) return null;
  return seconds <= 0 ? (
    <Status tone="quiet">ended</Status>
  ) : (
    <Status tone={seconds < 7 * 86_400 ? 'observed' : 'waiting'}>{duration(seconds)} left</Status>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** `2026-03-31T09:00Z` */
function inDays(days: number): string {
  return `${new Date(serverNow.peek() + days * 86_400_000).toISOString().slice(0, 16)}Z`;
}

/** What a field for a date and a time shows: `2026-03-31T11:00`. */
function localTime(utc: string): string {
  const date = new Date(utc);
  if (Number.isNaN(date.getTime())) return '';
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function utcTime(local: string): string {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? '' : `${date.toISOString().slice(0, 16)}Z`;
}

function withMember(entry: Record<string, unknown>, member: string, text: string): Record<string, unknown> {
  const { [member]: _, ...others } = entry;
  return member === 'application' && text === '' ? others : { ...entry, [member]: text };
}
