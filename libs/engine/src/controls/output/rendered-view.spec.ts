import { describe, expect, it } from '@jest/globals';
import { runToEnd } from '../../shared/resumable.js';
import * as fc from 'fast-check';
import type { SettingValues } from '#contracts/settings/settings.schema.js';
import { DEFAULT_SETTINGS, Settings } from '#contracts/settings/settings.js';
import { DISGUISED } from '../../../../../test/support/detectors/disguised.cases.js';
import { unmarked } from '../../../../../test/support/detectors/marked.js';
import { Hygiene } from '../../record/hygiene.js';
import { Placeholders } from './detectors/placeholders.js';
import { RenderedView } from './rendered-view.js';
import { Sanitizer } from './sanitizer.js';
import { sanitizeStructure } from './structured-output.js';

const sanitizer = new Sanitizer([]);
const hygiene = new Hygiene(sanitizer);

function settings(values: Partial<SettingValues> = {}): Settings {
  return new Settings({ ...DEFAULT_SETTINGS, ...values });
}

/** Redaction alone, so that no other pass changes the text. */
const onlyRedaction = settings({
  'output_handler.sanitize_html': false,
  'output_handler.neutralize_markdown': false,
});

const cases = DISGUISED.map(([detector, marked]) => {
  const { text, spans } = unmarked(marked);
  const [start, end] = spans[0] ?? [0, 0];
  return {
    detector,
    text,
    start,
    end,
    redacted: `${text.slice(0, start)}[${detector}]${text.slice(end)}`,
  };
});

describe('a disguised secret or personal data', () => {
  it.each(cases)(
    'is redacted with its markup, $detector: $text',
    ({ detector, text, start, end, redacted }) => {
      const sanitized = sanitizer.sanitize(text, onlyRedaction);
      expect(sanitized.text).toBe(redacted);
      // Invisible characters within it are findings of their own.
      const findings = sanitized.findings.filter((one) => one.detector !== 'control_character');
      expect(findings).toEqual([expect.objectContaining({ detector, span: [start, end] })]);
      expect(sanitizer.sanitize(redacted, onlyRedaction)).toEqual({ text: redacted, findings: [] });
    },
  );

  it.each(cases)('is not kept in the audit by default, $detector: $text', ({ text, redacted }) => {
    const { content } = runToEnd(hygiene.contentOf({ text, matchedRules: [] }, settings()));
    expect(content.prompt).toBe(redacted);
  });

  it.each(cases)('is redacted in JSON, $detector: $text', ({ text, redacted }) => {
    const { value } = runToEnd(sanitizeStructure({ list: [text] }, sanitizer, onlyRedaction, 'any'));
    expect(value).toEqual({ list: [redacted] });
    const json = { list: [text] };
    const { content } = runToEnd(hygiene.contentOf({ text: JSON.stringify(json), json }, settings()));
    expect(JSON.parse(content.prompt)).toEqual({ list: [redacted] });
  });

  it('is redacted at any split of a stream, with text before and after it', () => {
    const words = fc.integer({ min: 0, max: 400 }).map((count) => 'word '.repeat(count));
    fc.assert(
      fc.property(
        fc.constantFrom(...cases.filter(({ text }) => !text.startsWith('>'))),
        words,
        words,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }),
        ({ text, redacted }, before, after, places) => {
          const whole = `${before}${text} ${after}`;
          const stream = sanitizer.begin(onlyRedaction);
          let read = 0;
          let shown = '';
          for (const border of places
            .map((place) => Math.floor(place * whole.length))
            .toSorted((a, b) => a - b)) {
            shown += runToEnd(stream.push(whole.slice(read, border)));
            read = border;
          }
          shown += runToEnd(stream.push(whole.slice(read))) + runToEnd(stream.end());
          expect(shown).toBe(`${before}${redacted} ${after}`);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is removed to its end when it is longer than the part that is held', () => {
    const jwt = `eyJ${'aB3\\_'.repeat(1500)}\\.eyJ${'xY9\\-'.repeat(1500)}\\.${'q'.repeat(43)}`;
    expect(sanitizer.redact(`See ${jwt} and so on`).text).toBe('See [jwt] and so on');
  });
});

describe('the rendered view', () => {
  const EMAIL = new Placeholders(['[email]']);
  const view = (text: string): string | null => RenderedView.of(text, EMAIL)?.text ?? null;

  it.each([
    'One plain sentence, with `code` and a [link](https://docs.a.example).',
    '* a bullet\n* another bullet\n\n**Bold** and _italic_ words, a snake_case name & more.',
    'for (const [key, value] of map) print(`${key}`);'.replaceAll('key', 'name'),
    '[email] was *redacted*.',
  ])('is not built for %j', (text) => {
    expect(view(text)).toBeNull();
  });

  it('maps every finding to a span inside the text', () => {
    const piece = fc.constantFrom(
      '4111',
      ' ',
      '**',
      '_',
      '`',
      '&#95;',
      '&nbsp;',
      '\\_',
      '\\',
      '<b>',
      '</b>',
      '<!--',
      '-->',
      '[',
      ']',
      '](x)',
      'AKIA',
      'IOSFODNN7EXAMPLE',
      '@',
      'a.example',
      '\n',
      '\u200b',
      '１',
      '[email]',
      'password: ',
      'hunter2abc',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        const rendered = RenderedView.of(text, EMAIL);
        if (rendered === null) return;
        for (let start = 0; start < rendered.text.length; start += 3) {
          const span = rendered.sourceSpan([start, Math.min(start + 4, rendered.text.length)]);
          if (span === null) continue;
          expect(span[0]).toBeGreaterThanOrEqual(0);
          expect(span[1]).toBeGreaterThan(span[0]);
          expect(span[1]).toBeLessThanOrEqual(text.length);
        }
      }),
    );
  });

  it('changes nothing the second time', () => {
    const piece = fc.constantFrom(
      '4111 1111 ',
      '1111 1111',
      '**',
      '_',
      '`',
      '&#95;',
      '&#64;',
      '&nbsp;',
      '\\_',
      '\\.',
      '<b>',
      '</b>',
      '[',
      ']',
      '](x)',
      'ghp',
      '\\_16C7e42F292c6912E7710c838347Ae178B4a',
      'AKIA',
      'IOSFODNN7EXAMPLE',
      'jane',
      '@a',
      '.example',
      '\n',
      '\u200b',
      '[email]',
      '**Password:** ',
      'hunter2abc',
      'word '.repeat(60),
      'eyJhbGciOiJIUzI1NiJ9\\.',
      'eyJzdWIiOjF9.',
      '&#x2d;'.repeat(30),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const once = sanitizer.redact(pieces.join('')).text;
        expect(sanitizer.redact(once).edits).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });
});
