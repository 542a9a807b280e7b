import type { MentionForm } from '#contracts/screening/screening.js';
import type { Utf16Span } from '#contracts/common/spans.js';
import type { HiddenText } from '../../../text/hidden-text.js';
import {
  adoptsQuotation,
  announcesOrder,
  canBeFollowed,
  concernsData,
  concernsOtherThing,
  forbids,
  isOwn,
  isToPeople,
  isConcrete,
  namesTarget,
  reportsIndirectly,
  reportsSpeech,
  wordsIn,
} from './mention-cues.js';
import { quotationAround } from './quotation-marks.js';
import { areAboutAttacks, type Cues, cuesIn, weightOf } from './report-words.js';

/** Why an instruction is taken as a mention. */
export interface Mention {
  readonly form: MentionForm;
  /** Holds under `strict`, too: the words around it are about attacks, or forbid it. */
  readonly isReliable: boolean;
  /** In a prompt it is an order: it is about instructions of the author or another thing, or a quotation with next to nothing around it. */
  readonly isOrderInPrompt?: boolean;
}

/** What is quoted, and the text around it. */
interface Quoted {
  readonly form: MentionForm;
  readonly quoted: string;
  readonly before: string;
  readonly after: string;
}

/** Units before and after a quotation in which its context is read. */
const BEFORE = 240;
const AFTER = 160;

/** Units before a quotation in which it is introduced. */
const INTRODUCTION = 60;

const MAX_BLOCK = 2000;

/** A longer quotation is an instruction in quotation marks, whatever is written around it. */
const MAX_QUOTED_WORDS = 80;

/** A quotation that somebody is reported to have said or written, in a text that is not about attacks. */
const MAX_REPORTED_WORDS = 6;

/** A prompt with fewer words around a quotation repeats it. */
const MIN_WORDS_AROUND = 4;

/** The least weight of the words around a quotation that can be followed as it is, or has a target, and of a document. */
const EVIDENCE = { concrete: 4, withTarget: 5, document: 8 };

/** The least length of a report that also holds under `strict`, as a part of the quotation. */
const RELIABLE = 0.6;

/** Units at the start of a document that show its subject. */
const OPENING = 160;

/** Units of a document in which its subject is searched. */
const MAX_DOCUMENT = 16_384;

/** The least part of a match, from its start, that a quotation has to contain. */
const MIN_QUOTED = 0.6;

const LETTER = /[\p{L}\p{N}]/u;

const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/u;

