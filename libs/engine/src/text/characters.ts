/** Characters without a visible glyph, as part of a class with the flag `u`: a model reads them, and a person does not see them. White space is among them. */
export const INVISIBLE = String.raw`\p{Default_Ignorable_Code_Point}\p{Cc}\ufff9-\ufffb`;

/** Counts code points; a lone surrogate counts as one. */
export function codePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    if ((text.codePointAt(index) ?? 0) > 0xffff) index += 1;
    count += 1;
  }
  return count;
}

// These functions tell the kind of a UTF-16 unit. All return false for `NaN`, which `charCodeAt` returns outside the text.

export function isAsciiLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

function isAsciiDigit(code: number) {
  return code >= 0x30 && code <= 0x39;
}

export function isAsciiLetterOrDigit(code: number): boolean {
  return isAsciiLetter(code) || isAsciiDigit(code);
}

export function isAsciiPunctuation(code: number): boolean {
  return code > 0x20 && code < 0x7f && !isAsciiLetterOrDigit(code);
}

/** The same characters as `\s` in a regular expression. */
export function isWhitespace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return code >= 0xa0 && /\s/.test(String.fromCharCode(code));
}
