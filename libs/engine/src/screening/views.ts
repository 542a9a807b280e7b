import type { Settings } from '../../../contracts/src/settings/settings.js';
import type { Resumable } from '../resumable.js';
import { NO_NORMALIZATION, normalizationOptions, type NormalizationOptions } from './character-folding.js';
import { DECODERS, type DecodeView } from './decoders.js';
import { mappedThrough, unmapped, type MappedText } from './mapped-text.js';
import { normalizeWith, type NormalizedText } from './normalization.js';

/** One way to read a text. Rules are asked about every view; what they find is told in the text as given. */
export interface View extends MappedText {
  readonly name: string;
}

/** What these bring to light may be wrapped once more. */
const ENVELOPES: ReadonlySet<string> = new Set(['base64', 'hex', 'percent', 'entities']);

const MAX_WRAPPINGS = 2;

/** Wrapping costs the writer little, and every view costs a scan. */
const MAX_VIEWS = 16;

/**
 * The text as normalized, then as it reads otherwise: at most sixteen views, each about as long as the text
 * itself. No two views have the same text.
 */
export function* viewsOf(
  text: string,
  normalized: NormalizedText,
  settings: Settings,
): Resumable<readonly View[]> {
  const reader = new Reader(settings);
  const given = unmapped(text);
  yield* reader.add('normalized', normalized, given);
  if (!settings.get('normalization.enabled')) return reader.views;
  if (settings.get('normalization.strip_zero_width')) yield* reader.decode('tags', given, DECODERS.tags);
  yield* reader.unwrap(given, []);
  return reader.views;
}

/** Gathers the views of one text. */
class Reader {
  readonly views: View[] = [];
  private readonly options: NormalizationOptions;
  private readonly decoders: readonly (readonly [name: string, decode: DecodeView])[];

  constructor(settings: Settings) {
    this.options = normalizationOptions(settings);
    this.decoders = [
      ...(settings.get('normalization.decode_base64_blobs') ? [['base64', DECODERS.base64] as const] : []),
      ...settings.get('normalization.decode_views').map((name) => [name, DECODERS[name]] as const),
    ];
  }

  /** `reading` is `source` as normalized. Rules in another script than Latin match only where its letters were left alone. */
  *add(name: string, reading: NormalizedText, source: MappedText): Resumable<void> {
    this.addView(name, mappedThrough(reading, source));
    if (!reading.steps.includes('fold_confusables')) return;
    const unfolded = yield* normalizeWith(source.text, { ...this.options, foldConfusables: false });
    this.addView(`${name}, unfolded`, mappedThrough(unfolded, source));
  }

  /** Reads in every way what `source` says without its disguise; `path` names what it was wrapped in. */
  *unwrap(source: MappedText, path: readonly string[]): Resumable<void> {
    // Decoders need the case that folding takes, and the gaps that collapsing takes.
    const { nfkc, stripInvisible } = this.options;
    const plain = yield* normalizeWith(source.text, { ...NO_NORMALIZATION, nfkc, stripInvisible });
    const undisguised = mappedThrough(plain, source);
    for (const [name, decode] of this.decoders) {
      const within = [name, ...path];
      const decoded = yield* this.decode(within.join(' in '), undisguised, decode);
      if (decoded === null || !ENVELOPES.has(name) || within.length === MAX_WRAPPINGS) continue;
      yield* this.unwrap(decoded, within);
    }
  }

  /** Adds what one decoder makes of `source`, and answers it; `null` where there is nothing to decode. */
  *decode(name: string, source: MappedText, decode: DecodeView): Resumable<MappedText | null> {
    yield;
    const decoded = this.views.length < MAX_VIEWS ? decode(source.text) : null;
    if (decoded === null) return null;
    yield;
    const original = mappedThrough(decoded, source);
    yield* this.add(name, yield* normalizeWith(decoded.text, this.options), original);
    return original;
  }

  private addView(name: string, { text, toOriginal }: MappedText): void {
    if (this.views.length >= MAX_VIEWS || this.views.some((known) => known.text === text)) return;
    this.views.push({ name, text, toOriginal });
  }
}
