/** Bits per character, by how often each occurs: words of a language stay below 3.5, drawn keys above. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Whether a text looks drawn rather than written: letters and digits mixed, and hardly a repetition. */
export function looksDrawn(text: string): boolean {
  return /\d/.test(text) && /[A-Za-z]/.test(text) && entropyOf(text) >= 2.75;
}
