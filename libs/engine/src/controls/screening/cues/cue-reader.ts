import { type Resumable, UNITS_PER_PAUSE } from '../../../shared/resumable.js';
import { HIDING } from '../../../text/hidden-text.js';
import { type MappedText, MappedTextBuilder } from '../../../text/mapped-text.js';
import { alternatives } from '../lexicons/lexicon.js';
import { LEXICONS } from '../lexicons/lexicons.js';
import { type Concept, cueOf, OTHER_WORD, signOf, WORD_CONCEPTS } from './cue-patterns.js';
import { type Found, IDEOGRAPH, kindOf, OTHER, startsWord, wordEnd, WordTree } from './word-tree.js';

/** Signs of cues that are no words. */
const HIDDEN = cueOf(signOf('hidden'));

/** Cues that address a model, without which nothing is read. */
const ANCHORS: readonly Concept[] = ['model', 'agent', 'reader', 'program'];

/** Units that are read before and after a word that addresses a model. */
const BEFORE = 240;
const AFTER = 400;

/** Lines of a paragraph are at least this long. The end of a shorter one ends a sentence. */
const MIN_LINE = 50;

let known: WordTree | null = null;

const ANCHOR = new RegExp(`[${ANCHORS.map(signOf).join('')}]`);

/** The words of concepts in all languages, each with the sign of its concept. */
function* treeOf(concepts: readonly Concept[]): Resumable<WordTree> {
  const tree = new WordTree();
  for (const concept of concepts) {
    for (const lexicon of LEXICONS)
      for (const entry of lexicon.words(concept))
        for (const word of alternatives(entry)) tree.add(word, signOf(concept));
    yield;
  }
  return tree;
}

/**
 * A text with the cues around each word that addresses a model, `null` without one. A word of cues is `<` with the signs
 * of its concepts and `>`, another word is `_`; also `.` `:` `,` `(` `)`, each followed by a space.
 */
export function* readCues(text: string): Resumable<MappedText | null> {
  const tree = (known ??= yield* treeOf(WORD_CONCEPTS));
  let reader: CueReader | null = null;
  let pause = UNITS_PER_PAUSE;
  let previous = OTHER;
  for (let at = 0; at < text.length; at++) {
    const kind = kindOf(text.charCodeAt(at));
    const isInWord = kind === OTHER || (kind !== IDEOGRAPH && (previous & 1) === 1);
    previous = kind;
    if (isInWord) continue;
    if (at >= pause) {
      pause = at + UNITS_PER_PAUSE;
      yield;
    }
    const { end, signs } = tree.longestAt(text, at);
    if (!ANCHOR.test(signs)) continue;
    reader ??= new CueReader(text, tree);
    reader.read(at - BEFORE, end + AFTER);
    at = end - 1;
    previous = kindOf(text.charCodeAt(at));
  }
  return reader?.cues() ?? null;
}

