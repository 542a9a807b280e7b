import { describe, expect, it } from '@jest/globals';
import { boolean, integer, textList } from './setting-kinds.js';
import { defaultsOf, SETTINGS_SCHEMA, type SettingDefinition } from './settings.schema.js';

function setting<T>(kind: SettingDefinition<T>['kind'], value: T): SettingDefinition<unknown> {
  return { kind, default: value, help: '', locked: false, shown: true };
}

describe('defaults of settings', () => {
  it('are the values of the list', () => {
    expect(defaultsOf(SETTINGS_SCHEMA)).toMatchObject({ enabled: true, 'retention.days': 365 });
  });

  it('refuse to load where a default breaks the rule of its setting, and name each one', () => {
    const broken = {
      'a.days': setting(integer(1), 0),
      'a.enabled': setting(boolean, true),
      'a.names': setting(textList(1, 10), ['one', 'two']),
    };
    expect(() => defaultsOf(broken)).toThrow(/default of a\.days must be an integer[^]*default of a\.names/);
    expect(() => defaultsOf(broken)).not.toThrow(/a\.enabled/);
  });

  it('refuse to load if a default is not in canonical form', () => {
    const repeated = { 'a.names': setting(textList(5, 10), ['one', 'one']) };
    expect(() => defaultsOf(repeated)).toThrow(/a\.names is not in canonical form: \["one"\]/);
  });
});
