import { MODE_NAMES, type ModeName } from '../common/control-mode.js';
import { SCREENED_ORIGINS, type ScreenedOrigin } from '../screening/screening.js';
import { isRecord, parsedJson, scrubText, takeCodePoints } from '../common/text.js';

/** A valid value, or the reasons why it is invalid. */
export type Parsed<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reasons: readonly string[] };

/** The type of a setting. `parse` validates untrusted values from HTTP, a store or the host's configuration. */
export interface SettingKind<T> {
  /** Description for the docs. */
  readonly name: string;
  /** The allowed values, where they can be listed. */
  readonly choices?: readonly string[];
  /** JSON Schema (2020-12) of a stored value. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly parse: (raw: unknown) => Parsed<T>;
  /** Reads the text of an environment variable. */
  readonly parseText: (written: string) => Parsed<T>;
}

export const valid = <T>(value: T): Parsed<T> => ({ ok: true, value });
export const invalid = (...reasons: string[]): Parsed<never> => ({ ok: false, reasons });

/** Errors in one message; a value with more of them is usually wrong as a whole. */
const MAX_REASONS = 20;

/** The value, or the first of the reasons why it is invalid. */
export function validUnless<T>(reasons: readonly string[], value: T): Parsed<T> {
  if (reasons.length === 0) return valid(value);
  const more = reasons.length - MAX_REASONS;
  return invalid(...reasons.slice(0, MAX_REASONS), ...(more > 0 ? [`has ${more} more errors`] : []));
}

/** Whether the text has more than `maximum` characters, counted as code points. */
export const isLonger = (raw: string, maximum: number): boolean => takeCodePoints(raw, maximum).cut;

/** Reads JSON from an environment variable, for structured settings. */
export function parseJsonText(written: string): Parsed<unknown> {
  const value = parsedJson(written);
  return value === undefined ? invalid('is not valid JSON') : valid(value);
}

const INTEGER = /^(?:0|-?[1-9][0-9]{0,15})$/;

export const boolean: SettingKind<boolean> = {
  name: 'boolean',
  schema: { type: 'boolean' },
  parse(raw) {
    if (raw === true || raw === 1 || raw === 'true' || raw === '1') return valid(true);
    if (raw === false || raw === 0 || raw === 'false' || raw === '0') return valid(false);
    return invalid('must be true or false');
  },
  parseText: (written) => boolean.parse(written.trim()),
};

export function integer(minimum: number, maximum = Number.MAX_SAFE_INTEGER): SettingKind<number> {
  const range =
    maximum === Number.MAX_SAFE_INTEGER ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
  const kind: SettingKind<number> = {
    name: `integer ${range}`,
    schema: { type: 'integer', minimum, maximum },
    parse(raw) {
      const value = typeof raw === 'string' && INTEGER.test(raw) ? Number(raw) : raw;
      if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < minimum || value > maximum) {
        return invalid(`must be an integer ${range}`);
      }
      // -0 becomes 0. Otherwise a comparison with a stored 0 would show a change.
      return valid(value === 0 ? 0 : value);
    },
    parseText: (written) => kind.parse(written.trim()),
  };
  return kind;
}

export function text(maximum: number): SettingKind<string> {
  const kind: SettingKind<string> = {
    name: `string of at most ${maximum} characters`,
    schema: { type: 'string', pattern: '\\S', maxLength: maximum },
    parse(raw) {
      if (typeof raw !== 'string') return invalid('must be a string');
      if (raw.trim() === '') return invalid('must not be empty');
      if (isLonger(raw, maximum)) return invalid(`must have at most ${maximum} characters`);
      return valid(scrubText(raw));
    },
    parseText: (raw) => kind.parse(raw),
  };
  return kind;
}

export function optionalText(maximum: number): SettingKind<string | null> {
  const present = text(maximum);
  const kind: SettingKind<string | null> = {
    name: present.name,
    schema: { ...present.schema, type: ['string', 'null'] },
    parse: (raw) => (raw === null || raw === undefined ? valid(null) : present.parse(raw)),
    parseText: (raw) => kind.parse(raw.trim()),
  };
  return kind;
}

/** An optional text that the API never shows. */
export const secret: SettingKind<string | null> = {
  name: 'secret',
  schema: { type: ['string', 'null'] },
  parse(raw) {
    if (raw === null || raw === undefined) return valid(null);
    return typeof raw === 'string' && raw !== '' ? valid(raw) : invalid('must be a string');
  },
  parseText: (raw) => secret.parse(raw),
};

