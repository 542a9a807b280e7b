/** The core of the output handler: one text in stretches, and its passes in turn until none of them changes anything. */
import type { Utf16Span } from '#contracts/common/spans.js';
import type { Resumable } from '../../shared/resumable.js';
import { LOOK_AHEAD, type Pass, type Rest } from './pass.js';
import { Preview } from './preview.js';
import { SanitizerReport } from './sanitizer-report.js';
import { StretchLimits } from './stretch-limits.js';
import { MappedText } from '../../text/mapped-text.js';

/** Units that are kept before a removal that continues: the text after the removal may join them. */
const KEPT_BEFORE_REMOVAL = 64;

/**
 * Harmless texts are clean after two rounds. A text that still changes after this many was built to never become
 * stable.
 */
const MAX_ROUNDS = 16;

/** In a harmless text the passes agree on a place after a few attempts. */
const MAX_ATTEMPTS = 8;

/** No construct that a pass looks for continues across it. */
const PARAGRAPH_BREAK = '\n\n';

const LINE_END = /[\r\n]/;
/** Replaces a stretch that did not become stable, and an output that is too long or cannot be judged. */
export const WITHHELD = '[output withheld]';

/** Where the held text ends. The passes need look-ahead only within a paragraph. */
type HeldEnd = 'within_paragraph' | 'at_blank_line' | 'at_end_of_text';

/**
 * Sanitizes one text that arrives in chunks of any size. The text is cleaned in stretches. Only its characters decide
 * where a stretch ends, so the result does not depend on the chunks: after a blank line, or, if none follows within
 * the bound, in the middle of the held text, with the second half as look-ahead.
 *
 * An edit can create something that another pass must edit. Therefore the passes run in turn until none of them finds
 * anything. A stretch that does not become stable is withheld.
 */
export class SanitizerSession {
  readonly report: SanitizerReport;
  private readonly limits: StretchLimits;
  private readonly preview: Preview;
  /** Clean text first, then text as given. */
  private held = MappedText.of('');
  /** The end of the part of the held text that all passes left unchanged. */
  private cleanUntil = 0;
  /** The length of the held text after the last release. Text that was appended since then begins here. */
  private appendedFrom = 0;
  /** Set while a removal reached the end of the held text and may continue in the appended text. */
  private openRemoval: Rest | null = null;
  /** Units of the text that were pushed. */
  private length = 0;

  /**
   * @param keepsEdits whether the report needs the replacements; sanitizing without them costs less
   * @param maxLength the rest of a longer text is withheld
   */
  constructor(
    private readonly passes: readonly Pass[],
    keepsEdits = false,
    private readonly maxLength = Infinity,
  ) {
    this.report = new SanitizerReport(keepsEdits);
    this.limits = new StretchLimits(passes);
    this.preview = new Preview(passes);
  }

  /** Units held back. */
  get waiting(): number {
    return this.preview.held.length - this.preview.place;
  }

  /** Text that was pushed and that is not held yet: no line ends in it. */
  private get unheld(): string {
    return this.preview.held.slice(this.held.text.length);
  }

  /** Pushes a whole text and ends it. One that is too long is withheld as a whole. */
  *whole(text: string): Resumable<string> {
    const shown = text.length > this.maxLength ? '' : yield* this.hold(text);
    this.length = text.length;
    return shown + (yield* this.end());
  }

  /** Returns the text that can be shown. */
  *push(given: string): Resumable<string> {
    const { preview } = this;
    preview.append(given.slice(0, Math.max(0, this.maxLength - this.length)));
    this.length += given.length;
    // A text without a line end is held up to this length.
    const canEnd = preview.held.length >= 2 * LOOK_AHEAD || LINE_END.test(preview.unread);
    const released = canEnd ? yield* this.hold(this.unheld) : '';
    if (canEnd && this.held.text !== preview.held)
      preview.begin(this.held.text, this.openRemoval !== null || this.limits.isCrowded);
    const shown = released + preview.advance();
    if (shown !== '') this.report.show(Math.min(this.length, this.maxLength) - this.waiting);
    return shown;
  }

