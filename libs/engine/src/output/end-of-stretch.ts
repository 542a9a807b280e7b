/** In every way to end a line. Nothing that a pass looks for reaches across one. */
const BLANK_LINE = /(?:\n|\r(?!\n))[ \t]*(?:\n|\r\n|\r(?=[^\n]))/g;

/** Behind the first blank line that ends in what is added; -1 where none does. */
export function endOfStretch(held: string, added: string): number {
  // Two line ends and the blanks between them: where none stands in what is added, none ends there.
  if (!/[\r\n]/.test(added) && !held.endsWith('\r')) return -1;
  const text = held + added;
  // Of many blank lines the first alone ends a stretch; the others begin the next, so that they are not judged one by one.
  const begins = text.search(/[^ \t\r\n]/);
  if (begins === -1) return -1;
  BLANK_LINE.lastIndex = begins;
  while (BLANK_LINE.test(text)) {
    if (BLANK_LINE.lastIndex > held.length) return BLANK_LINE.lastIndex;
    // The end of one blank line may begin the next.
    BLANK_LINE.lastIndex--;
  }
  return -1;
}