const IS_JSON = /^\s*[[{]/;

const QUOTATIONS = /["“”«「][^"“”«»「」\n]{0,400}["”»」]|^\s{0,3}>.*|^```[^]{0,2000}?^```|<[^<>]{0,400}>/gm;

const QUOTED_LINE = /^\s{0,3}>/;

const TABLE_ROW = /^\s{0,3}\|/;

const SENTENCE_END = /[.!?:。！？：।؟\n<>{}]/;

const SENTENCES = /[.!?।؟。！？]+["”»’]?\s+|\n\s*\n|[。！？]|<\/?(?:p|div|li|td|h\d|br)\b[^>]*>/i;

const LIST_LINE = /^\s{0,8}(?:[-*•+]|\d{1,2}[.)])\s/;

const BLOCK_LINES = [QUOTED_LINE, TABLE_ROW, LIST_LINE];

/**
 * Decides whether a text mentions an instruction or gives it. A mention needs two signs that are independent of each
 * other: its form (quotation, code, block quote, list, indirect speech) and the words around it, which report it or are
 * about attacks. Hidden text is never a mention.
 */
export class Mentions {
  private fences: readonly number[] | null = null;
  private isJson: boolean | null = null;
  private cues: Cues | null = null;

  constructor(
    private readonly text: string,
    private readonly hidden: HiddenText,
  ) {}

  /** `null`: the instruction is given. */
  at(span: Utf16Span): Mention | null {
    const [start, end] = this.trimmed(span);
    if (end <= start || INVISIBLE.test(this.text.slice(start, end)) || this.hidden.at(start)) return null;
    return this.inQuotations(start, end) ?? this.inBlock(start, end) ?? this.inIndirectSpeech(start, end);
  }

  /** Rules also match marks around their words, and the last letter of the word before. */
  private trimmed([from, to]: Utf16Span): Utf16Span {
    let [start, end] = [from, to];
    const isLastOfWord =
      LETTER.test(this.text.charAt(start - 1)) && !LETTER.test(this.text.charAt(start + 1));
    if (isLastOfWord) start += 1;
    while (start < end && !LETTER.test(this.text.charAt(start))) start += 1;
    while (start < end && !LETTER.test(this.text.charAt(end - 1))) end -= 1;
    return [start, end];
  }

  /** A match can end after the quotation, or in the next one. */
  private inQuotations(start: number, end: number): Mention | null {
    const one = quotationAround(this.text, start, start + Math.ceil((end - start) * MIN_QUOTED));
    if (one !== null) return this.quotation(one);
    const [first, last] = [
      quotationAround(this.text, start, start + 1),
      quotationAround(this.text, end - 1, end),
    ];
    if (last === null) return null;
    if (first !== null) return this.quotation([first[0], last[1]]);
    // The match begins in the words that report the quotation.
    const [open] = last;
    const report = this.text.slice(start, Math.max(start, open));
    return reportsSpeech(report.slice(-INTRODUCTION)) && !canBeFollowed(report) ? this.quotation(last) : null;
  }

  private quotation([open, close]: Utf16Span) {
    const parts = {
      form: 'quotation',
      quoted: this.text.slice(open + 1, close - 1),
      before: this.text.slice(Math.max(0, open - BEFORE), open),
      after: this.text.slice(close, close + AFTER),
    } as const;
    return this.isSyntax(open, close) ? null : this.reported(parts);
  }

  /**
   * A quotation that can be followed as it is (long, addressed to a model, or with a target) needs a report of at least half
   * its length, with several words about attacks.
   */
  private reported({ form, quoted, before, after }: Quoted): Mention | null {
    if (adoptsQuotation(after) || announcesOrder(before.slice(-INTRODUCTION))) return null;
    const words = wordsIn(quoted);
    const isOrderInPrompt = wordsIn(before) + wordsIn(after) < MIN_WORDS_AROUND;
    const report = reportAround(before, after);
    const cues = cuesIn(report);
    if (!isConcrete(quoted, words)) {
      if (areAboutAttacks(cues)) return { form, isReliable: true, isOrderInPrompt };
      const isReported = words <= MAX_REPORTED_WORDS && reportsSpeech(before.slice(-INTRODUCTION));
      return isReported && form === 'quotation' ? { form, isReliable: false, isOrderInPrompt } : null;
    }
    const hasTarget = namesTarget(quoted);
    const evidence = areAboutAttacks(cues) ? weightOf([...cues, ...this.subject()]) : 0;
    if (evidence < (hasTarget ? EVIDENCE.withTarget : EVIDENCE.concrete)) return null;
    const length = wordsIn(report);
    if (words > MAX_QUOTED_WORDS || length < (hasTarget ? words : words / 2)) return null;
    return { form, isReliable: length >= words * RELIABLE, isOrderInPrompt };
  }

  /** What the document is about outside of quotations: its first words, and the rest if it has many. */
  private subject() {
    if (this.cues === null) {
      const text = this.text.slice(0, MAX_DOCUMENT).replaceAll(QUOTATIONS, ' ');
      const all = cuesIn(text);
      this.cues = weightOf(all) >= EVIDENCE.document ? all : cuesIn(text.slice(0, OPENING));
    }
    return this.cues;
  }

  /** Marks around a value of JSON or CSV are no quotation. */
  private isSyntax(open: number, close: number) {
    if (this.text.charAt(open) !== '"' || this.text.charAt(open - 1) === '\\') return false;
    this.isJson ??= IS_JSON.test(this.text);
    if (this.isJson) return true;
    const [behind, next] = [this.text.charAt(open - 1), this.text.charAt(close)];
    return (behind === ',' && /^[,\r\n]?$/.test(next)) || (next === ',' && /^\n?$/.test(behind));
  }

  /** Inside a code block, a block quote, a table or a list whose introduction is about attacks. */
  private inBlock(start: number, end: number) {
    const block = this.fenceAround(start, end) ?? this.linesAround(start);
    if (block === null) return null;
    const [open, close] = block;
    const before = this.text.slice(Math.max(0, open - BEFORE), open);
    const after = this.text.slice(close, close + AFTER);
    const lines = this.text.slice(open, close);
    const line = this.text.slice(this.text.lastIndexOf('\n', start) + 1).split('\n', 1)[0] ?? '';
    const quoted = LIST_LINE.test(lines) || TABLE_ROW.test(lines) ? line : lines;
    return this.reported({ form: 'block', quoted, before, after });
  }

  private fenceAround(start: number, end: number): Utf16Span | null {
    this.fences ??= [...this.text.matchAll(/^[ >]{0,8}```/gm)].map(({ index }) => index);
    const next = this.fences.findIndex((at) => at >= end);
    const [open, close] = [this.fences[next - 1], this.fences[next]];
    if (next % 2 !== 1 || open === undefined || close === undefined) return null;
    return open < start && close - open <= MAX_BLOCK ? [open, close] : null;
  }

  /** The lines of a block quote or a list around the match; of a list only with an introduction that ends with a colon. */
  private linesAround(start: number): Utf16Span | null {
    const lines = this.text.slice(Math.max(0, start - MAX_BLOCK), start).split('\n');
    const line = lines.at(-1) ?? '';
    const belongs = BLOCK_LINES.find((kind) => kind.test(line));
    if (belongs === undefined) return null;
    let first = start - line.length;
    let above = lines.length - 2;
    while (above >= 0 && belongs.test(lines[above] ?? '')) first -= (lines[above--] ?? '').length + 1;
    const introduction = lines.slice(0, above + 1).findLast((each) => each.trim() !== '') ?? '';
    if (belongs === LIST_LINE && !/[:：]\s*$/.test(introduction)) return null;
    let last = start;
    for (const next of this.text.slice(start, start + MAX_BLOCK).split('\n')) {
      if (last > start && !belongs.test(next)) break;
      last += next.length + 1;
    }
    return [first, Math.min(last - 1, this.text.length)];
  }

  /** In a sentence that forbids it, or reports that somebody gave or followed it. */
  private inIndirectSpeech(start: number, end: number): Mention | null {
    const before =
      this.text
        .slice(Math.max(0, start - AFTER), start)
        .split(SENTENCE_END)
        .at(-1) ?? '';
    const after = this.text.slice(end, end + AFTER).split(SENTENCE_END, 1)[0] ?? '';
    const instruction = this.text.slice(start, end);
    if (forbids(before) || concernsData(instruction, after)) {
      return { form: 'report', isReliable: true };
    }
    if (adoptsQuotation(this.text.slice(end, end + AFTER))) return null;
    if (canBeFollowed(`${before}${instruction}${this.text.slice(end, end + AFTER)}`)) return null;
    if (isToPeople(before, instruction, after)) return { form: 'report', isReliable: true };
    if (isOwn(instruction)) return { form: 'report', isReliable: false, isOrderInPrompt: true };
    const isReported = reportsIndirectly(before, instruction, after);
    const isElsewhere = concernsOtherThing(instruction, after);
    if (isReported) return { form: 'report', isReliable: isElsewhere };
    return isElsewhere ? { form: 'report', isReliable: false, isOrderInPrompt: true } : null;
  }
}

/** The rest of the sentences that a quotation is in, and the sentences beside it that are about attacks. */
function reportAround(before: string, after: string) {
  const [earlier, later] = [before.split(SENTENCES), after.split(SENTENCES)];
  const [own, next] = [earlier.pop() ?? '', later.shift() ?? ''];
  const others = [...earlier, ...later].filter((sentence) => cuesIn(sentence).size > 0);
  return [own, next, ...others].join('\n');
}
