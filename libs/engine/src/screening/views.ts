import type { Settings } from '../../../contracts/src/settings/settings.js';
import type { SettingValue } from '../../../contracts/src/settings/settings.schema.js';
import type { Resumable } from '../resumable.js';
import { base64 } from './decoders/base64.js';
import { decodedView, type Decoder } from './decoders/decoder.js';
import { entities } from './decoders/entities.js';
import { hex } from './decoders/hex.js';
import { leet } from './decoders/leet.js';
import { percent } from './decoders/percent.js';
import { reversedView } from './decoders/reversed.js';
import { rot13 } from './decoders/rot13.js';
import { spaced } from './decoders/spaced.js';
import { tags } from './decoders/tags.js';
import { mappedThrough, unmapped, type MappedText } from './mapped-text.js';
import { normaliseWith, type NormalisedText } from './normalisation.js';
import { normalisationOptions, NOTHING } from './normalisation-options.js';

/** One way to read a text. Rules are asked about every view; what they find is told in the text as given. */
export interface View extends MappedText {
  readonly name: string;
}

type Reading = (text: string) => MappedText | null;

const inPlace =
  (decoder: Decoder): Reading =>
  (text) =>
    decodedView(text, decoder);

const DECODE_VIEWS: Readonly<Record<SettingValue<'normalization.decode_views'>[number], Reading>> = {
  hex: inPlace(hex),
  percent: inPlace(percent),
  entities: inPlace(entities),
  spaced: inPlace(spaced),
  leet: inPlace(leet),
  rot13: inPlace(rot13),
  reversed: reversedView,
};

/**
 * The text as normalised, then as it reads otherwise: at most one view for each decoding, each about as long as
 * the text itself. No two views have the same text.
 */
export function* viewsOf(
  text: string,
  normalised: NormalisedText,
  settings: Settings,
): Resumable<readonly View[]> {
  const views: View[] = [];
  const add = (name: string, view: MappedText): void => {
    if (views.some((known) => known.text === view.text)) return;
    views.push({ name, text: view.text, toOriginal: view.toOriginal });
  };
  add('normalised', normalised);
  if (!settings.get('normalization.enabled')) return views;

  const options = normalisationOptions(settings);
  // Rules in another script than Latin match only where its letters were left alone.
  if (normalised.steps.includes('fold_confusables')) {
    add('unfolded', yield* normaliseWith(text, { ...options, foldConfusables: false }));
  }
  // Decoders need the case that folding takes, and the gaps that collapsing takes, but no disguise.
  const { nfkc, stripInvisible } = options;
  const plain = yield* normaliseWith(text, { ...NOTHING, nfkc, stripInvisible });
  for (const [name, source, read] of readings(unmapped(text), plain, settings)) {
    yield;
    const decoded = read(source.text);
    if (decoded === null) continue;
    yield;
    const original = mappedThrough(decoded, source);
    add(name, mappedThrough(yield* normaliseWith(decoded.text, options), original));
  }
  return views;
}

/** Which ways to read apply: each with its name, and what it reads. */
function readings(
  given: MappedText,
  plain: MappedText,
  settings: Settings,
): readonly (readonly [name: string, source: MappedText, read: Reading])[] {
  return [
    ...(settings.get('normalization.strip_zero_width') ? [['tags', given, inPlace(tags)] as const] : []),
    ...(settings.get('normalization.decode_base64_blobs')
      ? [['base64', plain, inPlace(base64)] as const]
      : []),
    ...settings.get('normalization.decode_views').map((name) => [name, plain, DECODE_VIEWS[name]] as const),
  ];
}
