/** Looks for `q` to the letter, but for the case of ASCII letters: the same rows as any database finds. */
export function literalSearch(q: string): (text: string) => boolean {
  const sought = foldAscii(q);
  return (text) => foldAscii(text).includes(sought);
}

/** Not `toLowerCase` on the whole: it would also make ASCII letters of a few that are none (the Kelvin sign). */
function foldAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