  /** Holds a text, and returns what is released. */
  private *hold(chunk: string): Resumable<string> {
    const released: string[] = [];
    let read = 0;
    while (read < chunk.length) {
      const before = this.held.text.length;
      const next = chunk.slice(read, read + this.limits.maxHeld - before);
      const end = this.limits.endOfStretch(this.held.text, next);
      const taken = end === -1 ? next.length : end - before;
      this.held = this.held.append(next.slice(0, taken));
      read += taken;
      if (end === -1)
        while (this.held.text.length >= this.limits.maxHeld) released.push(yield* this.releasePart());
      else {
        this.limits.countStretch();
        released.push(yield* this.releaseStretch('at_blank_line'));
      }
    }
    return released.join('');
  }

  /** What separates a notice from the text before it. */
  private get breakBefore(): string {
    return this.report.settledUntil > 0 ? PARAGRAPH_BREAK : '';
  }

  /** Ends the text and returns the rest of it. */
  *end(): Resumable<string> {
    this.held = this.held.append(this.unheld);
    if (this.length <= this.maxLength) return yield* this.releaseStretch('at_end_of_text');
    // What is found in the part that is shown is reported.
    yield* this.clean('at_end_of_text');
    this.report.withholdRest(this.length);
    return this.breakBefore + WITHHELD;
  }

  /** Releases a part of a paragraph and keeps the text behind it as look-ahead. */
  private *releasePart(): Resumable<string> {
    this.continueRemoval();
    this.limits.countPart();
    if (!(yield* this.clean('within_paragraph'))) return this.release(this.held.text.length);
    // No text waits behind a removal that continues, but the text after it may join what precedes it.
    return yield* this.releaseAllBut(this.openRemoval === null ? LOOK_AHEAD : KEPT_BEFORE_REMOVAL);
  }

  /** Releases the held text. Keeps its end only behind a removal that continues. */
  private *releaseStretch(end: 'at_blank_line' | 'at_end_of_text'): Resumable<string> {
    this.continueRemoval();
    const released: string[] = [];
    while (yield* this.clean(end)) {
      // A continued removal can take the blank line away and join the text on both sides.
      if (this.openRemoval !== null && end === 'at_blank_line')
        return released.join('') + (yield* this.releaseAllBut(KEPT_BEFORE_REMOVAL));
      if (this.held.text.length < this.limits.maxHeld) break;
      released.push(
        yield* this.limits.isCrowded ? this.releaseAllBut(LOOK_AHEAD) : this.releaseFirst(LOOK_AHEAD),
      );
    }
    return released.join('') + this.release(this.held.text.length);
  }

  /** Releases all but the last `kept` units, up to a place that no construct spans. */
  private *releaseAllBut(kept: number): Resumable<string> {
    const released: string[] = [];
    for (;;) {
      const limit = Math.max(0, this.held.text.length - kept);
      const place = this.lastSplit(limit);
      if (place === 0 && limit >= LOOK_AHEAD) released.push(yield* this.releaseFirst(limit));
      else return released.join('') + this.release(place);
    }
  }

  /** Releases at most the units that the passes look ahead; of a construct that is longer, what is before `limit`. */
  private *releaseFirst(limit: number): Resumable<string> {
    const place = this.lastSplit(LOOK_AHEAD);
    return place > 0 ? this.release(place) : yield* this.divideConstruct(this.held.partBefore(limit));
  }

  /** The last place up to `limit` where the clean text may be split; 0 if there is none. */
  private lastSplit(limit: number) {
    const { text } = this.held;
    let place = limit;
    for (let last = -1, attempts = 0; place !== last; attempts++) {
      if (attempts === MAX_ATTEMPTS) return 0;
      last = place;
      for (const pass of this.passes) place = pass.partBefore(text, place, this.cleanUntil);
      place = this.held.partBefore(place);
      if (place > 0 && isWithinCharacter(text, place)) place--;
    }
    return place;
  }

