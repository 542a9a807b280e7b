import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { scrubText } from '#contracts/common/text.js';
import {
  filterText,
  flag,
  pageSize,
  positiveId,
  queryParameters,
  QueryReader,
  type QueryKind,
} from './query-reader.js';
import { pathOf, queryOf } from './routes.js';
import {
  clamp,
  bucketsOf,
  endOfDay,
  parseInstant,
  startOfDay,
  statisticsWindow,
  trendWindow,
} from './time-window.js';

const valueOf = <T>(kind: QueryKind<T>, text: string): T | 'refused' => {
  const parsed = kind(text);
  return parsed.ok ? parsed.value : 'refused';
};

const timeOf = (text: string): string => {
  const parsed = parseInstant(text);
  return parsed.ok ? new Date(parsed.value.time).toISOString() : 'refused';
};

const reader = (query: string): QueryReader => new QueryReader(queryParameters(query));

const date = fc.date({
  min: new Date('0001-01-01'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});

describe('contract 3.4: a raw query', () => {
  it('decodes any scalar that was encoded into it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (value) => {
        const query = new URLSearchParams({ q: value }).toString();
        expect(queryParameters(query).scalars.get('q')).toBe(scrubText(value));
      }),
    );
  });

  it.each([
    'rule_id=a&rule_id=b',
    'rule_id=a&rule_id=',
    'rule_id[]=a',
    'rule_id[x]=a',
    'rule_id%5B%5D=a',
    'rule_id[]=a&rule_id=b',
    'rule_id=b&rule_id[]=a',
    'rule_id[=a',
    'rule%5Fid=a&rule_id=b',
    'rule_id=',
    'rule_id',
    '',
    '&&=&=x',
  ])('ignores %p', (query) => {
    expect(queryParameters(query).scalars.has('rule_id')).toBe(false);
  });

  it('never throws on arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (query) => {
        const values = [...queryParameters(query).scalars.values()];
        expect(values.every((value) => value === scrubText(value) && value !== '')).toBe(true);
      }),
    );
    expect(queryParameters('q=%E0%A4%A&x=100%25+off').scalars.get('x')).toBe('100% off');
    expect(queryParameters('q=%00%').scalars.get('q')).toBe('\uFFFD%');
    expect(queryParameters('__proto__=1&constructor=2').scalars.get('constructor')).toBe('2');
  });

  it('is read from every form of a request line', () => {
    expect([pathOf('/a/b?x=1#y'), queryOf('/a/b?x=1#y')]).toEqual(['/a/b', 'x=1']);
    expect([pathOf('http://h:1/a?b?c'), queryOf('http://h:1/a?b?c')]).toEqual(['/a', 'b?c']);
    expect(queryOf('/a')).toBe('');
  });
});

describe('contract 3.1 and 3.6: scalars', () => {
  it.each([
    ['1', 1],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['9007199254740992', 'refused'],
    ['9007199254740993', 'refused'],
    ['0', 'refused'],
    ['-1', 'refused'],
    ['01', 'refused'],
    ['1e3', 'refused'],
    ['1.0', 'refused'],
    [' 1', 'refused'],
    ['0x10', 'refused'],
    ['٣', 'refused'],
  ])('a cursor of %p is %p', (text, expected) => {
    expect(valueOf(positiveId, text)).toBe(expected);
  });

  it.each([
    ['1', 1],
    ['200', 200],
    ['201', 200],
    ['99999999999999999999', 200],
    ['0', 'refused'],
    ['-1', 'refused'],
    ['ten', 'refused'],
  ])('a limit of %p is %p', (text, expected) => {
    expect(valueOf(pageSize(200), text)).toBe(expected);
  });

  it.each([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
    ['TRUE', 'refused'],
    ['maybe', 'refused'],
  ])('a flag of %p is %p', (text, expected) => {
    expect(valueOf(flag, text)).toBe(expected);
  });

  it('limits a filter to 500 code points', () => {
    expect(valueOf(filterText, '🛡'.repeat(500))).toBe('🛡'.repeat(500));
    expect(valueOf(filterText, 'x'.repeat(501))).toBe('refused');
  });

  it('names every invalid parameter in one error', () => {
    const query = reader('cursor=abc&limit=-1&from=tomorrow');
    query.read('cursor', positiveId);
    query.read('limit', pageSize(200));
    query.readRange();
    expect(() => query.assertValid()).toThrow(
      expect.objectContaining({
        code: 'invalid_query',
        fields: { cursor: [expect.any(String)], limit: [expect.any(String)], from: [expect.any(String)] },
      }),
    );
  });
});

