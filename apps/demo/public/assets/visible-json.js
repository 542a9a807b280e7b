/** Invisible characters, and characters that change the direction of text. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;

/** Equivalent JSON with invisible characters escaped. */
export function visibleJson(value) {
  return visible(JSON.stringify(value, null, 2));
}

/** A text with invisible characters escaped. */
export function visible(text) {
  return text.replaceAll(UNSEEN, (character) => (character === '\n' ? character : escaped(character)));
}

function escaped(character) {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
