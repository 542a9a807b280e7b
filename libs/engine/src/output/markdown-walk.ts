import { bareAddress, strangerIn } from './bare-address.js';
import type { LinkPolicy } from './link-policy.js';
import { MarkdownBrackets } from './markdown-brackets.js';
import { endOfCodeSpan, endOfLine } from './markdown-code.js';
import { MarkdownEdits } from './markdown-edits.js';
import { beginLine } from './markdown-lines.js';
import type { MarkdownState } from './markdown-state.js';
import { passAngle } from './markdown-tags.js';
import { endWord, followWord } from './markdown-words.js';
import type { PassResult, Stretch } from './pass.js';

const PUNCTUATION = /[!-/:-@[-`{-~]/;
const PLAIN = /[^\\\r\n![\]<`]+/y;
const TICKS = /`+/y;

const LINK_REMOVED = '[link removed]';

/** Places where the text may be parted, each the last of its sort. */
interface Places {
  line: number;
  blank: number;
  any: number;
}

/**
 * One walk through a stretch of markdown, from left to right, in the way of CommonMark. Where a renderer might see it
 * otherwise, the doubt counts against the text.
 */
export class MarkdownWalk {
  readonly places: Places = { line: 0, blank: 0, any: 0 };
  private readonly text: string;
  private readonly goesOn: boolean;
  private readonly edits: MarkdownEdits;
  private readonly brackets: MarkdownBrackets;
  private at = 0;

  constructor(
    stretch: Stretch,
    readonly state: MarkdownState,
    private readonly policy: LinkPolicy,
    private readonly alsoHtml: boolean,
  ) {
    this.text = stretch.text;
    this.goesOn = stretch.judged < stretch.text.length;
    this.edits = new MarkdownEdits(stretch);
    this.brackets = new MarkdownBrackets(stretch.text, state, this.edits, policy);
  }

  get result(): PassResult {
    return this.edits.result;
  }

  /** Ends where the next step would lead beyond `until`, which the walk looks beyond all the same. */
  walk(until: number): this {
    const parts = until < this.text.length;
    while (this.at < until) {
      const start = this.at;
      const before = parts ? { ...this.state } : this.state;
      this.at = this.step(start, until);
      if (this.at > until) {
        Object.assign(this.state, before, { escaped: this.text[start] === '\\' });
        break;
      }
      if (parts) this.notePlace();
    }
    return this;
  }

  private notePlace(): void {
    // What was judged by its target is not parted from it.
    if (this.at < this.brackets.endOfTarget) return;
    this.places.any = this.at;
    if (this.state.atLineStart) this.places.line = this.at;
    if (/\s/.test(this.text.charAt(this.at - 1))) this.places.blank = this.at;
  }

  /** Answers where the next step begins. */
  private step(at: number, until: number): number {
    const { text, state } = this;
    if (state.escaped) {
      state.escaped = false;
      return at + 1;
    }
    if (state.atLineStart) {
      const behind = beginLine(text, at, state, this.alsoHtml);
      if (behind > at) return behind;
    }
    if (state.fence !== null) return this.stepInFence(at, until);
    switch (text[at]) {
      case '\\':
        return at + (PUNCTUATION.test(text.charAt(at + 1)) ? 2 : 1);
      case '\n':
      case '\r':
        return this.endLine(at);
      case '!':
        return text[at + 1] === '[' ? this.brackets.open(at, true) : at + 1;
      case '[':
        return this.brackets.open(at, false);
      case ']':
        return this.brackets.close(at);
      case '<':
        endWord(state);
        return passAngle(text, at, state, this.edits, this.policy, this.alsoHtml);
      case '`':
        return this.ticks(at);
      default:
        return this.plain(at, until);
    }
  }

  private endLine(at: number): number {
    this.state.atLineStart = true;
    endWord(this.state);
    return at + (this.text.startsWith('\r\n', at) ? 2 : 1);
  }

  private stepInFence(at: number, until: number): number {
    const end = endOfLine(this.text, at);
    if (end === at) return this.endLine(at);
    // Within code every place is as good as any other.
    return Math.min(end, until);
  }

  private ticks(at: number): number {
    const { text, state } = this;
    TICKS.lastIndex = at;
    const [ticks = ''] = TICKS.exec(text) ?? [];
    state.doubtful ||= state.inAddress;
    const end = state.doubtful || state.nothingIsCode ? -1 : endOfCodeSpan(text, at, ticks);
    state.doubtful ||= end === -1;
    return end === -1 ? at + ticks.length : end;
  }

  private plain(at: number, until: number): number {
    const { text, policy } = this;
    PLAIN.lastIndex = at;
    PLAIN.test(text);
    const end = PLAIN.lastIndex;
    const address = policy.namesHosts ? bareAddress(text, at, end, this.goesOn) : null;
    if (address === null) return this.pass(at, end > until ? placeInPlain(text, at, until) : end);
    const { span, host } = address;
    if (policy.knows(host)) {
      const behind = strangerIn(text, span, (other) => policy.knows(other)) ?? span[1];
      return this.pass(at, Math.min(end, Math.max(behind, at + 1)));
    }
    this.edits.replace(span, LINK_REMOVED);
    return this.pass(at, span[1]);
  }

  private pass(at: number, end: number): number {
    followWord(this.state, this.text.slice(at, end));
    return end;
  }
}

/** Behind the last blank before `until`, where there is one. */
function placeInPlain(text: string, start: number, until: number): number {
  for (let at = until; at > start && until - at < 256; at--) {
    if (/\s/.test(text.charAt(at - 1))) return at;
  }
  return until;
}
