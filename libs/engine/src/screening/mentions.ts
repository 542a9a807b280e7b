import type { MentionForm } from '#contracts/screening.js';
import type { Span } from '#contracts/text.js';
import {
  adoptsQuotation,
  refuses,
  reportsIndirectly,
  reportsSpeech,
  speaksOfAttacks,
} from './mention-cues.js';

/** Why an instruction is taken as a mention. */
export interface Mention {
  readonly form: MentionForm;
  /** The words around it are about attacks or their detection. */
  readonly isAboutAttacks: boolean;
}

/** Units before and after a quotation in which its context is read. */
const BEFORE = 240;
const AFTER = 160;

/** Units before a quotation in which it is introduced. */
const INTRODUCTION = 60;

/** Distance to an opening or closing mark. Limits the cost of each match. */
const REACH = 400;

const MAX_BLOCK = 2000;

/** The least part of a match, from its start, that a quotation has to contain. */
const MIN_QUOTED = 0.6;

/** Pairs of marks that differ. `„` also opens what `“` closes. */
const CLOSERS: Readonly<Record<string, string>> = {
  '“': '”',
  '„': '“”',
  '«': '»',
  '‹': '›',
  '‘': '’',
  '「': '」',
  '『': '』',
  '《': '》',
};

/** Marks that open and close. */
const STRAIGHT = '"\'`';

const LETTER = /[\p{L}\p{N}]/u;

const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/u;

