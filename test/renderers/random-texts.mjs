// Random texts out of the pieces that Markdown, HTML and TeX parsers disagree about.
import { MERMAID_PAYLOADS, PAYLOADS } from './payloads.mjs';

const WORDS =
  'the result of a call is stored in cache Note that we use x < y here costs $5 and $6 Grüße 你好 مرحبا привет नमस्ते a_b_c 2*3*4 snake_case C:\\dir e.g. i.e. 10:30 it’s “quoted” #1 @ops 50% a/b --- ... :smile: A&B'.split(
    ' ',
  );
const TARGETS = [
  'http://evil.test/?d=S',
  '//evil.test/a',
  'javascript:alert(1)',
  'JaVascript:alert(1)',
  'javascript&colon;alert(1)',
  'javascript&#58;alert(1)',
  'javascript&#0000000058;alert(1)',
  'java\\script:alert(1)',
  'java&Tab;script:alert(1)',
  '&#x6a;avascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'vscode://evil',
  'ms-msdt:/id',
  'file:///etc',
  'ftp://evil.test',
  'x"onmouseover="alert(1)',
  "x'onmouseover='alert(1)",
  '<javascript:alert(1)>',
  '<http://evil.test/a b>',
  'https://docs.example.com/a',
  'a.png',
  './b.md#c',
  '/path',
  '',
  'mailto:a@b.example',
  '\\\\evil.test',
  'http:evil.test',
];
const TITLES = ['', '', '', ' "t"', " 't'", ' (t)', ' "', '\n"t"', ' "a\n\nb"', ' =1x1'];
const LABELS = [
  'x',
  'd',
  'a b',
  '',
  '`',
  '**b**',
  '\\]',
  '[n]',
  '![i](j)',
  '^1',
  '$',
  '<b>',
  'ẞ',
  ':a',
  'x y\nz',
];
const LINE_ENDS = [
  '\n',
  '\n',
  '\n',
  '\n',
  '\n\n',
  '\n\n',
  '\n\n',
  '\r\n',
  '\r',
  '\r\n\r\n',
  '\n \n',
  '\n\t\n',
  '\u2028',
  '\u0085',
  '\f',
  '\v',
  '  \n',
  '\\\n',
  '\n\u00a0\n',
];
const PREFIXES = [
  '',
  '',
  '',
  '',
  '',
  '',
  '> ',
  '>',
  '- ',
  '* ',
  '1. ',
  '10) ',
  '  ',
  '   ',
  '    ',
  '\t',
  '      ',
  '# ',
  '> - ',
  '- > ',
  '  - ',
  '- [ ] ',
  '| ',
  ': ',
  '[^1]: ',
  ' \t',
  '+ ',
  '\uFEFF',
  '\u200b',
  '\u00a0',
  '\u3000',
];
const FENCES = [
  '```',
  '````',
  '~~~',
  '~~~~',
  '``',
  '`````',
  '~~',
  '$$',
  ':::',
  '::::',
  '---',
  '+++',
  '\\[',
  '\\]',
  '```js',
  '~~~ a`b',
  '```a b',
  '```math',
  '~~~math',
  ':::note',
  ':::note[x]{a=b}',
  '::: a',
  '``` `',
  '~~~|',
  '```|',
  '``` "><img src=x onerror=alert(1)>',
  '``` &#96;',
  '$$ a',
  '```js {a}',
  '---\n',
  '~~~ ```',
  '::a[x]',
  '$$$',
];
const INLINE = [
  '`',
  '``',
  '```',
  '$',
  '$$',
  '\\(',
  '\\)',
  '\\[',
  '\\]',
  '*',
  '**',
  '_',
  '__',
  '~~',
  '==',
  '++',
  '^',
  '\\',
  '\\\\',
  '|',
  '![',
  '[',
  ']',
  '](',
  ')',
  '][',
  ']:',
  '[^',
  '^[',
  '<',
  '>',
  '</',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?',
  '?>',
  '&lt;',
  '&#96;',
  '&#36;',
  '&',
  '&#',
  ':a[',
  '::a[',
  '{',
  '}',
  '"',
  "'",
  '\u0000',
  '\u0001',
  '\u200b',
  '\u200d',
  '\u202e',
  '\uFEFF',
  '\\`',
  '\\$',
  '\\<',
  '\\[',
];
const TAGS = [
  '<img src=x onerror=alert(1)>',
  '<img src=http://evil.test/>',
  '<script>alert(1)</script>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="http://evil.test">x</a>',
  '<b onclick=alert(1)>',
  '<b>',
  '</b>',
  '<code>',
  '</code>',
  '<pre>',
  '</pre>',
  '<div>',
  '</div>',
  '<p>',
  '</p>',
  '<br>',
  '<br/>',
  '<em>',
  '<table><tr><td>',
  '<svg onload=alert(1)>',
  '<style>',
  '</style>',
  '<textarea>',
  '<title>',
  '<iframe src=http://evil.test>',
  '<x onclick=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<a title="`">',
  '<a title="',
  "<b title='$'>",
  '<img src="',
  '<math>',
  '<noscript>',
  '<li>',
  '<blockquote>',
  '<h1>',
  '<https://docs.example.com>',
  '<javascript:alert(1)>',
  '<vscode:x>',
  '<a@b.example>',
  '<ftp://x>',
  'Map<string, T>',
  'a<b>c',
  'if (a<b && c>d)',
  'Vec<u8>',
];
const TEX = [
  '\\href{javascript:alert(1)}{x}',
  '\\url{javascript:alert(1)}',
  '\\includegraphics{http://evil.test/a}',
  '\\htmlStyle{position:fixed}{x}',
  '\\htmlData{evil=evil}{x}',
  '\\style{position:fixed}{x}',
  '\\def\\a{\\href}\\a{javascript:alert(1)}{x}',
  '\\frac{a}{b}',
  'x^2',
  '\\alpha',
  'a_i',
  '\\sqrt{x}',
  '\\text{if }',
  '\\let\\a\\href \\a{javascript:x}{y}',
  '\\begin{align}',
  '\\end{align}',
  '%\n',
  '\\htmlId{evil}{x}',
];
const DIRECTIVES = [
  ':a[x]{href="javascript:alert(1)"}',
  ':img{src=http://evil.test/}',
  ':b[x]{onclick=alert(1)}',
  '::img{src=x onerror=alert(1)}',
  ':::div{onclick=alert(1)}',
  ':b{title="`"}',
  ':b[`]',
  ':b[$]',
  '::iframe{src=http://evil.test}',
  ':note[x]',
];
const BARE = [
  'http://evil.test/a',
  'https://docs.example.com/x',
  'www.evil.test',
  'evil.com',
  'vscode://x',
  'ftp://evil.test',
  'javascript:alert(1)',
  '//evil.test',
  'a@b.example',
  'ssh://x',
  'mailto:a@b.example',
  'xmpp:a@b.example',
  'http://',
  'www.',
];
const ROWS = [
  'a | b\n-|-',
  '| a | b |\n|---|---|',
  '|-|',
  '-|-',
  '| c | d |',
  'c|d',
  '|:-:|-|',
  '~~~|a\n-|-',
  '```|a\n-|-',
  '|a|\n|-|',
];

