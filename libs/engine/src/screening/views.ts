import type { Settings } from '../../../contracts/src/settings/settings.js';
import { mappedThrough, type MappedText } from './mapped-text.js';
import { normaliseWith, type NormalisedText } from './normalisation.js';
import { normalisationOptions } from './normalisation-options.js';

/** One way to read a text. Rules are asked about every view; what they find is told in the text as given. */
export interface View extends MappedText {
  readonly name: string;
}

/** The text as normalised, then as it reads otherwise. No two views have the same text. */
export function viewsOf(text: string, normalised: NormalisedText, settings: Settings): readonly View[] {
  const views: View[] = [{ name: 'normalised', text: normalised.text, toOriginal: normalised.toOriginal }];
  const add = (name: string, view: MappedText): void => {
    if (views.every((known) => known.text !== view.text))
      views.push({ name, text: view.text, toOriginal: view.toOriginal });
  };
  const options = normalisationOptions(settings);
  // Rules in another script than Latin match only where its letters were left alone.
  if (normalised.steps.includes('fold_confusables')) {
    add('unfolded', normaliseWith(text, { ...options, foldConfusables: false }));
  }
  void mappedThrough;
  return views;
}
