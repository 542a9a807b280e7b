/** The form in which ids of people are compared: NFKC, case folded, trimmed (contract 7.5). */
export function comparableId(id: string): string {
  return foldCase(id).trim();
}

/** The form in which names of arguments are compared: NFKC, case folded, without `_`, `-` and spaces (contract 7.5). */
export function comparableName(name: string): string {
  return foldCase(name).replaceAll(/[\s_-]/gu, '');
}

/** Upper case first: `ß` and `SS`, or both forms of the small sigma, fold to the same text. */
function foldCase(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}
