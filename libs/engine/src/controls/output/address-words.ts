/** Words with an address, for the code scanner: renderers link an address before they read a tick in its word as code. */
import { NextMatch } from '../../text/next-match.js';
import type { OpenWord } from './code-state.js';

/** How much of a word that a text continues is kept, and how much of its continuation is read with it. */
const MAX_WORD = 80;

const BLANKS = [' ', '\t', '\n'];
const BLANK_UNIT = /[ \t\n]/g;
/** The beginning of an address that renderers link without marks. Some ignore backslashes before its signs. */
const ADDRESS = /(?:https?|ftp):\\?\/\\?\/|www\\?\./gi;
const ADDRESS_WITHIN = new RegExp(ADDRESS.source, 'i');

/** Finds the words of a text that contain an address. Its first word may have begun in the text before. */
export class AddressWords {
  private readonly blanks: NextMatch;
  private readonly addresses: NextMatch;
  private wordStart = 0;
  private isFirstWord = true;
  private isFirstAddress: boolean | null = null;

  constructor(
    private readonly text: string,
    private readonly before: OpenWord,
  ) {
    this.blanks = new NextMatch(BLANK_UNIT, text);
    this.addresses = new NextMatch(ADDRESS, text);
  }

  /** Whether the first word contains the pattern, of which a part can be in the text before. */
  beginsWith(pattern: RegExp): boolean {
    const { text } = this.before;
    return text !== '' && pattern.test(text + this.text.slice(0, MAX_WORD));
  }

  /** Whether the word before a place contains an address. Places are ascending. */
  isAddressBefore(at: number): boolean {
    this.moveTo(at);
    if (this.isFirstWord && this.isFirstWordAddress()) return true;
    return this.addresses.from(this.wordStart) < at;
  }

  /** The word before `end`, which the next text may continue. */
  openWord(end: number): OpenWord {
    const { text, before } = this;
    const blank = Math.max(...BLANKS.map((unit) => (end > 0 ? text.lastIndexOf(unit, end - 1) : -1)));
    const isContinued = blank < 0;
    const word = (isContinued ? before.text : '') + text.slice(blank + 1, end);
    const isAddress = (isContinued && before.isAddress) || ADDRESS_WITHIN.test(word);
    return { text: word.slice(-MAX_WORD), isAddress };
  }

  /** Moves to the last word that begins before a place. */
  private moveTo(at: number) {
    for (;;) {
      const blank = this.blanks.from(this.wordStart);
      if (blank >= at) return;
      this.wordStart = blank + 1;
      this.isFirstWord = false;
    }
  }

  private isFirstWordAddress() {
    this.isFirstAddress ??= this.before.isAddress || this.beginsWith(ADDRESS_WITHIN);
    return this.isFirstAddress;
  }
}
