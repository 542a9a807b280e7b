import * as fc from 'fast-check';
import { RENDERINGS } from '#contracts/output/output.js';
import { DEFAULT_SETTINGS, Settings } from '#contracts/settings/settings.js';

export const AWS_KEY = `AKIA${'Q7'.repeat(8)}`;

/** Fragments of everything that the passes search for. A shuffle combines them. */
const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('[', ']', '(', ')', '!', '<', '>', ':', '\\', '`', '\n', ' ', '|', '~'),
  },
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      '![',
      '](',
      ']:',
      '][',
      '[a]: https://b.example/c\n',
      '```',
      '~~~',
      '\n\n',
      '\r\n',
      '<b>',
      '<p>',
      '</b>',
      '<br/>',
      '<a href="',
      '<script>',
      '<!--',
      'javascript:',
      'data:',
      'java&#115;cript:',
      'https://a.example/',
      'https://ok.example/x',
      'www.b.example',
      'x.png',
      '&lt;',
      '"',
      '- ',
      '> ',
      'ops@a.example',
      '4111 1111 ',
      '1111 1111',
      AWS_KEY,
      '10.1.2.3',
      'password=hunter2abc',
      '-----BEGIN PRIVATE KEY-----\n',
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOjF9.',
      '[email]',
      'ops@',
      'a.example',
      'redis://',
      'vscode:',
      '<@U1>',
      '\u200d',
      '\u200b\u200c',
      '\ufe0f',
      '\u{1f469}\u200d',
      'می\u200c',
      '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}',
      '\u{e006e}\u{e0067}\u{e007f}',
      '\u001b]8;;',
      '\u001b[3',
      '1m',
      '\u0007',
      '\r',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 4 }) },
);

export const hostileText = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(''));

/** Longer than the part that a session holds back, and mostly without a blank line. */
export const longHostileText = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')) },
      {
        weight: 2,
        arbitrary: fc
          .tuple(
            fc.constantFrom(
              'word ',
              'x',
              'é',
              '`c` ',
              'aB3/',
              '1',
              '[',
              '(',
              '\\',
              '😀',
              '< ',
              'line\n',
              '<a',
            ),
            fc.nat(400),
          )
          .map(([unit, times]) => unit.repeat(times)),
      },
    ),
    { minLength: 4, maxLength: 30 },
  )
  .map((parts) => parts.join('').replaceAll(/\n\s*\n/g, '\n'));

export const anySettings = fc
  .record({
    'output_handler.sanitize_html': fc.boolean(),
    'output_handler.neutralize_markdown': fc.boolean(),
    'output_handler.redact_pii': fc.boolean(),
    'output_handler.redact_secrets': fc.boolean(),
    'output_handler.html_mode': fc.constantFrom('escape' as const, 'allowlist' as const),
    'output_handler.rendering': fc.constantFrom(...RENDERINGS),
    'output_handler.allowed_hosts': fc.constantFrom([], [], ['ok.example']),
  })
  .map((values) => new Settings({ ...DEFAULT_SETTINGS, ...values }));
