import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { readArguments } from './tool-arguments.js';

const objects = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue());

describe('reading arguments', () => {
  it('copies an object, or its JSON text', () => {
    fc.assert(
      fc.property(objects, (given) => {
        const same = JSON.parse(JSON.stringify(given)) as unknown;
        const before = JSON.stringify(given);
        for (const raw of [given, JSON.stringify(given)]) {
          const read = readArguments(raw);
          if (!read.ok) throw new Error(JSON.stringify(read.violations));
          expect(JSON.parse(JSON.stringify(read.args))).toEqual(same);
          expect(read.args).not.toBe(given);
        }
        expect(JSON.stringify(given)).toBe(before);
      }),
    );
  });

  it.each([
    ['an array', [], '(arguments)', 'must be an object'],
    ['null', null, '(arguments)', 'must be an object'],
    ['nothing', undefined, '(arguments)', 'must be an object'],
    ['a text that is no JSON', 'amount=5', '(arguments)', 'is not valid JSON of at most 64 levels'],
    ['the JSON of an array', '[1]', '(arguments)', 'must be an object'],
    ['a key given twice', '{"user_id":1,"amount":2,"user_id":3}', 'user_id', 'appears twice'],
    ['the same key in other escapes', '{"a":{"user_id":1,"user\\u005fid":3}}', 'user_id', 'appears twice'],
    ['a function', { a: [() => 1] }, 'a.0', 'is not a JSON value'],
    ['a date', { at: new Date(0) }, 'at', 'is not a JSON value'],
    ['a number that is none', { amount: Number.NaN }, 'amount', 'is not a JSON value'],
    [
      'a name with NUL',
      '{"a\\u0000":1}',
      '(arguments)',
      'has an argument name with characters that cannot be stored',
    ],
    [
      'more than 1 MB of text',
      `{"a":"${'x'.repeat(1024 * 1024)}"}`,
      '(arguments)',
      'must not exceed 1 MB of JSON',
    ],
    [
      'more than 1 MB of object',
      { a: ['x'.repeat(1024 * 1024)] },
      '(arguments)',
      'must not exceed 1 MB of JSON',
    ],
    [
      'a very deep text',
      `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
      '(arguments)',
      'is not valid JSON of at most 64 levels',
    ],
  ])('refuses %s', (_, raw, path, reason) => {
    expect(readArguments(raw)).toEqual({ ok: false, violations: { [path]: reason } });
  });

  it('accepts the same key in two objects, and in a value', () => {
    const text = '{"a":{"k":1},"b":[{"k":"k"},{"k":"\\"k\\":"}],"k":"k"}';
    expect(readArguments(text)).toEqual({ ok: true, args: JSON.parse(text) });
  });

  it('refuses circles, repeated references and getters that throw', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    let wide: unknown = 'x';
    for (let level = 0; level < 60; level++) wide = [wide, wide];
    const trap = {
      get a(): never {
        throw new Error('no');
      },
    };
    for (const raw of [circle, { wide }, trap]) expect(readArguments(raw).ok).toBe(false);
  });

  it('replaces characters that cannot be stored', () => {
    expect(readArguments({ memo: 'a\u0000b\ud800' })).toEqual({ ok: true, args: { memo: 'a\ufffdb\ufffd' } });
    expect(readArguments({ a: undefined, b: 1 })).toEqual({ ok: true, args: { b: 1 } });
  });
});
