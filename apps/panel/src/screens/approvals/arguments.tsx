import { useState } from 'preact/hooks';
import { plural } from '../../text/format.js';
import { PlainText } from '../../ui/plain-text.js';

/** Shorter arguments are never folded. */
const FOLDED_LINES = 60;

export interface Change {
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
}

export interface Line {
  readonly path: string;
  /** The indent and the name of the member. */
  readonly head: string;
  readonly value: string;
  readonly end: string;
}

/** Arguments as JSON. A changed value is shown after the value that it replaced, which is struck out. */
export function ArgumentsView({
  value,
  changes = [],
}: {
  readonly value: unknown;
  readonly changes?: readonly Change[];
}) {
  const [isUnfolded, setUnfolded] = useState(false);
  const all = linesOf(value, '', '', '', '');
  const isFolded = !isUnfolded && all.length > FOLDED_LINES;
  const seen = new Set<string>();
  return (
    <div class="stack-s">
      <pre class="code arguments" tabIndex={0} aria-label="Arguments">
        {(isFolded ? all.slice(0, FOLDED_LINES) : all).map(({ path, head, value: text, end }) => {
          const change = seen.has(path) ? undefined : changes.find((one) => one.path === path);
          seen.add(path);
          return change === undefined ? (
            <span class="line">
              <PlainText text={head + text + end} />
            </span>
          ) : (
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
          );
        })}
      </pre>
      {all.length > FOLDED_LINES && (
        <button type="button" class="link" onClick={() => setUnfolded(!isUnfolded)}>
          {isFolded ? `Show all ${plural(all.length, 'line')}` : 'Show less'}
        </button>
      )}
    </div>
  );
}

/** Changed values with their places, also of arguments that were removed. */
export function Changes({ changes }: { readonly changes: readonly Change[] }) {
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

export function linesOf(
  value: unknown,
  path: string,
  indent: string,
  name: string,
  end: string,
): readonly Line[] {
  if (value === null || typeof value !== 'object' || Object.keys(value).length === 0)
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
export function changesBetween(from: unknown, to: unknown, path = ''): readonly Change[] {
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
