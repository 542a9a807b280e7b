import type { AuditEntry } from '#contracts/audit.js';
import type { ModeName } from '#contracts/control-mode.js';
import {
  CLASSIFIER_ID,
  Screener,
  type ScreenerJudgement,
  type ScreeningContext,
} from '#contracts/screening.js';
import type { Settings } from '#contracts/settings/settings.js';
import { FeatureReader, readParts } from './features.js';
import { isJudged } from './language.js';
import { scaled, scoreOf, type Model } from './model.js';
import { TRAINED } from './weights.data.js';

/** How much a word adds to the score of a text, in the unit of the score. */
export interface WordWeight {
  readonly word: string;
  readonly weight: number;
}

const MAX_WORDS = 10;

/** Longer words are shown by their beginning. */
const MAX_WORD_LENGTH = 40;

const nothingFound: ScreenerJudgement = { spans: [] };
const notJudged: ScreenerJudgement = { spans: [], notJudged: true };

/** A linear model that finds attacks which no rule describes. It objects to a text as a whole. */
export class Classifier extends Screener {
  override readonly id = CLASSIFIER_ID;
  override readonly version: string;
  /** Until `rule_modes` enforces it. */
  readonly mode: ModeName = 'monitor';

  private constructor(private readonly threshold: number) {
    super();
    this.version = `${TRAINED.version} ${threshold}`;
  }

  static from(settings: Settings): Classifier {
    return new Classifier(TRAINED.thresholds[settings.get('input_screen.classifier_threshold')]);
  }

  /** @param normalized the text after all steps of normalization, if it is known */
  override screen(
    text: string,
    _context: ScreeningContext = {},
    normalized: string | null = null,
  ): ScreenerJudgement {
    const parts = readParts(text, normalized);
    const model = trainedModel();
    if (!parts.some(hasLetters)) return nothingFound;
    if (!isJudged(parts.join(' '), model.trigramLevels)) return notJudged;
    const score = scoreOf(featureReader().read(parts), model);
    const { threshold } = this;
    return score > threshold ? { spans: [[0, text.length]], score, threshold } : nothingFound;
  }

  /** The words with the highest weights, if the classifier objected. They are computed from the stored text, so there are none without it. */
  static wordsOf({ matchedRules, storage, prompt }: AuditEntry): readonly WordWeight[] {
    const objected = matchedRules.some(
      ({ ruleId, score }) => ruleId === CLASSIFIER_ID && score !== undefined,
    );
    return !objected || storage === 'hash' || storage === 'erased' ? [] : weightiestWords(prompt);
  }
}

/** The words that raise the score of a text most. A feature of several words is divided by their letters. */
function weightiestWords(text: string): readonly WordWeight[] {
  const parts = readParts(text);
  const model = trainedModel();
  const { indices, starts, ends, count } = featureReader().read(parts);
  const words = wordsAt(parts.join(''));
  const sums = new Map<string, number>();
  for (let feature = 0; feature < count; feature++) {
    const [start, end] = [starts[feature] ?? 0, ends[feature] ?? 0];
    const share = (model.weights[indices[feature] ?? 0] ?? 0) / (end - start);
    for (let at = start; at < end; at++) {
      const word = words[at];
      if (word !== undefined) sums.set(word, (sums.get(word) ?? 0) + share);
    }
  }
  return [...sums]
    .map(([word, sum]) => ({ word, weight: scaled(sum, count, model) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight || (one.word < other.word ? -1 : 1))
    .slice(0, MAX_WORDS);
}
const hasLetters = (part: string): boolean => /[^ 0]/.test(part);

/** For every position the word there. Each part begins and ends with a space. */
function wordsAt(part: string): readonly (string | undefined)[] {
  const words: (string | undefined)[] = Array.from({ length: part.length });
  for (const { 0: word, index } of part.matchAll(/[^ ]+/g)) {
    words.fill(word.slice(0, MAX_WORD_LENGTH), index, index + word.length);
  }
  return words;
}

let known: Model | null = null;

function trainedModel(): Model {
  known ??= {
    weights: new Int8Array(Buffer.from(TRAINED.weights, 'base64')),
    scale: TRAINED.scale,
    bias: TRAINED.bias,
    trigramLevels: new Uint8Array(Buffer.from(TRAINED.trigramLevels, 'base64')),
  };
  return known;
}

let reader: FeatureReader | null = null;

function featureReader(): FeatureReader {
  reader ??= new FeatureReader();
  return reader;
}
