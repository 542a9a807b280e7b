import { runToEnd } from '../../resumable.js';
import { normalize } from '../normalization.js';

/** Number of weights. A feature is the index of its weight. */
export const FEATURES = 1 << 17;

const INDEX_SHIFT = 32 - 17;

/** Lengths of the sequences of characters that are features. */
const [SHORTEST, LONGEST] = [3, 5];

const SPACE = 0x20;
const DIGIT = 0x30;

/** Called for each feature of a text with the place in it, in order and with repetitions. */
type FeatureVisitor = (index: number, start: number, end: number) => void;

/**
 * Visits the features of a plain text (`plainText`): sequences of three to five characters, words, and pairs of words, each
 * hashed to an index.
 */
export function visitFeatures(text: string, visit: FeatureVisitor): void {
  let wordStart = 0;
  let word = 0;
  let previousStart = 0;
  let previous = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit !== SPACE) {
      if (word === 0) wordStart = at;
      word = mixed(word === 0 ? WORD_SEED : word, unit);
    } else if (word !== 0) {
      visit(indexOf(word), wordStart, at);
      if (previous !== 0) visit(indexOf(mixed(mixed(PAIR_SEED, previous), word)), previousStart, at);
      previousStart = wordStart;
      previous = word;
      word = 0;
    }
    let hash = SEQUENCE_SEED;
    const last = Math.min(text.length, at + LONGEST);
    for (let end = at + 1; end <= last; end++) {
      hash = mixed(hash, text.charCodeAt(end - 1));
      if (end - at >= SHORTEST) visit(indexOf(hash), at, end);
    }
  }
}

/** The features of a text without repetitions, in the order of their first occurrence. */
export interface Features {
  readonly indices: Uint32Array;
  readonly count: number;
}

/** Collects the features of texts. Reuses its buffers, so a result is valid until the next call. */
export class FeatureReader {
  /** For each feature the number of the last text that has it. One byte each, so that they stay in the cache. */
  private readonly lastText = new Uint8Array(FEATURES);
  private indices = new Uint32Array(1024);
  private count = 0;
  private texts = 0;

  /** @param parts plain texts, without sequences across their borders */
  read(parts: readonly string[]): Features {
    this.startText();
    for (const part of parts) visitFeatures(part, (index) => this.add(index));
    return { indices: this.indices, count: this.count };
  }

  private startText(): void {
    this.count = 0;
    this.texts += 1;
    if (this.texts <= 0xff) return;
    this.lastText.fill(0);
    this.texts = 1;
  }

  private add(index: number): void {
    if (this.lastText[index] === this.texts) return;
    this.lastText[index] = this.texts;
    if (this.count === this.indices.length) {
      const grown = new Uint32Array(this.count * 2);
      grown.set(this.indices);
      this.indices = grown;
    }
    this.indices[this.count++] = index;
  }
}

/** All steps of normalization, whatever the settings are, because the weights were trained on such texts. */
const NORMALIZATION = {
  nfkc: true,
  stripInvisible: true,
  foldCase: true,
  collapseWhiteSpace: true,
  foldConfusables: true,
};

/** Units that are read at both ends of a longer text, so that the cost has a limit. */
const MAX_PART = 4096;

/** The parts of a text that are judged, as plain texts. */
export function readParts(text: string): readonly string[] {
  const parts = text.length <= 2 * MAX_PART ? [text] : [text.slice(0, MAX_PART), text.slice(-MAX_PART)];
  return parts.map((part) => plainText(runToEnd(normalize(part, NORMALIZATION)).text));
}

/** Of a normalized text: letters as they are, digits as `0`, and one space between words and at both ends. */
export function plainText(normalized: string): string {
  const units = new Uint16Array(normalized.length + 2);
  let length = 1;
  units[0] = SPACE;
  for (let at = 0; at < normalized.length; at++) {
    const unit = plainUnit(normalized.charCodeAt(at));
    if (unit === SPACE && units[length - 1] === SPACE) continue;
    units[length++] = unit;
  }
  if (units[length - 1] !== SPACE) units[length++] = SPACE;
  return Buffer.from(units.buffer, 0, length * 2).toString('utf16le');
}

/** Fixed ranges, because the classes of regular expressions depend on the version of Unicode. */
function plainUnit(unit: number): number {
  if (unit >= 0x61 && unit <= 0x7a) return unit;
  if (unit >= 0x30 && unit <= 0x39) return DIGIT;
  if (unit >= 0x41 && unit <= 0x5a) return unit + 0x20;
  const isOther = unit < 0xc0 || (unit >= 0x2000 && unit <= 0x2bff) || (unit >= 0x3000 && unit <= 0x303f);
  return isOther ? SPACE : unit;
}

const SEQUENCE_SEED = 0x811c_9dc5;
const WORD_SEED = 0x1b87_3593;
const PAIR_SEED = 0x68e3_1da4;

/** One step of FNV-1a. */
function mixed(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x0100_0193);
}

/** The upper bits after one more mixing step, because the lower bits of FNV-1a are weak. */
function indexOf(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x85eb_ca6b) >>> INDEX_SHIFT;
}
