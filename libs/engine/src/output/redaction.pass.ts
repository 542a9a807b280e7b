import type { Detector, Finding } from '../../../contracts/src/output.js';
import type { Span } from '../../../contracts/src/text.js';
import type { Detectors } from './detectors/detectors.js';
import { EndlessDetector } from './detectors/endless-detector.js';
import { Pass, type PassResult, type Rest, type Stretch } from './pass.js';
import type { Edit } from './traced-text.js';

/** What detectors may still look at of the text that is settled: the words before, and what a number began with. */
const LOOKED_BACK_AT = 64;

/** The same, where no blank stands in it: what is parted may be all of one piece. */
const MOST_LOOKED_BACK_AT = 512;

/** No placeholder is longer. */
const LONGEST_PLACEHOLDER = 128;

interface Sighting {
  readonly detector: Detector;
  readonly span: Span;
}

const NONE: readonly Sighting[] = [];

/** Puts a placeholder in the place of whatever a detector finds. Earlier detectors win where two find the same. */
export class RedactionPass extends Pass {
  private before = '';

  constructor(private readonly detectors: Detectors) {
    super();
  }

  override judge({ text, judged }: Stretch): PassResult {
    const seen = this.before + text;
    const sightings: Sighting[] = [];
    for (const detector of this.detectors.list) {
      for (const sighting of this.sightings(detector, seen)) {
        if (sighting.span[0] < judged) sightings.push(sighting);
      }
    }
    if (sightings.length === 0) return { edits: [], findings: [] };
    const beside = besidePlaceholders(sightings, text, this.detectors.placeholders);
    return { ...replaced(beside), rest: restOf(beside, text, judged) };
  }

  /** Not within a placeholder. */
  override partBefore(text: string, limit: number): number {
    const start = Math.max(0, limit - LONGEST_PLACEHOLDER);
    const near = text.slice(start, limit + LONGEST_PLACEHOLDER);
    for (const {
      index,
      0: { length },
    } of near.matchAll(this.detectors.placeholders)) {
      const place = start + index;
      if (place < limit && place + length > limit) return place;
    }
    return limit;
  }

  override settle(text: string, end: number): void {
    const tail = this.before + text.slice(Math.max(0, end - MOST_LOOKED_BACK_AT), end);
    const word = tail.length - tail.search(/\S*$/);
    this.before = tail.slice(-Math.min(Math.max(word, LOOKED_BACK_AT), MOST_LOOKED_BACK_AT));
  }

  /** A host's detector may answer anything; only spans within the text count. */
  private sightings(detector: Detector, seen: string): readonly Sighting[] {
    const known = this.before.length;
    const found = detector.find(seen);
    if (found.length === 0) return NONE;
    return found
      .filter(([start, end]) => Number.isInteger(start) && Number.isInteger(end))
      .filter(([start, end]) => start >= 0 && start < end && end > known && end <= seen.length)
      .filter(([start]) => start > 0 || known === 0)
      .map(([start, end]) => ({ detector, span: [Math.max(0, start - known), end - known] as const }));
  }
}

function restOf(sightings: readonly Sighting[], text: string, judged: number): Rest | undefined {
  const last = sightings.find(({ span }) => span[1] === text.length)?.detector;
  if (!(last instanceof EndlessDetector)) return undefined;
  return judged < text.length || last.crossesBlankLines ? (next) => last.rest(next) : undefined;
}

/**
 * By ascending start. What stands in another's place is no finding again, whatever a detector thinks of it, and a
 * sighting that reaches into a placeholder takes the whole of it.
 */
function besidePlaceholders(sightings: readonly Sighting[], text: string, placeholders: RegExp): Sighting[] {
  const ordered = sightings.toSorted((one, other) => one.span[0] - other.span[0]);
  const taken = Array.from(text.matchAll(placeholders), ({ index, 0: { length } }): Span => [
    index,
    index + length,
  ]);
  let next = 0;
  return ordered.flatMap(({ detector, span: [start, end] }) => {
    while ((taken[next]?.[1] ?? Infinity) <= start) next++;
    const first = taken[next];
    if (first === undefined || end <= first[0]) return [{ detector, span: [start, end] }];
    if (start >= first[0] && end <= first[1]) return [];
    let reach = end;
    for (let at = next; (taken[at]?.[0] ?? Infinity) < reach; at++)
      reach = Math.max(reach, taken[at]?.[1] ?? 0);
    return [{ detector, span: [Math.min(start, first[0]), reach] }];
  });
}

/** Takes sightings by ascending start. Overlapping ones become one, so that no end of the longer stays behind. */
function replaced(sightings: readonly Sighting[]): Pick<PassResult, 'edits' | 'findings'> {
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
