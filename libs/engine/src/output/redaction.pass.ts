import type { Detector, Finding } from '../../../contracts/src/output.js';
import type { Span } from '../../../contracts/src/span.js';
import type { Pass, PassResult } from './pass.js';
import type { Edit } from './traced-text.js';

interface Sighting {
  readonly detector: Detector;
  readonly span: Span;
}

/** Puts a placeholder in the place of whatever a detector finds. Earlier detectors win where two find the same. */
export function redactionPass(detectors: readonly Detector[]): Pass {
  const placeholders = new RegExp(
    [...new Set(detectors.map(({ placeholder }) => placeholder))].map(literal).join('|') || '(?!)',
    'g',
  );
  return (text) => {
    const sightings = detectors.flatMap((detector) => sightingsOf(detector, text));
    if (sightings.length === 0) return { edits: [], findings: [] };
    return replaced(besidePlaceholders(sightings, text, placeholders));
  };
}

/** A host's detector may answer anything; only spans within the text count. */
function sightingsOf(detector: Detector, text: string): Sighting[] {
  return detector
    .find(text)
    .filter(([start, end]) => Number.isInteger(start) && Number.isInteger(end))
    .filter(([start, end]) => start >= 0 && start < end && end <= text.length)
    .map((span) => ({ detector, span }));
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
function replaced(sightings: readonly Sighting[]): PassResult {
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

function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
