import { describe, expect, it } from '@jest/globals';
import { DEFAULT_SETTINGS, Settings } from '#contracts/settings/settings.js';
import { Sanitizer, type SanitizerOptions } from './sanitizer.js';

const sanitizer = new Sanitizer([]);
const settings = new Settings(DEFAULT_SETTINGS);
const RENDERINGS = ['any', 'markdown'] as const;

describe('a text that consists of little else than markup', () => {
  it.each(RENDERINGS)('is broken as a whole after the first thousands of constructs (%s)', (rendering) => {
    const text = '[a][b]![c](d) <p>\\href '.repeat(2500);
    const { text: clean, findings } = sanitize(text, { rendering });
    const end = clean.slice(-2000);
    expect(end).not.toMatch(/!\[|\]\(|\]\[|<|\\[a-z]/);
    expect(end).toContain(']!\u2060[c]\u2060(d) &lt;p>');
    expect(findings.at(-1)?.span[1]).toBeGreaterThan(text.length - 200);
  });

  it.each(RENDERINGS)('gives the same result in chunks, and again (%s)', (rendering) => {
    const text = '![a](http://b.test/c) x: <b>d</b> &#58; '.repeat(1200);
    const whole = sanitize(text, { rendering }).text;
    const session = sanitizer.begin(settings, { rendering });
    let streamed = '';
    for (let at = 0; at < text.length; at += 977) streamed += session.push(text.slice(at, at + 977));
    expect(streamed + session.end()).toBe(whole);
    expect(sanitize(whole, { rendering }).text).toBe(whole);
  });

  it.each(RENDERINGS)('leaves lists of links whole, wherever a stretch ends (%s)', (rendering) => {
    const line = (number: number): string =>
      `- [Section ${String(number)}: setup guide](https://docs.example.com/guide/section-${String(number)}#top) - notes\n`;
    for (let lines = 20; lines < 60; lines++) {
      const text = Array.from({ length: lines }, (_, index) => line(index)).join('');
      expect(sanitize(text, { rendering })).toEqual({ text, findings: [] });
    }
  });

  it('does not apply to a long list of links', () => {
    const text = Array.from(
      { length: 3000 },
      (_, number) =>
        `- [Article ${String(number)}](https://docs.example.com/articles/${String(number)}): a title\n`,
    ).join('');
    expect(sanitize(text, { rendering: 'any' })).toEqual({ text, findings: [] });
  });

  it('does not apply to a long table with code and links', () => {
    const rows = Array.from(
      { length: 2000 },
      (_, number) =>
        `| \`option${String(number)}\` | \`string\` | see [the guide](/guide#o${String(number)}) |\n`,
    );
    const text = `| name | type | notes |\n|---|---|---|\n${rows.join('')}`;
    expect(sanitize(text, { rendering: 'markdown' })).toEqual({ text, findings: [] });
  });
});

function sanitize(text: string, options: SanitizerOptions) {
  return sanitizer.sanitize(text, settings, options);
}
