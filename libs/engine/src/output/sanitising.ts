import type { Finding } from '../../../contracts/src/output.js';
import type { Span } from '../../../contracts/src/text.js';
import { endOfStretch } from './end-of-stretch.js';
import { SIGHT, type Pass, type Rest, type Stretch } from './pass.js';
import { TracedText, type Edit } from './traced-text.js';

/** Units that may be held back. */
const MOST_HELD = 2 * SIGHT;

/** Units before something that goes on, which what follows it may join. */
const JOINED = 64;

/** Honest texts are clean after two rounds; one that is not after these was built to come apart for ever. */
const MOST_ROUNDS = 16;

/** Nothing that a pass looks for reaches across it. */
const WALL = '\n\n';

/** Stands for what did not become clean. */
const WITHHELD = '[output withheld]';

/**
 * One text on its way through the passes. It comes in chunks of any size and is cleaned in stretches whose borders
 * only its characters decide, so that the outcome is the same whatever the chunks. A stretch ends behind a blank line;
 * where none comes in time, the front half of what is held is judged with the other half in sight.
 *
 * Removing one thing can put another together, so within a stretch the passes go round until every one of them has
 * nothing left to do. A stretch that does not come to rest is withheld.
 */
export class Sanitising {
  /** Its front may be clean already; the rest is as given. */
  private held = TracedText.empty;
  private rest: Rest | null = null;
  /** Where in what is held the rest begins. */
  private restAt = 0;
  private readonly found: Finding[] = [];
  private readonly replaced: Edit[] = [];
  private settled = 0;

  constructor(private readonly passes: readonly Pass[]) {}

  /** By ascending start; spans in UTF-16 units of the text as given. */
  get findings(): readonly Finding[] {
    return this.found.toSorted((one, other) => one.span[0] - other.span[0]);
  }

  /** What was put in, as edits of the text as given. */
  get edits(): readonly Edit[] {
    const ordered = this.replaced.toSorted((one, other) => one.span[0] - other.span[0]);
    // What went on behind a finding may itself have become a part of a longer one.
    let read = 0;
    return ordered.filter(({ span }) => {
      const isOutside = span[1] > read;
      read = Math.max(read, span[1]);
      return isOutside;
    });
  }

  /** Units of the text as given whose outcome was handed over. */
  get settledUntil(): number {
    return this.settled;
  }

  /** Units that are held back. */
  get waiting(): number {
    return this.held.text.length;
  }

  /** Answers what is settled by now. */
  push(chunk: string): string {
    const settled: string[] = [];
    let read = 0;
    while (read < chunk.length) {
      const before = this.held.text.length;
      const room = chunk.slice(read, read + MOST_HELD - before);
      const end = endOfStretch(this.held.text, room);
      const taken = end === -1 ? room.length : end - before;
      this.held = this.held.append(room.slice(0, taken));
      read += taken;
      if (end !== -1) settled.push(this.finishStretch());
      else while (this.held.text.length >= MOST_HELD) settled.push(this.advance());
    }
    return settled.join('');
  }

  /** The text ends here. Answers the rest of it. */
  end(): string {
    this.resume();
    return this.finish(true);
  }

  private finishStretch(): string {
    this.resume();
    return this.finish(false);
  }

  /** Nothing that stands behind what is held is looked at. */
  private finish(isLast: boolean): string {
    const settled: string[] = [];
    while (this.clean(false, isLast)) {
      // What goes on behind a blank line may take that away, and join what stands on both sides.
      if (this.rest !== null && !isLast) return settled.join('') + this.part(JOINED);
      if (this.held.text.length < MOST_HELD) break;
      settled.push(this.partOnce());
    }
    return settled.join('') + this.handOver(this.held.text.length);
  }

  private advance(): string {
    this.resume();
    if (!this.clean(true)) return this.handOver(this.held.text.length);
    // Behind what goes on after the end nothing stands that would have to wait; what follows may still join it.
    return this.part(this.rest === null ? SIGHT : JOINED);
  }

