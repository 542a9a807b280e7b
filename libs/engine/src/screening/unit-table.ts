import { isInvisible, isMark, isWhiteSpace, joinsBackward } from './code-point-classes.js';
import { foldCluster } from './composition.js';
import { asciiLookAlike } from './confusables.js';
import type { NormalisationOptions } from './normalisation-options.js';

/** What a unit became, beside the unit that it became. */
export const BY_NFKC = 0x10000;
export const BY_CASE = 0x20000;
export const BY_LOOK = 0x40000;

/** The unit does not stand alone: it vanishes, joins others, becomes several, or is half of a pair. */
export const INVOLVED = 0xffffffff;

const UNKNOWN = 0xfffffffe;

const tables = new Map<string, UnitTable>();

/** What becomes of units of which one becomes one: most of any text. Learnt as texts use them. */
export class UnitTable {
  private readonly known = new Uint32Array(0x10000).fill(UNKNOWN);

  private constructor(private readonly options: NormalisationOptions) {}

  static for(options: NormalisationOptions): UnitTable {
    const { nfkc, stripInvisible, foldCase, collapseWhiteSpace, foldConfusables } = options;
    const key = [nfkc, stripInvisible, foldCase, collapseWhiteSpace, foldConfusables].join();
    const table = tables.get(key) ?? new UnitTable(options);
    tables.set(key, table);
    return table;
  }

  /** The unit that it becomes, and by what; or `INVOLVED`. */
  of(unit: number): number {
    const known = this.known[unit] ?? INVOLVED;
    if (known !== UNKNOWN) return known;
    const learnt = this.learn(unit);
    this.known[unit] = learnt;
    return learnt;
  }

  private learn(unit: number): number {
    if (unit >= 0xd800 && unit <= 0xdfff) return INVOLVED;
    const { nfkc, stripInvisible, foldCase, collapseWhiteSpace, foldConfusables } = this.options;
    const character = String.fromCharCode(unit);
    if (stripInvisible && isInvisible(character)) return INVOLVED;
    if (isMark(character) || joinsBackward(character)) return INVOLVED;
    const compatible = nfkc ? foldCluster(character, true, false) : character;
    const folded = foldCase ? foldCluster(character, nfkc, true) : compatible;
    if (folded.length !== 1 || isMark(folded)) return INVOLVED;
    if (collapseWhiteSpace && isWhiteSpace(folded) && character !== ' ') return INVOLVED;
    const letter = foldConfusables && folded > '~' ? asciiLookAlike(folded) : undefined;
    const written = (foldCase ? letter?.toLowerCase() : letter) ?? folded;
    if (written.length !== 1) return INVOLVED;
    return (
      written.charCodeAt(0) +
      (compatible === character ? 0 : BY_NFKC) +
      (folded === compatible ? 0 : BY_CASE) +
      (letter === undefined ? 0 : BY_LOOK)
    );
  }
}
