import { UNITS_PER_PAUSE, type Resumable } from '../shared/resumable.js';
import { isAsciiLetter } from './characters.js';
import {
  isInvisible,
  isMark,
  isWhiteSpace,
  joinsBackward,
  foldCluster,
  MAX_MARKS,
  asciiLookAlike,
  BY_CASE,
  BY_LOOK,
  BY_NFKC,
  BY_SPACE,
  NEEDS_CONTEXT,
  UnitTable,
  type NormalizationOptions,
} from './character-folding.js';
import { MappedText, MappedTextBuilder } from '../text/mapped-text.js';

/** The normalization steps in order. */
const STEPS = ['nfkc', 'strip_zero_width', 'casefold', 'whitespace', 'fold_confusables'] as const;

type Step = (typeof STEPS)[number];

export interface NormalizedText {
  readonly mapped: MappedText;
  /** The steps that changed something. */
  readonly steps: readonly Step[];
}

const PLAIN = /^[\t\n\r -~]*$/;
const BLANK_RUN = /[\t\n\r ]{2}/;
const LINE_OR_TAB = /[\t\n\r]/g;
const CAPITAL = /[A-Z]/;

/** Returns the text that the rules are matched against. Idempotent; lone surrogates are kept. */
export function* normalize(text: string, options: NormalizationOptions): Resumable<NormalizedText> {
  if (PLAIN.test(text) && !(options.collapseWhiteSpace && BLANK_RUN.test(text))) {
    const folded = options.foldCase && CAPITAL.test(text) ? text.toLowerCase() : text;
    const collapsed = options.collapseWhiteSpace ? folded.replaceAll(LINE_OR_TAB, ' ') : folded;
    const steps: Step[] = [];
    if (folded !== text) steps.push('casefold');
    if (collapsed !== folded) steps.push('whitespace');
    return { steps, mapped: MappedText.of(collapsed) };
  }
  return yield* new Normalization(text, options).run();
}

/** Maximum number of units that are copied at once. */
const MAX_RUN_LENGTH = 1024;

/** Shared, because it is empty whenever a normalization pauses. */
const buffer = new Uint16Array(MAX_RUN_LENGTH);

/** Normalizes one text, cluster by cluster. A cluster is a character with the marks and jamo that compose with it. */
class Normalization {
  private readonly changed = new Set<Step>();
  private readonly out: MappedTextBuilder;
  private readonly table: UnitTable;
  /** The last written character is an ASCII letter, on which marks are dropped. */
  private afterAsciiLetter = false;

  constructor(
    private readonly text: string,
    private readonly options: NormalizationOptions,
  ) {
    this.out = new MappedTextBuilder(text.length);
    this.table = UnitTable.for(options);
  }

  *run(): Resumable<NormalizedText> {
    let position = 0;
    let pause = UNITS_PER_PAUSE;
    while (position < this.text.length) {
      position = this.takeCluster(this.takeRun(position));
      if (position < pause) continue;
      pause = position + UNITS_PER_PAUSE;
      yield;
    }
    return { steps: STEPS.filter((step) => this.changed.has(step)), mapped: this.out.build() };
  }

  /** Copies units that map to one unit each. Leaves the last one, because the next character may compose with it. */
  private takeRun(start: number): number {
    const { text, table } = this;
    const { collapseWhiteSpace } = this.options;
    const limit = Math.min(text.length, start + MAX_RUN_LENGTH);
    let last = this.out.lastUnit;
    let changes = 0;
    let end = start;
    for (; end < limit; end++) {
      const mapped = table.of(text.charCodeAt(end));
      const unit = mapped & 0xffff;
      if (mapped === NEEDS_CONTEXT || (collapseWhiteSpace && unit === 0x20 && last === 0x20)) break;
      buffer[end - start] = last = unit;
      changes |= mapped;
    }
    // The last unit is processed again as part of a cluster.
    if (end < text.length) end -= 1;
    if (end <= start) return start;
    this.out.copyUnits(buffer, start, end);
    this.afterAsciiLetter = isAsciiLetter(this.out.lastUnit);
    if ((changes & BY_NFKC) !== 0) this.changed.add('nfkc');
    if ((changes & BY_CASE) !== 0) this.changed.add('casefold');
    if ((changes & BY_LOOK) !== 0) this.changed.add('fold_confusables');
    if ((changes & BY_SPACE) !== 0) this.changed.add('whitespace');
    return end;
  }

  /** Returns the start of the next cluster. */
  private takeCluster(start: number): number {
    if (start >= this.text.length) return start;
    const first = this.characterAt(start);
    let end = start + first.length;
    if (this.dropIfInvisible(first)) return end;
    let cluster = first;
    for (let joined = 0; end < this.text.length;) {
      const next = this.characterAt(end);
      if (this.dropIfInvisible(next)) {
        end += next.length;
        continue;
      }
      if (!this.options.nfkc || next < '\u0300' || !joinsBackward(next)) break;
      if (joined < MAX_MARKS) cluster += next;
      else this.changed.add('nfkc');
      joined += 1;
      end += next.length;
    }
    const letter = this.lookAlikeOf(cluster);
    if (letter === undefined) this.write(this.fold(cluster), start, end);
    else this.writeCharacter(letter, start, end);
    return end;
  }

  private characterAt(position: number) {
    return String.fromCodePoint(this.text.codePointAt(position) ?? 0);
  }

  private dropIfInvisible(character: string) {
    if (!this.options.stripInvisible || (character >= ' ' && character <= '~') || !isInvisible(character))
      return false;
    this.changed.add('strip_zero_width');
    return true;
  }

  /** Before NFKC and case folding, which change what a letter looks like. */
  private lookAlikeOf(cluster: string) {
    if (!this.options.foldConfusables || cluster.length > 2) return undefined;
    const letter = asciiLookAlike(cluster, this.options);
    if (letter !== undefined) this.changed.add('fold_confusables');
    return letter;
  }

  private fold(cluster: string) {
    const { compatible, folded } = foldCluster(cluster, this.options);
    if (compatible !== cluster) this.changed.add('nfkc');
    if (folded !== compatible) this.changed.add('casefold');
    return folded;
  }

  private write(folded: string, start: number, end: number) {
    for (const character of folded) {
      if (this.options.collapseWhiteSpace && isWhiteSpace(character)) this.writeSpace(character, start, end);
      else this.writeCharacter(character, start, end);
    }
  }

  private writeSpace(character: string, start: number, end: number) {
    this.afterAsciiLetter = false;
    if (character !== ' ') this.changed.add('whitespace');
    if (this.out.lastUnit === 0x20) {
      this.changed.add('whitespace');
      this.out.extendLast(end);
    } else this.out.push(' ', start, end);
  }

  private writeCharacter(character: string, start: number, end: number) {
    if (!this.options.foldConfusables) return this.out.push(character, start, end);
    if (this.afterAsciiLetter && isMark(character)) {
      this.changed.add('fold_confusables');
      return this.out.extendLast(end);
    }
    const letter = asciiLookAlike(character, this.options);
    if (letter !== undefined) this.changed.add('fold_confusables');
    const written = letter ?? character;
    this.afterAsciiLetter = written.length === 1 && isAsciiLetter(written.charCodeAt(0));
    return this.out.push(written, start, end);
  }
}
