import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { redactedJson } from './redacted-json.js';

const redact = (text: string): string =>
  text.replaceAll(/key-\d{3}/g, '[key]').replaceAll(/(?<=password: )\w+/g, '[secret]');

const words = fc.constantFrom('key-123', 'password', 'a key-456 b', 'city', 'hunter2', '__proto__');
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    words,
    fc.integer(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(words, tie('value'), { maxKeys: 3 }),
  ),
})).value;

describe('a JSON value without its secrets', () => {
  it('contains none, in texts or names, and is stable when redacted again', () => {
    fc.assert(
      fc.property(values, (value) => {
        const clean = redactedJson(value, redact);
        expect(JSON.stringify(clean)).not.toMatch(/key-\d{3}/);
        expect(JSON.stringify(clean)).not.toMatch(/"password":"hunter2/);
        expect(redactedJson(clean, redact)).toEqual(clean);
      }),
    );
  });

  it('is unchanged without secrets', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.stringify(redactedJson(value, (text) => text))).toBe(
          JSON.stringify(value).replaceAll(/\\u0000|\\ud[89a-f]../g, '\uFFFD'),
        );
      }),
    );
  });

  it('redacts once where nothing is found', () => {
    const asked: string[] = [];
    redactedJson({ a: 'x', b: [{ c: 'y' }] }, (text) => {
      asked.push(text);
      return text;
    });
    expect(asked).toHaveLength(1);
  });

  it('limits the depth', () => {
    let deep: unknown = 'key-123';
    for (let level = 0; level < 5000; level++) deep = [deep];
    expect(JSON.stringify(redactedJson(deep, redact))).toContain('[nested too deep]');
  });
});
