import { runToEnd } from '../../resumable.js';
import { type MappedText, MappedTextBuilder } from '../mapped-text.js';
import { CUE_WORDS, type Cue } from './cue-words.js';

/** The letter of each cue in a cue text. */
export const CUE_LETTERS: Readonly<Record<Cue, string>> = {
  model: 'm',
  assistant: 'a',
  reader: 'w',
  user: 'u',
  your: 'y',
  answer: 'r',
  when: 'o',
  task: 'k',
  this: 't',
  note: 'n',
  must: 'd',
  please: 'p',
  send: 's',
  do: 'x',
  say: 'c',
  ignore: 'i',
  never: 'v',
  quietly: 'q',
  secret: 'z',
  tool: 'f',
  address: 'l',
  instructions: 'j',
  earlier: 'e',
  new: 'b',
  rights: 'g',
  memory: 'h',
  turn: '',
  is: 'B',
  person: 'P', to: 'T',
  using: 'U',
  hidden: 'H',
} as never;

interface Node {
  readonly next: Map<number, Node>;
  /** After any letters up to the end of the word. */
  rest: Node | null;
  cues: string;
  /** Cues of a word that is written in capitals. */
  capital: string;
}
const node = (): Node => ({ next: new Map(), rest: null, cues: '', capital: '' });

const SKIP = 1;
const SPACE = 0x20;
const folded = new Uint16Array(65_536);
const LETTER = /[\p{L}\p{N}\p{M}]/u;
const kinds = new Uint8Array(65_536);

