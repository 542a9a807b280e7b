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
import { normalisationOptions, NOTHING, type NormalisationOptions } from './normalisation-options.js';

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

/** What these bring to light may be wrapped once more. */
const ENVELOPES: ReadonlySet<string> = new Set(['base64', 'hex', 'percent', 'entities']);

const MOST_WRAPPINGS = 2;

/** Wrapping costs the writer little, and every view costs a scan. */
const MOST_VIEWS = 16;

/**
 * The text as normalised, then as it reads otherwise: at most sixteen views, each about as long as the text
 * itself. No two views have the same text.
 */
export function* viewsOf(
  text: string,
  normalised: NormalisedText,
  settings: Settings,
): Resumable<readonly View[]> {
  const reader = new Reader(settings);
  const given = unmapped(text);
  yield* reader.add('normalised', normalised, given);
  if (!settings.get('normalization.enabled')) return reader.views;
  if (settings.get('normalization.strip_zero_width')) yield* reader.decode('tags', given, inPlace(tags));
  yield* reader.unwrap(given, []);
  return reader.views;
}

/** Gathers the views of one text. */
class Reader {
  readonly views: View[] = [];
  private readonly options: NormalisationOptions;
  private readonly readings: readonly (readonly [name: string, read: Reading])[];

  constructor(settings: Settings) {
    this.options = normalisationOptions(settings);
    this.readings = [
      ...(settings.get('normalization.decode_base64_blobs') ? [['base64', inPlace(base64)] as const] : []),
      ...settings.get('normalization.decode_views').map((name) => [name, DECODE_VIEWS[name]] as const),
    ];
  }

  /** `reading` is `source` as normalised. Rules in another script than Latin match only where its letters were left alone. */
  *add(name: string, reading: NormalisedText, source: MappedText): Resumable<void> {
    this.addView(name, mappedThrough(reading, source));
    if (!reading.steps.includes('fold_confusables')) return;
    const unfolded = yield* normaliseWith(source.text, { ...this.options, foldConfusables: false });
    this.addView(`${name}, unfolded`, mappedThrough(unfolded, source));
  }

  /** Reads in every way what `source` says without its disguise; `path` names what it was wrapped in. */
  *unwrap(source: MappedText, path: readonly string[]): Resumable<void> {
    // Decoders need the case that folding takes, and the gaps that collapsing takes.
    const { nfkc, stripInvisible } = this.options;
    const plain = yield* normaliseWith(source.text, { ...NOTHING, nfkc, stripInvisible });
    const undisguised = mappedThrough(plain, source);
    for (const [name, read] of this.readings) {
      const within = [name, ...path];
      const decoded = yield* this.decode(within.join(' in '), undisguised, read);
      if (decoded === null || !ENVELOPES.has(name) || within.length === MOST_WRAPPINGS) continue;
      yield* this.unwrap(decoded, within);
    }
  }

  /** Adds what one decoder makes of `source`, and answers it; `null` where there is nothing to decode. */
  *decode(name: string, source: MappedText, read: Reading): Resumable<MappedText | null> {
    yield;
    const decoded = this.views.length < MOST_VIEWS ? read(source.text) : null;
    if (decoded === null) return null;
    yield;
    const original = mappedThrough(decoded, source);
    yield* this.add(name, yield* normaliseWith(decoded.text, this.options), original);
    return original;
  }

  private addView(name: string, { text, toOriginal }: MappedText): void {
    if (this.views.length >= MOST_VIEWS || this.views.some((known) => known.text === text)) return;
    this.views.push({ name, text, toOriginal });
  }
}
