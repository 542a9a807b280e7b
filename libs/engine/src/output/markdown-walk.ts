import { bareAddress, endOfAllowed } from './bare-address.js';
import type { LinkPolicy } from './link-policy.js';
import { MarkdownBrackets } from './markdown-brackets.js';
import { endOfCodeSpan, endOfLine, sightOfCodeSpan } from './markdown-code.js';
import { MarkdownEdits } from './markdown-edits.js';
import { beginLine } from './markdown-lines.js';
import type { MarkdownState } from './markdown-state.js';
import { passAngle } from './markdown-tags.js';
import { endWord, followWord } from './markdown-words.js';
import type { PassResult, Stretch } from './pass.js';

const PUNCTUATION = /[!-/:-@[-`{-~]/;
const PLAIN = /[^\\\r\n![\]<`]+/y;
const TICKS = /`{1,500}/y;

const LINK_REMOVED = '[link removed]';

/**
 * One walk through a stretch of markdown, from left to right, in the way of CommonMark. Where a renderer might see it
 * otherwise, the doubt counts against the text.
 */
export class MarkdownWalk {
  private readonly text: string;
  private readonly goesOn: boolean;
  private readonly edits: MarkdownEdits;
  private readonly brackets: MarkdownBrackets;
  private at = 0;
  private inAllowedAddress = false;
  /** Within what this step passed, any place is as good as its end. */
  private isDivisible = false;

  constructor(
    stretch: Stretch,
    readonly state: MarkdownState,
    private readonly policy: LinkPolicy,
    private readonly alsoHtml: boolean,
    /** Where the text may be parted. */
    private readonly places?: Set<number>,
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
      this.inAllowedAddress = this.state.inAllowedAddress;
      this.state.inAllowedAddress = false;
      this.isDivisible = false;
      this.at = this.step(start, until);
      if (this.at > until) {
        Object.assign(this.state, before, { escaped: this.text[start] === '\\' });
        break;
      }
      if (this.state.opener !== null) this.noteWhatHides(start);
      this.notePlaces(start);
    }
    return this;
  }

  private noteWhatHides(start: number): void {
    const run = this.text.slice(start, this.at);
    const last = Math.max(run.lastIndexOf('`'), run.lastIndexOf('<'), run.lastIndexOf('('));
    if (last >= 0) this.state.mayHide = this.state.settled + start + last;
  }

  /** Nothing is parted from what it was judged by. */
  private notePlaces(start: number): void {
    const first = this.isDivisible ? start + 1 : this.at;
    for (let at = Math.max(first, this.edits.seenUntil); at <= this.at; at++) this.places?.add(at);
  }

  /** Answers where the next step begins. */
  private step(at: number, until: number): number {
    const { text, state } = this;
    if (state.escaped) {
      state.escaped = false;
      return at + 1;
    }
    if (state.atLineStart) {
      const behind = beginLine(text, at, state, this.edits, this.alsoHtml);
      if (behind > at) return behind;
    }
    if (state.fence !== null) return this.stepInFence(at, until);
    switch (text[at]) {
      case '\\':
        this.edits.see(at + 2);
        return at + (PUNCTUATION.test(text.charAt(at + 1)) ? 2 : 1);
      case '\n':
      case '\r':
        return this.endLine(at);
      case '!':
        this.edits.see(at + 2);
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
    if (this.text[at] === '\r') this.edits.see(at + 2);
    return at + (this.text.startsWith('\r\n', at) ? 2 : 1);
  }

  private stepInFence(at: number, until: number): number {
    const end = endOfLine(this.text, at);
    if (end === at) return this.endLine(at);
    this.isDivisible = true;
    return Math.min(end, until);
  }

  private ticks(at: number): number {
    const { text, state } = this;
    TICKS.lastIndex = at;
    const [ticks = ''] = TICKS.exec(text) ?? [];
    state.doubtful ||= state.inAddress;
    const behind = at + ticks.length;
    this.edits.see(behind + 1);
    if (state.doubtful || state.nothingIsCode) {
      state.doubtful = true;
      return behind;
    }
    const end = endOfCodeSpan(text, at, ticks);
    this.edits.see((end === -1 ? sightOfCodeSpan(text, at) : end) + 1);
    state.doubtful = end === -1;
    return end === -1 ? behind : end;
  }

  private plain(at: number, until: number): number {
    const { text, state, policy } = this;
    PLAIN.lastIndex = at;
    PLAIN.test(text);
    const end = PLAIN.lastIndex;
    if (!policy.namesHosts) return this.passPlain(at, end, until);
    if (this.inAllowedAddress) {
      const behind = Math.min(endOfAllowed(text, at), end);
      if (behind > at) return this.passAllowed(at, behind, until);
    }
    const address = bareAddress(text, at, end, at === 0 ? state.tail : '', this.goesOn);
    if (address === null) return this.passPlain(at, end, until);
    const { span, host, seenUntil } = address;
    if (span[0] > at) return this.passPlain(at, span[0], until);
    this.edits.see(seenUntil);
    if (policy.knows(host)) return this.passAllowed(at, Math.min(end, endOfAllowed(text, at + 1)), until);
    this.edits.replace(span, LINK_REMOVED);
    return this.pass(at, span[1]);
  }

  private passPlain(at: number, end: number, until: number): number {
    return this.passDivisible(at, Math.min(end, until));
  }

  /** It may be longer than what is seen, and is parted anywhere. */
  private passAllowed(at: number, end: number, until: number): number {
    this.state.inAllowedAddress = end > until;
    return this.passDivisible(at, Math.min(end, until));
  }

  private passDivisible(at: number, end: number): number {
    this.isDivisible = true;
    return this.pass(at, end);
  }

  private pass(at: number, end: number): number {
    followWord(this.state, this.text.slice(at, end));
    return end;
  }
}
