// Checks that people read the words of docs/glossary.md: in pages, in strings of the product and in its doc comments.
// The last column of its table has the words to avoid. Usage: node test/structure/words.mjs [FOLDER]
//
// Names keep their words. A name is code (in backticks, quotes or a block), a word that a mark joins to another one
// (`would_park`, `guardrails.tool.parked`, `--hold`), a string of one lower-case word, SQL, or a string that the contract quotes.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = process.argv[2] ?? fileURLToPath(new URL('../..', import.meta.url));
const GLOSSARY = 'docs/glossary.md';
const CONTRACT = 'docs/reference/contract.md';
/** Pages that are derived from strings and doc comments, which are read at their source. */
const DERIVED = /^docs\/reference\/api\//;

const contract = read(CONTRACT);
const avoided = read(GLOSSARY)
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((row) =>
    row
      .split('|')
      .slice(1, 4)
      .map((cell) => cell.trim()),
  )
  .flatMap(([word, , not]) => not.split(', ').map((phrase) => ({ word, phrase })))
  .filter(({ phrase }) => phrase !== '')
  .map(({ word, phrase }) => ({ word, pattern: patternOf(phrase) }));

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((path) => existsSync(join(ROOT, path)) && !DERIVED.test(path));
const pages = files.filter((path) => path.endsWith('.md') && path !== GLOSSARY && path !== CONTRACT);
const sources = files.filter(
  (path) =>
    /^(?:libs|src|apps|tools|examples)\/.*\.(?:ts|tsx|mts|mjs)$/.test(path) &&
    !/\.(?:spec|data|panel)\.\w+$/.test(path),
);

/** Chains of "of" need a second reading. */
const MOST_OFS = 2;

const faults = [
  ...pages.flatMap((path) => faultsIn(path, [{ text: withoutBlocks(read(path)), start: 0 }])),
  ...sources.flatMap((path) => faultsIn(path, textsOf(path))),
];
for (const fault of faults) console.error(fault);
if (faults.length > 0) {
  console.error(`\n${faults.length} words that ${GLOSSARY} avoids. Write the words that it names instead.`);
  process.exitCode = 1;
}

function read(path) {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** A phrase with a capital letter is compared exactly. */
function patternOf(phrase) {
  const words = phrase.split(' ').join(String.raw`\s+(?:\* )?`);
  return new RegExp(
    String.raw`(?<![\w./:@#$'"-])${words}(?![\w/'"-]|[.:]\w)`,
    /[A-Z]/.test(phrase) ? 'g' : 'gi',
  );
}

function faultsIn(path, texts) {
  const whole = read(path);
  const place = (at) => `${path}:${whole.slice(0, at).split('\n').length}`;
  return texts.flatMap(({ text, start, isString }) => [
    ...avoided.flatMap(({ word, pattern }) =>
      Array.from(
        withoutCode(text).matchAll(pattern),
        ({ 0: match, index }) =>
          `${place(start + index)} has "${match.replaceAll(/\s+(?:\* )?/g, ' ')}": write "${word}".`,
      ),
    ),
    ...(isString === true && hasChain(text)
      ? [`${place(start)} has a sentence with more than ${MOST_OFS} "of": write two sentences.`]
      : []),
  ]);
}

function hasChain(text) {
  return text.split(/[.;:!?]\s/).some((sentence) => (sentence.match(/\bof\b/g) ?? []).length > MOST_OFS);
}

/** Marks instead of code, so that places stay and no phrase extends over code. */
function withoutCode(text) {
  return text.replaceAll(/`[^`\n]*`|\$\{[^}]*\}|\]\([^)\s]*\)|\{@\w+ [^}]*\}/g, (code) =>
    '`'.repeat(code.length),
  );
}

function withoutBlocks(page) {
  return page.replaceAll(/^( *)(```|~~~)[^]*?^\1\2$/gm, spaces);
}

function spaces(text) {
  return text.replaceAll(/[^\n]/g, ' ');
}

/** Strings that people read, and doc comments. */
function textsOf(path) {
  const whole = read(path);
  const tree = ts.createSourceFile(path, whole, ts.ScriptTarget.Latest, true);
  const texts = Array.from(whole.matchAll(/\/\*\*[^]*?\*\//g), ({ 0: text, index }) => ({
    text,
    start: index,
  }));
  const visit = (node) => {
    if (isText(node)) {
      const text = node.getText(tree);
      const inner = ts.isJsxText(node) ? text : ` ${text.slice(1, -1)} `;
      if (!isName(inner.trim(), ts.isJsxText(node)))
        texts.push({ text: inner, start: node.getStart(tree), isString: true });
    }
    if (!ts.isTaggedTemplateExpression(node) && !isExample(node)) ts.forEachChild(node, visit);
  };
  visit(tree);
  return texts;
}

/** Texts of attackers and users, from which rules are explained. */
function isExample(node) {
  return ts.isPropertyAssignment(node) && /^(?:examples|nearMisses)$/.test(node.name.getText());
}

function isText(node) {
  return (
    ts.isStringLiteral(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateExpression(node) ||
    ts.isJsxText(node)
  );
}

function isName(text, isShown) {
  const isWord = !isShown && /^[^\sA-Z][^\s]*$/.test(text);
  const isList = /^[\w ]+$/.test(text) && text.includes('_') && text === text.toLowerCase();
  const isSql = /^(?:alter|create|delete|insert|select|update|with)[\s,]/.test(text);
  return isWord || isList || isSql || contract.includes(`"${text}"`) || contract.includes(`\`${text}\``);
}
