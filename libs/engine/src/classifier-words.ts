import type { AuditEntry } from '#contracts/audit.js';
import { CLASSIFIER_ID } from '#contracts/screening.js';
import { Classifier, type WordWeight } from './screening/classifier/classifier.js';

/**
 * The words that weighed most where the classifier objected, the heaviest first. Computed from the stored text, so there are
 * none without it.
 */
export function classifierWordsOf({ matchedRules, storage, prompt }: AuditEntry): readonly WordWeight[] {
  const objected = matchedRules.some(({ ruleId, score }) => ruleId === CLASSIFIER_ID && score !== undefined);
  if (!objected || storage === 'hash' || storage === 'erased') return [];
  return Classifier.weightiestWords(prompt);
}
