import type { Settings } from '#contracts/settings/settings.js';
import { UNITS_PER_PAUSE, type Resumable } from '../../shared/resumable.js';
import {
  NO_NORMALIZATION,
  normalizationOptions,
  type NormalizationOptions,
} from '../../text/character-folding.js';
import type { DecodeView } from '../../text/decoded-parts.js';
import { DECODERS } from './decoders.js';
import { MARKED } from './encodings.js';
import { MappedText } from '../../text/mapped-text.js';
import { normalize, type NormalizedText } from '../../text/normalization.js';
import type { Vocabulary } from '../../text/vocabulary.js';

/** A form of the text that the rules are matched against, mapped to the original. */
export interface View {
  readonly mapped: MappedText;
  readonly name: string;
  /** The decoder that was applied last. */
  readonly kind: string;
}

/** Encodings whose decoded text is decoded once more. */
const ENVELOPES: ReadonlySet<string> = new Set(['base64', 'hex', 'percent', 'entities', 'escapes', 'codes']);

/** Those of a long run. */
const RUN_DECODERS: ReadonlySet<string> = new Set(['base64', 'hex', 'codes']);

/** Letters and marks of common texts. NFKC changes none of them to an ASCII character, except full-width marks. */
const PLAIN =
  /^[\n -~\u00a1\u00a7\u00ab\u00b0\u00b7\u00bb\u00bf-\u017e\u0386-\u055f\u060c\u061f-\u06dc\u0904-\u0dff\u2013-\u201e\u2026\u3001-\u30ff\u4e00-\u9fff\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f]*$/;

/** The ASCII characters of each bit below. */
const CHARACTERS: readonly RegExp[] = [
  /[\w+/-]/,
  /[\da-fx\\ ,:;]/i,
  /[a-z]/,
  /[%&\\]/,
  /\n/,
  /[\d@$!|+]/,
  /[ .*|_\-,/~]/,
  /[^\n -~]/,
];
/** Base64 or Base32, numbers with what separates them, words, marks of encodings, line ends, stand-ins of letters, separators. */
const [IN_BLOB, IN_NUMBERS, IN_WORD, MARK, LINE, FOR_LETTER, BETWEEN, UNUSUAL] = [
  1, 2, 4, 8, 16, 32, 64, 128,
];
/** Of a text: a long run of one of the first two. */
const LONG_RUN = 256;

/** What decoders need in a plain text beside long runs: marks of encodings, broken lines, digits beside letters, rows of numbers, single letters. */
const MAY_BE_DECODED: readonly (readonly [bit: number, sign: RegExp])[] = [
  [MARK, MARKED],
  [LINE, /[A-Za-z\u00c0-\uffff]\n[A-Za-z\u00c0-\uffff]/],
  [
    FOR_LETTER,
    /[A-Za-z\u00c0-\u2fff][0-9@$]|[0-9@$!|+\uff01][A-Za-z\u00c0-\u2fff]|[Uu]\+|\d\d[ ,;:\uff0c\uff1a\uff1b]{1,2}\d\d|\d{8}/,
  ],
  [
    BETWEEN,
    /([ .*|_\-,/~])[\p{L}\p{N}]\1(?<=(?<![\p{L}\p{N}])[\p{L}\p{N}].{3})[\p{L}\p{N}](?![\p{L}\p{N}])/u,
  ],
];

const BITS = Uint8Array.from({ length: 0x80 }, (_, unit) =>
  CHARACTERS.reduce(
    (bits, pattern, place) => (pattern.test(String.fromCharCode(unit)) ? bits | (1 << place) : bits),
    0,
  ),
);

/** Of a character beyond ASCII: it can be plain, and one of them stands for a letter. */
const BEYOND_ASCII = UNUSUAL | FOR_LETTER;

