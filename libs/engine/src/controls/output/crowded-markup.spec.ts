import { describe, expect, it } from '@jest/globals';
import { runToEnd } from '../../shared/resumable.js';
import { DEFAULT_SETTINGS, Settings } from '#contracts/settings/settings.js';
import { Sanitizer, type SanitizerOptions } from './sanitizer.js';

const sanitizer = new Sanitizer([]);
const settings = new Settings(DEFAULT_SETTINGS);
const RENDERINGS = ['any', 'markdown'] as const;

/** Lines of long documents with much markup. */
const HONEST: Readonly<Record<string, (number: number) => string>> = {
  'a list of links': (number) =>
    `- [Article ${String(number)}](https://docs.example.com/articles/${String(number)}): a title\n`,
  'a changelog': (number) =>
    `- Fix the order of keys ([#${String(number)}](https://git.example.com/a/pull/${String(number)}), [@dev](https://git.example.com/dev))\n`,
  'a reference of options': (number) =>
    `| \`option${String(number)}\` | \`string\` | see [the guide](/guide#o${String(number)}) |\n`,
  'short definitions': (number) => `**word${String(number)}**: \`a\` or \`b\`\n\n`,
  'numbered sections': (number) => `### ${String(number)}. Setup\n\n1. Open it.\n2. Run \`npm i\`.\n\n`,
  'C++ code': (number) =>
    `  std::vector<int> list${String(number)} = make::list(std::move(part));\n`.replace('<int>', '< int >'),
  'a style sheet': (number) => `.c${String(number)}{color:red;margin:0 auto;display:none}\n`,
  'short paragraphs': (number) => `Yes, ${String(number)}.\n\n`,
};

describe('a text that consists of little else than markup', () => {
  it.each(RENDERINGS)('is broken as a whole after the first thousands of constructs (%s)', (rendering) => {
    const text = '[a][b]![c](d) <p>\\href '.repeat(2500);
    const { text: clean, findings } = sanitize(text, { rendering });
    const end = clean.slice(-2000);
    expect(end).not.toMatch(/!\[|\]\(|\]\[|<|\\[a-z]/);
    expect(end).toContain('[a]-[b]! [c]-(d) &lt;p>');
    expect(findings.at(-1)?.span[1]).toBeGreaterThan(text.length - 200);
  });

  it.each(RENDERINGS)('gives the same result in chunks, and again (%s)', (rendering) => {
    const text = '![a](http://b.test/c) x: <b>d</b> &#58; '.repeat(1200);
    const whole = sanitize(text, { rendering }).text;
    const session = sanitizer.begin(settings, { rendering });
    let streamed = '';
    for (let at = 0; at < text.length; at += 977)
      streamed += runToEnd(session.push(text.slice(at, at + 977)));
    expect(streamed + runToEnd(session.end())).toBe(whole);
    expect(sanitize(whole, { rendering }).text).toBe(whole);
  });

  it.each(RENDERINGS)('does not change lists of links of any length (%s)', (rendering) => {
    const line = (number: number): string =>
      `- [Section ${String(number)}: setup guide](https://docs.example.com/guide/section-${String(number)}#top) - notes\n`;
    for (let lines = 20; lines < 60; lines++) {
      const text = Array.from({ length: lines }, (_, index) => line(index)).join('');
      expect(sanitize(text, { rendering })).toEqual({ text, findings: [] });
    }
  });

  it.each(RENDERINGS)(
    'gives the same result in chunks where most findings are personal data (%s)',
    (rendering) => {
      const text = 'a@b.co, 8.8.8.8; [x](c@d.co) '.repeat(3000);
      const whole = sanitize(text, { rendering }).text;
      expect(whole).not.toMatch(/@|8\.8/);
      const session = sanitizer.begin(settings, { rendering });
      let streamed = '';
      for (let at = 0; at < text.length; at += 1013)
        streamed += runToEnd(session.push(text.slice(at, at + 1013)));
      expect(streamed + runToEnd(session.end())).toBe(whole);
    },
  );

  it('counts every part of a text once', () => {
    const tags = '</p>'.repeat(25_000);
    const chosen = new Settings({ ...DEFAULT_SETTINGS, 'output_handler.html_mode': 'escape' });
    const { text: clean, findings } = sanitizer.sanitize(tags, chosen, { rendering: 'any' });
    expect(clean).toBe(tags.replaceAll('<', '&lt;'));
    expect(findings.length).toBeLessThan(22_000);
  });

  it.each(Object.entries(HONEST).flatMap(([name, line]) => RENDERINGS.map((r) => [name, r, line] as const)))(
    'does not apply to 500 KB of %s (%s)',
    (_, rendering, line) => {
      const lines: string[] = [];
      for (let length = 0, number = 0; length < 500_000; number++) {
        lines.push(line(number));
        length += lines.at(-1)?.length ?? 0;
      }
      const text = lines.join('');
      const chosen = new Settings({ ...DEFAULT_SETTINGS, 'output_handler.html_mode': 'allowlist' });
      expect(sanitizer.sanitize(text, chosen, { rendering })).toEqual({ text, findings: [] });
    },
  );

  it('keeps the tags of a long list where tags may stay', () => {
    const text = '<ul>' + '<li>an <b>item</b> of it</li>\n'.repeat(10_000) + '</ul>';
    const chosen = new Settings({ ...DEFAULT_SETTINGS, 'output_handler.html_mode': 'allowlist' });
    expect(sanitizer.sanitize(text, chosen, { rendering: 'any' })).toEqual({ text, findings: [] });
  });
});

function sanitize(text: string, options: SanitizerOptions) {
  return sanitizer.sanitize(text, settings, options);
}
