import { scrubText } from './text.js';

/** Characters that no one sees, such as U+200B. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * The form in which ids of people and names of tools are compared: without invisible characters, NFKC, case folded, trimmed
 * (contract 7.5). Never recorded.
 */
export function comparableId(id: string): string {
  return foldCase(id).trim();
}

/** The form in which names of arguments are compared: as ids, and without `_`, `-` and spaces (contract 7.5). */
export function comparableName(name: string): string {
  return foldCase(name).replaceAll(/[\s_-]/gu, '');
}

/** Whether a text can be recorded as the id of who acts: one that two people cannot read as the same by accident. */
export function isActorId(id: unknown): id is string {
  return typeof id === 'string' && id.trim() !== '' && id.search(INVISIBLE) < 0;
}

/** Upper case first: `ß` and `SS`, or both forms of the small sigma, fold to the same text. */
function foldCase(text: string) {
  const visible = scrubText(text).replaceAll(INVISIBLE, '');
  return visible.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}
