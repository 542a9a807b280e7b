// Checks that harmless answers render equally (`markdown`) or are unchanged (`text`).
import { parseArgs } from 'node:util';
import { ANSWERS, SECOND_ANSWERS } from './answers.mjs';
import { appearanceOf, difference } from './appearance.mjs';
import { HTML_MODES, chunksOf, sanitize, sanitizeByDefault, sanitizeChunks } from './engine.mjs';
import { failuresOf, render } from './judge.mjs';
import { RENDERERS } from './renderers.mjs';
import { WRITTEN_CODE } from './written-code.mjs';

const { values } = parseArgs({ options: { show: { type: 'string' } } });
const shown = Number(values.show ?? 20);
const MIN_ANSWERS = 500;
const MIN_WITH_ANGLE = 150;
const MAX_CHANGED_SHARE = 0.005;
const COMPARED = ['marked', 'markdown-it', 'micromark, gfm', 'commonmark.js', 'remark, gfm'];
const renderers = RENDERERS.filter(({ name }) => COMPARED.includes(name));

let passed = 0;
let failed = 0;

const withAngle = ANSWERS.filter(({ hasAngleInCode }) => hasAngleInCode).length;
console.log(`${ANSWERS.length} answers, ${withAngle} of them with < in code`);
expect(ANSWERS.length >= MIN_ANSWERS, `at least ${MIN_ANSWERS} answers`);
expect(withAngle >= MIN_WITH_ANGLE, `at least ${MIN_WITH_ANGLE} answers with < in code`);
expect(new Set(ANSWERS.map(({ text }) => text)).size === ANSWERS.length, 'no answer twice');
for (const { name, text } of ANSWERS) {
  const acts = COMPARED.flatMap((only) => failuresOf(text, { rendering: 'unsanitized', only }));
  expect(acts.length === 0, `${name} is honest`, JSON.stringify(acts));
}

for (const mode of HTML_MODES) {
  let changed = 0;
  let different = 0;
  for (const answer of ANSWERS) {
    const clean = sanitizedOf(answer, { mode, rendering: 'markdown' });
    if (clean !== answer.text) changed++;
    const differing = differencesOf(answer.text, clean, {});
    if (differing.length > 0) different++;
    expect(
      differing.length === 0,
      `${mode}, markdown: ${answer.name} looks the same`,
      difference(answer.text, clean),
    );
  }
  console.log(`${mode}, markdown: ${share(changed)} changed, ${share(different)} look different`);
  expect(changed / ANSWERS.length <= MAX_CHANGED_SHARE, `${mode}, markdown: at most 0.5 % change`);
}

for (const mode of HTML_MODES) {
  let changed = 0;
  for (const answer of ANSWERS) {
    const clean = sanitizedOf(answer, { mode, rendering: 'text' });
    if (clean !== answer.text) changed++;
    expect(
      clean === answer.text,
      `${mode}, text: ${answer.name} is the same`,
      difference(answer.text, clean),
    );
  }
  console.log(`${mode}, text: ${share(changed)} changed`);
}

for (const mode of HTML_MODES) {
  let changed = 0;
  let different = 0;
  for (const answer of ANSWERS) {
    const clean = sanitizedOf(answer, { mode, rendering: 'any' });
    if (clean !== answer.text) changed++;
    if (differencesOf(answer.text, clean, {}).length > 0) different++;
    const outside = differencesOf(answer.text, clean, { withoutCode: true });
    expect(
      outside.length === 0,
      `${mode}, any: ${answer.name} looks the same outside code`,
      difference(answer.text, clean),
    );
  }
  console.log(`${mode}, any: ${share(changed)} changed, ${share(different)} look different (in code)`);
}

const differing = SECOND_ANSWERS.filter(({ name, text }) => {
  const { text: clean } = sanitizeByDefault(text);
  const isDifferent = differencesOf(text, clean, {}).length > 0;
  if (isDifferent) console.log(`${name} looks different: ${difference(text, clean)}`);
  return isDifferent;
});
console.log(
  `${differing.length} of ${SECOND_ANSWERS.length} answers of another author look different by default`,
);
expect(SECOND_ANSWERS.length >= 300, '300 answers of another author');
expect(differing.length <= MAX_CHANGED_SHARE * SECOND_ANSWERS.length, 'at most 0.5 % of them look different');

/** What users copy from answers. */
const COPIED = [
  'echo "REDIS_URL=redis://localhost:6379" >> .env',
  'DATABASE_URL=postgres://db.internal:5432/app?sslmode=require',
  'git clone git@git.example:team/app.git',
  'pip install git+ssh://git@git.example/team/app.git',
  'aws s3 sync ./dist s3://assets.example/app --delete',
  '$handlers[$name]($event)',
  'const names: Array<string> = rows.map((row) => row["name"]);',
  'curl -fsS "https://api.example/v1/items?limit=10&after=5" | jq ".items[]"',
  "find . -name '*.log' -mtime +7 -exec rm {} \\;",
  'jdbc:postgresql://db.example:5432/app',
];
for (const snippet of COPIED) {
  for (const text of [`Run \`${snippet}\` first.`, `Run this:\n\n\`\`\`\n${snippet}\n\`\`\`\n`]) {
    for (const renderer of renderers) {
      const appearance = appearanceOf(render(renderer, sanitizeByDefault(text).text) ?? '');
      expect(appearance.includes(snippet), `${snippet} can be copied (${renderer.name})`, appearance);
    }
  }
}

for (const [place, text, code] of WRITTEN_CODE) {
  for (const renderer of RENDERERS.filter(({ underMarkdown, readsCode }) => underMarkdown && !readsCode)) {
    const inCode = (html) =>
      [...html.matchAll(/<code\b.*?<\/code>/gs)].map(([part]) => appearanceOf(part)).join('\n');
    const [original, clean] = [text, sanitizeByDefault(text).text].map((answer) =>
      inCode(render(renderer, answer)),
    );
    expect(clean.includes(code) || !original.includes(code), `${place} (${renderer.name})`, clean);
    if (COMPARED.includes(renderer.name))
      expect(original.includes(code), `${place} is code (${renderer.name})`, original);
  }
}

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

function sanitizedOf({ name, text }, options) {
  const { text: clean } = sanitize(text, options);
  const streamed = sanitizeChunks(chunksOf(text, 13), options).join('');
  expect(
    streamed === clean,
    `${options.mode}, ${options.rendering}: ${name} is the same as a stream`,
    difference(clean, streamed),
  );
  return clean;
}

function differencesOf(original, clean, options) {
  if (clean === original) return [];
  return renderers
    .filter(
      (renderer) =>
        appearanceOf(render(renderer, original) ?? '', options) !==
        appearanceOf(render(renderer, clean) ?? '', options),
    )
    .map(({ name }) => name);
}

function share(count) {
  return `${count} of ${ANSWERS.length} (${((100 * count) / ANSWERS.length).toFixed(1)} %)`;
}

function expect(isMet, what, detail = '') {
  if (isMet) {
    passed++;
    return;
  }
  failed++;
  if (failed <= shown) console.log(`FAILED ${what} ${detail}`);
}
