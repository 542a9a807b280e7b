import { scrubText } from '../text.js';
import { fits, isLonger, jsonText, misfits, type Parsed, type SettingKind } from './setting-kind.js';

const INTEGER = /^(?:0|-?[1-9][0-9]{0,15})$/;

export const boolean: SettingKind<boolean> = {
  name: 'boolean',
  schema: { type: 'boolean' },
  parse(raw) {
    if (raw === true || raw === 1 || raw === 'true' || raw === '1') return fits(true);
    if (raw === false || raw === 0 || raw === 'false' || raw === '0') return fits(false);
    return misfits('must be true or false');
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
        return misfits(`must be an integer ${range}`);
      }
      // JSON has a negative zero, which equals zero and yet is told apart.
      return fits(value === 0 ? 0 : value);
    },
    parseText: (written) => kind.parse(written.trim()),
  };
  return kind;
}

export function text(maximum: number): SettingKind<string> {
  const kind: SettingKind<string> = {
    name: `text of at most ${maximum} characters`,
    schema: { type: 'string', pattern: '\\S', maxLength: maximum },
    parse(raw) {
      if (typeof raw !== 'string') return misfits('must be a text');
      if (raw.trim() === '') return misfits('must not be empty');
      if (isLonger(raw, maximum)) return misfits(`must have at most ${maximum} characters`);
      return fits(scrubText(raw));
    },
    parseText: (raw) => kind.parse(raw),
  };
  return kind;
}

/** A text that may be missing; never shown by the API. */
export const secret: SettingKind<string | null> = {
  name: 'secret',
  schema: { type: ['string', 'null'] },
  parse(raw) {
    if (raw === null || raw === undefined) return fits(null);
    return typeof raw === 'string' && raw !== '' ? fits(raw) : misfits('must be a text');
  },
  parseText: (raw) => secret.parse(raw),
};

/** An address of the web that may be missing; without its last slash. */
export const webAddress: SettingKind<string | null> = {
  name: 'web address',
  schema: { type: ['string', 'null'], pattern: '^https?://' },
  parse(raw) {
    if (raw === null || raw === undefined) return fits(null);
    if (typeof raw !== 'string' || !/^https?:\/\/[^\s/]\S{0,498}$/.test(raw))
      return misfits('must be an address that begins with https:// or http://');
    return fits(raw.replace(/\/+$/, ''));
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
      return choice === undefined ? misfits(`must be one of ${choices.join(', ')}`) : fits(choice);
    },
    parseText: (raw) => kind.parse(raw.trim()),
  };
  return kind;
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
      if (!Array.isArray(raw)) return misfits('must be a list');
      if (raw.length > maximum) return misfits(`must have at most ${maximum} entries`);
      const values: T[] = [];
      for (const [index, entry] of raw.entries()) {
        const parsed = item(entry);
        if (!parsed.ok) return misfits(...parsed.reasons.map((reason) => `entry ${index} ${reason}`));
        if (!values.includes(parsed.value)) values.push(parsed.value);
      }
      return fits(Object.freeze(values));
    },
    parseText(raw) {
      const trimmed = raw.trim();
      if (trimmed.startsWith('[')) {
        const json = jsonText(trimmed);
        return json.ok ? kind.parse(json.value) : json;
      }
      return kind.parse(trimmed === '' ? [] : trimmed.split(',').map((entry) => entry.trim()));
    },
  };
  return kind;
}

/** Non-empty texts; a repeated entry is kept once. */
export function textList(maximum: number, length: number): SettingKind<readonly string[]> {
  const items = { type: 'string', pattern: '\\S', maxLength: length };
  return listOf(`list of at most ${maximum} texts`, maximum, items, (raw) => {
    if (typeof raw !== 'string' || raw.trim() === '') return misfits('must be a non-empty text');
    return isLonger(raw, length) ? misfits(`must have at most ${length} characters`) : fits(scrubText(raw));
  });
}

export function choiceList<const Choice extends string>(
  ...choices: readonly Choice[]
): SettingKind<readonly Choice[]> {
  const one = oneOf(...choices);
  return { ...listOf('list of choices', choices.length, one.schema, one.parse), choices };
}
