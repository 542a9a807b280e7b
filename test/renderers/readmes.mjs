// Sections of the README files of installed packages, which were not written for these tests. The lock files pin
// the packages, and no text of theirs is committed.
import { existsSync, readFileSync, readdirSync } from 'node:fs';

const FOLDERS = ['../../node_modules/', 'node_modules/'].map((folder) => new URL(folder, import.meta.url));
const MIN_LENGTH = 150;
const MAX_LENGTH = 6000;
const MAX_PER_PACKAGE = 4;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** @typedef {{ name: string, text: string }} Section */

/**
 * The sections of the packages in turn, the first of each one first.
 * @param {number} count
 * @returns {Section[]}
 */
export function readmeSections(count) {
  const packages = new Map(FOLDERS.flatMap((folder) => packagesIn(folder)));
  const names = [...packages.keys()].toSorted((one, other) => (one < other ? -1 : 1));
  const lists = names.map((name) => sectionsOf(name, packages.get(name)));
  const rounds = Array.from({ length: MAX_PER_PACKAGE }, (_, round) => lists.map((list) => list[round]));
  // Packages of one repository share texts.
  const different = new Map(
    rounds
      .flat()
      .filter(Boolean)
      .map((section) => [section.text, section]),
  );
  return [...different.values()].slice(0, count);
}

function packagesIn(folder) {
  const names = readdirSync(folder).filter((name) => !name.startsWith('.'));
  return names
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(new URL(name, folder)).map((inner) => `${name}/${inner}`) : [name],
    )
    .flatMap((name) => {
      const about = new URL(`${name}/package.json`, folder);
      const readme = ['README.md', 'readme.md', 'Readme.md']
        .map((file) => new URL(`${name}/${file}`, folder))
        .find((url) => existsSync(url));
      if (readme === undefined || !existsSync(about)) return [];
      const { version } = JSON.parse(readFileSync(about, 'utf8'));
      return [[`${name}@${version}`, readFileSync(readme, 'utf8')]];
    });
}

/** Each section begins with a heading of the first to third level outside of code. */
function sectionsOf(name, readme) {
  const sections = [''];
  let fence = null;
  for (const line of readme.replaceAll('\r\n', '\n').split('\n')) {
    const mark = FENCE.exec(line)?.[1] ?? null;
    if (fence === null && /^#{1,3} /.test(line)) sections.push('');
    if (fence === null) fence = mark;
    else if (mark?.startsWith(fence)) fence = null;
    sections.push(`${sections.pop()}${line}\n`);
  }
  return sections
    .map((text, index) => ({ name: `${name} section ${index}`, text }))
    .filter(({ text }) => text.length >= MIN_LENGTH && text.length <= MAX_LENGTH);
}
