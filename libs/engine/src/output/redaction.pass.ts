import type { Detector, Finding } from '#contracts/output.js';
import type { Span } from '#contracts/text.js';
import { Pass, type PassResult, type Rest, type Stretch, SIGHT } from './pass.js';
import type { Edit } from './traced-text.js';
import { BuiltInDetector, UnboundedDetector } from './detectors/pattern-detector.js';
import { TRAITS, traitsOf } from './detectors/text-traits.js';
import { couldChange } from './rendered-changes.js';
import { RenderedText, RenderedView } from './rendered-view.js';

/** Units of settled text that detectors still need: labels, and the beginning of a number. */
const MIN_LOOK_BACK = 64;
/** The same for a word, which can be one finding, and for text with escapes or references. */
const MAX_LOOK_BACK = 512;
const DISGUISED = /[\\&<]/;

const MAX_PLACEHOLDER = 128;

/** The longest disguised text that is found, so that the result does not depend on where a stretch begins. */
const MAX_DISGUISED = SIGHT - 64;

/** A part of a markup construct at the end of a text. */
const CUT_CONSTRUCT = /(?:\\|&[#A-Za-z0-9]{0,12}|<[^<>]{0,64})$/;

const NOTHING: PassResult = { edits: [], findings: [] };

interface Sighting {
  readonly detector: Detector;
  /** The place of the detector in the list. */
  readonly rank: number;
  readonly span: Span;
}

interface RankedDetector {
  readonly detector: Detector;
  readonly rank: number;
  /** The traits of a text in which it could find anything. */
  readonly required: number;
}

/** An ordered list of detectors and the placeholders that they insert. */
export class Detectors {
  /** Matches any placeholder. */
  readonly placeholders: RegExp;
  /** The same, sticky. */
  readonly placeholder: RegExp;
  private readonly ranked: readonly RankedDetector[];
  private readonly requirements: ReadonlySet<number>;

  constructor(readonly list: readonly Detector[]) {
    const distinct = new Set(list.map(({ placeholder }) => placeholder));
    this.placeholders = new RegExp([...distinct].map(escapeRegExp).join('|') || '(?!)', 'g');
    this.placeholder = new RegExp(this.placeholders, 'y');
    this.ranked = list.map((detector, rank) => {
      const trait = detector instanceof BuiltInDetector ? detector.requires : 'none';
      return { detector, rank, required: TRAITS[trait] };
    });
    this.requirements = new Set(this.ranked.map(({ required }) => required));
  }

  /** Whether any detector could find anything in a text. */
  couldFind(text: string): boolean {
    const traits = traitsOf(text);
    for (const required of this.requirements) if ((traits & required) === required) return true;
    return false;
  }

  /** The findings of all detectors in a text. */
  find(text: string): readonly Sighting[] {
    const traits = traitsOf(text);
    const sightings: Sighting[] = [];
    for (const { detector, rank, required } of this.ranked) {
      if ((traits & required) !== required) continue;
      for (const span of detector.find(text)) sightings.push({ detector, rank, span });
    }
    return sightings;
  }
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/**
 * Replaces everything that a detector finds in the text, or in the text as it is rendered, with a placeholder. If two
 * detectors find the same text, the earlier one in the list names it.
 */
export class RedactionPass extends Pass {
  private before = '';

  constructor(private readonly detectors: Detectors) {
    super();
  }

  override judge({ text, judged }: Stretch): PassResult {
    // Only labels before a blank line belong to a finding after it.
    if (/\n\r?\n$/.test(this.before) && !couldChange(text) && !this.detectors.couldFind(text)) return NOTHING;
    const source = this.before + text;
    const all = [...this.plainSightings(source), ...this.renderedSightings(source)];
    const sightings = all.filter(({ span }) => span[0] < judged);
    if (sightings.length === 0) return NOTHING;
    const outside = outsidePlaceholders(sightings, text, this.detectors.placeholders);
    const { sightings: whole, rest } = continued(outside, text, judged);
    return { ...replace(whole), rest };
  }

  /** Not inside a placeholder. */
  override partBefore(text: string, limit: number): number {
    const start = Math.max(0, limit - MAX_PLACEHOLDER);
    const near = text.slice(start, limit + MAX_PLACEHOLDER);
    for (const { index, 0: placeholder } of near.matchAll(this.detectors.placeholders)) {
      const place = start + index;
      if (place < limit && place + placeholder.length > limit) return place;
    }
    return limit;
  }

  override settle(text: string, end: number): void {
    const tail = (this.before + text.slice(Math.max(0, end - MAX_LOOK_BACK), end)).slice(-MAX_LOOK_BACK);
    if (DISGUISED.test(tail)) {
      this.before = tail;
      return;
    }
    let start = tail.length;
    while (start > 0 && !isBlank(tail.charCodeAt(start - 1))) start--;
    this.before = tail.slice(Math.max(0, Math.min(start, tail.length - MIN_LOOK_BACK)));
  }

  private plainSightings(source: string): readonly Sighting[] {
    const sightings: Sighting[] = [];
    for (const { detector, rank, span: found } of this.detectors.find(source)) {
      const span = this.ownPart(found, source.length);
      if (span !== null) sightings.push({ detector, rank, span });
    }
    return sightings;
  }

  private renderedSightings(source: string): readonly Sighting[] {
    const view = RenderedView.of(source, this.detectors.placeholder);
    if (view === null) return [];
    const sightings: Sighting[] = [];
    for (const sighting of this.detectors.find(view.text)) {
      const original = isWithin(sighting.span, view.text.length) ? view.sourceSpan(sighting.span) : null;
      const span = original === null ? null : this.ownPart(original, source.length);
      if (span === null) continue;
      const isBounded = !(sighting.detector instanceof UnboundedDetector);
      if (!isBounded || span[1] - span[0] <= MAX_DISGUISED) sightings.push({ ...sighting, span });
    }
    return sightings;
  }

  /** The part of a span that is not settled. Detectors of a host can return any values, so invalid spans are ignored. */
  private ownPart(span: Span, length: number): Span | null {
    const settled = this.before.length;
    if (!isWithin(span, length) || span[1] <= settled) return null;
    // A finding at the start of a cut look-back can be a part of a longer word.
    if (span[0] === 0 && settled > 0) return null;
    return [Math.max(0, span[0] - settled), span[1] - settled];
  }
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0;
}

function isWithin([start, end]: Span, length: number): boolean {
  return Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end <= length;
}

/** The sightings, and the rest of the last one if it can continue after the text. */
function continued(
  sightings: readonly Sighting[],
  text: string,
  judged: number,
): { readonly sightings: readonly Sighting[]; readonly rest: Rest | undefined } {
  const isCut = judged < text.length;
  const cut = isCut ? (CUT_CONSTRUCT.exec(text)?.[0] ?? '') : '';
  const last = sightings.findIndex(
    ({ detector, span }) => span[1] >= text.length - cut.length && detector instanceof UnboundedDetector,
  );
  const sighting = sightings[last];
  if (!(sighting?.detector instanceof UnboundedDetector)) return { sightings, rest: undefined };
  if (!isCut && !sighting.detector.crossesBlankLines) return { sightings, rest: undefined };
  const whole: Sighting = { ...sighting, span: [sighting.span[0], text.length] };
  return { sightings: sightings.with(last, whole), rest: renderedRest(sighting.detector, cut) };
}

/** Continues a finding in the next parts of the text, as they are rendered. `cut` is a part of a construct. */
function renderedRest(detector: UnboundedDetector, cut: string): Rest {
  let before = cut;
  return (next) => {
    const source = before + next;
    const tail = CUT_CONSTRUCT.exec(source)?.[0] ?? '';
    const complete = RenderedText.ofWhole(source.slice(0, source.length - tail.length));
    const length = detector.continuation(complete.text);
    const isAll = length === complete.text.length;
    const end = isAll ? source.length : complete.sourceAfter(length);
    const belonging = Math.max(0, end - before.length);
    before = isAll ? tail : '';
    return belonging;
  };
}

/**
 * Ordered by start. A sighting inside a placeholder is not a finding, and one that overlaps a placeholder includes the
 * whole placeholder.
 */
function outsidePlaceholders(sightings: readonly Sighting[], text: string, placeholders: RegExp): Sighting[] {
  const ordered = sightings.toSorted((one, other) => one.span[0] - other.span[0] || one.rank - other.rank);
  const taken = Array.from(text.matchAll(placeholders), ({ index, 0: { length } }): Span => [
    index,
    index + length,
  ]);
  let next = 0;
  return ordered.flatMap((sighting) => {
    const [start, end] = sighting.span;
    while ((taken[next]?.[1] ?? Infinity) <= start) next++;
    const first = taken[next];
    if (first === undefined || end <= first[0]) return [sighting];
    if (start >= first[0] && end <= first[1]) return [];
    let reach = end;
    for (let at = next; (taken[at]?.[0] ?? Infinity) < reach; at++)
      reach = Math.max(reach, taken[at]?.[1] ?? 0);
    return [{ ...sighting, span: [Math.min(start, first[0]), reach] }];
  });
}

/** Merges overlapping sightings, which are ordered by start, so that no part of the longer one remains. */
function replace(sightings: readonly Sighting[]): Pick<PassResult, 'edits' | 'findings'> {
  const edits: Edit[] = [];
  const findings: Finding[] = [];
  for (const { detector, span } of sightings) {
    const last = edits.at(-1);
    if (last !== undefined && span[0] < last.span[1]) {
      const end = Math.max(last.span[1], span[1]);
      edits[edits.length - 1] = { ...last, span: [last.span[0], end] };
    } else {
      edits.push({ span, replacement: detector.placeholder });
      findings.push({ kind: detector.kind, detector: detector.name, span });
    }
  }
  return {
    edits,
    findings: findings.map((finding, index) => ({ ...finding, span: edits[index]?.span ?? finding.span })),
  };
}
