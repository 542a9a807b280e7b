import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Redactor, type Redaction, type DecisionDraft } from '../shared/ports.js';
import type { PolicyRecord } from '#contracts/policies/policies.js';
import type { SettingValues } from '#contracts/settings/settings.schema.js';
import { DEFAULT_SETTINGS, Settings } from '#contracts/settings/settings.js';
import { Hygiene, type KeptContent } from './hygiene.js';
import { Detector, MAX_RECORDED_FINDINGS } from '#contracts/output/output.js';
import { Sanitizer } from '../controls/output/sanitizer.js';
import { type Resumable, runToEnd } from '../shared/resumable.js';

/** Finds `key-` with sixteen digits, and any value after the name `password`. */
class Keys extends Redactor {
  // eslint-disable-next-line require-yield
  override *redacting(text: string): Resumable<Redaction> {
    const edits = Array.from(text.matchAll(/key-\d{16}|(?<=password: )\S+/g), ({ index, 0: { length } }) => ({
      span: [index, index + length] as const,
      replacement: '[key]',
    }));
    let clean = '';
    let from = 0;
    for (const { span, replacement } of edits) {
      clean += text.slice(from, span[0]) + replacement;
      from = span[1];
    }
    return { text: clean + text.slice(from), edits };
  }

  override redactSecrets(text: string): string {
    return this.redact(text).text;
  }
}

const KEY = 'key-1234567890123456';
const hygiene = new Hygiene(new Keys());

function settings(values: Partial<SettingValues> = {}): Settings {
  return new Settings({ ...DEFAULT_SETTINGS, 'audit_hygiene.hash_key': 'k'.repeat(32), ...values });
}

function kept(
  ruling: Pick<DecisionDraft, 'text' | 'json' | 'tooLong' | 'matchedRules' | 'alteration'>,
  values: Partial<SettingValues> = {},
): KeptContent {
  return runToEnd(hygiene.contentOf(ruling, settings(values))).content;
}

const storages = fc.constantFrom('redact' as const, 'truncate' as const, 'hash' as const);

