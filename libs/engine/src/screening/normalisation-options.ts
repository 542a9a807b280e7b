import type { Settings } from '../../../contracts/src/settings/settings.js';

/** Which foldings apply. Each works alone. */
export interface NormalisationOptions {
  readonly nfkc: boolean;
  readonly stripInvisible: boolean;
  readonly foldCase: boolean;
  readonly collapseWhiteSpace: boolean;
  readonly foldConfusables: boolean;
}

export const NOTHING: NormalisationOptions = {
  nfkc: false,
  stripInvisible: false,
  foldCase: false,
  collapseWhiteSpace: false,
  foldConfusables: false,
};

export function normalisationOptions(settings: Settings): NormalisationOptions {
  if (!settings.get('normalization.enabled')) return NOTHING;
  return {
    nfkc: settings.get('normalization.nfkc'),
    stripInvisible: settings.get('normalization.strip_zero_width'),
    foldCase: settings.get('normalization.casefold'),
    collapseWhiteSpace: true,
    foldConfusables: settings.get('normalization.fold_confusables'),
  };
}
