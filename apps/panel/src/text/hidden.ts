/** A stretch of text, or one character that would be invisible or change the order of others. */
type VisiblePart = { readonly text: string } | { readonly mark: string; readonly name: string };

/**
 * Control, format, bidi and filler characters, and variation selectors, which can hide a text; not tab and line feed, and
 * neither a joiner nor the selector of an emoji.
 */
const HIDDEN =
  /(?<!\p{Extended_Pictographic}\uFE0F?)\u200D|(?=[^\t\n\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\u115F\u1160\u3164\uFFA0\u2800]|\u034F|\u17B4|\u17B5|(?!\uFE0F)\p{Variation_Selector}|(?<![\p{Extended_Pictographic}\p{Emoji}])\uFE0F|\u200D(?!\p{Extended_Pictographic})/gu;

const NAMES: Readonly<Record<string, string>> = {
  '\u0000': 'null character',
  '\r': 'carriage return',
  '\u001B': 'escape',
  '\u00AD': 'soft hyphen',
  '\u061C': 'Arabic letter mark',
  '\u200B': 'zero-width space',
  '\u200C': 'zero-width non-joiner',
  '\u200D': 'zero-width joiner',
  '\u200E': 'left-to-right mark',
  '\u200F': 'right-to-left mark',
  '\u202A': 'left-to-right embedding',
  '\u202B': 'right-to-left embedding',
  '\u202C': 'end of embedding',
  '\u202D': 'left-to-right override',
  '\u202E': 'right-to-left override',
  '\u2060': 'word joiner',
  '\u2066': 'left-to-right isolate',
  '\u2067': 'right-to-left isolate',
  '\u2068': 'first-strong isolate',
  '\u2069': 'end of isolate',
  '\uFEFF': 'byte order mark',
};

/** Splits a text so that each hidden character can be shown as a mark, such as `U+202E`. */
export function visibleParts(text: string): readonly VisiblePart[] {
  const parts: VisiblePart[] = [];
  let end = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index) });
    parts.push(markOf(match[0]));
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

function markOf(character: string): VisiblePart {
  const code = character.codePointAt(0) ?? 0;
  const mark = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const isTag = code >= 0xe0000 && code <= 0xe007f;
  return { mark, name: NAMES[character] ?? (isTag ? 'tag character' : 'invisible character') };
}
