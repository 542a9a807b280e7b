import type { AuditEntry } from '#contracts/audit/record.js';
import {
  CLASSIFIER_ID,
  CLASSIFIER_THRESHOLDS,
  Screener,
  type ScreenerJudgement,
} from '#contracts/screening/screening.js';
import type { Settings } from '#contracts/settings/settings.js';
import { runToEnd, type Resumable } from '../../../shared/resumable.js';
import { normalize } from '../../../text/normalization.js';
import { FeatureReader, NORMALIZATION, PlainText, windowsOf } from './features.js';
import { isJudged, isLatin } from './language.js';
import { readModel, scaled, scoreOf, wordScoreOf } from './model.js';
import { TRAINED } from './weights.data.js';

/** About how much a word adds to the score of a text, in the unit of the score. */
interface WordWeight {
  readonly word: string;
  readonly weight: number;
}

export interface ClassifierJudgement extends ScreenerJudgement {
  /** Not sure enough to block. */
  readonly onlyObserves?: boolean;
}

const MAX_WORDS = 10;

/** Longer words are shown by their beginning. */
const MAX_WORD_LENGTH = 40;

/** A linear model that finds attacks which no rule describes. It objects to a text as a whole. */
export class Classifier extends Screener {
  override readonly id = CLASSIFIER_ID;
  override readonly version: string;

  private constructor(
    private readonly blocksAbove: number,
    private readonly observesAbove: number,
  ) {
    super();
    this.version = `${TRAINED.version} ${blocksAbove}`;
  }

  /** It observes from the next lower threshold, as far as there is one. */
  static from(settings: Settings): Classifier {
    const threshold = settings.get('input_screen.classifier_threshold');
    const lower = CLASSIFIER_THRESHOLDS[CLASSIFIER_THRESHOLDS.indexOf(threshold) - 1] ?? threshold;
    return new Classifier(TRAINED.thresholds[threshold], TRAINED.thresholds[lower]);
  }

  override screen(text: string) {
    return runToEnd(this.judge(text, [normalizedForClassifier(text)]));
  }

  /** Pauses between windows. @param readings the text and its decoded forms after `NORMALIZATION` */
  *judge(text: string, readings: readonly string[]): Resumable<ClassifierJudgement> {
    let highest: number | null = null;
    let isLater = false;
    for (const reading of readings)
      for (const window of windowsOf(reading)) {
        if (isLater) yield;
        isLater = true;
        const score = scoreOfWindow(window);
        if (score !== null) highest = Math.max(score, highest ?? score);
      }
    const { blocksAbove, observesAbove } = this;
    if (highest === null) return { spans: [], notJudged: true };
    if (highest <= observesAbove) return { spans: [] };
    const threshold = highest > blocksAbove ? blocksAbove : observesAbove;
    return {
      spans: [[0, text.length]],
      score: highest,
      threshold,
      onlyObserves: threshold < blocksAbove,
    };
  }

  /** The words with the highest weights, if the classifier objected. They are computed from the stored text, so there are none without it. */
  static wordsOf({ matchedRules, storage, prompt }: AuditEntry): readonly WordWeight[] {
    const objected = matchedRules.some(
      ({ ruleId, score }) => ruleId === CLASSIFIER_ID && score !== undefined,
    );
    return !objected || storage === 'hash' || storage === 'erased' ? [] : weightiestWords(prompt);
  }
}

export function normalizedForClassifier(text: string): string {
  return runToEnd(normalize(text, NORMALIZATION)).mapped.text;
}

/** `null`: not judged. The lowest score has a text without letters, or whose usual words are harmless. */
function scoreOfWindow(window: string) {
  const { model, plain, features } = trained();
  plain.read(window);
  if (plain.latin + plain.otherLetters === 0) return -Infinity;
  if (!isLatin(plain.latin, plain.otherLetters)) return null;
  const { hasUsualWords, indices, count, languages } = features.readWords(plain);
  if (!isJudged(languages)) return null;
  if (hasUsualWords && wordScoreOf(indices, count, model.words) < TRAINED.words.limit) return -Infinity;
  return scoreOf(features.readOthers(plain), model);
}

/** The words of the window with the highest score that raise it most, by the weights of each word and of the sequences in it. */
function weightiestWords(text: string): readonly WordWeight[] {
  const { model, plain, features } = trained();
  const [window = ''] = [...windowsOf(normalizedForClassifier(text))].toSorted(
    (one, other) => (scoreOfWindow(other) ?? -Infinity) - (scoreOfWindow(one) ?? -Infinity),
  );
  const { count } = features.readWords(plain.read(window)).readOthers(plain);
  const weightOf = (word: string) =>
    scaled(features.readWords(plain.read(word)).readOthers(plain).sum, count, model);
  return [...new Set(plain.toString().trim().split(' '))]
    .map((word) => ({ word: word.slice(0, MAX_WORD_LENGTH), weight: weightOf(word) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight || (one.word < other.word ? -1 : 1))
    .slice(0, MAX_WORDS);
}

class TrainedReader {
  readonly model = readModel(TRAINED);
  readonly plain = new PlainText();
  readonly features = new FeatureReader(this.model.weights);
}

let known: TrainedReader | null = null;

function trained() {
  known ??= new TrainedReader();
  return known;
}
