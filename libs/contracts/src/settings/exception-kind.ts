import type { ScreeningException } from '../screening/screening.js';
import { isRecord, scrubText, takeCodePoints } from '../common/text.js';
import { invalid, isLonger, parseJsonText, RULE_ID, type SettingKind, validUnless } from './setting-kinds.js';

const MAX_EXCEPTIONS = 500;
export const MIN_PHRASE = 10;
export const MAX_PHRASE = 200;
const MAX_APPLICATION = 200;
const MAX_REASON = 500;
/** Entries that one warning names. */
const MAX_NAMED = 20;
/** Characters of a phrase in a warning, which is logged. */
const MAX_SHOWN = 60;

const MEMBERS = ['rule_id', 'phrase', 'application', 'reason', 'ends_at'];
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{3})?)?Z$/;

/** An error names the entry and the member. The engine checks separately how far ahead an exception ends. */
export const screeningExceptions: SettingKind<readonly ScreeningException[]> = {
  name: `list of at most ${MAX_EXCEPTIONS} exceptions`,
  schema: {
    type: 'array',
    maxItems: MAX_EXCEPTIONS,
    items: {
      type: 'object',
      properties: {
        rule_id: { type: 'string', pattern: RULE_ID.source },
        phrase: { type: 'string', minLength: MIN_PHRASE, maxLength: MAX_PHRASE },
        application: { type: 'string', pattern: '\\S', maxLength: MAX_APPLICATION },
        reason: { type: 'string', pattern: '\\S', maxLength: MAX_REASON },
        ends_at: { type: 'string', pattern: TIME.source },
      },
      required: ['rule_id', 'phrase', 'reason', 'ends_at'],
      additionalProperties: false,
    },
  },
  parse(raw) {
    if (!Array.isArray(raw)) return invalid('must be a list of exceptions');
    if (raw.length > MAX_EXCEPTIONS) return invalid(`must have at most ${MAX_EXCEPTIONS} entries`);
    const reasons: string[] = [];
    const exceptions: ScreeningException[] = [];
    // Array.from reads a hole as undefined, which is an invalid entry.
    for (const [index, entry] of Array.from<unknown>(raw).entries()) {
      const read = exceptionOf(entry);
      if (Array.isArray(read)) reasons.push(...read.map((reason) => `entry ${index}: ${reason}`));
      else exceptions.push(Object.freeze(read));
    }
    return validUnless(reasons, Object.freeze(exceptions));
  },
  parseText(written) {
    const json = parseJsonText(written);
    return json.ok ? screeningExceptions.parse(json.value) : json;
  },
};

/** The exception, or why it is invalid. */
function exceptionOf(raw: unknown): ScreeningException | string[] {
  if (!isRecord(raw)) return ['must be an object'];
  const { rule_id, phrase, application, reason, ends_at } = raw;
  const faults = Object.keys(raw)
    .filter((name) => !MEMBERS.includes(name))
    .map((name) => `has the unknown member ${JSON.stringify(name.slice(0, 100))}`);
  if (typeof rule_id !== 'string' || !RULE_ID.test(rule_id))
    faults.push('rule_id must be at most 100 of a-z 0-9 _ . - and begin with a letter');
  if (!isText(phrase, MAX_PHRASE) || !isLonger(phrase, MIN_PHRASE - 1) || scrubText(phrase) !== phrase)
    faults.push(
      `phrase must be a string of ${MIN_PHRASE} to ${MAX_PHRASE} characters, without NUL and lone surrogates`,
    );
  if (application !== undefined && !isText(application, MAX_APPLICATION))
    faults.push(`application must be a string of 1 to ${MAX_APPLICATION} characters`);
  if (!isText(reason, MAX_REASON)) faults.push(`reason must be a string of 1 to ${MAX_REASON} characters`);
  const end = timeOf(ends_at);
  if (end === null) faults.push('ends_at must be a UTC time such as 2026-03-31T12:00:00Z');
  if (faults.length > 0) return faults;
  return {
    rule_id: rule_id as string,
    phrase: phrase as string,
    ...(application !== undefined && { application: scrubText(application as string) }),
    reason: scrubText(reason as string),
    ends_at: end ?? '',
  };
}

function isText(raw: unknown, maximum: number): raw is string {
  return typeof raw === 'string' && raw.trim() !== '' && !isLonger(raw, maximum);
}

/** With milliseconds; `null` if it is not a valid time, such as February 30. */
function timeOf(raw: unknown): string | null {
  if (typeof raw !== 'string' || !TIME.test(raw)) return null;
  const time = new Date(raw);
  if (Number.isNaN(time.getTime())) return null;
  const written = time.toISOString();
  return written.startsWith(raw.slice(0, -1)) ? written : null;
}

export function hasEnded({ ends_at }: ScreeningException, now: Date): boolean {
  return Date.parse(ends_at) <= now.getTime();
}

const WEEK_MS = 7 * 24 * 3_600_000;

export function exceptionWarnings(exceptions: readonly ScreeningException[], now: Date): readonly string[] {
  const nextWeek = new Date(now.getTime() + WEEK_MS);
  const named = exceptions.map((exception) => ({
    exception,
    name: `${JSON.stringify(takeCodePoints(exception.phrase, MAX_SHOWN).head)} (${exception.ends_at.slice(0, 10)})`,
  }));
  const ended = named.filter(({ exception }) => hasEnded(exception, now));
  const inForce = named.filter(({ exception }) => !hasEnded(exception, now));
  const ending = inForce.filter(({ exception }) => hasEnded(exception, nextWeek));
  const warning = (some: typeof named, text: string): string[] => {
    const more = some.length - MAX_NAMED;
    const names = some.slice(0, MAX_NAMED).map(({ name }) => name);
    if (more > 0) names.push(`${more} more`);
    return some.length === 0 ? [] : [`input_screen.exceptions: ${text}: ${names.join(', ')}.`];
  };
  return [
    ...(inForce.length === 0
      ? []
      : [`input_screen.exceptions: ${inForce.length} in force; matches in their phrases do not count.`]),
    ...warning(ending, 'these end within 7 days'),
    ...warning(ended, 'these have ended and have no effect; remove them'),
  ];
}
