import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { canonicalJson, digestOf } from './plain-json.js';

const json = fc.jsonValue({ noUnicodeString: false });

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

describe('canonical JSON', () => {
  it('represents the value, independent of the order of keys', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        expect(digestOf(reversed(value))).toBe(digestOf(value));
      }),
    );
  });

  it('writes as RFC 8785 does', () => {
    expect(
      canonicalJson({ b: [1e21, 1e-7, -0, 100, 0.1], '€': '\u000f\n"\\', a: null, '\u{1f600}': true }),
    ).toBe('{"a":null,"b":[1e+21,1e-7,0,100,0.1],"€":"\\u000f\\n\\"\\\\","😀":true}');
    expect(canonicalJson({ '\ufb33': 1, '\u{1f600}': 2 })).toBe('{"\u{1f600}":2,"\ufb33":1}');
  });

  it.each([
    ['undefined', undefined],
    ['a function', () => 1],
    ['NaN', Number.NaN],
    ['infinity', [Infinity]],
    ['a big integer', 1n],
    ['a class instance', new Map()],
    ['a date', { at: new Date(0) }],
    ['an undefined member', { a: undefined }],
    ['a lone surrogate', '\ud800'],
  ])('refuses %s', (_, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });

  it('refuses circular references and deep nesting without exceeding the stack', () => {
    const circle: Record<string, unknown> = {};
    Object.assign(circle, { one: circle, two: circle });
    expect(() => canonicalJson(circle)).toThrow(/nested deeper than 200/);
    expect(() => canonicalJson(nested(100_000))).toThrow(/nested deeper than 200/);
    expect(canonicalJson(nested(200))).toHaveLength(400);
  });
});
