import type { Finding } from '#contracts/output.js';
import type { Span } from '#contracts/text.js';
import { SIGHT, type Pass, type Rest, type Stretch } from './pass.js';
import { placeIn, TracedText, type Edit, type Piece } from './traced-text.js';

/** Units that are held back at most. */
const MAX_HELD = 2 * SIGHT;

/** In a paragraph of very many parts, more is held, because every part is judged with look-ahead. */
const MANY_PARTS = 64;
const MAX_HELD_OF_MANY = 4 * SIGHT;

/** The same for a text that was built to be expensive. */
const MAX_HELD_CROWDED = 16 * SIGHT;

/** Short paragraphs are processed together: every stretch has a cost. */
const MIN_STRETCH = 16;

/** In a text of very many paragraphs, more of them are processed together. */
const MANY_STRETCHES = 1000;
const MIN_STRETCH_OF_MANY = 256;

/** Units before a removed part that continues: the text after that part may join them. */
const JOINED = 64;

/**
 * Harmless texts are clean after two rounds. A text that still changes after this many was built to never become
 * stable.
 */
const MAX_ROUNDS = 16;

/** What a finding costs more than ordinary text, and what a text may cost in any case, in units of text. */
const UNITS_PER_FINDING = 20;
const FREE_UNITS = 20_000;

/** In a harmless text the passes agree on a place after a few attempts. */
const MAX_ATTEMPTS = 32;

/** No construct that a pass looks for continues across it. */
const WALL = '\n\n';

/** Replaces a stretch that did not become stable. */
const WITHHELD = '[output withheld]';

/**
 * Sanitizes one text that arrives in chunks of any size. The text is cleaned in stretches. Only its characters decide
 * where a stretch ends, so the result does not depend on the chunks: after a blank line, or, if none follows within
 * the bound, in the middle of the held text, with the second half as look-ahead.
 *
 * An edit can create something that another pass must edit. Therefore the passes run in turn until none of them finds
 * anything. A stretch that does not become stable is withheld.
 */
export class SanitizerSession {
  /** Clean text first, then text as given. */
  private held = TracedText.empty;
  private rest: Rest | null = null;
  /** The place in the held text where the unprocessed rest begins. */
  private restAt = 0;
  private readonly found: Finding[] = [];
  private readonly replaced: Edit[] = [];
  private readonly pieces: Piece[] = [];
  /** Units of the clean text that are released. */
  private released = 0;
  private settled = 0;
  /** The end of the part of the held text that all passes left alone. */
  private stable = 0;
  /** The cost of the findings so far, without the length of the text, in units. */
  private debt = 0;
  /** Stretches that ended at a blank line. */
  private stretches = 0;
  /** Parts of the text that ended elsewhere. */
  private parts = 0;

  /** @param keepsEdits whether `edits` and `placeOf` are needed; sanitizing without them costs less */
  constructor(
    private readonly passes: readonly Pass[],
    private readonly keepsEdits = false,
  ) {}

  /** By ascending start; spans in UTF-16 units of the text as given. */
  get findings(): readonly Finding[] {
    return this.found.toSorted((one, other) => one.span[0] - other.span[0]);
  }

  /** All replacements, as edits of the text as given, if they are kept. */
  get edits(): readonly Edit[] {
    const ordered = this.replaced.toSorted((one, other) => one.span[0] - other.span[0]);
    // The continuation of a finding can become part of a longer one.
    let read = 0;
    return ordered.filter(({ span }) => {
      const isOutside = span[1] > read;
      read = Math.max(read, span[1]);
      return isOutside;
    });
  }

  /** Where a span of the text as given is in the released text, in UTF-16 units, if edits are kept. */
  placeOf(span: Span): Span {
    return placeIn(this.pieces, span);
  }

  /** Units of the text as given that are released. */
  get settledUntil(): number {
    return this.settled;
  }

  /** Units held back. */
  get waiting(): number {
    return this.held.text.length;
  }