/** The bits of all characters, up to a long run: 16 units that are more than a long word, or 14 of numbers. */
function bitsOf(text: string): number {
  let all = 0;
  let blob = 0;
  let numbers = 0;
  let isWord = true;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const bits = unit < 0x80 ? (BITS[unit] ?? 0) : BEYOND_ASCII;
    all |= bits;
    numbers = (bits & IN_NUMBERS) === 0 ? 0 : numbers + 1;
    isWord = blob === 0 || (isWord && (bits & IN_WORD) !== 0);
    blob = (bits & IN_BLOB) === 0 ? 0 : blob + 1;
    if (numbers === 14 || (blob >= 16 && !isWord)) return all | LONG_RUN;
  }
  return all;
}

const hasLongRun = (text: string) => (bitsOf(text) & LONG_RUN) !== 0;

function isPlain(text: string) {
  const bits = bitsOf(text);
  if ((bits & LONG_RUN) !== 0 || ((bits & UNUSUAL) !== 0 && !PLAIN.test(text))) return false;
  return !MAY_BE_DECODED.some(([bit, sign]) => (bits & bit) !== 0 && sign.test(text));
}

/** A pause costs more than to decode a short text. */
const isLong = ({ text }: MappedText) => text.length > UNITS_PER_PAUSE;

/** Kinds of views that have one result. The others guess what a reader would read. */
export const IS_CERTAIN: ReadonlySet<string> = new Set(['normalized', ...ENVELOPES, 'tags', 'overridden']);

/** Decoders of normalized text: what they remove is the same in it, and their result is normalized. */
const OF_NORMALIZED: ReadonlySet<string> = new Set(['joined', 'separated']);

const MAX_NESTING = 2;

/** Limits the cost of nested encodings: every view is a scan of the text. */
const MAX_VIEWS = 16;

/**
 * The normalized text and its decoded forms: at most sixteen views, each about as long as the text, no two with the same
 * text.
 */
export function* viewsOf(
  text: string,
  normalized: NormalizedText,
  settings: Settings,
  vocabulary: Vocabulary,
): Resumable<readonly View[]> {
  const collector = new ViewCollector(settings, vocabulary);
  const given = MappedText.of(text);
  yield* collector.add('normalized', normalized, given);
  if (!settings.get('normalization.enabled')) return collector.views;
  if (!collector.readsAll && isPlain(text)) {
    yield* collector.combine();
    return collector.views;
  }
  if (settings.get('normalization.strip_zero_width')) {
    for (const name of ['tags', 'overridden'] as const) yield* collector.decode(name, given, DECODERS[name]);
  }
  yield* collector.unwrap(given, []);
  yield* collector.combine();
  return collector.views;
}

/** `joined` of `joined in normalized, unfolded`. */
function kindOf(name: string) {
  return /^[a-z0-9]+/.exec(name)?.[0] ?? '';
}

type NamedDecoders = readonly (readonly [name: string, decode: DecodeView])[];

interface Decoders {
  readonly ofOriginal: NamedDecoders;
  readonly ofNormalized: NamedDecoders;
  /** Whether one of them reads every text as encoded. */
  readonly readsAll: boolean;
}

const decodersBySettings = new WeakMap<Settings, Decoders>();

function decodersOf(settings: Settings): Decoders {
  const known = decodersBySettings.get(settings);
  if (known !== undefined) return known;
  const names = settings.get('normalization.decode_views');
  const named = names.map((name) => [name, DECODERS[name]] as const);
  const decoders = {
    ofOriginal: [
      ...(settings.get('normalization.decode_base64_blobs') ? [['base64', DECODERS.base64] as const] : []),
      ...(names.includes('joined') ? [['joined lines', DECODERS.joinedLines] as const] : []),
      ...named.filter(([name]) => !OF_NORMALIZED.has(name)),
    ],
    ofNormalized: named.filter(([name]) => OF_NORMALIZED.has(name)),
    readsAll: names.some((name) => name === 'rot13' || name === 'reversed'),
  };
  decodersBySettings.set(settings, decoders);
  return decoders;
}

