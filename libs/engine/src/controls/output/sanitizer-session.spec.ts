import { describe, expect, it } from '@jest/globals';
import { runToEnd } from '../../shared/resumable.js';
import * as fc from 'fast-check';
import { Detector, type Rendering } from '#contracts/output/output.js';
import type { SettingValues } from '#contracts/settings/settings.schema.js';
import type { Utf16Span } from '#contracts/common/spans.js';
import { DEFAULT_SETTINGS, Settings } from '#contracts/settings/settings.js';
import { Sanitizer, type Sanitized } from './sanitizer.js';
import { ANSWER_KINDS, flowOf } from '../../../../../test/support/answer-kinds.js';
import { anySettings, hostileText, longHostileText } from '../../../../../test/support/hostile-text.js';

const sanitizer = new Sanitizer([]);

const wo = (times: number): string => 'wo'.repeat(times);

function settings(values: Partial<SettingValues> = {}): Settings {
  return new Settings({ ...DEFAULT_SETTINGS, ...values });
}

interface Streamed extends Sanitized {
  /** The most that was held back at any time. */
  readonly held: number;
}

function streamed(text: string, borders: readonly number[], chosen: Settings): Streamed {
  const sanitizing = sanitizer.begin(chosen);
  let clean = '';
  let read = 0;
  let held = 0;
  for (const border of [...borders.toSorted((one, other) => one - other), text.length]) {
    clean += runToEnd(sanitizing.push(text.slice(read, border)));
    read = border;
    held = Math.max(held, sanitizing.waiting);
  }
  clean += runToEnd(sanitizing.end());
  return { text: clean, findings: sanitizing.report.findings, held };
}

