import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { DEFAULT_SETTINGS, Settings } from '#contracts/settings/settings.js';
import { BUILT_IN_RULES } from './rules/built-in-rules.js';
import { Screening } from './screening.js';

type Disguise = (text: string) => string;

const examples = (name: string): [string, { readonly attacks: readonly string[] }][] =>
  Object.entries(
    JSON.parse(readFileSync(new URL(`examples/${name}.json`, import.meta.url), 'utf8')) as Record<
      string,
      { readonly attacks: readonly string[] }
    >,
  );

const ATTACKS = [...examples('english'), ...examples('multilingual')].map(
  ([id, { attacks }]) => [id, attacks] as const,
);

const GROUPS = new Map(BUILT_IN_RULES.map(({ id, group }) => [id, group]));
const groupOf = (ruleId: string): string => GROUPS.get(ruleId) ?? ruleId;

const mapped = (text: string, map: (character: string) => string): string => Array.from(text, map).join('');

const replaced =
  (pairs: Readonly<Record<string, string>>): Disguise =>
  (text) =>
    mapped(text, (one) => pairs[one] ?? one);

const isAscii = (character: string): boolean => character > ' ' && character <= '~';

const bytes = (text: string): readonly string[] =>
  Array.from(Buffer.from(text), (byte) => byte.toString(16).padStart(2, '0'));

const homoglyph = replaced({
  a: 'а',
  c: 'с',
  e: 'е',
  i: 'і',
  o: 'ο',
  p: 'р',
  s: 'ѕ',
  x: 'х',
  A: 'А',
  I: 'І',
});
const zeroWidth: Disguise = (text) => Array.from(text).join('\u200b');
const fullWidth: Disguise = (text) =>
  mapped(text, (one) => (isAscii(one) ? String.fromCharCode(one.charCodeAt(0) + 0xfee0) : one));
const leet = replaced({ a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' });
const spaced: Disguise = (text) =>
  text.replaceAll(' ', '   ').replaceAll(/\p{L}{3,}/gu, (word) => Array.from(word).join(' '));
const hyphened: Disguise = (text) => text.replaceAll(/\p{L}{3,}/gu, (word) => Array.from(word).join('-'));
const base64: Disguise = (text) => Buffer.from(text).toString('base64');
const hex: Disguise = (text) => bytes(text).join('');
const percent: Disguise = (text) =>
  bytes(text)
    .map((byte) => `%${byte}`)
    .join('');
const entities: Disguise = (text) => mapped(text, (one) => `&#${one.codePointAt(0)};`);
const marks: Disguise = (text) => text.replaceAll(/[a-z]/gi, '$&\u0336');
const capitals: Disguise = (text) => mapped(text, (one) => (one.length === 1 ? one.toUpperCase() : one));
/** Tag characters exist for ASCII only. */
const tagCharacters: Disguise = (text) =>
  mapped(text, (one) => (one >= ' ' && one <= '~' ? String.fromCodePoint(0xe0000 + one.charCodeAt(0)) : one));

const DISGUISES: Readonly<Record<string, Disguise>> = {
  homoglyph,
  zeroWidth,
  fullWidth,
  leet,
  spaced,
  hyphened,
  base64,
  base64url: (text) => Buffer.from(text).toString('base64url'),
  hex,
  percent,
  entities,
  marks,
  capitals,
  tagCharacters,
  'homoglyph and zeroWidth': (text) => zeroWidth(homoglyph(text)),
  'homoglyph in base64': (text) => base64(homoglyph(text)),
  'base64 behind zeroWidth': (text) => zeroWidth(base64(text)),
  'fullWidth in percent': (text) => percent(fullWidth(text)),
  'base64 in base64': (text) => base64(base64(text)),
  'percent in base64': (text) => base64(percent(text)),
  'base64 in percent': (text) => percent(base64(text)),
  'entities in hex': (text) => hex(entities(text)),
  'leet in base64': (text) => base64(leet(text)),
};

describe('an obfuscated attack', () => {
  const settings = new Settings(DEFAULT_SETTINGS);
  const screening = new Screening({ screeners: [] });

  /** One example per group of rules; each disguise uses a different one. */
  const missedBehind = async (disguise: Disguise, turn: number): Promise<readonly string[]> => {
    const missed: string[] = [];
    for (const [id, attacks] of ATTACKS) {
      const attack = attacks[turn % attacks.length] ?? '';
      const { matchedRules } = await screening.judge(disguise(attack), {}, settings);
      if (!matchedRules.some(({ ruleId }) => groupOf(ruleId) === id)) missed.push(`${id}: ${attack}`);
    }
    return missed;
  };

  it.each(Object.entries(DISGUISES).map(([name, disguise], turn) => [name, disguise, turn] as const))(
    'hides at most 5 % of the examples of the built-in rules: %s',
    async (_, disguise, turn) => {
      const missed = await missedBehind(disguise, turn);
      const rate = 1 - missed.length / ATTACKS.length;
      expect({ found: rate >= 0.95, rate, missed: rate >= 0.95 ? [] : missed }).toEqual({
        found: true,
        rate,
        missed: [],
      });
    },
  );
});
