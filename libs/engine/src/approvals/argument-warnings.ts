import type { ToolArguments } from '../../../contracts/src/firewall.js';
import { pathText } from '../json/plain-json.js';

const MOST_WARNINGS = 50;
const LONGEST_PATH = 200;

/** Longer than this nobody reads before approving. */
const VERY_LONG = 2000;

const BIDIRECTIONAL = /\p{Bidi_Control}/u;

/** Invisible characters. Variation selectors and joiners within an emoji are what makes it, and hide nothing. */
const HIDDEN = /(?![\t\n\r]|\p{Bidi_Control})[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u;
const EMOJI = /\p{Extended_Pictographic}\uFE0F?(?:\u200D\p{Extended_Pictographic}\uFE0F?){0,8}/gu;

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const LATIN = /\p{Script=Latin}/u;
const RESEMBLES_LATIN = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;
/** Full-width and mathematical letters: plain ones to a reader, other ones to a machine. */
const DISGUISED = /[\uFF10-\uFF19\uFF21-\uFF3A\uFF41-\uFF5A\u{1D400}-\u{1D7FF}]/u;

const MARKUP = /<[A-Za-z!/?]|!?\[[^\]\n]{0,200}\]\(/u;

const WARNINGS: readonly (readonly [found: (text: string) => boolean, words: string])[] = [
  [(text) => HIDDEN.test(text.replaceAll(EMOJI, '')), 'holds hidden or zero-width characters'],
  [(text) => BIDIRECTIONAL.test(text), 'holds characters that change the direction of the text'],
  [hasLookAlikes, 'holds letters that look like others'],
  [(text) => MARKUP.test(text), 'holds markup'],
  [(text) => text.length > VERY_LONG, 'is very long'],
];

/**
 * What an approver should know before trusting their eyes: one sentence for each argument and each trouble with it.
 * Names the argument, never its value, and a name that holds a secret never whole.
 */
export function warningsFor(args: ToolArguments, redact: (name: string) => string): string[] {
  const warnings = new Set<string>();
  for (const { path, text, isName } of textsIn(args)) {
    for (const [found, words] of WARNINGS) {
      if (found(text))
        warnings.add(`${isName ? 'The name of ' : ''}${shown(redact(pathText(path)))} ${words}.`);
      if (warnings.size === MOST_WARNINGS) return [...warnings];
    }
  }
  return [...warnings];
}

interface FoundText {
  readonly path: readonly (string | number)[];
  readonly text: string;
  readonly isName: boolean;
}

function* textsIn(args: ToolArguments): Generator<FoundText> {
  const waiting: { readonly path: FoundText['path']; readonly value: unknown }[] = [
    { path: [], value: args },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, value } = next;
    if (typeof value === 'string') yield { path, text: value, isName: false };
    if (typeof value !== 'object' || value === null) continue;
    const isList = Array.isArray(value);
    for (const [key, inner] of Object.entries(value).toReversed()) {
      const inside = [...path, key];
      if (!isList) yield { path: inside, text: key, isName: true };
      waiting.push({ path: inside, value: inner });
    }
  }
}

function hasLookAlikes(text: string): boolean {
  if (DISGUISED.test(text)) return true;
  return RESEMBLES_LATIN.test(text) && (text.match(WORD) ?? []).some(isMixed);
}

function isMixed(word: string): boolean {
  return LATIN.test(word) && RESEMBLES_LATIN.test(word);
}

/** A warning about hidden characters must not hide any itself. */
function shown(name: string): string {
  const visible = Array.from(name.slice(0, LONGEST_PATH), (character) =>
    HIDDEN.test(character) || BIDIRECTIONAL.test(character)
      ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
      : character,
  );
  return `"${visible.join('')}"`;
}
