import { describe, expect, it } from '@jest/globals';
import { exceptionWarnings, screeningExceptions } from './exception-kind.js';

const WHOLE = {
  rule_id: 'tool_abuse.shell_command',
  phrase: 'rm -rf node_modules 😀',
  application: 'docs-chat',
  reason: 'Quoted in the manual.',
  ends_at: '2026-04-30T00:00Z',
};

const reasonsOf = (...entries: readonly unknown[]): readonly string[] => {
  const parsed = screeningExceptions.parse(entries);
  return parsed.ok ? [] : parsed.reasons;
};

describe('screening exceptions', () => {
  it('are read completely, and their stored form is parsed to the same value', () => {
    const { application: _application, ...everywhere } = WHOLE;
    const parsed = screeningExceptions.parse([WHOLE, everywhere]);
    const ends_at = '2026-04-30T00:00:00.000Z';
    expect(parsed).toEqual({
      ok: true,
      value: [
        { ...WHOLE, ends_at },
        { ...everywhere, ends_at },
      ],
    });
    expect(screeningExceptions.parse(parsed.ok ? parsed.value : null)).toEqual(parsed);
    expect(screeningExceptions.parseText(JSON.stringify([WHOLE, everywhere]))).toEqual(parsed);
  });

  it.each<[string, unknown, RegExp]>([
    ['no object', 'x', /must be an object/],
    ['an unknown member', { ...WHOLE, until: 'now' }, /unknown member "until"/],
    ['no rule', { ...WHOLE, rule_id: undefined }, /^entry 1: rule_id/],
    ['a rule id of another form', { ...WHOLE, rule_id: 'Rule 1' }, /rule_id/],
    ['no phrase', { ...WHOLE, phrase: null }, /^entry 1: phrase/],
    ['a phrase of 9 characters', { ...WHOLE, phrase: '😀'.repeat(9) }, /phrase.*10 to 200/],
    ['a phrase of 201 characters', { ...WHOLE, phrase: 'x'.repeat(201) }, /phrase.*10 to 200/],
    ['a phrase of spaces', { ...WHOLE, phrase: ' '.repeat(20) }, /phrase/],
    ['a phrase with a lone surrogate', { ...WHOLE, phrase: `some phrase \ud83d` }, /phrase.*surrogates/],
    ['an empty application', { ...WHOLE, application: '' }, /^entry 1: application/],
    ['no reason', { ...WHOLE, reason: ' ' }, /^entry 1: reason/],
    ['a long reason', { ...WHOLE, reason: 'x'.repeat(501) }, /reason.*500/],
    ['no end', { ...WHOLE, ends_at: undefined }, /^entry 1: ends_at/],
    ['a day as the end', { ...WHOLE, ends_at: '2026-04-30' }, /ends_at.*UTC/],
    ['an end without a zone', { ...WHOLE, ends_at: '2026-04-30T00:00:00' }, /ends_at/],
    ['an end outside the calendar', { ...WHOLE, ends_at: '2026-02-30T00:00:00Z' }, /ends_at/],
    ['an end in hour 24', { ...WHOLE, ends_at: '2026-02-20T24:00:00Z' }, /ends_at/],
  ])('are refused with %s', (_, entry, reason) => {
    expect(reasonsOf(WHOLE, entry)).toEqual([expect.stringMatching(reason)]);
  });

  it('may have 10 to 200 code points, and at most 500 entries', () => {
    expect(reasonsOf({ ...WHOLE, phrase: '😀'.repeat(10) }, { ...WHOLE, phrase: '😀'.repeat(200) })).toEqual(
      [],
    );
    expect(reasonsOf(...Array.from({ length: 500 }, () => WHOLE))).toEqual([]);
    expect(reasonsOf(...Array.from({ length: 501 }, () => WHOLE))).toEqual(['must have at most 500 entries']);
    expect(screeningExceptions.parse({ 0: WHOLE }).ok).toBe(false);
  });

  it('names every fault of every entry, up to twenty', () => {
    expect(reasonsOf({}, { ...WHOLE, phrase: 'x' })).toEqual([
      expect.stringMatching(/^entry 0: rule_id/),
      expect.stringMatching(/^entry 0: phrase/),
      expect.stringMatching(/^entry 0: reason/),
      expect.stringMatching(/^entry 0: ends_at/),
      expect.stringMatching(/^entry 1: phrase/),
    ]);
    expect(reasonsOf(...Array.from({ length: 30 }, () => ({})))).toHaveLength(21);
  });
});

describe('warnings of exceptions', () => {
  const ending = (ends_at: string, phrase = WHOLE.phrase) => ({ ...WHOLE, ends_at, phrase });
  const now = new Date('2026-03-31T12:00:00.000Z');

  it('name exceptions that end within seven days, and those that have ended', () => {
    const warnings = exceptionWarnings(
      [
        ending('2026-04-07T12:00:00.001Z', 'the first phrase'),
        ending('2026-04-07T12:00:00.000Z', 'the second phrase'),
        ending('2026-03-31T12:00:00.001Z', 'the third phrase'),
        ending('2026-03-31T12:00:00.000Z', 'the last phrase'),
      ],
      now,
    );
    expect(warnings).toEqual([
      'input_screen.exceptions: 3 in force; matches in their phrases do not count.',
      'input_screen.exceptions: these end within 7 days: "the second phrase" (2026-04-07), "the third phrase" (2026-03-31).',
      expect.stringMatching(/have ended.*: "the last phrase" \(2026-03-31\)\.$/),
    ]);
  });

  it('are limited in number', () => {
    expect(exceptionWarnings([], now)).toEqual([]);
    const many = Array.from({ length: 30 }, (_, index) =>
      ending('2026-01-01T00:00:00.000Z', `phrase ${index}`),
    );
    expect(exceptionWarnings(many, now)).toEqual([
      expect.stringMatching(/"phrase 19" \([^)]+\), 10 more\.$/),
    ]);
  });
});
