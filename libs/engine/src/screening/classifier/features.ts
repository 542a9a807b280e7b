import { runToEnd } from '../../resumable.js';
import type { NormalizationOptions } from '../character-folding.js';
import { copyInto } from '../mapped-text.js';
import { normalize } from '../normalization.js';

/** Number of weights. A feature is the index of its weight. */
export const FEATURES = 1 << 17;

const INDEX_SHIFT = 32 - 17;

/** Lengths of the sequences of characters that are features. */
const [SHORTEST, LONGEST] = [3, 5];

/** Three sequences begin at a unit, and a word and a pair end there. */
const MOST_PER_UNIT = 5;

const SPACE = 0x20;
const DIGIT = 0x30;

/** The features of a text without repetitions, in the order of their first occurrence. */
export interface Features {
  readonly indices: Uint32Array;
  /** The first place of each feature, in the parts one after the other. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly count: number;
}

/**
 * Collects the features of plain texts (`plainText`): sequences of three to five characters, words, and pairs of words,
 * each hashed to an index. Reuses its buffers, so a result is valid until the next call.
 */
export class FeatureReader {
  /** For each feature the number of the last text that has it. One byte each, so that they stay in the cache. */
  private readonly lastText = new Uint8Array(FEATURES);
  private indices = new Uint32Array(1024);
  private starts = new Uint32Array(1024);
  private ends = new Uint32Array(1024);
  private count = 0;
  private texts = 0;

  /** @param parts plain texts, without sequences across their borders */
  read(parts: readonly string[]): Features {
    this.startText();
    let offset = 0;
    for (const part of parts) {
      this.reserve(part.length * MOST_PER_UNIT);
      this.readPart(part, offset);
      offset += part.length;
    }
    const { indices, starts, ends, count } = this;
    return { indices, starts, ends, count };
  }

  private readPart(text: string, offset: number): void {
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
        this.add(indexOf(word), offset + wordStart, offset + at);
        if (previous !== 0)
          this.add(indexOf(mixed(mixed(PAIR_SEED, previous), word)), offset + previousStart, offset + at);
        previousStart = wordStart;
        previous = word;
        word = 0;
      }
      let hash = mixed(SEQUENCE_SEED, unit);
      const last = Math.min(text.length, at + LONGEST);
      for (let end = at + 2; end <= last; end++) {
        hash = mixed(hash, text.charCodeAt(end - 1));
        if (end - at >= SHORTEST) this.add(indexOf(hash), offset + at, offset + end);
      }
    }
  }

  private startText(): void {
    this.count = 0;
    this.texts += 1;
    if (this.texts <= 0xff) return;
    this.lastText.fill(0);
    this.texts = 1;
  }

  private add(index: number, start: number, end: number): void {
    if (this.lastText[index] === this.texts) return;
    this.lastText[index] = this.texts;
    const at = this.count++;
    this.indices[at] = index;
    this.starts[at] = start;
    this.ends[at] = end;
  }

  private reserve(added: number): void {
    const needed = this.count + added;
    if (needed <= this.indices.length) return;
    const capacity = Math.max(needed, this.indices.length * 2);
    this.indices = copyInto(new Uint32Array(capacity), this.indices);
    this.starts = copyInto(new Uint32Array(capacity), this.starts);
    this.ends = copyInto(new Uint32Array(capacity), this.ends);
  }
}

/** All steps of normalization, whatever the settings are, because the weights were trained on such texts. */
export const NORMALIZATION: NormalizationOptions = {
  nfkc: true,
  stripInvisible: true,
  foldCase: true,
  collapseWhiteSpace: true,
  foldConfusables: true,
};

/** Units that are read at both ends of a longer text, so that the cost has a limit. */
const MAX_PART = 4096;

/**
 * The parts of a text that are judged, as plain texts.
 *
 * @param normalized the text after `NORMALIZATION`, if it is known
 */
export function readParts(text: string, normalized: string | null = null): readonly string[] {
  if (normalized !== null && text.length <= 2 * MAX_PART) return [plainText(normalized)];
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
