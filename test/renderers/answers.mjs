// The harmless answers: those written as a whole, and long ones that join several of them, as a long chat message does. They are no `.md` files, so that formatters leave them alone.
import { readFileSync, readdirSync } from 'node:fs';

const FOLDER = new URL('answers/', import.meta.url);
const BETWEEN = [
  '\n\n---\n\n',
  '\n\nAnd the second part of your question:\n\n',
  '\n\n## Next step\n\n',
  '\n\nOne more thing:\n\n',
  '\n\n***\n\n### Example\n\n',
  '\n\n**Alternatively:**\n\n',
];
const LONG = 60;

/** @typedef {{ name: string, text: string, hasAngleInCode: boolean }} Answer */

const single = answersIn(FOLDER);

/** Of another author, to twelve kinds of questions, one file each. */
export const SECOND_ANSWERS = answersIn(new URL('second/', FOLDER));

/** @type {Answer[]} */
const long = Array.from({ length: LONG }, (_, index) => {
  const parts = [0, 1, 2].map((part) => single[(index * 7 + part * 83 + part * index) % single.length]);
  const text = parts.map((part) => part?.text.trim() ?? '').join(BETWEEN[index % BETWEEN.length]);
  return answerOf(`long ${index + 1}`, `${text}\n`);
});

export const ANSWERS = [...single, ...long];

/** @returns {Answer[]} */
function answersIn(folder) {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .toSorted();
  return files.flatMap((name) =>
    readFileSync(new URL(name, folder), 'utf8')
      .split(/^=====\n/m)
      .map((text) => text.replace(/\n+$/, '\n'))
      .filter((text) => text.trim() !== '')
      .map((text, index) => answerOf(`${name} ${index + 1}`, text)),
  );
}

function answerOf(name, text) {
  const code = text.match(/^ {0,3}(`{3,}|~{3,})[\s\S]*?^ {0,3}\1|`[^`\n]+`/gm) ?? [];
  return { name, text, hasAngleInCode: code.some((part) => /<[\w/!?:%-]/.test(part)) };
}