describe('the stored text', () => {
  it('is redacted before it is cut, at any limit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(KEY, 'a', '😀', ' '), { maxLength: 30 }).map((parts) => parts.join(' ')),
        fc.integer({ min: 1, max: 200 }),
        fc.boolean(),
        storages,
        (text, limit, tooLong, storage) => {
          const values = { 'audit_hygiene.truncate_at': limit, 'audit_hygiene.prompt_storage': storage };
          const { prompt } = kept({ text, tooLong }, values);
          expect(prompt).not.toMatch(/key-\d/);
        },
      ),
    );
  });

  it('is only the head of a text that is too long to be judged', () => {
    const text = `${'a'.repeat(5)}${KEY}${'b'.repeat(100_000)}`;
    const limit = { 'audit_hygiene.truncate_at': 10 };
    expect(kept({ text, tooLong: true }, limit)).toMatchObject({ storage: 'truncate', prompt: 'aaaaa[key]' });
    expect(kept({ text, tooLong: true }, { ...limit, 'audit_hygiene.prompt_storage': 'raw' }).prompt).toBe(
      'aaaaakey-1',
    );
  });

  it('has every string and name of JSON redacted, before escapes are written', () => {
    const json = {
      [KEY]: 1,
      note: `a"\n${KEY}\u0007`,
      password: 'hunter2',
      list: [{ password: ['hunter2', { deep: KEY }] }],
      amount: 5,
    };
    const { prompt } = kept({ text: JSON.stringify(json), json });
    expect(prompt).toBe(
      '{"[key]":1,"note":"a\\"\\n[key]\\u0007","password":"[key]","list":[{"password":["[key]",{"deep":"[key]"}]}],"amount":5}',
    );
    const raw = kept({ text: '', json }, { 'audit_hygiene.prompt_storage': 'raw' });
    expect(raw.prompt).toBe(JSON.stringify(json));
  });

  it('is limited to 65,536 characters of JSON', () => {
    const json = { note: 'x'.repeat(200_000) };
    expect(kept({ text: JSON.stringify(json), json }).prompt).toHaveLength(65_536);
  });

  it.each([
    ['plain', {}, 'redact', null],
    ['plain', {}, 'truncate', null],
    ['plain', { tooLong: true }, 'redact', null],
    ['plain', {}, 'hash', null],
    ['plain', { alteration: 'serialized' }, 'raw', 'serialized'],
    [`a ${KEY}`, {}, 'redact', 'edited'],
    [`a ${KEY}`, {}, 'raw', null],
    ['a\u0000', {}, 'raw', 'edited'],
    ['a text of more than twenty characters', {}, 'redact', null],
    ['a text of more than twenty characters', {}, 'truncate', 'truncated'],
    ['a text of more than twenty characters', { tooLong: true }, 'raw', 'truncated'],
  ] as const)('records, for %j with %j under %s, the alteration %s', (text, parts, storage, alteration) => {
    const values = { 'audit_hygiene.prompt_storage': storage, 'audit_hygiene.truncate_at': 20 };
    expect(kept({ text, ...parts }, values).alteration).toBe(alteration);
  });

  it('keeps the matched text after redaction moves it', () => {
    const text = `${KEY} ignore all`;
    const match = {
      text,
      matchedRules: [{ ruleId: 'override', span: [KEY.length + 1, text.length] as const }],
    };
    expect(kept(match)).toMatchObject({
      prompt: '[key] ignore all',
      matchedSpan: null,
      matchedText: 'ignore all',
    });
    expect(kept(match, { 'audit_hygiene.prompt_storage': 'raw' })).toMatchObject({
      matchedSpan: [21, 31],
      matchedText: 'ignore all',
    });
  });

  it('is withheld if a detector of the host throws', () => {
    class Throws extends Detector {
      override readonly name = 'down';
      override readonly kind = 'secret_redaction';
      override find(): never {
        throw new Error('the detector is down');
      }
    }
    const cautious = new Hygiene(new Sanitizer([new Throws()]));
    const span = [0, 3] as const;
    const { content } = runToEnd(
      cautious.contentOf({ text: KEY, matchedRules: [{ ruleId: 'a', span }] }, settings()),
    );
    expect(content).toMatchObject({ prompt: '[withheld]', matchedText: '[withheld]' });
    expect(cautious.violationsOf({ [KEY]: 'is required' }, settings())).toEqual({
      violations: { '[withheld]': 'is required' },
      violationCount: 1,
    });
  });
});

describe('stored violations', () => {
  it('have redacted names, also when they are cut', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 220 }), storages, (before, storage) => {
        const given = { [`${'n'.repeat(before)}.${KEY}`]: 'is not declared by the tool' };
        const { violations } = hygiene.violationsOf(
          given,
          settings({ 'audit_hygiene.prompt_storage': storage }),
        );
        expect(JSON.stringify(violations)).not.toMatch(/key-\d/);
      }),
    );
  });

  it('are limited to 50, with the full count', () => {
    const many = Object.fromEntries(
      Array.from({ length: 80 }, (_, index) => [`${index}${'k'.repeat(300)}`, 'r'.repeat(900)]),
    );
    const { violations, violationCount } = hygiene.violationsOf(many, settings());
    expect([Object.keys(violations).length, violationCount]).toEqual([50, 80]);
    for (const [path, reason] of Object.entries(violations)) {
      expect([path.length, reason.length]).toEqual([200, 500]);
    }
  });

  it('are unchanged under raw', () => {
    const raw = settings({ 'audit_hygiene.prompt_storage': 'raw' });
    expect(hygiene.violationsOf({ [KEY]: 'is required' }, raw).violations).toEqual({ [KEY]: 'is required' });
  });
});