describe('a text in chunks', () => {
  it.each([
    ['short', hostileText, 500],
    ['long', longHostileText, 100],
  ])(
    'gives the same result as the whole text at every split, and holds back at most 2 KB: %s',
    (_, texts, runs) => {
      fc.assert(
        fc.property(
          texts,
          fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 }),
          anySettings,
          (text, places, chosen) => {
            const borders = places.map((place) => Math.floor(place * text.length));
            const { held, ...outcome } = streamed(text, borders, chosen);
            expect(outcome).toEqual(sanitizer.sanitize(text, chosen));
            expect(held).toBeLessThanOrEqual(2048);
          },
        ),
        { numRuns: runs },
      );
    },
  );

  it('gives the same result for single characters', () => {
    fc.assert(
      fc.property(longHostileText, anySettings, (text, chosen) => {
        const { held: _, ...outcome } = streamed(
          text,
          Array.from(text, (_unit, index) => index),
          chosen,
        );
        expect(outcome).toEqual(sanitizer.sanitize(text, chosen));
      }),
      { numRuns: 30 },
    );
  });

  it('gives the same result for many short paragraphs at every split', () => {
    const paragraph = fc.constantFrom(
      'x',
      '',
      'bsn',
      '111222333',
      '1112',
      'ops@a.example',
      'password:',
      'hunter2abc',
      '<b',
      '4111 1111',
      '1111 1111',
      '\u0007',
      '[email]',
      'a longer paragraph of words',
    );
    const lineEnds = fc.constantFrom('\n\n', '\n\n', '\n\n\n', '\r\n\r\n', '\n');
    const short = fc
      .array(fc.tuple(paragraph, lineEnds), { maxLength: 200 })
      .map((parts) => parts.flat().join(''));
    const chosen = settings({ 'output_handler.rendering': 'text' });
    fc.assert(
      fc.property(short, fc.array(fc.nat({ max: 2000 }), { maxLength: 20 }), (text, places) => {
        const whole = sanitizer.sanitize(text, chosen);
        const { held: _, ...outcome } = streamed(
          text,
          places.filter((place) => place < text.length),
          chosen,
        );
        expect(outcome).toEqual(whole);
        const single = streamed(
          text,
          Array.from(text, (_unit, index) => index),
          chosen,
        );
        expect(single.text).toBe(whole.text);
        expect(sanitizer.sanitize(whole.text, chosen)).toEqual({ text: whole.text, findings: [] });
      }),
      { numRuns: 200 },
    );
  });

  it.each(['word ', 'a_b=c ', 'ops@a.example, ', '[x](javascript:y) ', '4\u00a01\u00a0'])(
    'gives the same result for a very long paragraph at every split, and holds back at most 4 KB: %j',
    (unit) => {
      const text = `${unit.repeat(Math.ceil(90_000 / unit.length))}token=hunter2abc`;
      const whole = sanitizer.sanitize(text, settings());
      const borders = Array.from({ length: 300 }, (_, index) => index * 307);
      const { held, ...outcome } = streamed(text, borders, settings({}));
      expect(outcome).toEqual(whole);
      if (whole.findings.length < 1000) expect(held).toBeLessThanOrEqual(4096);
    },
  );

  it('gives the same result for diagrams that begin where a part ends', () => {
    const text = '```mermaid\n//a\n```\n'.repeat(400);
    const { text: clean } = streamed(
      text,
      Array.from(text, (_unit, index) => index),
      settings(),
    );
    expect(clean).toBe(sanitizer.sanitize(text, settings()).text);
  });

  it.each([
    [
      'a label that is cut off a later view, with a thin space at its end',
      'order no. 4111111111111111or no. 41111111111707585450 37967031. i1. i313633399\u2009',
      'order no. 4111111111111111or no. 41111111111707585450 37967031. i1. i313633399\u2009',
    ],
    [
      'the same behind an open bracket',
      'order no 4111111111111111 !order no. \n[x:y [ ! order no. 411111111111111141111\u00a0',
      'order no 4111111111111111 !order no. \n[x:y [ ! order no. 411111111111111141111\u00a0',
    ],
    [
      'the same before an underscore',
      'order no  4111111111111111 and 4163009432686901 as card, see https://a.example/_4',
      'order no  4111111111111111 and [card] as card, see https://a.example/_4',
    ],
    [
      'a number that goes on where a view ends',
      '$018065  password=)DE89 3704 0030 003704 00440532 0cng numbe <a>',
      '$018065  password=)DE89 3704 0030 003704 00440532 0cng numbe <a>',
    ],
    [
      'a label that is a part of a secret',
      'pass=489phone ce 415552671 ec ',
      'pass=[assigned_secret] ce [phone] ec ',
    ],
    ['a short token in markup', 'eyJciOi9.eyJzjK9![a] or 8510562', '[jwt] or 8510562'],
    ['a token behind an image that is not closed', 'eyJciOi9.eyJzjK9![[a] or ]', '[jwt] or ]'],
    ['a target with two levels of parentheses', '[x](([b]@a.ee and ))', '[x](([b]@a.ee and ))'],
    [
      'a target that ends behind all that is held',
      `${wo(254)} \\${wo(45)} 529.982.247-25$${wo(8)}](A ${wo(192)} wwowowo[b]owo@a.e${wo(63)} wwowowo wwowowo)p${wo(434)} `,
      `${wo(254)} \\${wo(45)} [br_cpf]$${wo(8)}](A ${wo(192)} wwowowo[b][email]o${wo(51)} wwowowo wwowowo)p${wo(434)} `,
    ],
    ['a target behind a label of two lines', '![x\nab] (y', '! [x\nab] (y'],
  ])('gives the same result in pieces of 1 and 3 characters: %s', (_, text, expected) => {
    for (const html of ['escape', 'allowlist'] as const) {
      const chosen = settings({ 'output_handler.html_mode': html });
      for (const length of [1, 3]) {
        const borders = Array.from({ length: text.length / length }, (_unit, index) => index * length);
        expect(streamed(text, borders, chosen).text).toBe(sanitizer.sanitize(text, chosen).text);
      }
    }
    expect(sanitizer.sanitize(text, settings()).text).toBe(expected);
  });

  it('is idempotent for long texts', () => {
    fc.assert(
      fc.property(longHostileText, anySettings, (text, chosen) => {
        const once = sanitizer.sanitize(text, chosen).text;
        expect(sanitizer.sanitize(once, chosen)).toEqual({ text: once, findings: [] });
      }),
      { numRuns: 100 },
    );
  });

  it('joins the text on both sides of a removal that contains a blank line', () => {
    const chosen = settings({ 'output_handler.sanitize_html': false });
    const once = sanitizer.sanitize('![-----BEGIN PRIVATE KEY-----\n\n(https://a.example', chosen).text;
    expect(once).toBe('! [[private_key](https://a.example');
    expect(sanitizer.sanitize(once, chosen)).toEqual({ text: once, findings: [] });
  });

  it.each([
    [
      'an angle that closes behind all that is seen',
      `10.1.2.3(<1111 1111java&#115;cript:${'word '.repeat(335)}eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOjF9.${'x'.repeat(304)}>`,
      { 'output_handler.sanitize_html': false },
    ],
    [
      'targets that continue into escaped text',
      `${']('.repeat(150)}${'\t'.repeat(622)}${'<a'.repeat(150)}${'word '.repeat(166)}`,
      {},
    ],
    [
      'a definition that looks behind the place where it is parted',
      `${'word '.repeat(203)}word]:${'<p x '.repeat(206)}`,
      {},
    ],
    [
      'more images within images than are counted',
      `]: ${'!['.repeat(1014)}DE89 3704 0044 0532 0130 00`,
      { 'output_handler.sanitize_html': false },
    ],
    [
      'a tag at the end of withheld text',
      `${')'.repeat(1534)}${'word '.repeat(40)}${'<b>'.repeat(95)}+44 20 7946 0018${'1 '.repeat(189)}${'!['.repeat(330)}`,
      { 'output_handler.sanitize_html': false },
    ],
  ])('is idempotent: %s', (_, text, values) => {
    const once = sanitizer.sanitize(text, settings(values)).text;
    expect(sanitizer.sanitize(once, settings(values))).toEqual({ text: once, findings: [] });
  });

  it('finds a blank line that ends with a carriage return at the end of a chunk', () => {
    const text = 'A line with `a\n\r![b][c]\n[c]: http://evil.test\n\n`';
    const start = 'A line with `a\n\r';
    const session = sanitizer.begin(settings());
    const released = runToEnd(session.push(start)) + runToEnd(session.push('!'));
    expect(released).toBe(start);
    const rest = runToEnd(session.push(text.slice(start.length + 1))) + runToEnd(session.end());
    expect(released + rest).toBe(sanitizer.sanitize(text, settings()).text);
  });

  it('splits a long chain of overlapping constructs without a change', () => {
    const chain = 'a](b'.repeat(1500);
    expect(sanitizer.sanitize(chain, settings())).toEqual({ text: chain, findings: [] });
  });

  it('divides a construct that exceeds the look-ahead by a blank line', () => {
    const { text, findings } = sanitizer.sanitize('<'.repeat(3000), settings());
    expect(text).toBe(`${'<'.repeat(1024)}\n\n${'<'.repeat(1976)}`);
    expect(findings.map(({ span }) => span)).toEqual([[1023, 1024]]);
  });

  it('waits for more text if it could release only a replacement', () => {
    const text = `ghp_${'aB3'.repeat(13)}[x ${'eyJhbGciOiJIUzI1NiJ9'.repeat(110)}`;
    expect(sanitizer.redact(text).text).toBe('[github_token][x [jwt]');
  });

  it('reports a key once that becomes part of a longer finding', () => {
    const before = `${'word '.repeat(205)}-u user:`;
    const { text, edits } = sanitizer.redact(`${before}${'eyJ'.repeat(679)}aB3/aB3/`);
    expect(text).toBe(`${before}[command_line_secret]`);
    expect(edits).toHaveLength(1);
  });

  it('reports complete replacements, also inside unclosed brackets', () => {
    const text = `${'word '.repeat(100)}[[eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOjF9.${'['.repeat(600)}${'word '.repeat(200)}`;
    expect(sanitizer.redact(text).edits.map(({ replacement }) => replacement)).toEqual(['[jwt]']);
  });

  it('does not exceed eight times the length of the text', () => {
    fc.assert(
      fc.property(fc.oneof(hostileText, longHostileText), anySettings, (text, chosen) => {
        expect(sanitizer.sanitize(text, chosen).text.length).toBeLessThanOrEqual(8 * text.length);
      }),
      { numRuns: 200 },
    );
  });

  it('shows words as soon as they are complete and decided', () => {
    const sanitizing = sanitizer.begin(settings());
    expect(runToEnd(sanitizing.push('Write to ops@a.example '))).toBe('Write to ');
    expect(runToEnd(sanitizing.push('today'))).toBe('');
    expect(runToEnd(sanitizing.push('.\n'))).toBe('[email] today.\n');
    expect(runToEnd(sanitizing.push('\n'))).toBe('\n');
  });

  it('shows a paragraph at the blank line after it where any renderer may show it', () => {
    const sanitizing = sanitizer.begin(settings(), { rendering: 'any' });
    expect(runToEnd(sanitizing.push('Write to ops@a.example today.\n'))).toBe('');
    expect(runToEnd(sanitizing.push('\n'))).toBe('Write to [email] today.\n\n');
  });

  it.each([
    [
      'a key in PEM of 8 KB',
      `-----BEGIN PRIVATE KEY-----\n${`${'aB3/'.repeat(16)}\n`.repeat(120)}-----END PRIVATE KEY-----`,
      '[private_key]',
    ],
    ['a token of 20 KB', `eyJ${'aB3_'.repeat(2500)}.eyJ${'xY9-'.repeat(2500)}.${'q'.repeat(43)}`, '[jwt]'],
    [
      'an image that carries itself',
      `![x](data:image/png;base64,${'iVBO'.repeat(9000)})`,
      'x [image removed]',
    ],
  ])('removes %s completely', (_, long, left) => {
    const prose = 'One sentence follows the other here, and none of them ever ends the paragraph. '.repeat(9);
    for (const before of ['', 'See ', prose, prose.repeat(3)]) {
      expect(sanitizer.sanitize(`${before}${long} and so on`, settings()).text).toBe(
        `${before}${left} and so on`,
      );
    }
  });

  it('does not change a long paragraph, a long line of JSON or a long fence', () => {
    const prose =
      'Nothing in this sentence needs a change, nor in the `code` or [link](https://docs.example/a) of it. ';
    const json = `{"items":[${'{"name":"a lamp","tags":["b","c"],"price":12.5,"text":"1 < 2 & 3"},'.repeat(90)}{}]}`;
    const fence = `\`\`\`md\n${'![x](https://a.example/y) is an image, [z](javascript:x) a link\n'.repeat(80)}\`\`\`\n`;
    for (const text of [prose.repeat(100), json, fence, fence.replaceAll('link\n![', 'link ![')]) {
      const chosen = settings({ 'output_handler.rendering': 'markdown' });
      expect(sanitizer.sanitize(text, chosen)).toEqual({ text, findings: [] });
    }
  });

  it('uses the label before a number, also if the label is already released', () => {
    const text = `${'The report goes on and on and says nothing at all of any interest. '.repeat(40)}mail ops@a.example`;
    expect(sanitizer.sanitize(text, settings()).findings.map(({ span }) => text.slice(...span))).toEqual([
      'ops@a.example',
    ]);
  });
});

