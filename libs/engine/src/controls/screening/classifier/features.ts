import type { NormalizationOptions } from '../../../text/character-folding.js';
import { LanguageCounts, WORD_SEED } from './language.js';
import { FEATURES, featureOf, mixed } from './model.js';

/** All steps of normalization, whatever the settings are, because the weights were trained on such texts. */
export const NORMALIZATION: NormalizationOptions = {
  nfkc: true,
  stripInvisible: true,
  foldCase: true,
  collapseWhiteSpace: true,
  foldConfusables: true,
};

/** Units that are judged alone: in a longer text, honest parts would hide an attack. */
const WINDOW = 4096;

export function* windowsOf(text: string): Generator<string> {
  for (let at = 0; at === 0 || at < text.length; at += WINDOW) yield text.slice(at, at + WINDOW);
}

const SPACE = 0x20;
const DIGIT = 0x30;

/** Letters of a window of a normalized text as they are, digits as `0`, and one space between words and at both ends. */
export class PlainText {
  /** Valid until the next text. */
  units = new Uint16Array(0);
  private readonly buffer = new Uint16Array(WINDOW + 2);
  /** The number of letters from `a` to `z`. */
  latin = 0;
  otherLetters = 0;

  /** Replaces the text. @param normalized the text after `NORMALIZATION` */
  read(normalized: string): this {
    const { buffer } = this;
    buffer[0] = SPACE;
    let length = 1;
    let latin = 0;
    let otherLetters = 0;
    let isAfterSpace = true;
    for (let at = 0; at < normalized.length; at++) {
      const given = normalized.charCodeAt(at);
      const unit = given < ASCII ? (PLAIN_ASCII[given] ?? SPACE) : plainUnit(given);
      if (unit === SPACE && isAfterSpace) continue;
      isAfterSpace = unit === SPACE;
      if (unit >= ASCII) otherLetters += 1;
      else if (unit > DIGIT) latin += 1;
      buffer[length++] = unit;
    }
    if (!isAfterSpace) buffer[length++] = SPACE;
    this.units = buffer.subarray(0, length);
    this.latin = latin;
    this.otherLetters = otherLetters;
    return this;
  }

  toString(): string {
    return String.fromCharCode(...this.units);
  }
}

const ASCII = 0x80;

const PLAIN_ASCII = Uint8Array.from({ length: ASCII }, (_, unit) => plainUnit(unit));

/** Fixed ranges, because the classes of regular expressions depend on the version of Unicode. */
function plainUnit(unit: number) {
  if (unit >= 0x61 && unit <= 0x7a) return unit;
  if (unit >= 0x30 && unit <= 0x39) return DIGIT;
  if (unit >= 0x41 && unit <= 0x5a) return unit + 0x20;
  const isOther =
    unit < 0xc0 ||
    (unit >= 0x2000 && unit <= 0x2bff) ||
    (unit >= 0x3000 && unit <= 0x303f) ||
    (unit >= 0xd800 && unit <= 0xdfff); // Halves of surrogate pairs, such as those of emoji.
  return isOther ? SPACE : unit;
}

/** Three sequences begin at a unit, and a word and a pair end there. */
const MOST_PER_UNIT = 5;

/** Units of the longest usual word. */
const LONGEST_WORD = 18;

/** Units of a text for each of its words, with the space, if its words are usual. */
const [SHORTEST_MEAN, LONGEST_MEAN] = [4, 12];

const SEQUENCE_SEED = 0x011c_9dc5;
const PAIR_SEED = 0x68e3_1da4;

/**
 * Reads the features of plain texts: words, pairs of words, and sequences of three to five characters, each hashed to an index
 * and counted once. Reuses its buffers, so a result is valid until the next text.
 */
export class FeatureReader {
  readonly languages = new LanguageCounts();
  readonly indices = new Int32Array((WINDOW + 2) * MOST_PER_UNIT);
  count = 0;
  /** Of the weights of the features. */
  sum = 0;
  /** Whether the words of the text are neither joined nor split, and have no digits among their letters. */
  hasUsualWords = true;
  private readonly words = new Int32Array(WINDOW + 2);
  /** A bit for each feature of the text. */
  private readonly seen = new Int32Array(FEATURES / 32);

  /** @param weights none are needed to train a model */
  constructor(private readonly weights: Int8Array = new Int8Array(FEATURES)) {}

  /** Replaces the features by the words of a text. */
  readWords({ units }: PlainText): this {
    const { length } = units;
    this.forget();
    this.languages.reset();
    const { indices, words, languages } = this;
    let count = 0;
    let word = 0;
    let start = 1;
    let digits = 0;
    let isUsual = true;
    for (let at = 1; at < length; at++) {
      const unit = units[at] ?? 0;
      if (unit !== SPACE) {
        word = mixed(word === 0 ? WORD_SEED : word, unit);
        if (unit === DIGIT) digits += 1;
        continue;
      }
      languages.add(word);
      indices[count] = featureOf(word);
      words[count++] = word;
      if (at - start > LONGEST_WORD || (digits > 0 && digits < at - start)) isUsual = false;
      word = 0;
      start = at + 1;
      digits = 0;
    }
    this.hasUsualWords = isUsual && length >= count * SHORTEST_MEAN && length < count * LONGEST_MEAN;
    this.countOnce(0, count);
    return this;
  }

  /** Adds the pairs and the sequences of the text whose words were read last. */
  readOthers({ units }: PlainText): this {
    const { indices, words } = this;
    const { length } = units;
    const first = this.count;
    let count = first;
    for (let at = 1; at < this.languages.words; at++)
      indices[count++] = featureOf(mixed(mixed(PAIR_SEED, words[at - 1] ?? 0), words[at] ?? 0));
    for (let at = 0; at + 2 < length; at++) {
      let hash = mixed(mixed(SEQUENCE_SEED, units[at] ?? 0), units[at + 1] ?? 0);
      hash = mixed(hash, units[at + 2] ?? 0);
      indices[count++] = featureOf(hash);
      if (at + 3 >= length) break;
      hash = mixed(hash, units[at + 3] ?? 0);
      indices[count++] = featureOf(hash);
      if (at + 4 < length) indices[count++] = featureOf(mixed(hash, units[at + 4] ?? 0));
    }
    this.countOnce(first, count);
    return this;
  }

  private forget() {
    const { indices, seen, count } = this;
    for (let at = 0; at < count; at++) seen[(indices[at] ?? 0) >>> 5] = 0;
    this.count = 0;
    this.sum = 0;
  }

  /** Removes repetitions, and adds the weights of the others. Without branches, because repetitions cannot be predicted. */
  private countOnce(from: number, end: number): void {
    const { indices, seen, weights } = this;
    let { count, sum } = this;
    for (let at = from; at < end; at++) {
      const index = indices[at] ?? 0;
      const bits = seen[index >>> 5] ?? 0;
      const isNew = ((bits >>> index) & 1) ^ 1;
      seen[index >>> 5] = bits | (1 << index);
      indices[count] = index;
      count += isNew;
      sum += (weights[index] ?? 0) * isNew;
    }
    this.count = count;
    this.sum = sum;
  }
}
