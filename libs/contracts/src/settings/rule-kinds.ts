import { scrubText } from '../text.js';
import { fits, isLonger, jsonText, misfits, type Parsed, type SettingKind } from './setting-kind.js';
import { oneOf } from './setting-kinds.js';

const RULE_ID = /^[a-z][a-z0-9_.-]{0,99}$/;

function isPlainObject(raw: unknown): raw is Record<string, unknown> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}

/** Rule id → value, in the order of the ids: what is kept as text keeps that order. */
function byRuleId<T>(
  name: string,
  maximum: number,
  values: SettingKind<T>['schema'],
  item: (raw: unknown) => Parsed<T>,
): SettingKind<Readonly<Record<string, T>>> {
  const kind: SettingKind<Readonly<Record<string, T>>> = {
    name,
    schema: {
      type: 'object',
      propertyNames: { pattern: RULE_ID.source },
      additionalProperties: values,
      maxProperties: maximum,
    },
    parse(raw) {
      if (!isPlainObject(raw)) return misfits('must be an object of rule ids');
      const ids = Object.keys(raw).toSorted();
      if (ids.length > maximum) return misfits(`must have at most ${maximum} entries`);
      const entries: [string, T][] = [];
      const reasons: string[] = [];
      for (const id of ids) {
        if (!RULE_ID.test(id)) {
          reasons.push(
            `has the rule id ${JSON.stringify(id.slice(0, 120))}, which must start with a small letter and hold only a-z 0-9 _ . - (100 characters at most)`,
          );
          continue;
        }
        const parsed = item(raw[id]);
        if (parsed.ok) entries.push([id, parsed.value]);
        else reasons.push(...parsed.reasons.map((reason) => `rule ${id} ${reason}`));
      }
      return reasons.length > 0 ? misfits(...reasons) : fits(Object.freeze(Object.fromEntries(entries)));
    },
    parseText(raw) {
      const json = jsonText(raw);
      return json.ok ? kind.parse(json.value) : json;
    },
  };
  return kind;
}

const DELIMITED = /^\/(.*)\/([a-z]*)$/su;

/** A pattern as it is kept and returned: `/source/flags`. A bare one is case-insensitive. */
export function canonicalPattern(pattern: string): string {
  return DELIMITED.test(pattern) && pattern.length > 2
    ? pattern
    : `/${pattern.replaceAll(/(?<!\\)((?:\\\\)*)\//g, '$1\\/')}/i`;
}

/** Whether each one compiles in the linear engine is the engine's to say. */
export function patterns(maximum: number, length: number): SettingKind<Readonly<Record<string, string>>> {
  const values = { type: 'string', minLength: 1 };
  return byRuleId(`object of at most ${maximum} patterns`, maximum, values, (raw) => {
    if (typeof raw !== 'string' || raw === '' || raw === '//') return misfits('must be a non-empty pattern');
    if (isLonger(raw, length)) return misfits(`must have at most ${length} characters`);
    return fits(canonicalPattern(scrubText(raw)));
  });
}

export function ruleModes<const Choice extends string>(
  ...choices: readonly Choice[]
): SettingKind<Readonly<Record<string, Choice>>> {
  const one = oneOf(...choices);
  return { ...byRuleId('object of rule modes', 1000, one.schema, one.parse), choices };
}
