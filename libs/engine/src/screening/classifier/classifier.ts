import type { AuditEntry } from '#contracts/audit.js';
import type { ModeName } from '#contracts/control-mode.js';
import {
  CLASSIFIER_ID,
  Screener,
  type ScreenerJudgement,
  type ScreeningContext,
} from '#contracts/screening.js';
import type { Settings } from '#contracts/settings/settings.js';
import { FeatureReader, PlainText } from './features.js';
import { isJudged, isLatin } from './language.js';
import { readModel, scaled, scoreOf, wordScoreOf, type Model } from './model.js';
import { TRAINED } from './weights.data.js';

/** About how much a word adds to the score of a text, in the unit of the score. */
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
    const { model, plain, features } = trained();
    plain.read(text, normalized);
    if (plain.latin + plain.otherLetters === 0) return nothingFound;
    if (!isLatin(plain.latin, plain.otherLetters)) return notJudged;
    features.readWords(plain);
    if (!isJudged(features.languages, plain.units, model.trigramLevels)) return notJudged;
    const { hasUsualWords, indices, count } = features;
    if (hasUsualWords && wordScoreOf(indices, count, model.words) < TRAINED.words.limit) return nothingFound;
    const score = scoreOf(features.readOthers(plain), model);
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

/** The words that raise the score of a text most, by the weights of each word and of the sequences in it. */
function weightiestWords(text: string): readonly WordWeight[] {
  const { model, plain, features } = trained();
  const { count } = features.readWords(plain.read(text)).readOthers(plain);
  const weightOf = (word: string): number =>
    scaled(features.readWords(plain.read(word, word)).readOthers(plain).sum, count, model);
  return [...new Set(plain.toString().trim().split(' '))]
    .map((word) => ({ word: word.slice(0, MAX_WORD_LENGTH), weight: weightOf(word) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight || (one.word < other.word ? -1 : 1))
    .slice(0, MAX_WORDS);
}

interface TrainedReader {
  readonly model: Model;
  readonly plain: PlainText;
  readonly features: FeatureReader;
}

let known: TrainedReader | null = null;

function trained(): TrainedReader {
  if (known !== null) return known;
  const model = readModel(TRAINED);
  known = { model, plain: new PlainText(), features: new FeatureReader(model.weights) };
  return known;
}
