// Checks that sections of README files look the same under the default settings.
import { parseArgs } from 'node:util';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { appearanceOf, difference } from './appearance.mjs';
import { sanitizeByDefault } from './engine.mjs';
import { render } from './judge.mjs';
import { readmeSections } from './readmes.mjs';
import { RENDERERS } from './renderers.mjs';

const { values } = parseArgs({ options: { show: { type: 'string', default: '20' } } });
const SECTIONS = 500;
const MAX_DIFFERENT = 0.02;
const COMPARED = ['marked', 'markdown-it, html', 'remark, gfm'].map((wanted) =>
  RENDERERS.find(({ name }) => name === wanted),
);
const ALLOWED = /^<\/?(?:br|sub|sup|kbd|mark) ?\/?>$/i;
const FOREIGN = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;
const markdown = unified().use(remarkParse).use(remarkGfm);

const causes = new Map();
const different = [];
let compared = 0;
const sections = readmeSections(SECTIONS);
for (const { name, text } of sections) {
  const { text: clean, findings } = sanitizeByDefault(text);
  const cause = causeOf(text, findings);
  if (cause !== null) {
    causes.set(cause, (causes.get(cause) ?? 0) + 1);
    continue;
  }
  compared++;
  const where = COMPARED.filter((renderer) => lookOf(renderer, text) !== lookOf(renderer, clean));
  if (where.length > 0)
    different.push(`${name}, ${where.map(({ name: by }) => by).join('; ')}: ${difference(text, clean)}`);
}
console.log(
  `${sections.length} sections; meant to change: ${[...causes].map(([cause, count]) => `${count} ${cause}`).join(', ')}`,
);
console.log(`${different.length} of ${compared} others look different`);
for (const line of different.slice(0, Number(values.show))) console.log(`  ${line}`);
const checks = [
  [sections.length === SECTIONS, `${SECTIONS} sections`],
  [different.length <= MAX_DIFFERENT * compared, `at most ${100 * MAX_DIFFERENT} % look different`],
];
const failed = checks.filter(([isMet]) => !isMet);
for (const [, what] of failed) console.log(`FAILED ${what}`);
console.log(`${checks.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Why the section is meant to change; `null` if it is not. */
function causeOf(text, findings) {
  let cause = findings.some(({ kind }) => kind === 'pii_redaction') ? 'with personal data' : null;
  const tree = markdown.parse(text);
  const addresses = new Map();
  visit(tree, 'definition', ({ identifier, url }) => void addresses.set(identifier, url));
  visit(tree, ({ type, identifier, url = addresses.get(identifier), value = '' }) => {
    if (type.startsWith('image') && FOREIGN.test(url)) cause = 'with a foreign image';
    if (type === 'html' && !ALLOWED.test(value)) cause ??= 'with other HTML';
  });
  return cause;
}

function lookOf(renderer, text) {
  return appearanceOf(render(renderer, text) ?? '');
}