/** The text without the spans. */
function without(text: string, spans: readonly Utf16Span[]): string {
  let rest = '';
  let read = 0;
  for (const [start, end] of spans.toSorted((one, other) => one[0] - other[0])) {
    rest += text.slice(read, Math.max(read, start));
    read = Math.max(read, end);
  }
  return rest + text.slice(read);
}

describe('the places of replacements', () => {
  it.each([
    ['short', hostileText, 500],
    ['long', longHostileText, 100],
  ])('leave the same text outside of them as the findings do: %s', (_, texts, runs) => {
    fc.assert(
      fc.property(texts, anySettings, (text, chosen) => {
        const session = sanitizer.begin(chosen, {}, true);
        const placed = runToEnd(session.whole(text));
        const { text: clean, findings } = sanitizer.sanitize(text, chosen);
        expect(placed).toBe(clean);
        expect(session.report.findings).toEqual(findings);
        const places = findings.map(({ span }) => session.report.placeOf(span));
        expect(without(clean, places)).toBe(
          without(
            text,
            findings.map(({ span }) => span),
          ),
        );
      }),
      { numRuns: runs },
    );
  });
});

const FLOWING = ['markdown', 'text', 'slack', 'terminal'] as const;

describe.each(FLOWING)('an honest answer that is streamed, %s', (rendering) => {
  it.each(Object.entries(ANSWER_KINDS))('flows: %s', (kind, text) => {
    const chosen = settings({ 'output_handler.rendering': rendering });
    const session = sanitizer.begin(chosen);
    let clean = '';
    const flow = flowOf(text, (character) => {
      const shown = runToEnd(session.push(character));
      clean += shown;
      return shown;
    });
    expect(clean + runToEnd(session.end())).toBe(sanitizer.sanitize(text, chosen).text);
    expect(flow.first).toBeLessThanOrEqual(40);
    expect(flow.longestBurst).toBeLessThanOrEqual(400);
    if (kind === 'links') return;
    expect(flow.p95).toBeLessThanOrEqual(kind === 'a table of numbers' ? 120 : 80);
    expect(flow.p99).toBeLessThanOrEqual(300);
  });
});

