/** The time for the layout of one paragraph grows faster than its length, so longer texts are laid out in parts. */
const PART_LENGTH = 4000;

/** What belongs to the character before it. */
const JOINED = /^[\u200D\p{M}\p{Emoji_Modifier}]/u;

/** Splits a long text behind line feeds, else behind spaces, else between any two characters. */
export function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  while (text.length - start > PART_LENGTH) {
    const end = endOfPart(text, start);
    parts.push(text.slice(start, end));
    start = end;
  }
  return [...parts, text.slice(start)];
}

function endOfPart(text: string, start: number): number {
  const limit = start + PART_LENGTH;
  const least = start + PART_LENGTH / 2;
  const candidates = text.slice(least, limit);
  for (const separator of ['\n', ' ']) {
    const index = candidates.lastIndexOf(separator);
    if (index >= 0) return least + index + 1;
  }
  const end = characterStart(text, limit, least);
  return end > least ? end : limit;
}

/** The index where the character at `index` begins; `least` where it begins before that. */
export function characterStart(text: string, index: number, least = 0): number {
  let start = index;
  while (start > least && isInsideCharacter(text, start)) start--;
  return start;
}

function isInsideCharacter(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  const isLowSurrogate = code >= 0xdc00 && code <= 0xdfff;
  return isLowSurrogate || text[index - 1] === '\u200D' || JOINED.test(text.slice(index, index + 2));
}