  /** Returns the text that can be released. */
  push(chunk: string): string {
    const settled: string[] = [];
    let read = 0;
    while (read < chunk.length) {
      const before = this.held.text.length;
      const room = chunk.slice(read, read + this.maxHeld - before);
      const end = this.isCrowded ? -1 : endOfStretch(this.held.text, room, this.minStretch);
      const taken = end === -1 ? room.length : end - before;
      this.held = this.held.append(room.slice(0, taken));
      read += taken;
      if (end !== -1) {
        this.stretches++;
        settled.push(this.finishStretch());
      } else while (this.held.text.length >= this.maxHeld) settled.push(this.advance());
    }
    return settled.join('');
  }

  private get isCrowded(): boolean {
    return this.debt > FREE_UNITS || this.passes.some(({ isCrowded }) => isCrowded);
  }

  private get minStretch(): number {
    return this.stretches < MANY_STRETCHES ? MIN_STRETCH : MIN_STRETCH_OF_MANY;
  }

  private get maxHeld(): number {
    if (this.isCrowded) return MAX_HELD_CROWDED;
    return this.parts < MANY_PARTS ? MAX_HELD : MAX_HELD_OF_MANY;
  }

  /** Ends the text and returns the rest of it. */
  end(): string {
    this.resume();
    return this.finish(true);
  }

  private finishStretch(): string {
    this.resume();
    return this.finish(false);
  }

  /** Cleans the held text without look-ahead. */
  private finish(isLast: boolean): string {
    const settled: string[] = [];
    while (this.clean(false, isLast)) {
      // A continued removal can take the blank line away and join the text on both sides.
      if (this.rest !== null && !isLast) return settled.join('') + this.part(JOINED);
      if (this.held.text.length < this.maxHeld) break;
      settled.push(this.isCrowded ? this.part(SIGHT) : this.partOnce());
    }
    return settled.join('') + this.handOver(this.held.text.length);
  }

  private advance(): string {
    this.resume();
    this.parts++;
    if (!this.clean(true)) return this.handOver(this.held.text.length);
    // No text waits behind a removal that continues, but the text after it may join what precedes it.
    return this.part(this.rest === null ? SIGHT : JOINED);
  }

  private resume(): void {
    if (this.rest === null) return;
    const start = this.restAt;
    const next = this.held.text.slice(start);
    const belonging = this.rest(next);
    if (belonging < next.length) this.rest = null;
    if (belonging === 0) return;
    if (this.keepsEdits)
      this.replaced.push({ span: this.held.given([start, start + belonging]), replacement: '' });
    this.held = this.held.edited([{ span: [start, start + belonging], replacement: '' }]);
  }

  /** Returns whether the held text became stable. */
  private clean(goesOn: boolean, isLast = false): boolean {
    let idle = 0;
    for (let turn = 0; idle < this.passes.length; turn++) {
      const { text } = this.held;
      if (text === '') return true;
      if (turn === MAX_ROUNDS * this.passes.length) {
        const before = this.settled > 0 ? WALL : '';
        const replacement = before + WITHHELD + (isLast ? '' : WALL);
        this.held = this.held.edited([{ span: [0, text.length], replacement }]);
        return false;
      }
      // A removal that continues after the end leaves nothing to look ahead at.
      const judged = goesOn && this.rest === null ? Math.max(0, text.length - SIGHT) : text.length;
      const stretch: Stretch = { text, judged };
      this.stable = judged;
      idle = this.apply(this.passes[turn % this.passes.length], stretch) ? 0 : idle + 1;
    }
    return true;
  }

  private apply(pass: Pass | undefined, stretch: Stretch): boolean {
    const result = pass?.judge(stretch);
    if (result === undefined || result.edits.length === 0) return false;
    for (const finding of result.findings) {
      const { kind, detector, span } = finding;
      this.found.push({ kind, detector, span: this.held.given(span) });
    }
    this.debt += UNITS_PER_FINDING * result.findings.length;
    this.held = this.held.edited(result.edits);
    this.rest = result.rest ?? this.rest;
    return true;
  }

