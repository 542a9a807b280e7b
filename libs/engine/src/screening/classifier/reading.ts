import { runToEnd } from '../../resumable.js';
import { normalize } from '../normalization.js';
import { plainText } from './features.js';

/** All steps of normalization, whatever the settings are, because the weights were trained on such texts. */
const NORMALIZATION = {
  nfkc: true,
  stripInvisible: true,
  foldCase: true,
  collapseWhiteSpace: true,
  foldConfusables: true,
};

/** Units that are read at both ends of a longer text, so that the cost has a limit. */
export const MAX_PART = 4096;

/** The parts of a text that are judged, as plain texts. */
export function readParts(text: string): readonly string[] {
  const parts = text.length <= 2 * MAX_PART ? [text] : [text.slice(0, MAX_PART), text.slice(-MAX_PART)];
  return parts.map((part) => plainText(runToEnd(normalize(part, NORMALIZATION)).text));
}