/** @typedef {import('../fuzz/random.mjs').Random} Random */

/** @param {Random} random @returns {string} */
export function randomText(random) {
  // A tenth are known attacks, put together or cut.
  const kind = random.next();
  if (kind < 0.05) return spliced(random);
  if (kind < 0.07) return cut(random, random.one(MERMAID_PAYLOADS));
  const lines = random.some(8, () => line(random));
  const text = lines.join('');
  return random.next() < 0.05 ? `---\n${text}` : text;
}

function spliced(random) {
  const one = random.one(PAYLOADS).text;
  const other = random.one(PAYLOADS).text;
  return cut(random, one) + random.one([...LINE_ENDS, '', ' ']) + other;
}

function cut(random, text) {
  const at = random.below(text.length + 1);
  return random.next() < 0.5
    ? text
    : text.slice(0, at) + random.one([...INLINE, ...LINE_ENDS, '']) + text.slice(at);
}

function line(random) {
  const end = random.one(LINE_ENDS);
  let prefix = random.one(PREFIXES);
  if (random.next() < 0.1) prefix += random.one(PREFIXES);
  const kind = random.next();
  if (kind < 0.22) return prefix + random.one(FENCES) + end;
  if (kind < 0.28) return prefix + random.one(ROWS) + end;
  if (kind < 0.38) return prefix + definition(random) + end;
  return prefix + random.some(5, () => piece(random)).join(random.next() < 0.5 ? ' ' : '') + end;
}

function definition(random) {
  const label = random.one(['x', 'd', 'a', 'a b', '^1', '`', '$', 'x\\]', '']);
  return `[${label}]:${random.one([' ', '', '\n', ' \n', '\t'])}${random.one(TARGETS)}${random.one(TITLES)}`;
}

function piece(random) {
  switch (random.below(11)) {
    case 0:
    case 1:
      return random.some(4, () => random.one(WORDS)).join(' ');
    case 2:
      return `${random.one(['', '!', '', '\\', '!\\'])}[${random.one(LABELS)}](${random.one(['', '', ' ', '\n'])}${random.one(TARGETS)}${random.one(TITLES)})`;
    case 3:
      return `![${random.one(LABELS)}](${random.one(TARGETS)}${random.one(TITLES)})`;
    case 4:
      return `${random.one(['', '!'])}[${random.one(LABELS)}]${random.one(['', '[]', '[d]', '[x]', ' [d]'])}`;
    case 5:
      return random.one(TAGS);
    case 6:
      return wrapped(random, random.some(2, () => random.one(TEX)).join(''));
    case 7:
      return random.one([...DIRECTIVES, ...BARE]);
    case 8:
    case 9:
      return random.one(INLINE);
    default:
      return wrapped(random, random.one([...WORDS, ...TAGS, ...BARE]));
  }
}

const WRAPS = [
  ['`', '`'],
  ['``', '``'],
  ['$', '$'],
  ['$$', '$$'],
  ['\\(', '\\)'],
  ['\\[', '\\]'],
  ['**', '**'],
  ['$`', '`$'],
  ['[', ']'],
  ['<!--', '-->'],
  ['`$', '$`'],
  ['"', '"'],
  ['(', ')'],
  ['~', '~'],
  ['\\\\(', '\\\\)'],
  ['', ''],
];

function wrapped(random, text) {
  const [before, after] = random.one(WRAPS);
  return before + text + (random.next() < 0.9 ? after : '');
}