describe('the record of a policy', () => {
  const record: PolicyRecord = {
    require: 'approval',
    approvers: 1,
    rule: 2,
    group: null,
    ttl: null,
    reason: null,
    arguments: {
      '/amount': { value: 25 },
      '/flag': { value: true },
      '/note': { value: KEY },
      '/login/password': { value: 'hunter2' },
      '/password/0': { value: 'hunter2' },
      '/long': { value: 'x'.repeat(1001) },
      '/gone': { kind: 'missing' },
    },
    spent: {},
    code: null,
  };
  const argumentsUnder = (values: Partial<SettingValues> = {}): unknown => {
    const text = hygiene.policyOf(record, settings(values)) ?? '{}';
    expect(text).not.toMatch(/hunter2|key-\d{16}/);
    return (JSON.parse(text) as PolicyRecord).arguments;
  };

  it('keeps values that hygiene would keep, and withholds others', () => {
    const withheld = { kind: 'withheld' };
    const unchanged = { '/amount': { value: 25 }, '/flag': { value: true }, '/gone': { kind: 'missing' } };
    const others = {
      '/note': withheld,
      '/login/password': withheld,
      '/password/0': withheld,
      '/long': withheld,
    };
    expect(argumentsUnder()).toEqual({ ...unchanged, ...others });
    const hashed = { 'audit_hygiene.prompt_storage': 'hash' } as const;
    expect(argumentsUnder(hashed)).toEqual({ ...unchanged, ...others, '/amount': withheld });
  });

  it('is null without a policy', () => expect(hygiene.policyOf(undefined, settings())).toBeNull());
});

describe('stored findings', () => {
  const found = (span: readonly [number, number], kind = 'secret_redaction' as const, detector = 'key') => ({
    kind,
    detector,
    span,
  });
  const stored = (text: string, findings: DecisionDraft['findings'], values: Partial<SettingValues> = {}) => {
    const { content, findings: recorded } = runToEnd(hygiene.contentOf({ text, findings }, settings(values)));
    const bytes = Buffer.from(content.prompt);
    return recorded.map(({ span }) => (span === null ? null : bytes.subarray(...span).toString()));
  };

  it('are placed in the stored text, behind characters of several bytes', () => {
    const text = `😀é ${KEY} <b> ${KEY}`;
    const at = (part: string, from = 0): readonly [number, number] => {
      const start = text.indexOf(part, from);
      return [start, start + part.length];
    };
    const findings = [
      found(at(KEY)),
      found(at('<b>')),
      found(at(KEY, 10)),
      found([at(KEY)[0] + 2, at('<b>')[1]]),
    ];
    expect(stored(text, findings)).toEqual(['[key]', '<b>', '[key]', '[key] <b>']);
    expect(stored(text, findings, { 'audit_hygiene.prompt_storage': 'raw' })).toEqual([
      KEY,
      '<b>',
      KEY,
      text.slice(text.indexOf(KEY) + 2, text.indexOf('<b>') + 3),
    ]);
  });

  it('have no position in a hash, after a truncation, and in a structure', () => {
    const text = `<b> ${'a'.repeat(30)} <i>`;
    const findings = [found([0, 3]), found([35, 38])];
    expect(stored(text, findings, { 'audit_hygiene.prompt_storage': 'hash' })).toEqual([null, null]);
    const values = { 'audit_hygiene.prompt_storage': 'truncate', 'audit_hygiene.truncate_at': 20 } as const;
    expect(stored(text, findings, values)).toEqual(['<b>', null]);
    const structure = runToEnd(hygiene.contentOf({ text, findings, alteration: 'serialized' }, settings()));
    expect(structure.findings.map(({ span }) => span)).toEqual([null, null]);
  });

  it('are limited, but keep one of every detector', () => {
    const many = Array.from({ length: 1000 }, (_, index) => found([index, index + 1]));
    const last = found([1000, 1001], 'secret_redaction', 'rare');
    const { findings } = runToEnd(
      hygiene.contentOf({ text: '<'.repeat(1001), findings: [...many, last] }, settings()),
    );
    expect(findings).toHaveLength(MAX_RECORDED_FINDINGS + 1);
    expect(findings.at(-1)).toEqual({ ...last, span: [1000, 1001] });
  });
});
