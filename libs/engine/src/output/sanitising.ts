import type { Finding } from '../../../contracts/src/output.js';
import { SIGHT, type Pass, type Rest, type Stretch } from './pass.js';
import { TracedText, type Edit } from './traced-text.js';

/** Units that may be held back. */
const MOST_HELD = 2 * SIGHT;

/** Units before something that goes on, which what follows it may join. */
const JOINED = 64;

/** Honest texts are clean after two rounds; one that is not after these was built to come apart for ever. */
const MOST_ROUNDS = 16;

/** Stands for what did not become clean. */
const WITHHELD = '[output withheld]';

/** In every way to end a line. Nothing that a pass looks for reaches across one. */
const BLANK_LINE = /(?:\n|\r(?!\n))[ \t]*(?:\n|\r\n|\r(?=[^\n]))/g;

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
    return this.replaced.toSorted((one, other) => one.span[0] - other.span[0]);
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
      else if (this.held.text.length >= MOST_HELD) settled.push(this.advance());
    }
    return settled.join('');
  }

  /** The text ends here. Answers the rest of it. */
  end(): string {
    this.resume();
    this.clean(false);
    return this.handOver(this.held.text.length);
  }

  private finishStretch(): string {
    this.resume();
    this.clean(false);
    // What goes on behind the blank line may take that away, and join what stands on both sides.
    return this.handOver(this.rest === null ? this.held.text.length : this.placeToPart(JOINED));
  }

  private advance(): string {
    this.resume();
    this.clean(true);
    // Behind what goes on after the end nothing stands that would have to wait; what follows may still join it.
    return this.handOver(this.placeToPart(this.rest === null ? SIGHT : JOINED));
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

  private clean(goesOn: boolean): void {
    let idle = 0;
    for (let turn = 0; idle < this.passes.length; turn++) {
      const { text } = this.held;
      if (text === '') return;
      if (turn === MOST_ROUNDS * this.passes.length) {
        this.held = this.held.edited([{ span: [0, text.length], replacement: WITHHELD }]);
        return;
      }
      // Behind what goes on after the end, there is nothing more to see.
      const judged = goesOn && this.rest === null ? Math.max(0, text.length - SIGHT) : text.length;
      const stretch: Stretch = { text, judged };
      idle = this.apply(this.passes[turn % this.passes.length], stretch) ? 0 : idle + 1;
    }
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

  private placeToPart(kept: number): number {
    const { text } = this.held;
    const last = Math.max(0, text.length - kept);
    let place = last;
    for (const pass of this.passes) place = pass.partBefore(text, place);
    // Where no good place is near, any place is better than to hold more and more.
    if (last - place > SIGHT / 2) place = last;
    place = this.held.partBefore(place);
    while (place > 0 && last - place < SIGHT / 2 && joins(text, place)) {
      place = this.held.partBefore(place - 1);
    }
    return place;
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

/** Behind the first blank line that ends in what is added; -1 where none does. */
function endOfStretch(held: string, added: string): number {
  // Two line ends and the blanks between them: where none stands in what is added, none ends there.
  if (!/[\r\n]/.test(added) && !held.endsWith('\r')) return -1;
  const text = held + added;
  // Of many blank lines the first alone ends a stretch; the others begin the next, so that they are not judged one by one.
  const begins = text.search(/[^ \t\r\n]/);
  if (begins === -1) return -1;
  BLANK_LINE.lastIndex = begins;
  while (BLANK_LINE.test(text)) {
    if (BLANK_LINE.lastIndex > held.length) return BLANK_LINE.lastIndex;
    // The end of one blank line may begin the next.
    BLANK_LINE.lastIndex--;
  }
  return -1;
}

/** Between the halves of a character or of a line end, or behind a mark that the next character may make something of. */
function joins(text: string, place: number): boolean {
  if ((text.codePointAt(place - 1) ?? 0) > 0xffff || text.startsWith('\r\n', place - 1)) return true;
  return /[![\](<:]/.test(text.charAt(place - 1));
}