/** An optional web address, without trailing slashes. */
export const webAddress: SettingKind<string | null> = {
  name: 'web address',
  schema: { type: ['string', 'null'], pattern: '^https?://' },
  parse(raw) {
    if (raw === null || raw === undefined) return valid(null);
    if (typeof raw !== 'string' || !/^https?:\/\/[^\s/]\S{0,498}$/.test(raw))
      return invalid('must be an address that begins with https:// or http://');
    return valid(raw.replace(/\/+$/, ''));
  },
  parseText: (raw) => webAddress.parse(raw.trim()),
};

export function oneOf<const Choice extends string>(...choices: readonly Choice[]): SettingKind<Choice> {
  const kind: SettingKind<Choice> = {
    name: 'choice',
    choices,
    schema: { enum: choices },
    parse(raw) {
      const choice = choices.find((candidate) => candidate === raw);
      return choice === undefined ? invalid(`must be one of ${choices.join(', ')}`) : valid(choice);
    },
    parseText: (raw) => kind.parse(raw.trim()),
  };
  return kind;
}

/** Accepts former names of choices. */
export function renamed<const Choice extends string>(
  kind: SettingKind<Choice>,
  names: Readonly<Record<string, NoInfer<Choice>>>,
): SettingKind<Choice> {
  const known = new Map<unknown, Choice>(Object.entries(names));
  const parse = (raw: unknown) => kind.parse(known.get(raw) ?? raw);
  return { ...kind, parse, parseText: (raw) => parse(raw.trim()) };
}

function listOf<T>(
  name: string,
  maximum: number,
  items: SettingKind<T>['schema'],
  item: (raw: unknown) => Parsed<T>,
): SettingKind<readonly T[]> {
  const kind: SettingKind<readonly T[]> = {
    name,
    schema: { type: 'array', items, maxItems: maximum },
    parse(raw) {
      if (!Array.isArray(raw)) return invalid('must be a list');
      if (raw.length > maximum) return invalid(`must have at most ${maximum} entries`);
      const values: T[] = [];
      for (const [index, entry] of raw.entries()) {
        const parsed = item(entry);
        if (!parsed.ok) return invalid(...parsed.reasons.map((reason) => `entry ${index} ${reason}`));
        if (!values.includes(parsed.value)) values.push(parsed.value);
      }
      return valid(Object.freeze(values));
    },
    parseText(raw) {
      const trimmed = raw.trim();
      if (trimmed.startsWith('[')) {
        const json = parseJsonText(trimmed);
        return json.ok ? kind.parse(json.value) : json;
      }
      return kind.parse(trimmed === '' ? [] : trimmed.split(',').map((entry) => entry.trim()));
    },
  };
  return kind;
}

/** Non-empty texts without duplicates. */
export function textList(maximum: number, length: number): SettingKind<readonly string[]> {
  const items = { type: 'string', pattern: '\\S', maxLength: length };
  return listOf(`list of at most ${maximum} strings`, maximum, items, (raw) => {
    if (typeof raw !== 'string' || raw.trim() === '') return invalid('must be a non-empty string');
    return isLonger(raw, length) ? invalid(`must have at most ${length} characters`) : valid(scrubText(raw));
  });
}

const ORIGIN =
  /^(?:https:\/\/(?!.*:443$)|http:\/\/(?!.*:80$))(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::[1-9][0-9]{0,4})?$/;

const listOfAll = (name: string, pattern: RegExp, reason: string): SettingKind<readonly string[]> =>
  listOf(`list of at most 200 ${name}`, 200, { type: 'string', pattern: pattern.source }, (raw) =>
    typeof raw === 'string' && pattern.test(raw) ? valid(raw) : invalid(reason),
  );

/** Origins as browsers send them: scheme, host in lower case, and a port that is not the default one. */
export const originList = listOfAll(
  'origins',
  ORIGIN,
  'must be an origin as browsers send it, such as https://admin.example.com',
);

