/** The arguments of a tool call in words, with what was changed in them or is wrong with them. */
import { useState } from 'preact/hooks';
import type { AuditEntryData, AuditListItem } from '#client/index.js';
import type { ArgumentChange } from '#contracts/approvals/approvals.api.js';
import { parsedJson } from '#contracts/common/text.js';
import { count, cut, day, dateTime, plural } from '../text/format.js';
import { Button } from './controls.js';
import { PlainText, PromptPreview } from './plain-text.js';

/** Shorter arguments are never folded. */
const FOLDED_LINES = 60;

/** A value that is no list and no record, or an empty one. */
interface Field {
  /** JSON pointer. */
  readonly path: string;
  readonly value: unknown;
}

/**
 * All arguments by path, and what changed or is wrong in places without a value. `faults` are reasons by place.
 * Without a value, only the changes.
 */
export function ArgumentTable({
  value,
  changes = [],
  faults = {},
}: {
  readonly value?: unknown;
  readonly changes?: readonly ArgumentChange[];
  readonly faults?: Readonly<Record<string, string>>;
}) {
  const [isUnfolded, setUnfolded] = useState(false);
  const fields = value === undefined ? [] : fieldsOf(value);
  const reasons = new Map(Object.entries(faults).map(([name, reason]) => [pointerOf(name), reason]));
  const marked = new Set([...changes.map(({ path }) => path), ...reasons.keys()]);
  const others = [...marked].filter((place) => !fields.some(({ path }) => path === place));
  const lines = fields.reduce((sum, field) => sum + linesOf(field).length, 0);
  let room = isUnfolded ? Infinity : FOLDED_LINES;
  return (
    <div class="stack-s">
      {value !== undefined && fields.length + others.length === 0 && <p class="muted">No arguments.</p>}
      <table class="arguments" aria-label="Arguments">
        <tbody>
          {[...fields, ...others.map((path) => ({ path, value: undefined }))].map((field) => {
            const { path } = field;
            const shownLines = marked.has(path) ? Infinity : room;
            room -= linesOf(field).length;
            return (
              shownLines > 0 && (
                <Row
                  key={path}
                  field={field}
                  lines={shownLines}
                  change={changes.find((one) => one.path === path)}
                  reason={reasons.get(path)}
                />
              )
            );
          })}
        </tbody>
      </table>
      {lines > FOLDED_LINES && (
        <Button class="link" onClick={() => setUnfolded(!isUnfolded)}>
          {isUnfolded ? 'Show less' : `Show all ${plural(lines, 'line')}`}
        </Button>
      )}
      {value !== undefined && <Raw value={value} />}
    </div>
  );
}

function Row({
  field,
  lines,
  change,
  reason,
}: {
  readonly field: Field;
  readonly lines: number;
  readonly change: ArgumentChange | undefined;
  readonly reason: string | undefined;
}) {
  const { path } = field;
  return (
    <tr class={reason && 'fault'}>
      <th scope="row">
        <PlainText text={placeText(path)} />
      </th>
      <td>
        {change !== undefined && (
          <>
            <del>
              <Value field={{ path, value: change.from ?? undefined }} />
            </del>{' '}
            <ins>
              <Value field={{ path, value: change.to ?? undefined }} />
            </ins>
          </>
        )}
        {change === undefined && field.value !== undefined && <Value field={field} lines={lines} />}
        {reason !== undefined && (
          <strong class="blocked">
            {' '}
            ◼ <PlainText text={reason} />
          </strong>
        )}
      </td>
    </tr>
  );
}

function Raw({ value }: { readonly value: unknown }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="small muted">raw</summary>
      {isOpen && (
        <pre class="code" tabIndex={0} aria-label="Arguments as JSON">
          <PlainText text={JSON.stringify(value, null, 2)} />
        </pre>
      )}
    </details>
  );
}

/** A text is shown as it is, because what runs is the text. */
function Value({ field, lines = Infinity }: { readonly field: Field; readonly lines?: number }) {
  const { value } = field;
  const all = linesOf(field);
  const isWord = value === '' || (typeof value !== 'string' && typeof value !== 'number');
  return (
    <span class={isWord ? 'muted' : ''}>
      <PlainText text={all.slice(0, lines).join('\n')} />
      {all.length > lines ? ' …' : momentOf(value)}
    </span>
  );
}

function wordOf({ path, value }: Field) {
  if (value === undefined) return 'not given';
  if (value === null) return 'nothing';
  if (value === '') return 'empty text';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return numberText(lastName(path), value);
  if (typeof value === 'string') return value;
  const text = JSON.stringify(value);
  return { '[]': 'empty list', '{}': 'empty record' }[text] ?? text;
}

const MONEY = /(?:^|_)(?:amount|price|total|sum|cost|fee|euros?|dollars?|pounds?|eur|usd|gbp)(?:$|_)/i;

/** The first argument that is an amount of money, in words, such as `euros 1,200`. */
export function amountOf(value: unknown): string | null {
  const found = fieldsOf(value).find(
    ({ path, value: one }) => typeof one === 'number' && MONEY.test(lastName(path)),
  );
  return found === undefined ? null : `${words(lastName(found.path))} ${wordOf(found)}`;
}

