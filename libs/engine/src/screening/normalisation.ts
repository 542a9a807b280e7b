import type { Settings } from '../../../contracts/src/settings/settings.js';
import { isInvisible, isMark, isWhiteSpace, joinsBackward } from './code-point-classes.js';
import { foldCluster, TALLEST_TOWER } from './composition.js';
import { asciiLookAlike } from './confusables.js';
import { MappedTextBuilder, unmapped, type MappedText } from './mapped-text.js';
import { normalisationOptions, type NormalisationOptions } from './normalisation-options.js';

/** Foldings, in the order in which they apply and are named. */
export const STEPS = ['nfkc', 'strip_zero_width', 'casefold', 'whitespace', 'fold_confusables'] as const;

export type Step = (typeof STEPS)[number];

export interface NormalisedText extends MappedText {
  /** The foldings that changed something. */
  readonly steps: readonly Step[];
}

/** A text as the rules read it. Normalising twice changes nothing more; a lone surrogate stays what it is. */
export function normalise(text: string, settings: Settings): NormalisedText {
  return normaliseWith(text, normalisationOptions(settings));
}

const PLAIN = /^[ -~]*$/;
const BLANK_RUN = / {2}/;
const CAPITAL = /[A-Z]/;

export function normaliseWith(text: string, options: NormalisationOptions): NormalisedText {
  if (PLAIN.test(text) && !(options.collapseWhiteSpace && BLANK_RUN.test(text))) {
    return options.foldCase && CAPITAL.test(text)
      ? { ...unmapped(text.toLowerCase()), steps: ['casefold'] }
      : { ...unmapped(text), steps: [] };
  }
  return new Normalisation(text, options).run();
}

/** One walk through one text, cluster by cluster: a character, and the marks and jamo that join it. */
class Normalisation {
  private readonly changed = new Set<Step>();
  private readonly out: MappedTextBuilder;
  /** The last character written was an ASCII letter: marks on it are ornament. */
  private afterAsciiLetter = false;

  constructor(
    private readonly text: string,
    private readonly options: NormalisationOptions,
  ) {
    this.out = new MappedTextBuilder(text.length);
  }

  run(): NormalisedText {
    let position = 0;
    while (position < this.text.length) position = this.takeCluster(position);
    return { ...this.out.build(), steps: STEPS.filter((step) => this.changed.has(step)) };
  }

  /** Answers where the next cluster begins. */
  private takeCluster(start: number): number {
    const first = this.characterAt(start);
    let end = start + first.length;
    if (this.drops(first)) return end;
    let cluster = first;
    for (let joined = 0; end < this.text.length;) {
      const next = this.characterAt(end);
      if (this.drops(next)) {
        end += next.length;
        continue;
      }
      if (!this.options.nfkc || next < '\u0300' || !joinsBackward(next)) break;
      if (joined < TALLEST_TOWER) cluster += next;
      else this.changed.add('nfkc');
      joined += 1;
      end += next.length;
    }
    this.write(this.fold(cluster), start, end);
    return end;
  }

  private characterAt(position: number): string {
    return String.fromCodePoint(this.text.codePointAt(position) ?? 0);
  }

  private drops(character: string): boolean {
    if (!this.options.stripInvisible || (character >= ' ' && character <= '~') || !isInvisible(character))
      return false;
    this.changed.add('strip_zero_width');
    return true;
  }

  private fold(cluster: string): string {
    const { nfkc, foldCase } = this.options;
    const compatible = nfkc ? foldCluster(cluster, true, false) : cluster;
    if (compatible !== cluster) this.changed.add('nfkc');
    const folded = foldCase ? foldCluster(cluster, nfkc, true) : compatible;
    if (folded !== compatible) this.changed.add('casefold');
    return folded;
  }

  private write(folded: string, start: number, end: number): void {
    for (const character of folded) {
      if (this.options.collapseWhiteSpace && isWhiteSpace(character)) this.writeSpace(character, start, end);
      else this.writeCharacter(character, start, end);
    }
  }

  private writeSpace(character: string, start: number, end: number): void {
    this.afterAsciiLetter = false;
    if (character !== ' ') this.changed.add('whitespace');
    if (this.out.lastUnit === 0x20) {
      this.changed.add('whitespace');
      this.out.extendLast(end);
    } else this.out.push(' ', start, end);
  }

  private writeCharacter(character: string, start: number, end: number): void {
    if (!this.options.foldConfusables) return this.out.push(character, start, end);
    if (this.afterAsciiLetter && isMark(character)) {
      this.changed.add('fold_confusables');
      return this.out.extendLast(end);
    }
    const letter = character > '~' ? this.lookAlike(character) : undefined;
    if (letter !== undefined) this.changed.add('fold_confusables');
    const written = letter ?? character;
    this.afterAsciiLetter = /^[A-Za-z]$/.test(written);
    return this.out.push(written, start, end);
  }

  private lookAlike(character: string): string | undefined {
    const letter = asciiLookAlike(character);
    return this.options.foldCase ? letter?.toLowerCase() : letter;
  }
}
