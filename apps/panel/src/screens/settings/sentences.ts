/** Names and sentences of the settings. */
import type { RulesBacktestData, SettingSchemaData } from '#client/index.js';
import type { ControlKey, ModeName } from '#contracts/common/control-mode.js';
import { isPlainObject } from '#contracts/common/text.js';
import type { BacktestObstacle } from '#contracts/screening/rules.api.js';
import { count, plural } from '../../text/format.js';
import { CONTROL_WORDS, spaced } from '../../text/names.js';
import { placeText } from '../../ui/arguments.js';

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

/** What a mode means for a user or a call. */
export const MODE_EFFECTS: Readonly<Record<string, Readonly<Record<ModeName, string>>>> = {
  'modes.tool_firewall': {
    enforce: 'Calls with invalid arguments do not run.',
    monitor: 'All calls run. What would be refused is recorded; owner keys are still overwritten.',
    off: 'All calls run as the model wrote them. Nothing is recorded.',
  },
  'modes.input_screen': {
    enforce: 'Users whose text matches a rule get the refusal message. The model never sees the text.',
    monitor: 'All texts reach the model. Matches are recorded.',
    off: 'All texts reach the model. Nothing is recorded.',
  },
  'modes.output_handler': {
    enforce: 'Users see answers without dangerous HTML and links, personal data and secrets.',
    monitor: 'Users see answers as the model wrote them. Findings are recorded.',
    off: 'Users see answers as the model wrote them. Nothing is recorded.',
  },
  'modes.hitl': {
    enforce: 'Destructive calls wait until an operator approves them.',
    monitor: 'Destructive calls run at once. What would wait is recorded.',
    off: 'No call waits. The setting Fallback decides whether destructive calls run.',
  },
};