function foldOf(unit: number): number {
  const known = folded[unit];
  if (known !== undefined && known !== 0) return known;
  const character = String.fromCharCode(unit);
  let result: number;
  if (/[-'’‘\u2010-\u2013 \t\n\r\u00a0\u3000]/.test(character)) result = SPACE;
  else if (/[\u0300-\u036f\u064b-\u0652\u0670\u093c\u09bc\u0640]/.test(character)) result = SKIP;
  else {
    const lower = character
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/[\u0300-\u036f\u0654\u0655\u0653]/g, '');
    result = lower.charCodeAt(0) || unit;
    if (character === 'ß') result = 'ß'.charCodeAt(0);
    if (character === 'ł' || character === 'Ł') result = 0x6c;
    if (character === 'ı' || character === 'İ') result = 0x69;
    if (character === 'ة') result = 'ه'.charCodeAt(0);
    if (character === 'ى') result = 'ي'.charCodeAt(0);
  }
  folded[unit] = result;
  return result;
}
/** 1 letter, 2 ideograph or kana, 3 Hangul or Arabic, 4 other */
function kindOf(unit: number): number {
  const known = kinds[unit];
  if (known !== undefined && known !== 0) return known;
  const character = String.fromCharCode(unit);
  const kind = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u.test(character)
    ? 2
    : /[\p{Script=Hangul}\p{Script=Arabic}]/u.test(character) && LETTER.test(character)
      ? 3
      : LETTER.test(character)
        ? 1
        : 4;
  kinds[unit] = kind;
  return kind;
}

function build(): Node {
  const root = node();
  for (const [cue, words] of Object.entries(CUE_WORDS) as [Cue, string][]) {
    for (const entry of words.split(',')) {
      const word = entry.trim();
      if (word === '') continue;
      const isCapital = /^[A-ZИ]{2,4}$/.test(word);
      let at = root;
      let previous = -1;
      for (let index = 0; index < word.length; index++) {
        const unit = word.charCodeAt(index);
        if (unit === 0x2a) {
          at.rest ??= node();
          at = at.rest;
          previous = -1;
          continue;
        }
        const key = foldOf(unit);
        if (key === SKIP || (key === SPACE && previous === SPACE)) continue;
        let next = at.next.get(key);
        if (next === undefined) {
          next = node();
          at.next.set(key, next);
        }
        at = next;
        previous = key;
      }
      const letter = CUE_LETTERS[cue];
      if (isCapital) {
        if (!at.capital.includes(letter)) at.capital += letter;
      } else if (!at.cues.includes(letter)) at.cues += letter;
      // Words of languages with endings and without `*`.
      if (kindOf(word.charCodeAt(word.length - 1)) === 3 && word.length >= 3) {
        at.rest ??= node();
        if (!at.rest.cues.includes(letter)) at.rest.cues += letter;
      }
    }
  }
  return root;
}
let trie: Node | null = null;

/** The end of the longest phrase that begins here, and its cues. */
function longest(text: string, start: number, root: Node): readonly [end: number, cues: string] {
  let bestEnd = start;
  let best = '';
  let at: Node | undefined = root;
  let index = start;
  while (at !== undefined) {
    const done = index >= text.length;
    const unit = done ? SPACE : text.charCodeAt(index);
    const kind = done ? 4 : kindOf(unit);
    const before = index > start ? kindOf(text.charCodeAt(index - 1)) : 4;
    const atEnd = index > start && (kind === 4 || kind === 2 || before === 2);
    if (atEnd) {
      let cues = at.cues;
      if (at.capital !== '' && text.slice(start, index) === text.slice(start, index).toUpperCase())
        cues += at.capital;
      if (cues !== '') {
        best = cues;
        bestEnd = index;
      }
    }
    if (at.rest !== null && index > start) {
      let end = index;
      while (end < text.length && (kindOf(text.charCodeAt(end)) === 1 || kindOf(text.charCodeAt(end)) === 3))
        end += 1;
      if (at.rest.cues !== '' && end >= bestEnd) {
        best = merge(best, at.rest.cues, end > bestEnd);
        bestEnd = end;
      }
      const after = at.rest.next.get(end < text.length ? foldOf(text.charCodeAt(end)) : SPACE);
      if (after !== undefined && at.rest.next.size > 0 && !at.next.has(foldOf(unit))) {
        at = after;
        index = end + 1;
        continue;
      }
    }
    if (done) break;
    const key = foldOf(unit);
    if (key === SKIP) {
      index += 1;
      continue;
    }
    at = at.next.get(key);
    index += 1;
  }
  return [bestEnd, best];
}
const merge = (one: string, other: string, replace: boolean): string =>
  replace ? other : one + [...other].filter((letter) => !one.includes(letter)).join('');

const ADDRESS =
  /(?:https?:\/\/|www\.)[^\s"'<>()，。]+|[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+|\b(?:[a-z0-9-]+\.)+(?:example|test|com|org|net|io|dev)\b(?:\.(?:com|org|net))?(?:\/[^\s"'<>()，。]*)?/iy;
const NAME =
  /[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+(?:\(\))?|[a-z]+(?:[A-Z][a-z]+)+\(\)?|[a-z]+(?:\.[a-z_]+)+\(/y;
const PATH =
  /~\/[\w./-]+|\/(?:etc|home|var|root)\/[\w./-]+|\.(?:env|ssh|aws|npmrc|git-credentials)\b[\w./-]*/y;
const TAG = /<!--|-->|<\/?[a-z][^<>]{0,600}>?/iy;
const HIDING =
  /display\s?:\s?none|visibility\s?:\s?hidden|opacity\s?:\s?0(?![.\d])|font-size\s?:\s?[01](?![.\d])|color\s?:\s?(?:#fff|white|transparent)|left\s?:\s?-\d{3}|\shidden\b|aria-hidden\s?=\s?"?true/i;

/** A text of cues. */
export function readCues(text: string): MappedText {
  trie ??= build();
  const out = new MappedTextBuilder(text.length);
  const push = (token: string, start: number, end: number): void => out.push(`${token} `, start, end);
  let index = 0;
  let lineStart = 0;
  const isJson = /^\s*[[{]/.test(text);
  while (index < text.length) {
    const unit = text.charCodeAt(index);
    const kind = kindOf(unit);
    if (kind !== 4) {
      const previousKind = index === 0 ? 4 : kindOf(text.charCodeAt(index - 1));
      if (unit < 128) {
        const special = special_(text, index);
        if (special !== null) {
          push(special[0], index, special[1]);
          index = special[1];
          continue;
        }
      }
      if (kind === 2) {
        const [end, cues] = longest(text, index, trie);
        if (cues !== '') {
          push(`<${cues}>`, index, end);
          index = end;
        } else {
          let stop = index + 1;
          push('_', index, stop);
          index = stop;
        }
        continue;
      }
      void previousKind;
      let [end, cues] = longest(text, index, trie);
      if (cues === '' && kind === 3 && /[وفبلك]/.test(text.charAt(index))) {
        const [endAfter, after] = longest(text, index + 1, trie);
        if (after !== '') {
          end = endAfter;
          cues = after;
        }
      }
      let wordEnd = index;
      while (
        wordEnd < text.length &&
        (kindOf(text.charCodeAt(wordEnd)) === 1 || kindOf(text.charCodeAt(wordEnd)) === 3)
      )
        wordEnd += 1;
      if (cues === '') {
        push('_', index, wordEnd);
        index = wordEnd;
      } else {
        push(`<${cues}>`, index, end);
        index = end;
      }
      continue;
    }
    const character = text.charAt(index);
    if (character === '<') {
      TAG.lastIndex = index;
      const tag = TAG.exec(text)?.[0];
      if (tag !== undefined) {
        if (tag === '<!--' || HIDING.test(tag)) {
          push('.', index, index + 1);
          push('<H>', index, index + tag.length);
        } else if (
          /<\/?(?:b|i|em|strong|a|code|span|u|small)\b/i.test(tag) &&
          !/ (?:alt|title|content|aria-label|style)\s?=/i.test(tag)
        ) {
          /* inline */
        } else push('.', index, index + 1);
        const attribute =
          /\s(?:alt|title|content|aria-label|data-[\w-]+|summary|value|placeholder)\s?=\s?["']/i.exec(tag);
        if (attribute !== null) {
          push('<H>', index, index + attribute.index + attribute[0].length);
          index += attribute.index + attribute[0].length;
        } else index += tag.length;
        continue;
      }
    }
    if (character === '~' || character === '/' || character === '.') {
      PATH.lastIndex = index;
      const path = PATH.exec(text)?.[0];
      if (path !== undefined) {
        push('<z>', index, index + path.length);
        index += path.length;
        continue;
      }
    }
    if (character === '\n') {
      const rest = text.slice(index + 1, index + 12);
      const short = index - lineStart < 50;
      lineStart = index + 1;
      if (
        short ||
        /^\s*(?:[-*•#>|[\d(*{}]|\/\/|\/\*|$|\n)/.test(rest) ||
        /[.!?:;。]\s*$/.test(text.slice(Math.max(0, index - 3), index))
      )
        push('.', index, index + 1);
      index += 1;
      continue;
    }
    if (character === '\\' && text.charAt(index + 1) === 'n') {
      push('.', index, index + 2);
      index += 2;
      continue;
    }
    if (/[.!?]/.test(character)) {
      const next = text.charAt(index + 1);
      if (next === '' || /[\s"'<”»)\]*_]/.test(next)) push('.', index, index + 1);
    } else if (/[。！？｡|]/.test(character)) push('.', index, index + 1);
    else if (/[:：]/.test(character) && !/\d/.test(text.charAt(index + 1))) push(':', index, index + 1);
    else if (/[,，、;；—–،؛]/.test(character)) push(',', index, index + 1);
    else if (/[([（【《{]/.test(character)) push('(', index, index + 1);
    else if (/[)\]）】》}]/.test(character)) push(')', index, index + 1);
    else if (character === '"' && (isJson || /[,;]/.test(text.charAt(index - 1))))
      push('.', index, index + 1);
    index += 1;
  }
  return out.build();
}

function special_(text: string, index: number): readonly [string, number] | null {
  const previous = index === 0 ? '' : text.charAt(index - 1);
  if (/[A-Za-z0-9_@.]/.test(previous)) return null;
  for (const [pattern, token] of [
    [ADDRESS, '<l>'],
    [NAME, '<f>'],
  ] as const) {
    pattern.lastIndex = index;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) return [token, index + found.length];
  }
  return null;
}
void runToEnd;
