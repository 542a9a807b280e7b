import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = resolve(fileURLToPath(new URL('../..', import.meta.url)));

/** The pages that people write. The others are generated. */
export const PAGES = [
  'README.md',
  'docs/README.md',
  'docs/glossary.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'CODE_OF_CONDUCT.md',
  'docs/glossary.md',
  'docs/threat-model.md',
  'docs/reference/limits.md',
].concat(
  ['start', 'guides', 'operate', 'decisions', 'contributing'].flatMap((folder) =>
    readdirSync(join(ROOT, 'docs', folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${folder}/${name}`),
  ),
);

/** Words of the prose of a page, its tables included: without blocks of code, and without addresses of links. */
export function wordsOf(page: string): number {
  const prose = page.replaceAll(/^( *)```[^]*?^\1```$/gm, '').replaceAll(/\]\([^)]*\)/g, ']');
  return prose.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** A fenced block of a page, without the indent of its list. */
export interface Block {
  readonly language: string;
  /** The path in its first line; `null` if there is none. */
  readonly path: string | null;
  readonly text: string;
}

export function pageOf(name: string): string {
  return readFileSync(join(ROOT, name), 'utf8');
}

const FENCED = /^(?<indent> *)```(?<language>\w+)[^\n]*\n(?<body>[^]*?)^\k<indent>```$/gm;

export function blocksOf(page: string): readonly Block[] {
  return Array.from(page.matchAll(FENCED), ({ groups: { indent = '', language = '', body = '' } = {} }) => {
    const text = body.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    return { language, text, path: /^ ?\/\/ (\S+\.(?:tsx?|mjs))\n/.exec(text)?.[1] ?? null };
  });
}

/** The text below a heading, up to the next heading of the same or a higher level. */
export function sectionOf(page: string, heading: string): string {
  const [marks = ''] = /^#+/.exec(heading) ?? [];
  const start = page.indexOf(`\n${heading}\n`);
  if (start < 0) throw new Error(`there is no heading ${heading}`);
  const rest = page.slice(start + heading.length + 2);
  const end = rest.search(new RegExp(`^#{1,${marks.length}} `, 'm'));
  return end < 0 ? rest : rest.slice(0, end);
}

/** The cells of every row of the first table, without its head; code marks left out. */
export function tableOf(section: string): readonly (readonly string[])[] {
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

/** Anchors as on GitHub: the second of two equal ones has a number. */
export function anchorsOf(page: string): readonly string[] {
  const counts = new Map<string, number>();
  return Array.from(page.matchAll(/^#+ (.+)$/gm), ([, heading = '']) => {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-');
    const before = counts.get(anchor) ?? 0;
    counts.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
}
