import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { DEFAULT_SETTINGS, Settings } from '#contracts/settings/settings.js';
import type { ScreenedOrigin } from '#contracts/screening.js';
import { LinearRegex } from '../../patterns/linear-regex.js';
import { Screening } from '../screening.js';
import { BUILT_IN_RULES } from './built-in-rules.js';
import { REQUIRED_LITERALS } from './required-literals.data.js';

/** Per rule: attacks that it must find, and similar harmless texts. */
type Examples = Readonly<
  Record<string, { readonly attacks: readonly string[]; readonly honest: readonly string[] }>
>;

const examples = (name: string): Examples =>
  JSON.parse(readFileSync(new URL(`../examples/${name}.json`, import.meta.url), 'utf8')) as Examples;

const EXAMPLES: Examples = { ...examples('english'), ...examples('multilingual'), ...examples('embedded') };

const settings = new Settings({
  ...DEFAULT_SETTINGS,
  'input_screen.rule_modes': { classifier: 'off' },
});
const screening = new Screening({ screeners: [] });

const rulesFor = async (text: string, origin: ScreenedOrigin = 'prompt'): Promise<readonly string[]> => {
  const { matchedRules } = await screening.judge(text, { origin }, settings);
  return [...new Set(matchedRules.map(({ ruleId }) => ruleId))];
};

describe('built-in rules', () => {
  it('have unique ids and valid patterns', () => {
    const ids = BUILT_IN_RULES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { pattern } of BUILT_IN_RULES) LinearRegex.compile(pattern);
  });

  it('have current required literals; otherwise run `npm run rules:prepare`', () => {
    const required = BUILT_IN_RULES.map(({ id, pattern }) => [id, LinearRegex.compile(pattern).required]);
    expect(REQUIRED_LITERALS).toEqual(Object.fromEntries(required));
  });

  it('have at least three attacks and three harmless texts each', () => {
    const short = BUILT_IN_RULES.filter(({ id }) => {
      const { attacks, honest } = EXAMPLES[id] ?? { attacks: [], honest: [] };
      return attacks.length < 3 || honest.length < 3;
    });
    expect(short.map(({ id }) => id)).toEqual([]);
    expect(Object.keys(EXAMPLES)).toHaveLength(BUILT_IN_RULES.length);
  });

  it.each(
    Object.entries(EXAMPLES).flatMap(([id, { attacks }]) => attacks.map((text) => [id, text] as const)),
  )('%s finds %j', async (id, text) => {
    const [origin] = BUILT_IN_RULES.find((rule) => rule.id === id)?.origins ?? [];
    expect(await rulesFor(text, origin)).toContain(id);
  });

  it.each(Object.values(EXAMPLES).flatMap(({ honest }) => honest))('do not match %j', async (text) => {
    expect(await rulesFor(text)).toEqual([]);
    expect(await rulesFor(text, 'document')).toEqual([]);
  });

  it('leave prompts about assistants to the person who writes them', async () => {
    for (const { attacks } of Object.values(examples('embedded')))
      for (const text of attacks)
        expect((await rulesFor(text)).filter((id) => id.startsWith('embedded.'))).toEqual([]);
  });
});