  /** Releases all but the last `kept` units, up to a place that no construct spans. */
  private part(kept: number): string {
    const settled: string[] = [];
    for (;;) {
      const place = this.placeBefore(Math.max(0, this.held.text.length - kept));
      if (place === 0 && this.held.text.length >= kept + SIGHT) settled.push(this.partOnce());
      else return settled.join('') + this.handOver(place);
    }
  }

  private partOnce(): string {
    const place = this.placeBefore(SIGHT);
    return place > 0 ? this.handOver(place) : this.divide(this.held.partBefore(SIGHT));
  }

  private placeBefore(limit: number): number {
    const { text } = this.held;
    let place = limit;
    for (let last = -1, attempts = 0; place !== last; attempts++) {
      if (attempts === MAX_ATTEMPTS) return 0;
      last = place;
      for (const pass of this.passes) place = pass.partBefore(text, place, this.stable);
      place = this.held.partBefore(place);
      if (place > 0 && isWithinCharacter(text, place)) place--;
    }
    return place;
  }

  /** No harmless construct is this long. A blank line, which nothing continues across, divides it. */
  private divide(limit: number): string {
    const { text } = this.held;
    const end = isWithinCharacter(text, limit) ? limit + 1 : limit;
    const start = isWithinCharacter(text, end - 1) ? end - 2 : end - 1;
    const span: Span = [start, end];
    this.found.push({ kind: 'markdown_sanitized', detector: 'markdown', span: this.held.given(span) });
    const behind = this.held.from(end);
    const { rest, stable } = this;
    this.held = this.held.until(end).edited([{ span, replacement: text.slice(start, end) + WALL }]);
    this.clean(false);
    const settled = this.handOver(this.held.text.length);
    this.held = behind;
    this.rest = rest;
    this.restAt = behind.text.length;
    this.stable = Math.max(0, stable - end);
    return settled;
  }

  private handOver(end: number): string {
    const { text } = this.held;
    for (const pass of this.passes) pass.settle(text, end);
    if (this.keepsEdits) {
      this.replaced.push(...this.held.editsBefore(end));
      for (const piece of this.held.piecesBefore(end))
        this.pieces.push({ ...piece, start: piece.start + this.released, end: piece.end + this.released });
      this.released += end;
    }
    this.settled = this.held.givenAt(end);
    this.debt -= end;
    this.held = this.held.from(end);
    this.stable = Math.max(0, this.stable - end);
    this.restAt = this.held.text.length;
    return text.slice(0, end);
  }
}

/** Whether a place divides a surrogate pair or a CRLF. */
function isWithinCharacter(text: string, place: number): boolean {
  return (text.codePointAt(place - 1) ?? 0) > 0xffff || text.startsWith('\r\n', place - 1);
}

/** A blank line, with any line ends. */
const BLANK_LINE = /(?:\n|\r(?!\n))[ \t]*(?:\n|\r\n|\r(?=[^\n]))/g;

/** The end of the first blank line that ends within `added` and after `minLength` units; -1 if there is none. */
function endOfStretch(held: string, added: string, minLength: number): number {
  // A blank line consists of line ends and blanks only, so one that ends in `added` has a line end there.
  if (!/[\r\n]/.test(added) && !held.endsWith('\r')) return -1;
  const text = held + added;
  // Only the first of several blank lines ends a stretch; the others begin the next one.
  let begins = 0;
  while (isBlankOrLineEnd(text.charCodeAt(begins))) begins++;
  if (begins === text.length) return -1;
  BLANK_LINE.lastIndex = begins;
  while (BLANK_LINE.test(text)) {
    const { lastIndex } = BLANK_LINE;
    // Whether a carriage return ends a line is known only with the next character.
    const isNew = lastIndex > held.length || (lastIndex === held.length && held.endsWith('\r'));
    if (isNew && lastIndex >= minLength) return lastIndex;
    // The end of one blank line may begin the next.
    BLANK_LINE.lastIndex--;
  }
  return -1;
}

function isBlankOrLineEnd(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}
