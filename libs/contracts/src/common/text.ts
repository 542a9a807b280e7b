// oxlint-disable-next-line no-control-regex -- the pattern is there to find NUL
const UNSTORABLE = /[\u0000\uD800-\uDFFF]/;

/**
 * Replaces lone surrogates and NUL, which UTF-8 or PostgreSQL cannot store, with U+FFFD. The length in UTF-16
 * units does not change.
 */
export function scrubText(text: string): string {
  return UNSTORABLE.test(text) ? text.toWellFormed().replaceAll('\u0000', '\uFFFD') : text;
}

/** A copy of a JSON value with every text scrubbed, including keys. Keys keep their order. */
export function scrubJson(value: unknown): unknown {
  if (typeof value === 'string') return scrubText(value);
  if (Array.isArray(value)) return value.map(scrubJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [scrubText(key), scrubJson(inner)]));
}

/** The text as it appears within a JSON text. */
export function jsonFragment(text: string): string {
  return JSON.stringify(scrubText(text)).slice(1, -1);
}

/** Levels of JSON from outside that are read: deeper values take long to walk, or exceed the stack. */
const MAX_JSON_DEPTH = 64;

/** The value of a JSON text; `undefined` for any other text, and for one that is nested too deep. */
export function parsedJson(text: string, maxDepth = MAX_JSON_DEPTH): unknown {
  try {
    return isDeeper(text, maxDepth) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isDeeper(text: string, maxDepth: number): boolean {
  let depth = 0;
  let isQuoted = false;
  for (let place = 0; place < text.length && depth <= maxDepth; place++) {
    const character = text[place];
    if (character === '\\') place++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
  }
  return depth > maxDepth;
}

/** `camelCase` as `camel_case`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `snake_case` as `snakeCase`. */
export function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Escapes the control characters of Slack's markup, so that a name cannot become a mention or a link. */
export function escapeSlackMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Whether a value is an object with names: neither `null` nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of the object itself; `undefined` for a value that has none of this name. */
export function ownMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** An object that JSON can represent: no class instance, no custom prototype. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Each realm has its own Object.prototype, so it is not compared.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The first `count` code points, and whether text was cut off. */
export function takeCodePoints(
  text: string,
  count: number,
): { readonly head: string; readonly cut: boolean } {
  if (text.length <= count) return { head: text, cut: false };
  let end = 0;
  for (let taken = 0; taken < count && end < text.length; taken++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return { head: text.slice(0, end), cut: end < text.length };
}

export const PREVIEW_LENGTH = 160;

/** The preview in lists: 160 code points, then an ellipsis where text was cut off. */
export function previewOf(text: string): string {
  const { head, cut } = takeCodePoints(text, PREVIEW_LENGTH);
  return cut ? `${head}…` : head;
}

/**
 * Of these names the one that a misspelled name probably means: it differs in a third of its characters at most, also
 * with its levels swapped (`input_screen.mode` means `modes.input_screen`) or left out. `null` if there is none.
 */
export function closestName(word: string, names: Iterable<string>): string | null {
  let closest: string | null = null;
  let fewest = Math.floor(word.length / 3) + 1;
  for (const name of names) {
    const levels = name.split('.').toReversed();
    for (const spelling of new Set([name, levels.join('.'), ...levels.slice(0, 1)])) {
      if (Math.abs(spelling.length - word.length) >= fewest) continue;
      const edits = editsBetween(word.toLowerCase(), spelling.toLowerCase(), fewest);
      if (edits < fewest) [closest, fewest] = [name, edits];
    }
  }
  return closest;
}

/** The number of characters to insert, delete or replace (Levenshtein); at least `limit` if it is not below `limit`. */
function editsBetween(from: string, to: string, limit: number) {
  let common = 0;
  while (common < from.length && from[common] === to[common]) common += 1;
  return editsAfterPrefix(from.slice(common), to.slice(common), limit);
}

function editsAfterPrefix(from: string, to: string, limit: number): number {
  const row = Uint16Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let place = 1; place <= from.length; place++) {
    const unit = from.charCodeAt(place - 1);
    let diagonal = place - 1;
    let left = place;
    let fewest = place;
    row[0] = place;
    for (let other = 1; other <= to.length; other++) {
      const above = row[other] ?? 0;
      const replaced = diagonal + (to.charCodeAt(other - 1) === unit ? 0 : 1);
      diagonal = above;
      left = Math.min(replaced, above + 1, left + 1);
      row[other] = left;
      fewest = Math.min(fewest, left);
    }
    if (fewest >= limit) return fewest;
  }
  return row[to.length] ?? 0;
}

/** How the text of a decision is stored. */
export const PROMPT_STORAGES = ['redact', 'hash', 'truncate', 'raw'] as const;

/** How much of a text is stored. */
export type PromptStorage = (typeof PROMPT_STORAGES)[number] | 'erased';
