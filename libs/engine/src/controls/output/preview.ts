/** Shows the words of a stream before their stretch ends. It may only show what the session will release later; otherwise the session throws. */
import type { Pass } from './pass.js';
import { MappedText } from '../../text/mapped-text.js';

/** More text than this waits for the end of its stretch. No construct that stays in one piece is much longer. */
const MAX_OPEN = 400;
/** The passes judge the text before a word at each half more of it, because this costs as much as a stretch. */
const MIN_JUDGED = 48;
const MAX_ROUNDS = 4;

/** Blanks, and what ends a clause of a text without blanks. */
const WORD_END = /[ \t\n\u3001\u3002\uff01\uff09\uff0c\uff1a\uff1b\uff1f]/g;
/** Most words, in which nothing begins for any pass. */
const PLAIN = /^(?!\S*maid)[(*']?(?![Bb]asic\W|sshpass\W|mmd\W|[Ww]ww\W)[A-Z]?[a-z]{2,15}['.,)*;!?]{0,3}\s$/;
/** Two letters that no number and no key contains, or the border of a cell. */
const CLOSES =
  /[a-z\u00df-\u024f\u0370-\u052f\u05d0-\u05ea\u0620-\u064a\u0904-\u0939\u0e01-\u0e30\u3041-\u30fe\u3400-\u9fff\uac00-\ud7a3]{2}|^\|\s/;
/** Numbers up to a sign that no number contains. */
const NUMBERS = /^[\d\s.,;:%+-]*[,;]/;
/** What the next words decide. */
const OPEN = new RegExp(
  [
    // A comment, a tag or a target, which hide them.
    String.raw`(?:<|&lt;)(?:!--(?:(?!-->)[^]){0,400}|[A-Za-z/!?](?:[^<>"']|"[^"]*"|'[^']*'){0,400}(?:"[^"]*|'[^']*)?)$`,
    String.raw`\]\((?:[^()"']|\((?:[^()]|\([^()]*\))*\)|"[^"]*"|'[^']*'){0,400}(?:"[^"]*|'[^']*|\((?:[^()]|\([^()]*\))*(?:\([^()]*)?)?$`,
    // A label, an image, a reference, a definition, attributes, values of a command, a directive, a diagram.
    String.raw`!?\[[^\[\]\n]{0,120}$|!\[[^\]]{0,300}(?:\][\s>\u2424]{0,64}(?:\[[^\]]{0,200})?)?$|\]\[[^\]\n]{0,200}$|\]:(?:[ \t>]*\n)?[^\n]{0,300}(?:\n[^\n]{0,100})?$`,
    String.raw`(?:\]|:[\w\-]{1,60})\{[^\}\n]{0,300}$|\\[a-z]+\s*(?:[\[\{][^\]\}]{0,80}[\]\}]\s*)*[\[\{][^\]\}]{0,80}$|:[\w\u0080-\uffff][^\s\[\]]*\[|mermaid|mmd`,
    // A string for a terminal, a password of sshpass, encoded credentials, an account number.
    String.raw`(?:\x1b[P\]X^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]{0,500}$|sshpass[^\n]{0,160}$|\bbasic[^\w\n]{1,9}$`,
    String.raw`(?<![a-z\d])[a-z]{2}\d{2}(?:[^a-z\d]{0,9}[a-z\d]){0,30}[^a-z\d]*$`,
  ].join('|'),
  'i',
);

/**
 * The beginning of a held text that can be shown before its stretch is complete, because nothing after it changes what
 * becomes of it. It is read word by word: words in which no pass can begin a change are shown at once. All others wait
 * for a word that ends whatever they begin.
 */
export class Preview {
  /** The clean text for the first `place` units of the held text. It is shown. */
  text = '';
  place = 0;
  held = '';
  /** The end of the held text, which has no complete word. */
  unread = '';
  private read = 0;
  /** What is open is not looked at again before here, so that each of its units is read a few times. */
  private next = 0;
  /** The passes judge no text that is shorter. */
  private judged = 0;
  private isBlocked = false;

  constructor(private readonly passes: readonly Pass[]) {
    this.begin('', false);
  }

  append(more: string): void {
    this.held += more;
    this.unread += more;
  }

  /** Reads the complete words, and returns the text that can be shown now. */
  advance(): string {
    const { unread, text } = this;
    let at = 0;
    WORD_END.lastIndex = 0;
    while (!this.isBlocked && this.read - this.place < MAX_OPEN && WORD_END.test(unread)) {
      this.add(unread.slice(at, WORD_END.lastIndex));
      at = WORD_END.lastIndex;
    }
    this.unread = unread.slice(at);
    return this.text.slice(text.length);
  }

  /** The part of a released text that is not shown yet. */
  rest(released: string): string {
    const { text } = this;
    if (!released.startsWith(text) && !text.startsWith(released))
      throw new Error('a stream showed a text that the output handler then changed');
    this.text = text.slice(released.length);
    return released.slice(text.length);
  }

  /** Goes on with what is held after a release. Of what is shown, the end may not be clean in it yet. */
  begin(held: string, isBlocked: boolean): void {
    const isShown = this.text !== '';
    const behind = isShown ? this.held.slice(this.place) : '';
    this.place = isShown ? held.length - behind.length : 0;
    this.isBlocked = isBlocked || !held.endsWith(behind) || this.passes.some(({ begins }) => begins.test(''));
    this.held = held;
    this.unread = held.slice(this.place);
    this.read = this.place;
    this.next = 0;
    this.judged = 0;
  }

  private add(word: string): void {
    const isOpen = this.place < this.read;
    this.read += word.length;
    const begins = !PLAIN.test(word) && this.passes.some((pass) => pass.begins.test(word));
    if (!isOpen && !begins) {
      this.text += word;
      this.place = this.read;
    } else if (this.read < this.next) return;
    else if (begins) {
      const [numbers] = NUMBERS.exec(this.held.slice(this.place, this.read)) ?? [];
      if (numbers !== undefined) this.close(this.place + numbers.length, numbers);
    } else if (CLOSES.test(word)) this.close(this.read, word);
  }

  /** Shows the text up to `end` if it is decided. It ends with `word`, in which nothing begins. */
  private close(end: number, word: string): void {
    this.next = end + ((end - this.place) >> 2);
    const text = this.held.slice(0, end);
    const part = text.slice(this.place);
    if (OPEN.test(part)) return;
    const answers = this.passes.map((pass) => pass.couldChange(text, this.place, this.text));
    if (answers.includes(null)) return;
    let clean = this.text + part;
    if (answers.includes(true)) {
      if (end < this.judged) return;
      this.judged = end + MIN_JUDGED + (end >> 1);
      clean = this.cleaned(text);
      const start = this.text.length;
      if (this.passes.some((pass) => pass.couldChange(clean, start, this.text) === null)) return;
      if (!clean.startsWith(this.text) || !clean.endsWith(word)) return;
    }
    this.text = clean;
    this.place = end;
  }

  /** The text as the passes leave it; nothing if they do not agree soon. */
  private cleaned(text: string) {
    let held = MappedText.of(text);
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const before = held;
      for (const pass of this.passes) {
        const { edits } = pass.judge({ text: held.text, judged: held.text.length, isPreview: true });
        if (edits.length > 0) held = held.edited(edits);
      }
      if (held === before) return held.text;
    }
    return '';
  }
}
