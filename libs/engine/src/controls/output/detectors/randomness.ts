/** Units of a text that show whether it is random, and how many of them differ. Words have more repetitions. */
const SAMPLE = 64;
const MIN_DISTINCT = 7;
/** The number of the text in which a character was seen last. */
const seen = new Uint32Array(128);
let texts = 0;

function areDistinct(text: string, start: number, end: number): boolean {
  texts++;
  let distinct = 0;
  for (let place = Math.max(0, start); place < Math.min(end, text.length); place++) {
    const code = text.charCodeAt(place) & 127;
    if (seen[code] === texts) continue;
    seen[code] = texts;
    if (++distinct === MIN_DISTINCT) return true;
  }
  return false;
}

export function isMixed(text: string): boolean {
  return /\d/.test(text) && /[A-Za-z]/.test(text);
}

/** Whether a text looks generated: letters and digits mixed, with few repetitions at its beginning or at its end. */
export function looksRandom(text: string): boolean {
  return (
    isMixed(text) && (areDistinct(text, 0, SAMPLE) || areDistinct(text, text.length - SAMPLE, text.length))
  );
}