/** Collects the views of one text. */
class ViewCollector {
  readonly views: View[] = [];
  /** What combines two decoders. It comes last, so that it does not take the places of the views of one decoder. */
  private readonly combinations: (() => Resumable<void>)[] = [];
  private readonly options: NormalizationOptions;
  private readonly decoders: Decoders;

  /** Whether a decoder reads every text as encoded. */
  get readsAll(): boolean {
    return this.decoders.readsAll;
  }

  constructor(
    settings: Settings,
    private readonly vocabulary: Vocabulary,
  ) {
    this.options = normalizationOptions(settings);
    this.decoders = decodersOf(settings);
  }

  /** Adds the normalized text, also without confusable folding: rules in non-Latin scripts need the original letters. */
  *add(name: string, reading: NormalizedText, source: MappedText): Resumable<void> {
    yield* this.addNormalized(name, reading.mapped.through(source));
    if (!reading.steps.includes('fold_confusables')) return;
    const unfolded = yield* normalize(source.text, { ...this.options, foldConfusables: false });
    yield* this.addNormalized(`${name}, unfolded`, unfolded.mapped.through(source));
  }

  private *addNormalized(name: string, reading: MappedText): Resumable<void> {
    this.addView(name, reading);
    // Disguised words in other views are not decoded a second time, because such disguises are seldom combined.
    if (name === 'normalized') yield* this.addDisguised(name, reading);
    else if (name.startsWith('normalized') || ENVELOPES.has(kindOf(name)))
      this.combinations.push(() => this.addDisguised(name, reading));
  }

  private *addDisguised(name: string, reading: MappedText): Resumable<void> {
    for (const [decoder, decode] of this.decoders.ofNormalized) {
      if (isLong(reading)) yield;
      const decoded = this.views.length < MAX_VIEWS ? decode(reading.text, this.vocabulary) : null;
      if (decoded === null) continue;
      this.addView(`${decoder} in ${name}`, decoded.through(reading));
    }
  }

  /** Adds the views of all decoders. `path` lists the encodings that were already decoded. */
  *unwrap(source: MappedText, path: readonly string[]): Resumable<void> {
    // Decoders need the original case and white space.
    const { nfkc, stripInvisible } = this.options;
    const plain = yield* normalize(source.text, { ...NO_NORMALIZATION, nfkc, stripInvisible });
    const undisguised = plain.mapped.through(source);
    const hasRun = hasLongRun(undisguised.text);
    for (const [name, decoder] of this.decoders.ofOriginal) {
      if (RUN_DECODERS.has(name) && !hasRun) continue;
      const within = [name, ...path];
      const decoded = yield* this.decode(within.join(' in '), undisguised, decoder);
      if (decoded === null || !ENVELOPES.has(name) || within.length === MAX_NESTING) continue;
      this.combinations.push(() => this.unwrap(decoded, within));
    }
  }

  /** Adds the views of two decoders, until there are as many views as are read. */
  *combine(): Resumable<void> {
    // A combination may add further ones to this list.
    for (const add of this.combinations) {
      if (this.views.length >= MAX_VIEWS) return;
      yield* add();
    }
  }

  /** Adds the view of one decoder and returns its text, `null` if there is nothing to decode. */
  *decode(name: string, source: MappedText, decode: DecodeView): Resumable<MappedText | null> {
    if (this.views.length >= MAX_VIEWS) return null;
    if (isLong(source)) yield;
    const decoded = decode(source.text, this.vocabulary);
    if (decoded === null) return null;
    yield;
    const original = decoded.through(source);
    yield* this.add(name, yield* normalize(decoded.text, this.options), original);
    return original;
  }

  private addView(name: string, mapped: MappedText) {
    const isKnown = this.views.some((known) => known.mapped.text === mapped.text);
    if (this.views.length < MAX_VIEWS && !isKnown) this.views.push({ name, kind: kindOf(name), mapped });
  }
}
