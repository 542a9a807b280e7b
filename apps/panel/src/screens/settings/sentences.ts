/** Names and sentences of the settings. */
import type { SettingSchemaData } from '#client/index.js';
import type { ControlKey } from '#contracts/common/control-mode.js';
import { isPlainObject } from '#contracts/common/text.js';
import { plural } from '../../text/format.js';
import { CONTROL_WORDS, spaced } from '../../text/names.js';

const UPPER = /\b(?:nfkc|html|pii)\b/gi;

/** `redact_pii` → `Redact PII`. */
export function labelOf(key: string): string {
  const [first = '', ...rest] = key.split('.');
  const owner = (first === 'modes' ? rest[0] : first) as ControlKey;
  const control = (CONTROL_WORDS as Partial<typeof CONTROL_WORDS>)[owner]?.label;
  if (key === 'enabled') return 'Master switch';
  if (first === 'modes') return `${control} mode`;
  const last = rest.at(-1) ?? first;
  const text = spaced(first === 'retention' ? `${first} ${last}` : last);
  const whole = text === 'enabled' ? `${control ?? spaced(first)} enabled` : text;
  return (whole.charAt(0).toUpperCase() + whole.slice(1)).replaceAll(UPPER, (word) => word.toUpperCase());
}

export function wordOf(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'string') return value || 'empty';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Object.keys(value).length === 0) return Array.isArray(value) ? 'empty list' : 'none';
  const isOfTexts = Array.isArray(value) && value.every((entry) => typeof entry === 'string');
  return isOfTexts ? value.join(', ') : JSON.stringify(value, null, 2);
}

/** Why a value cannot be sent; the server checks the rest. */
export function problemOf({ value_schema: schema }: SettingSchemaData, value: unknown): string | null {
  if (value === null) return null;
  if (schema['type'] === 'integer') {
    const { minimum = -Infinity, maximum = Infinity } = schema as { minimum?: number; maximum?: number };
    if (!Number.isSafeInteger(value)) return 'Enter a whole number.';
    if (Number(value) < minimum) return `Enter at least ${minimum}.`;
    if (Number(value) > maximum) return `Enter at most ${maximum}.`;
  }
  return schema['type'] === 'object' && !isPlainObject(value) ? 'This is not a JSON object.' : null;
}

/** The unit and the limits of a number. */
export function limitsOf({ key, value_schema: schema }: SettingSchemaData): string {
  const { minimum, maximum = Infinity } = schema as { minimum?: number; maximum?: number };
  return [
    key.endsWith('days') && 'days',
    key.endsWith('length') && 'characters',
    minimum !== undefined && `at least ${minimum}`,
    maximum < Number.MAX_SAFE_INTEGER && `at most ${maximum}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** What a run read, by its label. */
const READINGS: Readonly<Record<string, string>> = {
  untrusted: 'a text of others',
  suspect: 'a text that gives orders',
};

/** A rule or a limit of a policy: `when amount lte 50: allow`. */
export function policyText(part: unknown): string {
  if (!isPlainObject(part)) return JSON.stringify(part);
  const { require, when, after, vouched, ...others } = part;
  const words = (values: object): readonly string[] =>
    Object.entries(values).map(([name, value]) => `${name} ${plain(value)}`);
  const conditions = [
    isPlainObject(when) && Object.keys(when).length > 0 && `when ${words(when).join(' and ')}`,
    after !== undefined && `after ${READINGS[plain(after)] ?? plain(after)} was read`,
    vouched !== undefined && `unless somebody vouches for ${[vouched].flat().map(plain).join(' and ')}`,
  ].filter(Boolean);
  const more = words(others);
  return `${conditions.join(', ') || 'always'}: ${plain(require)}${more.length === 0 ? '' : ` (${more.join(', ')})`}`;
}

function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value).replaceAll(/[{}"]/g, '').replaceAll(':', ' ');
}

/** What a backtest does, by its state. */
export const BACKTEST_STATES = {
  running: 'Judging again, newest first',
  stopped: 'Stopped; older texts were not judged',
  done: 'Judged again',
} as const;

/** How many could not be judged, by reason: `, 3 calls could not be (3 run not recorded)`. */
export function obstaclesText(
  counts: Readonly<Record<string, number>>,
  sentence: (total: number) => string,
): string {
  const reasons = Object.entries(counts).filter(([, count]) => count > 0);
  const total = reasons.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return '';
  const named = reasons.map(([reason, count]) => `${count} ${spaced(reason)}`);
  return `, ${sentence(total)} (${named.join(', ')})`;
}

/** What stays unknown about outputs. */
export function removedText(removed: number): string {
  const were = removed === 1 ? 'was' : 'were';
  return `${plural(removed, 'finding')} ${were} removed from outputs in these days. Users see everything that a weaker setting no longer removes; a backtest cannot count it.`;
}

/** Why the draft cannot be saved; the first reason that applies. */
export const SAVE_OBSTACLES = {
  reading: 'The settings are being read again.',
  conflict: 'First decide which values to keep.',
  refused: 'The server refuses these changes. Correct them first.',
  failed: 'The server could not check the changes.',
  checking: 'The server is checking the changes.',
  weaker: 'Confirm first that protection becomes weaker.',
} as const;

/** Why the values from before a save cannot be put back. */
export const PUT_BACK_OBSTACLES = {
  incomplete: 'Show older changes first: more of them may belong to this save.',
  gone: 'The setting no longer exists.',
  locked: 'The deployer sets this value, in code or in the environment.',
  same: 'Nothing to put back: these values are in force now.',
} as const;