const SPECIAL: readonly (readonly [sign: string, pattern: RegExp])[] = [
  [
    signOf('address'),
    /(?:https?:\/\/|www\.)[^\s"'<>()，。]+|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+|\b(?:[a-z0-9-]{1,64}\.){1,4}(?:example|test|com|org|net|io|dev)\b[^\s"'<>()，。]{0,100}/iy,
  ],
  [
    signOf('tool'),
    /[a-z][a-z0-9]{0,40}(?:_[a-z0-9]{1,40}){1,6}(?:\(\))?|[a-z]{1,40}(?:[A-Z][a-z]{1,40}){1,4}\(\)?/iy,
  ],
];

const PATH =
  /~\/[\w./-]+|\/(?:etc|home|var|root)\/[\w./-]+|\.(?:env|ssh|aws|npmrc|git-credentials)\b[\w./-]*/y;

const TAG = /<!--|-->|<\/?[a-z][^<>]{0,600}>?/iy;

const INLINE = /^<\/?(?:b|i|em|strong|a|code|span|u|small)\b/i;

const ATTRIBUTE = /\s(?:alt|title|content|aria-label|data-[\w-]+|summary|value|placeholder)\s?=\s?["']/i;

/** The rest of a line that begins a part of its own. */
const NEW_PART = /^\s*(?:[-*•#>|[\d(*{}]|\/\/|\/\*|$|\n)/;

/** Collects the cues of parts of a text, in order. */
class CueReader {
  private readonly out: MappedTextBuilder;
  private readonly isJson: boolean;
  private position = 0;
  private lineStart = 0;

  constructor(
    private readonly text: string,
    private readonly words: WordTree,
  ) {
    this.out = new MappedTextBuilder(0);
    this.isJson = /^\s*[[{]/.test(text);
  }

  cues(): MappedText {
    return this.out.build();
  }

  read(from: number, to: number): void {
    if (from > this.position) this.skipTo(from);
    const end = Math.min(this.text.length, to);
    while (this.position < end) this.position = this.readAt(this.position);
  }

  /** Begins where a word does. */
  private skipTo(from: number) {
    this.position = from;
    while (this.position < this.text.length && !startsWord(this.text, this.position)) this.position += 1;
    if (from > 0) this.push('.', from, from + 1);
  }

  private push(token: string, start: number, end: number) {
    this.out.push(`${token} `, start, end);
    return end;
  }

  private readAt(at: number) {
    return kindOf(this.text.charCodeAt(at)) === OTHER ? this.readMark(at) : this.readWord(at);
  }

  private readWord(at: number) {
    const special = this.specialAt(at);
    if (special !== null) return this.push(cueOf(special.signs), at, special.end);
    let found = this.words.longestAt(this.text, at);
    // Arabic writes "and", "so", "by" and "for" as a part of the next word.
    if (found.signs === '' && /[وفبلك]/.test(this.text.charAt(at)))
      found = this.words.longestAt(this.text, at + 1);
    if (found.signs !== '') return this.push(cueOf(found.signs), at, found.end);
    return this.push(OTHER_WORD, at, Math.max(at + 1, wordEnd(this.text, at)));
  }

  private specialAt(at: number): Found | null {
    const { text } = this;
    if (text.charCodeAt(at) > 0x7f || (at > 0 && /[\w@.]/.test(text.charAt(at - 1)))) return null;
    for (const [signs, pattern] of SPECIAL) {
      pattern.lastIndex = at;
      if (pattern.test(text)) return { end: pattern.lastIndex, signs };
    }
    return null;
  }

  private readMark(at: number): number {
    const { text } = this;
    const mark = text.charAt(at);
    const next = text.charAt(at + 1);
    if (mark === ' ') return at + 1;
    if (mark === '>' && next === '>') return this.push(':', at, at + 2);
    if (mark === '<') return this.readTag(at);
    if (mark === '\n') return this.readLineEnd(at);
    if (mark === '\\' && next === 'n') return this.push('.', at, at + 2);
    if (/[~/.]/.test(mark)) {
      PATH.lastIndex = at;
      if (PATH.test(text)) return this.push(cueOf(signOf('secret')), at, PATH.lastIndex);
    }
    if (/[.!?]/.test(mark)) {
      return next === '' || /[\s"'<“”»)\]*_]/.test(next) ? this.push('.', at, at + 1) : at + 1;
    }
    if (/[。！？।؟|]/.test(mark)) return this.push('.', at, at + 1);
    if (/[:：]/.test(mark) && !/\d/.test(next)) return this.push(':', at, at + 1);
    if (/[,，、;；—–،؛]/.test(mark)) return this.push(',', at, at + 1);
    if (/[([（【《{]/.test(mark)) return this.push('(', at, at + 1);
    if (/[)\]）】》}]/.test(mark)) return this.push(')', at, at + 1);
    if (mark === '"' && (this.isJson || /[,;]/.test(text.charAt(at - 1)))) return this.push('.', at, at + 1);
    return at + 1;
  }

  private readTag(at: number) {
    TAG.lastIndex = at;
    const tag = TAG.exec(this.text)?.[0];
    if (tag === undefined) return at + 1;
    const isHidden = tag === '<!--' || HIDING.test(tag);
    const attribute = ATTRIBUTE.exec(tag);
    if (isHidden || attribute !== null || !INLINE.test(tag)) this.push('.', at, at + 1);
    if (isHidden || attribute !== null) this.push(HIDDEN, at, at + 1);
    return at + (attribute === null ? tag.length : attribute.index + attribute[0].length);
  }

  /** A line of a paragraph goes on in the next line. */
  private readLineEnd(at: number) {
    const isShort = at - this.lineStart < MIN_LINE;
    this.lineStart = at + 1;
    const goesOn =
      !isShort &&
      !NEW_PART.test(this.text.slice(at + 1, at + 12)) &&
      !/[.!?:;。]\s*$/.test(this.text.slice(Math.max(0, at - 3), at));
    return goesOn ? at + 1 : this.push('.', at, at + 1);
  }
}