describe('contract 3.3: instants', () => {
  it('parses every date that JavaScript formats', () => {
    fc.assert(
      fc.property(date, (instant) => {
        expect(timeOf(instant.toISOString())).toBe(instant.toISOString());
      }),
    );
  });

  it.each([
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-03-31T12:30', '2026-03-31T12:30:00.000Z'],
    ['2026-03-31T12:30:15', '2026-03-31T12:30:15.000Z'],
    ['2026-03-31T00:30:00.250+02:00', '2026-03-30T22:30:00.250Z'],
    ['2026-03-31T23:30:00-05:30', '2026-04-01T05:00:00.000Z'],
    ['0001-01-01T00:00+23:59', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59-23:59', '9999-12-31T23:59:59.999Z'],
    ['0099-06-01', '0099-06-01T00:00:00.000Z'],
  ])('parses %p as %p', (text, expected) => {
    expect(timeOf(text)).toBe(expected);
  });

  it.each([
    '2025-02-29',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-01-32',
    '0000-01-01',
    '2026-1-1',
    '20260101',
    '2026-W01-1',
    '2026-01-01T24:00',
    '2026-01-01T12:60',
    '2026-01-01T23:59:60Z',
    '2026-01-01T12',
    '2026-01-01T12:00:00.1',
    '2026-01-01T12:00:00,000',
    '2026-01-01T12:00+2',
    '2026-01-01T12:00+24:00',
    '2026-01-01T12:00+02:60',
    '2026-01-01Z',
    '2026-01-01t12:00z',
    '2026-01-01 12:00',
    '+002026-01-01',
    'tomorrow',
    '1767225600',
    '2026-01-01\n',
  ])('%p is refused', (text) => {
    expect(timeOf(text)).toBe('refused');
  });

  it('includes the whole day of a bare upper date, and refuses a reversed range', () => {
    const day = reader('from=2026-03-31&to=2026-03-31');
    expect(day.readRange()).toEqual({
      from: new Date('2026-03-31T00:00:00.000Z'),
      to: new Date('2026-03-31T23:59:59.999Z'),
    });
    const reversed = reader('from=2026-04-01&to=2026-03-31');
    reversed.readRange();
    expect(() => reversed.assertValid()).toThrow(expect.objectContaining({ code: 'invalid_query' }));
  });
});

describe('contract 5: the window of a trend', () => {
  const now = new Date('2026-03-31T12:00:00.000Z');

  it('covers the last thirty days including today by default', () => {
    expect(bucketsOf(trendWindow({}, now))).toHaveLength(30);
    expect(bucketsOf(trendWindow({}, now)).at(-1)).toBe('2026-03-31');
    expect(bucketsOf(statisticsWindow({ to: new Date('2020-02-29T10:00:00Z') }, now)).at(-1)).toBe(
      '2020-02-29',
    );
  });

  it('has at most 366 days, keeps its end, and lists each day once in order', () => {
    fc.assert(
      fc.property(date, date, (one, other) => {
        const [from, to] = one < other ? [one, other] : [other, one];
        const window = trendWindow({ from, to }, now);
        const days = bucketsOf(window);
        expect(window.to).toEqual(to);
        expect(days.length).toBeGreaterThan(0);
        expect(days.length).toBeLessThanOrEqual(366);
        expect(days.at(-1)).toBe(to.toISOString().slice(0, 10));
        expect(days).toEqual([...new Set(days)].toSorted((a, b) => (a < b ? -1 : 1)));
      }),
    );
  });

  it('starts in the future if only a later start is given', () => {
    expect(bucketsOf(trendWindow({ from: new Date('2030-01-01T00:00:00Z') }, now))).toEqual(['2030-01-01']);
  });

  it('stays within the years that SQL dialects can compare', () => {
    fc.assert(
      fc.property(date, (instant) => {
        const time = instant.getTime();
        expect(startOfDay(time)).toBeLessThanOrEqual(time);
        expect(endOfDay(time)).toBeGreaterThanOrEqual(time);
        expect(clamp(time)).toBe(time);
      }),
    );
  });
});
