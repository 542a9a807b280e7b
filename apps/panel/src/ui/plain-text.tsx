/** Any text that comes from outside: isolated from the text around it, with hidden characters shown as marks. */
export function PlainText({ text }: { readonly text: string }) {
  return <bdi>{shown(text)}</bdi>;
}

/** An id or a key: it breaks after a part, and within a part only if the part is too long. */
export function NameText({ text }: { readonly text: string }) {
  return (
    <bdi class="name">
      {text.split(/(?<=[.:_/])/).map((part, index) => (
        <>
          {index > 0 && <wbr />}
          <Visible text={part} />
        </>
      ))}
    </bdi>
  );
}

function shown(text: string) {
  const parts = partsOf(text);
  return parts.map((part, index) =>
    // The first and the last part continue the lines of the text before and after this one.
    index === 0 || index === parts.length - 1 ? (
      <Visible text={part} />
    ) : (
      <span class="text-part">
        <Visible text={part} />
      </span>
    ),
  );
}

function Visible({ text }: { readonly text: string }) {
  return (
    <>
      {visibleParts(text).map((part) =>
        'text' in part ? (
          part.text
        ) : (
          <span class="hidden-mark" title={part.name}>
            {part.mark}
          </span>
        ),
      )}
    </>
  );
}

/** The time for the layout of one paragraph grows faster than its length, so longer texts are laid out in parts. */
const PART_LENGTH = 4000;

/** What belongs to the character before it. */
const JOINED = /^[\u200D\p{M}\p{Emoji_Modifier}]/u;

/** Splits a long text behind line feeds, else behind spaces, else between any two characters. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  while (text.length - start > PART_LENGTH) {
    const end = endOfPart(text, start);
    parts.push(text.slice(start, end));
    start = end;
  }
  return [...parts, text.slice(start)];
}

function endOfPart(text: string, start: number) {
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

function isInsideCharacter(text: string, index: number) {
  const code = text.charCodeAt(index);
  const isLowSurrogate = code >= 0xdc00 && code <= 0xdfff;
  return isLowSurrogate || text[index - 1] === '\u200D' || JOINED.test(text.slice(index, index + 2));
}

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
function visibleParts(text: string): readonly VisiblePart[] {
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

/** What somebody wrote about a decision, after a colon. */
export function Said({ text }: { readonly text: string | null }) {
  return (
    text !== null && (
      <>
        : <PlainText text={text} />
      </>
    )
  );
}

/** The beginning of the text of an entry in a list. */
export function PromptPreview({ text }: { readonly text: string | null }) {
  return text === null ? <span class="muted">not stored</span> : <PlainText text={text} />;
}
