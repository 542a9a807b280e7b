/** The arguments of a tool call as JSON, with what was changed in them or is wrong with them. */
import type { ComponentChild } from 'preact';
import { useState } from 'preact/hooks';
import type { AuditEntryData } from '#client/index.js';
import type { ArgumentChange } from '#contracts/approvals/approvals.api.js';
import { parsedJson } from '#contracts/common/text.js';
import { plural } from '../text/format.js';
import { Button } from './controls.js';
import { PlainText } from './plain-text.js';

/** Shorter arguments are never folded. */
const FOLDED_LINES = 60;

interface Line {
  /** JSON pointer. */
  readonly path: string;
  /** The indent and the name of the member. */
  readonly head: string;
  readonly value: string;
  readonly end: string;
}

/** `mark` may draw the first line of a place in another way. */
function Lines({
  lines,
  mark,
}: {
  readonly lines: readonly Line[];
  readonly mark: (line: Line) => ComponentChild;
}) {
  const seen = new Set<string>();
  return (
    <pre class="code arguments" tabIndex={0} aria-label="Arguments">
      {lines.map((line) => {
        const marked = seen.has(line.path) ? null : mark(line);
        seen.add(line.path);
        return (
          marked ?? (
            <span class="line">
              <PlainText text={wholeLine(line)} />
            </span>
          )
        );
      })}
    </pre>
  );
}

function wholeLine({ head, value, end }: Line): string {
  return head + value + end;
}

/** A changed value is shown after the value that it replaced, which is struck out. */
export function ArgumentsView({
  value,
  changes = [],
}: {
  readonly value: unknown;
  readonly changes?: readonly ArgumentChange[];
}) {
  const [isUnfolded, setUnfolded] = useState(false);
  const lines = linesOf(value);
  const isLong = lines.length > FOLDED_LINES;
  return (
    <div class="stack-s">
      <Lines
        lines={isLong && !isUnfolded ? lines.slice(0, FOLDED_LINES) : lines}
        mark={({ path, head, value: text, end }) => {
          const change = changes.find((one) => one.path === path);
          return (
            change && (
              <span class="line">
                <PlainText text={head} />
                <del>
                  <PlainText text={shown(change.from)} />
                </del>{' '}
                <ins>
                  <PlainText text={text} />
                </ins>
                {end}
              </span>
            )
          );
        }}
      />
      {isLong && (
        <Button class="link" onClick={() => setUnfolded(!isUnfolded)}>
          {isUnfolded ? 'Show less' : `Show all ${plural(lines.length, 'line')}`}
        </Button>
      )}
    </div>
  );
}

/** Changed values with their places, also of arguments that were removed. */
export function Changes({ changes }: { readonly changes: readonly ArgumentChange[] }) {
  return (
    <ul class="changes">
      {changes.map(({ path, from, to }) => (
        <li key={path}>
          <code>
            <PlainText text={path} />
          </code>
          <del>
            <PlainText text={shown(from)} />
          </del>
          <ins>
            <PlainText text={shown(to)} />
          </ins>
        </li>
      ))}
    </ul>
  );
}

function shown(value: unknown): string {
  return value === null || value === undefined ? 'not given' : JSON.stringify(value);
}

/** Each fault is at its argument. Faults without one that can be shown, such as a missing one, follow. */
export function FaultyArguments({
  call: { prompt: text, prompt_storage: storage },
  violations,
}: {
  readonly call: Pick<AuditEntryData, 'prompt' | 'prompt_storage'>;
  readonly violations: Readonly<Record<string, string>>;
}) {
  const isStored = storage !== 'hash' && storage !== 'erased';
  const value = isStored ? parsedJson(text) : undefined;
  if (isStored && value === undefined)
    return (
      <pre class="code">
        <PlainText text={text} />
      </pre>
    );
  const lines = isStored ? linesOf(value) : [];
  const faults = Object.entries(violations).map(([name, reason]) => ({
    name,
    reason,
    path: pointerOf(name),
  }));
  const others = faults.filter((fault) => !lines.some(({ path }) => path === fault.path));
  return (
    <>
      {isStored ? (
        <Lines
          lines={lines}
          mark={(line) => {
            const fault = faults.find(({ path }) => path === line.path);
            return (
              fault && (
                <span class="line fault">
                  <PlainText text={wholeLine(line)} />
                  <strong class="blocked">
                    {'  '}◼ <PlainText text={fault.reason} />
                  </strong>
                </span>
              )
            );
          }}
        />
      ) : (
        <p class="muted">The arguments were not stored ({storage}).</p>
      )}
      {others.length > 0 && <Violations of={others} class="findings" />}
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
function pointerOf(name: string): string {
  return name.startsWith('/') ? name : `/${name.replaceAll('.', '/')}`;
}

function linesOf(value: unknown, path = '', indent = '', name = '', end = ''): readonly Line[] {
  if (!isNested(value) || Object.keys(value).length === 0)
    return [{ path, head: indent + name, value: JSON.stringify(value), end }];
  const isList = Array.isArray(value);
  const members = Object.entries(value);
  return [
    { path, head: indent + name, value: isList ? '[' : '{', end: '' },
    ...members.flatMap(([key, member], index) =>
      linesOf(
        member,
        `${path}/${escaped(key)}`,
        `${indent}  `,
        isList ? '' : `${JSON.stringify(key)}: `,
        index === members.length - 1 ? '' : ',',
      ),
    ),
    { path, head: indent, value: isList ? ']' : '}', end },
  ];
}

function escaped(key: string): string {
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