/** What is shown of a text that goes on, character by character. */
function shownOf(text: string, rendering: Rendering): string {
  const session = sanitizer.begin(settings({ 'output_handler.rendering': rendering }));
  return Array.from(text, (character) => runToEnd(session.push(character))).join('');
}

describe('what a stream holds back', () => {
  it.each([
    ['a word', 'All of this is shown, up to the last', 'last'],
    ['a label of a link', 'This is shown, but this [label of a link ', '[label of a link '],
    ['an image of two lines', 'This is shown, but ![this\nimage] ', '![this\nimage] '],
    ['a target', 'This is shown, but [this](https://docs.a.example/x ', '[this](https://docs.a.example/x '],
    ['a group of digits', 'The number 4111 1111 1111 ', '4111 1111 1111 '],
    ['a word that may be a secret', 'the password is hunter2ab', 'hunter2ab'],
    ['a tag', 'This is shown, and <a href="https://a.example" title=', '<a href="https://a.example" title='],
    [
      'a key that a line break divides',
      'The key is\nghp_aB3dE5gH7jK9\naB3dE5gH7j',
      'ghp_aB3dE5gH7jK9\naB3dE5gH7j',
    ],
    ['a formula that hides a number', 'It is $4111\\ 1111\\ 1111\\ ', '$4111\\ 1111\\ 1111\\ '],
    ['an open colour', 'It is $\\color{light gray ', '$\\color{light gray '],
    ['a diagram', 'As follows:\n```mermaid\ngraph TD\n', '```mermaid\ngraph TD\n'],
    ['a flag', 'It is \u{1f3f4}\u{e0067}\u{e0062}', '\u{1f3f4}\u{e0067}\u{e0062}'],
    ['a joiner', 'It is \u{1f469}\u200d', '\u{1f469}\u200d'],
    ['a selector', 'It is \u2764\ufe0f', '\u2764\ufe0f'],
    ['a carriage return', 'It is so\r', 'so\r'],
    ['indented code, which a carriage return would end', 'So:\n\n    <v> cd ', '<v> cd '],
  ])('is %s', (_, text, held) => {
    expect(text.slice(shownOf(text, 'markdown').length)).toBe(held);
  });

  it.each([
    ['a value', 'the password is hunter2abc1 and more words', 'the password is [assigned_secret] and more '],
    ['a number', 'Pay with 4111 1111 1111 1111 today or tomorrow', 'Pay with [card] today or '],
    ['a divided key', 'So ghp_aB3dE5gH7jK9\naB3dE5gH7jK9aB3dE5gH7jK9 is a key', 'So [github_token] is a '],
    ['a formula', 'It is $4111\\ 1111\\ 1111\\ 1111$ so far', 'It is $[card]$ so '],
    ['hidden text', 'It is so\u{e0041}\u{e0042}\u{e0043} today and tomorrow', 'It is so today and '],
  ])('is released without %s in the same line', (_, text, shown) => {
    for (const rendering of FLOWING) expect(shownOf(text, rendering)).toBe(shown);
  });

  it.each([
    ['slack', 'Ask <!channel> about it now', 'Ask &lt;!channel> about it '],
    ['terminal', 'It is\rnot so at all', 'It is\nnot so at '],
    ['markdown', 'Read [this](javascript:x) and more of it', 'Read this and more of '],
    [
      'markdown',
      'It is $\\color{red;x:url(y)}{x}$ as they say',
      'It is $\\ color{red;x:url(y)}{x}$ as they ',
    ],
    [
      'markdown',
      'See `a<b>c` and then, after all of these words and more of them, `![x](y)` here, too',
      'See `a<b>c` and then, after all of these words and more of them, `![x](y)` here, ',
    ],
  ] as const)('is released as %s shows it: %s', (rendering, text, shown) => {
    expect(shownOf(text, rendering)).toBe(shown);
  });

  it.each([
    ['a word that is a link with hosts', 'See www. for more', 'See [link removed] for more'],
    ['a fence after hidden text', '\u200b```\n`\\href` if \rx', '```\n`\\ href` if \rx'],
    ['a formula in a line', 'So\n\\begin {x} `\\href` and', 'So\n\\begin {x} `\\ href` and'],
    [
      'a link to an address',
      'Mail <mailto:ops@a.example> or \\<T\\> today',
      'Mail [email] or &lt;T\\> today',
    ],
  ])('is what decides about it: %s', (_, text, expected) => {
    const chosen = settings({ 'output_handler.allowed_hosts': ['docs.example'] });
    const session = sanitizer.begin(chosen);
    const shown = Array.from(text, (character) => runToEnd(session.push(character))).join('');
    expect(shown + runToEnd(session.end())).toBe(expected);
  });

  it('is the rest of the paragraph for a detector of a host, which can find any words', () => {
    const session = new Sanitizer([new Meter()]).begin(settings());
    expect(runToEnd(session.push('Some words and more\n'))).toBe('');
    expect(runToEnd(session.push('\n'))).toBe('Some words and more\n\n');
  });

  it('is reported with its findings up to what is shown, if the text is too long', () => {
    const session = sanitizer.begin(settings({ 'output_handler.max_length': 60 }));
    const shown = runToEnd(session.push('Write to ops@a.example today or tomorrow. '));
    runToEnd(session.push('x'.repeat(40)));
    expect(shown + runToEnd(session.end())).toBe('Write to [email] today or tomorrow. \n\n[output withheld]');
    expect(session.report.findings.map(({ detector }) => detector)).toEqual(['email', 'length']);
  });
});

/** Finds nothing, and counts the units of the texts that it reads. */
class Meter extends Detector {
  override readonly name = 'meter';
  override readonly kind = 'pii_redaction';
  units = 0;

  override find(text: string): readonly Utf16Span[] {
    this.units += text.length;
    return [];
  }
}

describe('a text that was built to be expensive', () => {
  it.each(['<a ', '[x](\\_a@b.co)', '342![M6key-9:AA', 'xoxb-1-', '[a]@'])(
    'is read a few times, and not more than 40,000 units of it without a pause: %s',
    (unit) => {
      const meter = new Meter();
      const text = unit.repeat(200_000 / unit.length);
      const work = new Sanitizer([meter]).sanitizing(text, settings());
      let total = 0;
      let most = 0;
      for (let isDone = false; !isDone; total += meter.units, meter.units = 0) {
        isDone = work.next().done === true;
        most = Math.max(most, meter.units);
      }
      expect(most).toBeLessThan(40_000);
      expect(total / text.length).toBeLessThan(4);
    },
  );
});