const HIDING =
  /display\s?:\s?none|visibility\s?:\s?hidden|opacity\s?:\s?0(?![.\d])|font-size\s?:\s?[01](?![.\d])|color\s?:\s?(?:#fff|white|transparent)|left\s?:\s?-\d{3}|\shidden\b|aria-hidden\s?=\s?"?true/i;

const IS_JSON = /^\s*[[{]/;

/** The name of a value that holds attacks, with the other values of its list. */
const NAMES_ATTACKS =
  /(?:attack|injection|jailbreak|malicious|payload|block(?:ed|list)|signature|detect|suspicious|flag|assert|expect)\w*["'`]?\s*(?:[:=]|\()[^;{}=]*$/i;

/** Another member or cell says what the value is. */
const LABELLED =
  /"(?:label|category|class|type|kind|verdict|expected|tags?)"\s*:\s*\[?\s*"[^"]{0,20}(?:attack|injection|jailbreak|malicious|phishing|spam|blocked)|^\s*,\s*"?(?:prompt[_ -]?)?(?:attack|injection|jailbreak|malicious|phishing|spam|blocked)\b/i;

const QUOTED_LINE = /^\s{0,3}>/;

const TABLE_ROW = /^\s{0,3}\|/;

const SENTENCE_END = /[.!?:。！？：\n<>{}]/;

const LIST_LINE = /^\s{0,8}(?:[-*•+]|\d{1,2}[.)])\s/;

const BLOCK_LINES = [QUOTED_LINE, TABLE_ROW, LIST_LINE];

/**
 * Decides whether a text mentions an instruction or gives it. A mention needs two signs that are independent of each
 * other: its form (quotation, code, block quote, list, indirect speech) and the words around it, which report it or are
 * about attacks. Hidden text is never a mention.
 */
export class Mentions {
  private fences: readonly number[] | null = null;
  private comments: readonly Span[] | null = null;
  private isJson: boolean | null = null;

  constructor(private readonly text: string) {}

  /** `null`: the instruction is given. */
  at(span: Span): Mention | null {
    const [start, end] = this.trimmed(span);
    if (end <= start || INVISIBLE.test(this.text.slice(start, end)) || this.isHidden(start)) return null;
    return this.inQuotations(start, end) ?? this.inBlock(start, end) ?? this.inIndirectSpeech(start, end);
  }

  /** Rules also match marks around their words, and the last letter of the word before. */
  private trimmed([from, to]: Span): Span {
    let [start, end] = [from, to];
    const isLastOfWord =
      LETTER.test(this.text.charAt(start - 1)) && !LETTER.test(this.text.charAt(start + 1));
    if (isLastOfWord) start += 1;
    while (start < end && !LETTER.test(this.text.charAt(start))) start += 1;
    while (start < end && !LETTER.test(this.text.charAt(end - 1))) end -= 1;
    return [start, end];
  }

  /** Inside a comment, a tag, or an element that is not shown. */
  private isHidden(start: number): boolean {
    this.comments ??= [...this.text.matchAll(/<!--[^]*?(?:-->|$)/g)].map(({ index, 0: comment }): Span => [
      index,
      index + comment.length,
    ]);
    if (this.comments.some(([from, to]) => from <= start && start < to)) return true;
    const before = this.text.slice(Math.max(0, start - MAX_BLOCK), start);
    let until = before.length;
    for (let tags = 0; tags < 4; tags++) {
      const open = before.lastIndexOf('<', until - 1);
      if (open === -1 || until <= 0) return false;
      const tag = before.slice(open, until);
      if (!/^<[a-z!/]/i.test(tag)) return false;
      if (tag.startsWith('</')) return false;
      if (!tag.includes('>') || HIDING.test(tag.slice(0, tag.indexOf('>')))) return true;
      until = open;
    }
    return false;
  }

  /** A match can end after the quotation, or in the next one. */
  private inQuotations(start: number, end: number): Mention | null {
    const one = this.inQuotation(start, start + Math.ceil((end - start) * MIN_QUOTED));
    if (one !== null) return one;
    const [first, last] = [this.inQuotation(start, start + 1), this.inQuotation(end - 1, end)];
    if (first === null || last === null) return null;
    return mention('quotation', first.isAboutAttacks && last.isAboutAttacks);
  }

  private inQuotation(start: number, end: number): Mention | null {
    const quotation = this.quotationAround(start, end);
    if (quotation === null) return null;
    const [open, close] = quotation;
    const before = this.text.slice(Math.max(0, open - BEFORE), open);
    const after = this.text.slice(close, close + AFTER);
    if (adoptsQuotation(after)) return null;
    if (NAMES_ATTACKS.test(before)) return mention('quotation', true);
    if (this.isSyntax(open, close)) return this.isLabelled(before, after) ? mention('quotation', true) : null;
    if (speaksOfAttacks(before) || speaksOfAttacks(after) || refuses(after))
      return mention('quotation', true);
    return reportsSpeech(before.slice(-INTRODUCTION)) ? mention('quotation', false) : null;
  }

  /** Marks around a value of JSON or CSV are no quotation. */
  private isSyntax(open: number, close: number): boolean {
    if (this.text.charAt(open) !== '"' || this.text.charAt(open - 1) === '\\') return false;
    this.isJson ??= IS_JSON.test(this.text);
    if (this.isJson) return true;
    const [behind, next] = [this.text.charAt(open - 1), this.text.charAt(close)];
    return (behind === ',' && /^[,\r\n]?$/.test(next)) || (next === ',' && /^\n?$/.test(behind));
  }

  /** In the same object or row. */
  private isLabelled(before: string, after: string): boolean {
    return (
      LABELLED.test(after.split(/[{}\n]/, 1)[0] ?? '') || LABELLED.test(before.split(/[{}\n]/).at(-1) ?? '')
    );
  }

  /** The innermost pair of marks around the match. */
  private quotationAround(start: number, end: number): Span | null {
    for (let open = start - 1; open >= Math.max(0, start - REACH); open--) {
      const mark = this.text.charAt(open);
      if (mark === '\n' && this.text.charAt(open - 1) === '\n') return null;
      const closers = CLOSERS[mark] ?? (this.opens(open) ? mark : null);
      if (closers === null) {
        if (this.closes(open) || isCloser(mark)) return null;
        continue;
      }
      const close = this.closing(closers, start);
      return close !== null && close >= end ? [open, close + 1] : null;
    }
    return null;
  }

  private closing(closers: string, from: number): number | null {
    for (let at = from; at < Math.min(this.text.length, from + REACH); at++) {
      const mark = this.text.charAt(at);
      if (mark === '\n' && this.text.charAt(at + 1) === '\n') return null;
      if (closers.includes(mark) && (!STRAIGHT.includes(mark) || this.closes(at))) return at;
    }
    return null;
  }

  /** A straight mark opens before a letter and not behind one. */
  private opens(at: number): boolean {
    if (!STRAIGHT.includes(this.text.charAt(at))) return false;
    const [behind, next] = [this.unescaped(at - 1), this.text.charAt(at + 1)];
    return !LETTER.test(behind) && !/[.!?…]/.test(behind) && /\S/.test(next);
  }

  private closes(at: number): boolean {
    if (!STRAIGHT.includes(this.text.charAt(at))) return false;
    const [behind, next] = [this.unescaped(at - 1), this.text.charAt(at + 1)];
    return !LETTER.test(next) && /\S/.test(behind);
  }

  /** The character at this place, or the one before a backslash there. */
  private unescaped(at: number): string {
    return this.text.charAt(this.text.charAt(at) === '\\' ? at - 1 : at);
  }

  /** Inside a code block, a block quote or a list whose introduction is about attacks. */
  private inBlock(start: number, end: number): Mention | null {
    const block = this.fenceAround(start, end) ?? this.linesAround(start);
    if (block === null) return null;
    const [open, close] = block;
    if (adoptsQuotation(this.text.slice(close, close + AFTER))) return null;
    const before = this.text.slice(Math.max(0, open - BEFORE), open);
    const isAboutAttacks = speaksOfAttacks(before) || this.isRowAboutAttacks(open, start, end);
    return isAboutAttacks ? mention('block', true) : null;
  }

  /** The header of the table, and the other cells of the row. */
  private isRowAboutAttacks(open: number, start: number, end: number): boolean {
    if (!TABLE_ROW.test(this.text.slice(open, start))) return false;
    const header = this.text.slice(open, open + BEFORE).split('\n', 1)[0] ?? '';
    const after = this.text.slice(end, end + AFTER).split('\n', 1)[0] ?? '';
    return speaksOfAttacks(after) || (open + header.length < start && speaksOfAttacks(header));
  }

  private fenceAround(start: number, end: number): Span | null {
    this.fences ??= [...this.text.matchAll(/^[ >]{0,8}```/gm)].map(({ index }) => index);
    const next = this.fences.findIndex((at) => at >= end);
    const [open, close] = [this.fences[next - 1], this.fences[next]];
    if (next % 2 !== 1 || open === undefined || close === undefined) return null;
    return open < start && close - open <= MAX_BLOCK ? [open, close] : null;
  }

  /** The lines of a block quote or a list around the match; of a list only with an introduction that ends with a colon. */
  private linesAround(start: number): Span | null {
    const lines = this.text.slice(Math.max(0, start - MAX_BLOCK), start).split('\n');
    const line = lines.at(-1) ?? '';
    const belongs = BLOCK_LINES.find((kind) => kind.test(line));
    if (belongs === undefined) return null;
    let first = start - line.length;
    let above = lines.length - 2;
    while (above >= 0 && belongs.test(lines[above] ?? '')) first -= (lines[above--] ?? '').length + 1;
    const introduction = lines.slice(0, above + 1).findLast((each) => each.trim() !== '') ?? '';
    if (belongs === LIST_LINE && !/[:：]\s*$/.test(introduction)) return null;
    const lineEnd = this.text.indexOf('\n', start);
    return [first, lineEnd === -1 ? this.text.length : lineEnd];
  }

  /** In a sentence that forbids it, or reports that somebody gave or followed it. */
  private inIndirectSpeech(start: number, end: number): Mention | null {
    const before =
      this.text
        .slice(Math.max(0, start - AFTER), start)
        .split(SENTENCE_END)
        .at(-1) ?? '';
    const after = this.text.slice(end, end + AFTER).split(SENTENCE_END, 1)[0] ?? '';
    const isReported = reportsIndirectly(before, this.text.slice(start, end), after);
    return isReported ? mention('report', false) : null;
  }
}

function isCloser(mark: string): boolean {
  return '”»›」』》'.includes(mark) && mark !== '';
}

function mention(form: MentionForm, isAboutAttacks: boolean): Mention {
  return { form, isAboutAttacks };
}