/** Hosts of links and images, each with the beginning of a path or without. */
export const hostList = listOfAll(
  'hosts',
  /^\s*(?:\*\.)?[\p{L}\p{N}\p{M}.-]{1,253}(?:\/[^\s?#\\]*)?\??\s*$/u,
  'must be a host without a scheme, such as cdn.example.com, *.example.com or cdn.example.com/images/',
);

export function choiceList<const Choice extends string>(
  ...choices: readonly Choice[]
): SettingKind<readonly Choice[]> {
  const one = oneOf(...choices);
  return { ...listOf('list of choices', choices.length, one.schema, one.parse), choices };
}

export const RULE_ID = /^[a-z][a-z0-9_.-]{0,99}$/;

/** Rule id → value, sorted by id; stored as text, which keeps that order. `T` is immutable. */
function byRuleId<T extends string>(
  name: string,
  maximum: number,
  values: SettingKind<T>['schema'],
  item: (raw: unknown) => Parsed<T>,
): SettingKind<Readonly<Record<string, T>>> {
  // A value can be long, and results of this parser are parsed again wherever they are used. Those are returned as they are.
  const results = new WeakSet<object>();
  const kind: SettingKind<Readonly<Record<string, T>>> = {
    name,
    schema: {
      type: 'object',
      propertyNames: { pattern: RULE_ID.source },
      additionalProperties: values,
      maxProperties: maximum,
    },
    parse(raw) {
      if (!isRecord(raw)) return invalid('must be an object whose keys are rule ids');
      if (results.has(raw)) return valid(raw as Readonly<Record<string, T>>);
      const ids = Object.keys(raw).toSorted();
      if (ids.length > maximum) return invalid(`must have at most ${maximum} entries`);
      const entries: [string, T][] = [];
      const reasons: string[] = [];
      for (const id of ids) {
        if (!RULE_ID.test(id)) {
          reasons.push(
            `has the invalid rule id ${JSON.stringify(id.slice(0, 120))}: use at most 100 of a-z 0-9 _ . - and begin with a letter`,
          );
          continue;
        }
        const parsed = item(raw[id]);
        if (parsed.ok) entries.push([id, parsed.value]);
        else reasons.push(...parsed.reasons.map((reason) => `rule ${id} ${reason}`));
      }
      if (reasons.length > 0) return invalid(...reasons);
      const result = Object.freeze(Object.fromEntries(entries));
      results.add(result);
      return valid(result);
    },
    parseText(raw) {
      const json = parseJsonText(raw);
      return json.ok ? kind.parse(json.value) : json;
    },
  };
  return kind;
}

const FLAGS = /^[a-z]*$/;

/** Whether a pattern is `/source/flags`. Reads only its ends, because patterns are long. */
function isDelimited(pattern: string) {
  const end = pattern.lastIndexOf('/');
  return pattern.length > 2 && pattern.startsWith('/') && end > 0 && FLAGS.test(pattern.slice(end + 1));
}

/** The stored form of a pattern: `/source/flags`. A bare pattern is case-insensitive. */
export function canonicalPattern(pattern: string): string {
  return isDelimited(pattern) ? pattern : `/${pattern.replaceAll(/(?<!\\)((?:\\\\)*)\//g, '$1\\/')}/i`;
}

/** The engine checks separately whether each pattern compiles. */
export function patterns(maximum: number, length: number): SettingKind<Readonly<Record<string, string>>> {
  const values = { type: 'string', minLength: 1 };
  return byRuleId(`object of at most ${maximum} patterns`, maximum, values, (raw) => {
    if (typeof raw !== 'string' || raw === '' || raw === '//') return invalid('must be a non-empty pattern');
    if (isLonger(raw, length)) return invalid(`must have at most ${length} characters`);
    // The canonical form is stored, and validated again when it is read, so it must fit, too.
    const canonical = canonicalPattern(scrubText(raw));
    return isLonger(canonical, length)
      ? invalid(`must have at most ${length} characters in the form /source/flags`)
      : valid(canonical);
  });
}

export function ruleModes<const Choice extends string>(
  ...choices: readonly Choice[]
): SettingKind<Readonly<Record<string, Choice>>> {
  const one = oneOf(...choices);
  return { ...byRuleId('object of rule modes', 1000, one.schema, one.parse), choices };
}

/** The mode of each origin that is named. */
export const originModes: SettingKind<Readonly<Partial<Record<ScreenedOrigin, ModeName>>>> = {
  name: 'object of origin modes',
  schema: {
    type: 'object',
    properties: Object.fromEntries(SCREENED_ORIGINS.map((origin) => [origin, { enum: [...MODE_NAMES] }])),
    additionalProperties: false,
  },
  choices: MODE_NAMES,
  parse(raw) {
    if (!isRecord(raw)) return invalid(`must be an object whose keys are ${SCREENED_ORIGINS.join(', ')}`);
    const reasons = Object.entries(raw).flatMap(([origin, mode]) => {
      if (!(SCREENED_ORIGINS as readonly string[]).includes(origin))
        return [
          `has the unknown origin ${JSON.stringify(origin.slice(0, 120))}: use ${SCREENED_ORIGINS.join(', ')}`,
        ];
      return (MODE_NAMES as readonly unknown[]).includes(mode)
        ? []
        : [`origin ${origin} must be one of ${MODE_NAMES.join(', ')}`];
    });
    const modes = raw as Readonly<Partial<Record<ScreenedOrigin, ModeName>>>;
    const inOrder = SCREENED_ORIGINS.flatMap((origin) => {
      const mode = modes[origin];
      return mode === undefined ? [] : [[origin, mode] as const];
    });
    return reasons.length > 0 ? invalid(...reasons) : valid(Object.freeze(Object.fromEntries(inOrder)));
  },
  parseText(raw) {
    const json = parseJsonText(raw);
    return json.ok ? originModes.parse(json.value) : json;
  },
};
