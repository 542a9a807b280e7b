import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { callerWarnings, argumentWarnings } from './argument-warnings.js';

const asItIs = (name: string): string => name;

describe('warnings about arguments', () => {
  it.each([
    ['a zero-width space', 'ops\u200b-1', 'contains hidden or zero-width characters'],
    ['a tag character', 'ops\u{e0041}', 'contains hidden or zero-width characters'],
    ['a control character', 'a\u0007b', 'contains hidden or zero-width characters'],
    [
      'a direction override',
      'invoice\u202efdp.exe',
      'contains characters that change the direction of the text',
    ],
    ['a Cyrillic а among Latin letters', 'p\u0430ypal', 'contains letters that look like others'],
    [
      'a Cyrillic word beside Latin ones',
      'ops@\u0430\u0440\u0440\u04cf\u0435.com',
      'contains letters that look like others',
    ],
    ['full-width letters', '\uff41\uff44\uff4d\uff49\uff4e', 'contains letters that look like others'],
    ['a tag', 'hi <b>you</b>', 'contains markup'],
    ['a link', 'see [this](https://a.example)', 'contains markup'],
    ['a very long text', 'x'.repeat(2001), 'is very long'],
  ])('cover %s', (_, text, words) => {
    expect(argumentWarnings({ order: { lines: [{ memo: text }] } }, asItIs)).toEqual([
      `"order.lines.0.memo" ${words}.`,
    ]);
  });

  it.each([
    'plain text, 5 < 6, a[i](j)?'.replace('](j)', '] (j)'),
    'Москва',
    'сухо',
    'Москва, HTML 2026',
    'αβγ and abc',
    '👩‍👩‍👧 ❤️',
    'naïve café',
    'a\tb\nc',
    42,
    null,
    true,
  ])('are empty for %j', (value) => {
    expect(argumentWarnings({ memo: value }, asItIs)).toEqual([]);
  });

  it('cover names of arguments, and escape hidden characters', () => {
    expect(argumentWarnings({ 'us\u200ber': 'x' }, asItIs)).toEqual([
      'The name of "us\\u{200b}er" contains hidden or zero-width characters.',
    ]);
  });

  it('cover names of caller and tool, without repeating them', () => {
    const call = { tool: 'r\u0435fund', stepName: 'step', principalId: '\u202eops-1', application: 'shop' };
    expect(callerWarnings(call)).toEqual([
      'The name of the tool contains letters that look like others.',
      'The id of the requester contains characters that change the direction of the text.',
    ]);
    expect(
      callerWarnings({ ...call, stepName: call.tool, principalId: null, application: null }),
    ).toHaveLength(1);
  });

  it('contain no value, and are limited in number', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('<b', '\u200b', 'p\u0430', '\u202e'), { maxLength: 200 }),
        (parts) => {
          const warnings = argumentWarnings({ parts: parts.map((part) => `${part}classified`) }, asItIs);
          expect(warnings.join()).not.toContain('classified');
          expect(warnings.length).toBeLessThanOrEqual(50);
        },
      ),
    );
  });
});