  private resume(): void {
    if (this.rest === null) return;
    const start = this.restAt;
    const next = this.held.text.slice(start);
    const belonging = this.rest(next);
    if (belonging < next.length) this.rest = null;
    if (belonging === 0) return;
    this.replaced.push({ span: this.held.given([start, start + belonging]), replacement: '' });
    this.held = this.held.edited([{ span: [start, start + belonging], replacement: '' }]);
  }

  /** Answers whether it came to rest. */
  private clean(goesOn: boolean, isLast = false): boolean {
    let idle = 0;
    for (let turn = 0; idle < this.passes.length; turn++) {
      const { text } = this.held;
      if (text === '') return true;
      if (turn === MOST_ROUNDS * this.passes.length) {
        const before = this.settled > 0 ? WALL : '';
        const replacement = before + WITHHELD + (isLast ? '' : WALL);
        this.held = this.held.edited([{ span: [0, text.length], replacement }]);
        return false;
      }
      // Behind what goes on after the end, there is nothing more to see.
      const judged = goesOn && this.rest === null ? Math.max(0, text.length - SIGHT) : text.length;
      const stretch: Stretch = { text, judged };
      idle = this.apply(this.passes[turn % this.passes.length], stretch) ? 0 : idle + 1;
    }
    return true;
  }

  private apply(pass: Pass | undefined, stretch: Stretch): boolean {
    const result = pass?.judge(stretch);
    if (result === undefined || result.edits.length === 0) return false;
    for (const finding of result.findings) {
      this.found.push({ ...finding, span: this.held.given(finding.span) });
    }
    this.held = this.held.edited(result.edits);
    this.rest = result.rest ?? this.rest;
    return true;
  }

  /** Hands over all but the last units, up to a place that nothing was judged across. */
  private part(kept: number): string {
    const settled: string[] = [];
    while (this.held.text.length >= kept + SIGHT) settled.push(this.partOnce());
    const limit = Math.max(0, this.held.text.length - kept);
    return settled.join('') + this.handOver(this.placeBefore(limit));
  }

  private partOnce(): string {
    const place = this.placeBefore(SIGHT);
    return place > 0 ? this.handOver(place) : this.wallOff(this.held.partBefore(SIGHT));
  }

  private placeBefore(limit: number): number {
    const { text } = this.held;
    let place = limit;
    for (let last = -1; place !== last;) {
      last = place;
      for (const pass of this.passes) place = pass.partBefore(text, place);
      place = this.held.partBefore(place);
      if (place > 0 && isWithinCharacter(text, place)) place--;
    }
    return place;
  }

  /** No honest text hangs together for so long. A blank line, which nothing reaches across, parts it for good. */
  private wallOff(limit: number): string {
    const { text } = this.held;
    const end = isWithinCharacter(text, limit) ? limit + 1 : limit;
    const start = isWithinCharacter(text, end - 1) ? end - 2 : end - 1;
    const span: Span = [start, end];
    this.found.push({ kind: 'markdown_sanitized', detector: 'markdown', span: this.held.given(span) });
    const behind = this.held.from(end);
    const { rest } = this;
    this.held = this.held.until(end).edited([{ span, replacement: text.slice(start, end) + WALL }]);
    this.clean(false);
    const settled = this.handOver(this.held.text.length);
    this.held = behind;
    this.rest = rest;
    this.restAt = behind.text.length;
    return settled;
  }

  private handOver(end: number): string {
    const { text } = this.held;
    for (const pass of this.passes) pass.settle(text, end);
    this.replaced.push(...this.held.editsBefore(end));
    this.settled = this.held.givenAt(end);
    this.held = this.held.from(end);
    this.restAt = this.held.text.length;
    return text.slice(0, end);
  }
}

/** Between the halves of a character or of a line end. */
function isWithinCharacter(text: string, place: number): boolean {
  return (text.codePointAt(place - 1) ?? 0) > 0xffff || text.startsWith('\r\n', place - 1);
}