  /** Ends a construct that is longer than any harmless one with a blank line, and releases the text before that. */
  private *divideConstruct(limit: number): Resumable<string> {
    const { text } = this.held;
    const end = isWithinCharacter(text, limit) ? limit + 1 : limit;
    const start = isWithinCharacter(text, end - 1) ? end - 2 : end - 1;
    const span: Utf16Span = [start, end];
    this.report.addFinding({ kind: 'markdown_sanitized', detector: 'markdown', span }, this.held);
    this.limits.countDivision(end);
    const behind = this.held.from(end);
    const { openRemoval, cleanUntil } = this;
    const replacement = text.slice(start, end) + PARAGRAPH_BREAK;
    this.held = this.held.until(end).edited([{ span, replacement }]);
    yield* this.clean('at_blank_line');
    const released = this.release(this.held.text.length);
    this.held = behind;
    this.openRemoval = openRemoval;
    this.appendedFrom = behind.text.length;
    this.cleanUntil = Math.max(0, cleanUntil - end);
    return released;
  }

  /** Removes the appended text that belongs to an open removal. */
  private continueRemoval() {
    if (this.openRemoval === null) return;
    const start = this.appendedFrom;
    const appended = this.held.text.slice(start);
    const removed = this.openRemoval(appended);
    if (removed < appended.length) this.openRemoval = null;
    if (removed === 0) return;
    const span: Utf16Span = [start, start + removed];
    this.report.addRemoval(span, this.held);
    this.held = this.held.edited([{ span, replacement: '' }]);
  }

  /** Applies the passes until none changes the held text. Returns whether it became stable. */
  private *clean(end: HeldEnd): Resumable<boolean> {
    const given = this.held.text;
    let unchangedPasses = 0;
    for (let turn = 0; unchangedPasses < this.passes.length; turn++) {
      const { text } = this.held;
      if (text === '') return true;
      if (turn === MAX_ROUNDS * this.passes.length) {
        this.withhold(given, end);
        return false;
      }
      // A removal that continues after the end leaves nothing to look ahead at.
      const hasLookAhead = end === 'within_paragraph' && this.openRemoval === null;
      this.cleanUntil = hasLookAhead ? Math.max(0, text.length - LOOK_AHEAD) : text.length;
      const isChanged = this.apply(this.passes[turn % this.passes.length]);
      unchangedPasses = isChanged ? 0 : unchangedPasses + 1;
      yield;
    }
    return true;
  }

  /** Returns whether the pass changed the held text. */
  private apply(pass: Pass | undefined) {
    const result = pass?.judge({ text: this.held.text, judged: this.cleanUntil });
    if (result === undefined || result.edits.length === 0) return false;
    for (const finding of result.findings) this.report.addFinding(finding, this.held);
    this.limits.countFindings(result.findings.length);
    this.held = this.held.edited(result.edits);
    this.openRemoval = result.rest ?? this.openRemoval;
    return true;
  }

  /** Withholds what no stream has shown of the text. */
  private withhold(given: string, end: HeldEnd) {
    const preview = new Preview(this.passes);
    preview.begin(given, this.limits.isCrowded);
    const shown = preview.advance();
    const before = shown === '' ? this.breakBefore : shown + PARAGRAPH_BREAK;
    const behind = end === 'at_end_of_text' ? '' : PARAGRAPH_BREAK;
    const span: Utf16Span = [0, this.held.text.length];
    this.held = this.held.edited([{ span, replacement: before + WITHHELD + behind }]);
  }

  /** Removes the text up to `end` from the held text and returns it. */
  private release(end: number) {
    const { text } = this.held;
    for (const pass of this.passes) pass.settle(text, end);
    this.report.release(this.held, end);
    this.limits.countReleased(end);
    this.held = this.held.from(end);
    this.cleanUntil = Math.max(0, this.cleanUntil - end);
    this.appendedFrom = this.held.text.length;
    return this.preview.rest(text.slice(0, end));
  }
}

/** Whether a place divides a surrogate pair or a CRLF. */
function isWithinCharacter(text: string, place: number) {
  return (text.codePointAt(place - 1) ?? 0) > 0xffff || text.startsWith('\r\n', place - 1);
}
