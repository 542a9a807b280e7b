import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What was recorded under a name: a text, or JSON. */
export type Recorded = Readonly<Record<string, unknown>>;

const UPDATES = process.env['UPDATE_GOLDEN'] === '1';
const HEADING = '### ';

/** Compares records with a golden file, or writes the file with UPDATE_GOLDEN=1. */
export function compareWithGolden(file: string, recorded: Recorded): void {
  const path = join(import.meta.dirname, file);
  const actual = printed(recorded);
  if (UPDATES) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, actual);
    return;
  }
  const expected = readFileSync(path, 'utf8');
  if (expected === actual) return;
  const differences = differencesOf(sections(expected), sections(actual));
  const count = differences.length;
  throw new Error(
    [
      `test/golden/${file}: ${count} cases differ`,
      ...differences.slice(0, 10),
      ...(count > 10 ? ['…'] : []),
    ].join('\n'),
  );
}

function printed(recorded: Recorded): string {
  return Object.entries(recorded)
    .map(([name, value]) => `${HEADING}${name}\n${typeof value === 'string' ? value : compactJson(value)}\n`)
    .join('\n');
}

/** JSON with sorted keys, where a value that fits into a line stays on it. */
function compactJson(value: unknown, indent = ''): string {
  const flat = flatJson(value);
  if (flat.length + indent.length <= 140 || typeof value !== 'object' || value === null) return flat;
  const inner = `${indent}  `;
  const items = Array.isArray(value)
    ? value.map((item) => compactJson(item, inner))
    : sortedEntries(value).map(([key, item]) => `${JSON.stringify(key)}: ${compactJson(item, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${items.map((item) => inner + item).join(',\n')}\n${indent}${close}`;
}

export function flatJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flatJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = sortedEntries(value).map(([key, item]) => `${JSON.stringify(key)}: ${flatJson(item)}`);
  return `{${members.join(', ')}}`;
}

const sortedEntries = (value: object): [string, unknown][] =>
  Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));

function sections(text: string): ReadonlyMap<string, string> {
  return new Map(
    `\n${text}`.split(`\n${HEADING}`).flatMap((section) => {
      const end = section.indexOf('\n');
      return end < 0 ? [] : [[section.slice(0, end), section.slice(end + 1).trimEnd()] as const];
    }),
  );
}

function differencesOf(expected: ReadonlyMap<string, string>, actual: ReadonlyMap<string, string>): string[] {
  return [...new Set([...expected.keys(), ...actual.keys()])].flatMap((name) => {
    const [was, is] = [expected.get(name), actual.get(name)];
    if (was === is) return [];
    if (was === undefined) return [`${name}\n  is not in the golden file`];
    if (is === undefined) return [`${name}\n  is in the golden file only`];
    const {
      path,
      was: before,
      is: after,
    } = firstDifference(parsed(was), parsed(is)) ?? { path: '', was, is };
    return [`${name}\n  at ${path || '/'}\n    golden: ${shown(before)}\n    now:    ${shown(after)}`];
  });
}

interface Difference {
  readonly path: string;
  readonly was: unknown;
  readonly is: unknown;
}

/** The first place where two values differ, as a JSON pointer. */
function firstDifference(was: unknown, is: unknown, path = ''): Difference | null {
  if (typeof was !== 'object' || typeof is !== 'object' || was === null || is === null)
    return was === is ? null : { path, was, is };
  const [before, after] = [was as Recorded, is as Recorded];
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const found = firstDifference(before[key], after[key], `${path}/${key}`);
    if (found !== null) return found;
  }
  return null;
}

/** Text is compared by lines. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.split('\n');
  }
}

function shown(value: unknown): string {
  const text = value === undefined ? 'missing' : flatJson(value);
  return text.length > 600 ? `${text.slice(0, 600)}… (${text.length} characters)` : text;
}
