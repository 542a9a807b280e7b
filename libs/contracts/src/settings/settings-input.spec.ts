import { describe, expect, it } from '@jest/globals';
import { readSettingsInput } from './settings-input.js';

describe('an input with unknown settings', () => {
  it('is refused with the closest name for each of the first twenty, and without one for the others', () => {
    const names = Array.from({ length: 25 }, (_, index) => `modes.hitl${index}`);
    const { unknown } = readSettingsInput(
      Object.fromEntries(names.map((name) => [name, 'off'])),
      'overrides',
    );
    expect(Object.keys(unknown)).toEqual(names);
    expect(names.slice(0, 20).map((name) => unknown[name])).toEqual(
      Array.from({ length: 20 }, () => ['is not a setting; did you mean modes.hitl?']),
    );
    expect(names.slice(20).map((name) => unknown[name])).toEqual(
      Array.from({ length: 5 }, () => ['is not a setting']),
    );
  });
});
