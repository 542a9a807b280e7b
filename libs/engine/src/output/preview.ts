import type { Pass } from './pass.js';
import { TracedText } from './traced-text.js';

/** More text than this waits for the end of its stretch. No construct that stays in one piece is much longer. */
const MAX_OPEN = 400;
/** How far the beginning of an open construct is looked for. */
const MAX_TAIL = 1100;
/** The passes judge the text before a word at each half more of it, because this costs as much as a stretch. */
const MIN_JUDGED = 48;
const MAX_ROUNDS = 4;

/** Blanks, and what ends a clause of a text without blanks. */
const WORD_END = /[ \t\n\u3001\u3002\uff01\uff09\uff0c\uff1a\uff1b\uff1f]/g;
/** Most words, in which nothing begins for any pass. */
const PLAIN = /^(?!\S*maid)[(*']?(?![Bb]asic\W|sshpass\W|mmd\W)[A-Z]?[a-z]{2,15}['.,)*;!?]{0,3}\s$/;
/** Two letters that no number and no key contains, or the border of a cell. */
const CLOSES =
  /[a-z\u00df-\u024f\u0370-\u052f\u05d0-\u05ea\u0620-\u064a\u0904-\u0939\u0e01-\u0e30\u3041-\u30fe\u3400-\u9fff\uac00-\ud7a3]{2}|^\|\s/;
/** Numbers up to a sign that no number contains. */
const NUMBERS = /^[\d\s.,;:%+-]*[,;]/;
/** A tag, a comment or a target that is not closed: it hides what follows. */
const OPEN_MARKUP =
  /(?:<|&lt;)(?:!--(?:(?!-->)[^]){0,400}|(?:[A-Za-z/][A-Za-z0-9-]*\s|[!?])(?:[^<>"']|"[^"]*"|'[^']*'){0,400}(?:"[^"]*|'[^']*)?)$|\]\((?:[^()"']|\([^()]*\)|"[^"]*"|'[^']*'){0,400}(?:"[^"]*|'[^']*)?$/;

/**
 * The beginning of a held text that can be shown before its stretch is complete, because nothing after it changes what
 * becomes of it. It is read word by word: words in which no pass can begin a change are shown at once. All others wait
 * for a word that ends whatever they begin.
 */
export class Preview {
  /** The clean text for the first `place` units of the held text. It is shown. */
  text = '';
  place = 0;
  private held = '';
  /** The end of the held text, whose first word is not complete. */
  private unread = '';
  private read = 0;
  /** What is open is not looked at again before here, so that each of its units is read a few times. */
  private next = 0;
  /** The passes judge no text that is shorter. */
  private judged = 0;
  private isBlocked: boolean;

  constructor(private readonly passes: readonly Pass[]) {
    this.isBlocked = this.isEveryWordOpen;
  }

  private get isEveryWordOpen(): boolean {
    return this.passes.some((pass) => pass.canBeginIn(''));
  }

  append(more: string): void {
    this.held += more;
    this.unread += more;
  }

  /** Reads the complete words, and returns the text that can be shown now. */
  advance(): string {
    const { unread } = this;
    const { length } = this.text;
    let at = 0;
    WORD_END.lastIndex = 0;
    while (!this.isBlocked && this.read - this.place < MAX_OPEN && WORD_END.test(unread)) {
      this.add(unread.slice(at, WORD_END.lastIndex));
      at = WORD_END.lastIndex;
    }
    this.unread = unread.slice(at);
    return this.text.slice(length);
  }

  /** Returns the part of a released text that is not shown yet, and goes on with the text that is still held. */
  rest(released: string, held: string, isBlocked: boolean): string {
    const { text } = this;
    if (!released.startsWith(text) && !text.startsWith(released))
      throw new Error('a stream showed a text that the output handler then changed');
    this.text = text.slice(released.length);
    // Of what is shown, the end may not be clean in the held text yet.
    const behind = this.held.slice(this.place);
    this.place = this.text === '' ? 0 : held.length - behind.length;
    this.read = this.place;
    this.held = held;
    this.unread = held.slice(this.read);
    this.next = 0;
    this.judged = 0;
    this.isBlocked = isBlocked || !held.endsWith(this.text === '' ? '' : behind) || this.isEveryWordOpen;
    return released.slice(text.length);
  }

  private add(word: string): void {
    const isOpen = this.place < this.read;
    this.read += word.length;
    const isPlain = PLAIN.test(word);
    if (!isPlain && this.passes.some((pass) => pass.canBeginIn(word))) {
      const numbers = NUMBERS.exec(this.held.slice(this.place, this.read))?.[0];
      if (numbers !== undefined) this.close(this.place + numbers.length, numbers);
    } else if (!isOpen) this.show(word);
    else if (this.read >= this.next && (isPlain || CLOSES.test(word))) this.close(this.read, word);
  }

  private show(part: string): void {
    this.text += part;
    this.place += part.length;
  }

  /** Shows the text up to `end` if it is decided. It ends with `word`, in which nothing begins. */
  private close(end: number, word: string): void {
    this.next = end + ((end - this.place) >> 2);
    const text = this.held.slice(0, end);
    const tail = text.slice(-MAX_TAIL);
    if (OPEN_MARKUP.test(tail) || this.passes.some((pass) => pass.isOpen(tail))) return;
    const answers = this.passes.map((pass) => pass.couldChange(text, this.place, this.text));
    if (answers.includes(null)) return;
    if (!answers.includes(true)) this.show(text.slice(this.place));
    else if (end >= this.judged) {
      this.judged = end + Math.max(MIN_JUDGED, end >> 1);
      const clean = this.cleaned(text);
      if (clean?.startsWith(this.text) !== true || !clean.endsWith(word)) return;
      this.text = clean;
      this.place = end;
    }
  }

  /** The text as the passes leave it; `null` if they do not agree soon. */
  private cleaned(text: string): string | null {
    const { passes } = this;
    let held = TracedText.empty.append(text);
    for (let turn = 0, unchanged = 0; unchanged < passes.length; turn++) {
      if (turn === MAX_ROUNDS * passes.length) return null;
      const stretch = { text: held.text, judged: held.text.length, isPreview: true };
      const edits = passes[turn % passes.length]?.judge(stretch).edits ?? [];
      unchanged = edits.length === 0 ? unchanged + 1 : 0;
      held = held.edited(edits);
    }
    return held.text;
  }
}
