/** Pieces of Markdown. Random sequences of them form links, images and code, and texts that resemble them. */

const MARKS = [
  '[',
  ']',
  '(',
  ')',
  '![',
  '](',
  '][',
  ']:',
  '!',
  '<',
  '>',
  '\\',
  '`',
  '``',
  '|',
  '*',
  '_',
  '~',
];
const BLOCKS = [
  '\n',
  '\n',
  '\n\n',
  '\r\n',
  '\n> ',
  '\n- ',
  '\n1. ',
  '\n# ',
  '\n    ',
  '\n\n    ',
  '\n---\n',
  '> ',
  '- ',
];
const FENCES = ['\n```\n', '\n~~~\n', '```md\n', '\n````\n', '\n  ```', '- ```\n', '> ```\n', '```', '~~~'];
const TABLE = ['\n| a | b |\n|---|---|\n| ', ' | ', '|\n'];
const WORDS = [
  'a',
  'word',
  ' ',
  ' ',
  'é',
  '😀',
  'a b',
  'x.y',
  '1',
  '[^1]',
  '[^1]: ',
  '[x] ',
  '**b**',
  '\t',
  'https://ok.example/`',
];
const MARKUP = ['<b>', '</b>', '<br/>', '<div>\n', '<!-- ', ' -->', '<a title="', '<p>\n\n', '&lt;', '&amp;'];
const TITLES = ['', '', '', ' "t"', " 't'", ' (t)', '\n"t"', ' "a](b"', ' "`"', ' '];

const SAFE_LINKS = [
  'https://ok.example/x',
  '/help',
  '#part',
  'a.md',
  'mailto:ops-1',
  '<https://ok.example/x>',
  'b_(c)',
  '',
  '<>',
];
const SAFE_IMAGES = ['./logo.png', 'a.png', '/img/a-1.png'];
const RUNNING = [
  'javascript:x',
  'JaVaScRiPt:alert(1)',
  'java&#115;cript:x',
  'javascript&colon;x',
  '<javascript:x y>',
  '&#x6a;avascript:x',
  'java\\\nscript:x',
  '\njavascript:x',
  '\\javascript:x',
  'javascript\\:x',
  'data:text/html,x',
  'vbscript:x',
];
const ELSEWHERE = [
  'https://b.example/c?d=e',
  'HTTPS://b.example',
  '//b.example/x',
  'http:b.example',
  'https:\\\\b.example',
  '/\\b.example',
  'h&#116;tps://b.example',
  '&#47;/b.example',
  '<https://b.example/ x>',
  'https://ok.example@b.example',
  'https://ok.example.b.example/x',
  'ftp://b.example',
  'https&#58;//b.example',
  '<a b.md>',
];
const LABELS = ['a', 'A', 'b c', 'b\nc', 'x', '1', '^1', 'a\\]'];

const TARGETS = [...SAFE_LINKS, ...SAFE_IMAGES, ...RUNNING, ...ELSEWHERE, ...ELSEWHERE];

/** @param {import('../random.mjs').Random} random */
export function hostileMarkdown(random) {
  return random.some(9, () => piece(random)).join('');
}

/** The same links and code in well-formed, unambiguous Markdown. @param {import('../random.mjs').Random} random */
export function orderlyMarkdown(random) {
  const target = () =>
    random.one(random.one([SAFE_LINKS.slice(0, 5), RUNNING.slice(0, 4), ELSEWHERE.slice(0, 3)]));
  const words = () => random.some(3, () => random.one(['word', 'é', 'a b', '😀', 'x.y', '**b**'])).join(' ');
  const inline = () =>
    random.one([
      () => words(),
      () => words(),
      () => `[${words()}](${target()}${random.one(TITLES.slice(0, 6))})`,
      () => `![${words()}](${target()})`,
      () => `[![${words()}](${target()})](${target()})`,
      () => `\`[${words()}](${target()})\``,
      () => `\`\`![${words()}](${target()}) \` <b>\`\``,
      () => `![${words()}][${random.one(['a', 'x', '1'])}]`,
      () => `[${words()}][${random.one(['a', 'x'])}]`,
    ])();
  const block = () =>
    random.one([
      () => random.some(3, inline).join(' '),
      () => random.some(3, inline).join(' '),
      () => `# ${inline()}`,
      () => `- ${inline()}\n- ${inline()}`,
      () => `> ${inline()}`,
      () => `[${random.one(['a', 'x'])}]: ${target()}`,
      () => `\`\`\`md\n${inline()}\n<b>\n\n${inline()}\n\`\`\``,
      () => `~~~\n${inline()}\n~~~`,
    ])();
  return random.some(5, block).join('\n\n');
}

/** @param {import('../random.mjs').Random} random */
function piece(random) {
  const target = () => random.one(TARGETS) + random.one(TITLES);
  const label = () => random.one(LABELS);
  const kind = random.next();
  if (kind < 0.28) return random.one(MARKS);
  if (kind < 0.42) return random.one(WORDS);
  if (kind < 0.5) return random.one(BLOCKS);
  if (kind < 0.54) return random.one(FENCES);
  if (kind < 0.56) return random.one(TABLE);
  if (kind < 0.62) return random.one(MARKUP);
  if (kind < 0.72) return `[${random.one(WORDS)}](${target()})`;
  if (kind < 0.8) return `![${random.one(WORDS)}](${target()})`;
  if (kind < 0.85) return `\n[${label()}]: ${random.one(['', '\n', '<'])}${target()}\n`;
  if (kind < 0.91) return `${random.one(['', '!'])}[${label()}]${random.one(['', '[]', `[${label()}]`])}`;
  if (kind < 0.94) return `<${random.one(TARGETS).replaceAll(/^<|>$/g, '')}>`;
  if (kind < 0.97) return random.one(TARGETS);
  return `\`[a](${random.one(TARGETS)})\``;
}
