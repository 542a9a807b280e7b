// What could deceive an approver: hidden characters, look-alikes, markup. Parking stores the warnings with the call.
import type { NewApproval } from '#contracts/approvals/approvals.js';
import type { ToolArguments } from '#contracts/firewall/firewall.js';
import { pathText } from '../../json/plain-json.js';

const MAX_WARNINGS = 50;

/**
 * Warnings about arguments that may deceive an approver, one sentence per argument and problem. Contain the name
 * of the argument with secrets redacted, never its value.
 */
export function argumentWarnings(args: ToolArguments, redact: (name: string) => string): string[] {
  const warnings = new Set<string>();
  for (const { path, text, isName } of textsIn(args)) {
    for (const words of deceptionsIn(text)) {
      warnings.add(`${isName ? 'The name of ' : ''}${shownName(redact(pathText(path)))} ${words}.`);
      if (warnings.size === MAX_WARNINGS) return [...warnings];
    }
  }
  return [...warnings];
}

/**
 * Warnings about the names of caller and tool, which may come from other systems such as MCP servers. Contain none
 * of the names.
 */
export function callerWarnings(
  call: Pick<NewApproval, 'tool' | 'stepName' | 'principalId' | 'application'>,
): string[] {
  const { tool, stepName, principalId, application } = call;
  const names = [
    ['The name of the tool', tool],
    ['The name of the step', stepName === tool ? '' : stepName],
    ['The id of the requester', principalId ?? ''],
    ['The name of the application', application ?? ''],
  ] as const;
  return names.flatMap(([what, name]) => deceptionsIn(name).map((words) => `${what} ${words}.`));
}

interface TextPlace {
  readonly path: readonly (string | number)[];
  readonly text: string;
  readonly isName: boolean;
}

function* textsIn(args: ToolArguments): Generator<TextPlace> {
  const waiting: { readonly path: TextPlace['path']; readonly value: unknown }[] = [
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

const MAX_NAME_LENGTH = 200;

/** Too long to read before approving. */
const VERY_LONG = 2000;

const BIDIRECTIONAL = /\p{Bidi_Control}/u;

/** Invisible characters, except the variation selectors and joiners within emoji. */
const HIDDEN = /(?![\t\n\r]|\p{Bidi_Control})[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u;
const EMOJI = /\p{Extended_Pictographic}\uFE0F?(?:\u200D\p{Extended_Pictographic}\uFE0F?){0,8}/gu;

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const LATIN = /\p{Script=Latin}/u;
const RESEMBLES_LATIN = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;
/** Cyrillic and Greek letters that look like Latin ones; a word of only these reads as a Latin word. */
const DOUBLE =
  /^[\u0430\u0435\u043E\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u04BB\u04CF\u0501\u051B\u051D\u0405\u0406\u0408\u0410\u0412\u0415\u041A\u041C-\u041E\u0420-\u0423\u0425\u03BF\u03BD\u0391\u0392\u0395-\u0397\u0399\u039A\u039C\u039D\u039F\u03A1\u03A4\u03A5\u03A7\p{N}]{3,}$/u;
/** Full-width and mathematical letters, which look like plain ones. */
const DISGUISED = /[\uFF10-\uFF19\uFF21-\uFF3A\uFF41-\uFF5A\u{1D400}-\u{1D7FF}]/u;

const MARKUP = /<[A-Za-z!/?]|!?\[[^\]\n]{0,200}\]\(/u;

const TROUBLES: readonly (readonly [found: (text: string) => boolean, words: string])[] = [
  [(text) => HIDDEN.test(text.replaceAll(EMOJI, '')), 'contains hidden or zero-width characters'],
  [(text) => BIDIRECTIONAL.test(text), 'contains characters that change the direction of the text'],
  [hasLookAlikes, 'contains letters that look like others'],
  [(text) => MARKUP.test(text), 'contains markup'],
  [(text) => text.length > VERY_LONG, 'is very long'],
];

/** Why a text may deceive its reader, as ends of sentences. */
function deceptionsIn(text: string): readonly string[] {
  return TROUBLES.filter(([found]) => found(text)).map(([, words]) => words);
}

/** Escapes hidden characters in a name, so that the warning does not contain any. */
function shownName(name: string) {
  const visible = Array.from(name.slice(0, MAX_NAME_LENGTH), (character) =>
    HIDDEN.test(character) || BIDIRECTIONAL.test(character)
      ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
      : character,
  );
  return `"${visible.join('')}"`;
}

/** Mixed scripts: beside Latin words, a word of similar letters may be mistaken for one. */
function hasLookAlikes(text: string) {
  if (DISGUISED.test(text)) return true;
  if (!RESEMBLES_LATIN.test(text) || !LATIN.test(text)) return false;
  return (text.match(WORD) ?? []).some(
    (word) => RESEMBLES_LATIN.test(word) && (LATIN.test(word) || DOUBLE.test(word)),
  );
}