/** An entry of a list in words, not in JSON. */
export function entryText(value: unknown): string {
  if (!isPlainObject(value)) return wordOf(value);
  return 'require' in value ? policyText(value) : membersText(value, ', ');
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

/** The words for the comparisons in the JSON of a policy. */
const COMPARISONS: Readonly<Record<string, string>> = {
  '"eq":': 'is ',
  '"in":': 'is one of ',
  '"lt":': 'is below ',
  '"lte":': 'is at most ',
  '"gt":': 'is above ',
  '"gte":': 'is at least ',
  '"missing":true': 'is not given',
  '"missing":false': 'is given',
};

const REQUIRED: Readonly<Record<string, string>> = {
  allow: 'runs at once',
  approval: 'needs an approval',
  deny: 'does not run',
};

/** A rule or a limit of a policy: `if “amount” is at most 50: runs at once`. */
export function policyText(part: unknown): string {
  if (!isPlainObject(part)) return JSON.stringify(part);
  const { require, when, after, vouched, sum, count: calls, lte, per, ...others } = part;
  const summed = calls === undefined ? `in all of ${quoted(plain(sum))}` : 'calls';
  const conditions = [
    per !== undefined && `above ${plain(lte)} ${summed} per ${plain(per)} for one principal`,
    isPlainObject(when) && Object.keys(when).length > 0 && `if ${membersText(when, ' and ', quoted)}`,
    after !== undefined && `after ${READINGS[plain(after)] ?? plain(after)} was read`,
    vouched !== undefined &&
      `unless the user or a trusted source gave ${[vouched].flat().map(plain).map(quoted).join(' and ')}`,
  ].filter(Boolean);
  const more = membersText(others, ', ');
  const demand = REQUIRED[plain(require)] ?? plain(require);
  return `${conditions.join(', ') || 'always'}: ${demand}${more === '' ? '' : ` (${more})`}`;
}

/** The name of an argument, apart from the words around it. */
function quoted(pointer: string) {
  return `“${placeText(pointer)}”`;
}

function membersText(members: object, between: string, named = placeText) {
  return Object.entries(members)
    .map(([name, value]) => `${named(name)} ${plain(value)}`)
    .join(between);
}

function plain(value: unknown = '') {
  if (typeof value === 'string') return value;
  return JSON.stringify(value)
    .replaceAll(/(?<=[{,])"(?:missing":(?:true|false)|\w+":)/g, (member) => COMPARISONS[member] ?? member)
    .replaceAll(/[{}"]/g, '')
    .replaceAll(':', ' ');
}

/** Why a recorded text cannot be judged again. */
const OBSTACLES: Readonly<Record<BacktestObstacle, string>> = {
  hashed: 'only a hash of the text is stored',
  erased: 'the text was erased',
  truncated: 'only the beginning of the text is stored',
  changed_by_hygiene: 'secrets or personal data in the text were replaced',
  structured: 'the values of the text were judged one by one',
  host_screener: 'a screener of the application would have to judge the text',
};

/** How many could not be judged, by reason: `, 3 calls could not be (3: run not recorded)`. */
export function obstaclesText(
  counts: Readonly<Record<string, number>> = {},
  sentence: (total: number) => string,
): string {
  const reasons = Object.entries(counts).filter(([, number]) => number > 0);
  const total = reasons.reduce((sum, [, number]) => sum + number, 0);
  if (total === 0) return '';
  const named = reasons.map(
    ([reason, number]) => `${number}: ${OBSTACLES[reason as BacktestObstacle] ?? spaced(reason)}`,
  );
  return `, ${sentence(total)} (${named.join(', ')})`;
}

/** The days whose records show the effect of a change. */
export const EFFECT_DAYS = 30;
const PERIOD = `the last ${EFFECT_DAYS} days`;

const BESIDE = ', beside what was decided at the time';

/** What a backtest has read: all of the period, or its newest texts. The settings may have been others at that time. */
export function periodText(sum: RulesBacktestData | undefined, isRunning: boolean, noun: string): string {
  if (isRunning) return `So far, of ${plural(sum?.scanned ?? 0, noun)} of ${PERIOD}${BESIDE}`;
  const read = sum?.next_cursor === null ? PERIOD : `the newest ${plural(sum?.scanned ?? 0, noun)}`;
  return `Of ${read}${BESIDE}`;
}

/** `verdicts` are those on the texts that would pass. */
export function promptEffect(sum: RulesBacktestData | undefined, verdicts: readonly number[]): string {
  const passing = sum?.no_longer_blocked.count ?? 0;
  const blocked = sum?.newly_blocked.count ?? 0;
  const ways = [
    blocked > 0 && `${plural(blocked, 'prompt')} that passed would be blocked`,
    passing > 0 && `${plural(passing, 'blocked prompt')} would pass${verdictsText(passing, ...verdicts)}`,
  ].filter(Boolean);
  return ways.join('; ') || 'no prompt would be judged differently';
}

/** ` (judged attacks: 0, false alarms: 1; not judged either way: 56)`; nothing while the verdicts are read. */
export function verdictsText(passing: number, attacks?: number, alarms = 0): string {
  if (attacks === undefined) return '';
  const others = count(Math.max(0, passing - attacks - alarms));
  return ` (judged attacks: ${count(attacks)}, false alarms: ${count(alarms)}; not judged either way: ${others})`;
}

export function outputEffect(sum: RulesBacktestData | undefined): string {
  return `${plural(sum?.newly_blocked.count ?? 0, 'output')} would have new findings`;
}

/** What a control did with texts or calls that a weaker setting lets through. */
export function earlierText(control: ControlKey, blocked: number | undefined): string {
  const { noun, effect } = CONTROL_WORDS[control];
  const number = blocked === undefined ? '…' : count(blocked);
  return `In ${PERIOD}, ${number} ${noun} were ${effect}; a weaker setting lets them through.`;
}

export const EXACTLY = 'Only exactly as written, upper and lower case too.';

/** A warning of the API with the names of the settings for their keys. */
export function warningText(text: string): string {
  return text
    .replace(/^[a-z_]+(?:\.[a-z_]+)?(?=:? )/, (key) =>
      labelOf(key in CONTROL_WORDS ? `modes.${key}` : key).replace(' mode', ''),
    )
    .replace(/^(.+) protects less/, 'Less protection by $1')
    .replace(/^Approvals is /, 'Approvals are ')
    .replace(/ as (monitor|off)\.$/, ' in $1 mode.');
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

export const HISTORY_LEAD =
  'Every saved change of a setting, newest first. A time range that is chosen above applies.';

/** Why the values from before a save cannot be put back. */
export const PUT_BACK_OBSTACLES = {
  incomplete: 'Show older changes first: more of them may belong to this save.',
  same: 'Nothing to put back: these values are in force now, or cannot be changed here.',
} as const;
