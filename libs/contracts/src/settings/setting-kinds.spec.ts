import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  boolean,
  canonicalPattern,
  choiceList,
  hostList,
  integer,
  patterns,
  ruleModes,
  text,
  textList,
} from './setting-kinds.js';

const value = (parsed: { ok: boolean; value?: unknown }): unknown => (parsed.ok ? parsed.value : 'refused');

describe('setting kinds', () => {
  it.each([
    [true, true],
    ['true', true],
    [1, true],
    ['1', true],
    [false, false],
    ['false', false],
    [0, false],
    ['0', false],
    ['yes', 'refused'],
    ['TRUE', 'refused'],
    [2, 'refused'],
    [null, 'refused'],
    [[true], 'refused'],
  ])('a boolean reads %j as %j', (raw, expected) => expect(value(boolean.parse(raw))).toBe(expected));

  it.each([
    'cdn.example.com',
    '*.example.com',
    'cdn.example.com/images/',
    '*.example.com/signed/?',
    'пример.рф',
  ])('an allowed host may be %j', (entry) => expect(value(hostList.parse([entry]))).toEqual([entry]));

  it.each([
    'https://cdn.example.com',
    'cdn.example.com:8443',
    'user@example.com',
    'a.example/b?c',
    'a.example/#b',
    '',
  ])('an allowed host is not %j', (entry) =>
    expect(hostList.parse([entry])).toEqual({
      ok: false,
      reasons: [
        'entry 0 must be a host without a scheme, such as cdn.example.com, *.example.com or cdn.example.com/images/',
      ],
    }),
  );

  it.each([
    [5, 5],
    ['5', 5],
    ['05', 'refused'],
    ['5.0', 'refused'],
    ['1e3', 'refused'],
    [1.5, 'refused'],
    [0, 'refused'],
    [-5, 'refused'],
    [Number.NaN, 'refused'],
    ['9007199254740993', 'refused'],
    [true, 'refused'],
  ])('an integer of at least 1 reads %j as %j', (raw, expected) =>
    expect(value(integer(1).parse(raw))).toBe(expected),
  );

  it('a text is neither empty nor too long nor a number', () => {
    expect(value(text(5).parse('hello'))).toBe('hello');
    for (const raw of ['', '   ', 'hello!', 5, null]) expect(value(text(5).parse(raw))).toBe('refused');
  });

  it('a list preserves its order, removes duplicates, and names an invalid entry', () => {
    expect(value(textList(3, 5).parse(['b', 'a', 'b']))).toEqual(['b', 'a']);
    expect(textList(3, 5).parse(['a', ''])).toMatchObject({ reasons: [expect.stringContaining('entry 1')] });
    for (const raw of ['a', [1], ['a', 'b', 'c', 'd'], ['toolong'], { 0: 'a' }]) {
      expect(value(textList(3, 5).parse(raw))).toBe('refused');
    }
    expect(value(choiceList('hex', 'leet').parse(['leet']))).toEqual(['leet']);
    expect(value(choiceList('hex', 'leet').parse(['rot13']))).toBe('refused');
  });

  it('reads lists from the environment by commas or as JSON', () => {
    expect(value(textList(3, 9).parseText('a, b'))).toEqual(['a', 'b']);
    expect(value(textList(3, 9).parseText('["a","b"]'))).toEqual(['a', 'b']);
    expect(value(textList(3, 9).parseText(''))).toEqual([]);
    expect(value(textList(3, 9).parseText('[broken'))).toBe('refused');
  });

  it('patterns are sorted by id and delimited', () => {
    const parsed = patterns(3, 20).parse({ 'z.rule': '/x/i', 'a-rule': 'plain' });
    expect(parsed).toEqual({ ok: true, value: { 'a-rule': '/plain/i', 'z.rule': '/x/i' } });
    expect(Object.keys(value(parsed) as object)).toEqual(['a-rule', 'z.rule']);
    for (const raw of [
      { UPPER: 'x' },
      { '1': 'x' },
      { ok: '' },
      { ok: 5 },
      { ok: 'x'.repeat(21) },
      [],
      'x',
    ]) {
      expect(value(patterns(3, 20).parse(raw))).toBe('refused');
    }
  });

  it('the canonical form of a pattern is stable', () => {
    expect(canonicalPattern('a/b')).toBe('/a\\/b/i');
    expect(canonicalPattern('a\\/b')).toBe('/a\\/b/i');
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (pattern) => {
        const once = canonicalPattern(pattern);
        expect(canonicalPattern(once)).toBe(once);
      }),
    );
  });

  it('rule modes are modes by rule id', () => {
    expect(value(ruleModes('enforce', 'off').parse({ rule: 'off' }))).toEqual({ rule: 'off' });
    expect(value(ruleModes('enforce', 'off').parse({ rule: 'on' }))).toBe('refused');
  });
});