/** A number that names something has no separators. */
function numberText(name: string, value: number) {
  if (/(?:^|_)(?:id|year)$|Id$|ID$/.test(name)) return String(value);
  return MONEY.test(name) ? count(value).replace(/\.\d$/, '$&0') : count(value);
}

/** What an ISO date means here. */
function momentOf(value: unknown): string | false {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-][\d:]+))?$/.test(value))
    return false;
  if (Number.isNaN(Date.parse(value))) return false;
  return value.includes('T') ? ` (${dateTime(value)} local time)` : ` (${day(value)})`;
}

/** `order_id` → `order id`. Another name than that of a variable is quoted, so that it cannot look like one. */
function words(name: string) {
  return /^\w+$/.test(name)
    ? name.replaceAll(/(?<=.)_(?=.)/g, ' ').replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
    : JSON.stringify(name);
}

const PREVIEW_FIELDS = 4;
const PREVIEW_NAME = 40;
const PREVIEW_VALUE = 60;

/** The first arguments in one line. */
export function ArgumentPreview({ value }: { readonly value: unknown }) {
  const fields = fieldsOf(value);
  const more = fields.length - PREVIEW_FIELDS;
  return (
    <span class="argument-preview">
      {fields.slice(0, PREVIEW_FIELDS).map((field, index) => (
        <>
          {index > 0 && ' · '}
          <span class="muted">
            <PlainText text={cut(namesOf(field.path).join('.'), PREVIEW_NAME)} />
          </span>{' '}
          <PlainText text={cut(wordOf(field), PREVIEW_VALUE)} />
        </>
      ))}
      {fields.length === 0 && 'no arguments'}
      {more > 0 && ` · and ${more} more`}
    </span>
  );
}

/** What the tool says of a call: its text, and values of the call in turns. The values may contain anything. */
export function Headline({ parts }: { readonly parts: readonly string[] }) {
  return (
    <span class="headline">
      {parts.map((part, index) => (index % 2 === 0 ? part : <PlainText text={part} />))}
    </span>
  );
}

/** The arguments of a recorded call, each fault at its argument. */
export function RecordedArguments({
  call: { prompt: text, prompt_storage: storage },
  violations,
}: {
  readonly call: Pick<AuditEntryData, 'prompt' | 'prompt_storage'>;
  readonly violations: Readonly<Record<string, string>>;
}) {
  const isStored = storage !== 'hash' && storage !== 'erased';
  const value = isStored ? parsedJson(text) : undefined;
  return (
    <>
      {!isStored && <p class="muted">The arguments were not stored ({storage}).</p>}
      {isStored && value === undefined && (
        <pre class="code">
          <PlainText text={text} />
        </pre>
      )}
      <ArgumentTable value={value} faults={violations} />
    </>
  );
}

export function Violations({
  of: faults,
  class: name,
}: {
  readonly of: readonly { readonly name: string; readonly reason: string }[];
  readonly class: string;
}) {
  return (
    <ul class={name}>
      {faults.map((fault) => (
        <li key={fault.name}>
          <code class="break">
            <PlainText text={fault.name} />
          </code>{' '}
          <PlainText text={fault.reason} />
        </li>
      ))}
    </ul>
  );
}

/** A fault names its place as `items.0.price`, a line as `/items/0/price`. */
function pointerOf(name: string) {
  return /^(?:\/|$)/.test(name) ? name : `/${name.replaceAll('.', '/')}`;
}

/** `/items/0/unit_price` → `items › 0 › unit price` */
export function placeText(name: string): string {
  return namesOf(pointerOf(name)).map(words).join(' › ');
}

/** The names that lead to a place. */
function namesOf(path: string): readonly string[] {
  return path
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function lastName(path: string) {
  return namesOf(path).at(-1) ?? '';
}

function fieldsOf(value: unknown, path = ''): readonly Field[] {
  if (!isNested(value) || (path !== '' && Object.keys(value).length === 0)) return [{ path, value }];
  return Object.entries(value).flatMap(([name, member]) => fieldsOf(member, `${path}/${escaped(name)}`));
}

function linesOf(field: Field): readonly string[] {
  return wordOf(field).split('\n');
}

function escaped(key: string) {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** What differs between two values, by JSON pointer. Lists are compared by position. */
export function changesBetween(from: unknown, to: unknown, path = ''): readonly ArgumentChange[] {
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  if (!isNested(from) || !isNested(to) || Array.isArray(from) !== Array.isArray(to))
    return [{ path, from, to }];
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((key) =>
    changesBetween(from[key], to[key], `${path}/${escaped(key)}`),
  );
}

function isNested(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** As JSON writes it, not within an escaped backslash and an n. */
const LINE_FEED = /(?<!\\)((?:\\\\)*)\\n/g;

/** The beginning of a text, or the arguments of a call. */
export function EntryPreview({ entry: { tool, prompt_preview: text } }: { readonly entry: AuditListItem }) {
  const value = tool === null ? undefined : parsedJson(text ?? '');
  if (value !== undefined) return <ArgumentPreview value={value} />;
  // The beginning of long arguments is not valid JSON.
  return <PromptPreview text={tool === null ? text : (text?.replaceAll(LINE_FEED, '$1 ') ?? null)} />;
}
