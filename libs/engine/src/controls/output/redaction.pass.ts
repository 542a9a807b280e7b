import type { Finding } from '#contracts/output/output.js';
import type { Utf16Span } from '#contracts/common/spans.js';
import { ALWAYS, Pass, UNCHANGED, type PassResult, type Rest, type Stretch, LOOK_AHEAD } from './pass.js';
import { MappedText, type Edit } from '../../text/mapped-text.js';
import type { Detectors, Sighting } from './detectors/detectors.js';
import { UnboundedDetector } from './detectors/pattern-detector.js';
import { contentsOf } from './detectors/text-traits.js';
import { couldChange } from './lookalikes.js';
import { endOf } from '../../text/next-match.js';
import { TEX_UNIT } from './rendered-changes.js';
import { RenderedText } from './rendered-text.js';
import { RenderedView } from './rendered-view.js';

/** Units of settled text that detectors still need: labels, and the beginning of a number. */
const MIN_LOOK_BACK = 64;
/** The look-back where the settled text ends in a word, which can be one finding, or has escapes or references. */
const MAX_LOOK_BACK = 512;
const BLANK = /[ \t-\r\u00a0]/;
const DISGUISED = /[\\&<]/;
const BLANK_LINE_END = /\n\r?\n$/;
/** Of all markup, only tags and comments continue after a blank line. */
const TAG_START = /<|&lt;/;

/** The longest disguised text that is found, so that the result does not depend on where a stretch begins. */
const MAX_DISGUISED = LOOK_AHEAD - 64;

/** A part of a markup construct at the end of a text. */
const CUT_CONSTRUCT = /(?:\\|&[#A-Za-z0-9]{0,12}|<[^<>]{0,64})$/;

/** Characters of ordinary words. All others can be a part of a finding, or hide one. */
const ORDINARY = String.raw`A-Za-z\s\x60"'()*_=+>#^|;!?{}/%.,:$~[\]\u00bf-\u024f\u0370-\u052f\u05d0-\u05ea\u0620-\u064a\u0900-\u0963\u0e01-\u0e4e\u1e00-\u1fff\u2013-\u201e\u2026\u3001-\u3011\u3041-\u30fe\u3400-\u9fff\uac00-\ud7a3\ud83c-\ud83e\udc00-\udfff\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f-`;
/** Digits, an address, a code in capitals, labels whose value can consist of letters, and the start of a token, also before a line end. */
const EXTRAORDINARY = new RegExp(
  String.raw`[^${ORDINARY}]|:[A-Za-z/:]|[A-Z](?:[\W_]*[A-Z]){4}|(?<![A-Za-z])[A-Z][\W_]*[A-Z](?![A-Za-z])|[bB][\W_]*[aA][\W_]*[sS][\W_]*[iI][\W_]*[cC]|[sS]{2}[hH]|eyJ|(?<![\w+/=-])(?!(?:[A-Z]?[a-z-]+)(?![\w+/=-]))[\w+/=-]{16}|[\w.~/+=-]{8}\n$`,
);
/** A part of a text without it has no finding: enough digits, a code, a value, a number with points or colons, a sign. */
const PART_OF_FINDING = new RegExp(
  String.raw`[^\d<\\${ORDINARY}]|\d[^]*[<\\]|[<\\][^]*\d|\d(?:[^\dA-Za-z,|]{0,12}\d){6}|\][([]|[A-Za-z]{2}\d{2}|[A-Z][\W_]*[A-Z][\W_]*\d|(?=\S*\d)(?=\S*[A-Za-z])[\w.\-/+=~!@#$%^*?]{8}|[\w+/=-]{16}|\d\.\d+\.|:\S*:|[A-Z]{5}|[bB][aA][sS][iI][cC]|sshp`,
);
/** The beginning of a link that shows the address in it. */
const MAIL_LINK = '<mailto:';
const REST_OF_LINK = /(?:\?[^\s<>]{0,400})?>/y;
/** Signs that are not shown if another one follows anywhere: in words, in brackets, and in a formula. */
const UNCERTAIN = [/_/g, /!?\[|\]/g, TEX_UNIT];
/** A comment, a tag or a target that is open: what closes it hides the text in it. */
const OPEN =
  /(?:<|&lt;)(?:!--(?:(?!(?:<|&lt;)!--|--!?>)[^])*|[A-Za-z/!?](?:[^<>&]|&(?!lt;))*)$|\]\((?:[^()]|\([^()]*\))*(?:\((?:[^()]|\([^()]*\))*)?$/;
/** Units before a text that decide what is found in it. */
const CONTEXT = 160;

/**
 * Replaces everything that a detector finds in the text, or in the text as it is rendered, with a placeholder. If two
 * detectors find the same text, the earlier one in the list names it.
 */
export class RedactionPass extends Pass {
  /** The end of the settled text. */
  private before = '';
  /** Whether the settled text ends with a blank line that no markup crosses. */
  private isAtParagraph = false;

  constructor(private readonly detectors: Detectors) {
    super();
    this.begins = detectors.hasOther ? ALWAYS : EXTRAORDINARY;
  }

  override judge({ text, judged }: Stretch): PassResult {
    let { before } = this;
    if (this.isAtParagraph) {
      const contents = contentsOf(text);
      if (!couldChange(text) && !this.detectors.couldFind(contents)) return UNCHANGED;
      // Only labels before a blank line belong to a finding after it.
      if (!this.detectors.couldNeedLabel(contents)) before = '';
    }
    // A joined text is read faster than a concatenated one.
    const source = [before, text].join('');
    const settled = before.length;
    const sightings = this.outsidePlaceholders(this.sightings(source, settled, judged), text);
    if (sightings.length === 0) return UNCHANGED;
    const { sightings: whole, rest } = continued(sightings, text, judged);
    return { ...replace(whole, text), rest };
  }

  override couldChange(text: string, from: number, before: string) {
    const part = text.slice(from);
    if (!PART_OF_FINDING.test(part)) return false;
    if (part.endsWith('\n') && contentsOf(part).tokens.length > 0) return null;
    if (OPEN.test(this.before + before)) return null;
    const context = (this.before + before).slice(-CONTEXT);
    // A label can be a part of a secret that is not shown.
    const written = (this.before + text.slice(0, from)).slice(-CONTEXT);
    const cleanOf = (own: string, label = context, rounds = 3) => {
      const found = this.sightings(label + own, label.length, own.length);
      const { edits } = replace(this.outsidePlaceholders(found, own), own);
      if (edits.length * rounds === 0) return own;
      // A placeholder can be the label of what follows it.
      return cleanOf(MappedText.of(own).edited(edits).text, label, rounds - 1);
    };
    const clean = cleanOf(part);
    const isUncertain = UNCERTAIN.some((sign) => {
      if ((context + part).search(sign) < 0) return false;
      const own = part.replaceAll(sign, '');
      const shown = cleanOf(own, context.replaceAll(sign, ''));
      return shown !== own && shown.replaceAll(sign, '') !== clean.replaceAll(sign, '');
    });
    return isUncertain ? null : clean !== part || (written !== context && cleanOf(part, written) !== part);
  }

  /** Not inside a placeholder. */
  override partBefore(text: string, limit: number) {
    return this.detectors.placeholders.placeBefore(text, limit);
  }

  override settle(text: string, end: number) {
    const tail = this.lookBack(this.before + this.lookBack(text.slice(0, end)));
    this.before = tail.slice(startOfLookBack(tail));
    this.isAtParagraph = BLANK_LINE_END.test(this.before) && !TAG_START.test(this.before);
  }

  /** The end of a text. A part of a placeholder would look like a name with markup. */
  private lookBack(text: string) {
    return text.slice(
      this.detectors.placeholders.placeBefore(text, Math.max(0, text.length - MAX_LOOK_BACK)),
    );
  }

  /** What is found in the text, and in the text as it is rendered. */
  private sightings(source: string, settled: number, judged: number): Sighting[] {
    const until = settled + judged;
    const plain = this.detectors.find(source, until, (found) => ownPart(found, settled, judged));
    const view = RenderedView.of(source, this.detectors.placeholders, until);
    if (view === null) return plain;
    const rendered = this.detectors.find(view.text, view.until, (found, detector) => {
      const original = found[0] < found[1] ? view.sourceSpan(found) : null;
      const span = original === null ? null : ownPart(original, settled, judged);
      const isTooLong = span !== null && span[1] - span[0] > MAX_DISGUISED;
      return isTooLong && !(detector instanceof UnboundedDetector) ? null : span;
    });
    return [...plain, ...rendered];
  }

  /**
   * The sightings in order. One inside a placeholder is not a finding, and one that overlaps a placeholder includes the
   * whole placeholder.
   */
  private outsidePlaceholders(sightings: readonly Sighting[], text: string): readonly Sighting[] {
    const ordered = sightings.toSorted(compare);
    const taken = ordered.length === 0 ? [] : this.detectors.placeholders.spansIn(text);
    if (taken.length === 0) return ordered;
    const outside: Sighting[] = [];
    let next = 0;
    for (const sighting of ordered) {
      const [start, end] = sighting.span;
      while ((taken[next]?.[1] ?? Infinity) <= start) next++;
      const first = taken[next];
      if (first === undefined || end <= first[0]) {
        outside.push(sighting);
      } else if (start < first[0] || end > first[1]) {
        let reach = end;
        for (let at = next; (taken[at]?.[0] ?? Infinity) < reach; at++)
          reach = Math.max(reach, taken[at]?.[1] ?? 0);
        outside.push({ ...sighting, span: [Math.min(start, first[0]), reach] });
      }
    }
    return outside;
  }
}

function startOfLookBack(tail: string) {
  if (DISGUISED.test(tail)) return 0;
  const word = tail.split(BLANK).at(-1) ?? '';
  return Math.max(0, tail.length - Math.max(word.length, MIN_LOOK_BACK));
}

/** The part of a span that is not settled; `null` if it begins after the judged part, or is empty. */
function ownPart(span: Utf16Span, settled: number, judged: number): Utf16Span | null {
  if (span[0] === span[1] || span[1] <= settled || span[0] >= settled + judged) return null;
  if (settled === 0) return span;
  // A finding at the start of a cut look-back can be a part of a longer word.
  return span[0] === 0 ? null : [Math.max(0, span[0] - settled), span[1] - settled];
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

/** By start, then by rank. */
function compare(one: Sighting, other: Sighting) {
  return one.span[0] - other.span[0] || one.rank - other.rank;
}

/** Merges overlapping sightings, which are ordered by start, so that no part of the longer one remains. */
function replace(sightings: readonly Sighting[], text: string): Pick<PassResult, 'edits' | 'findings'> {
  const edits: Edit[] = [];
  const findings: Finding[] = [];
  for (let next = 0; next < sightings.length;) {
    const { detector, span: first } = sightings[next] as Sighting;
    let end = first[1];
    for (next++; (sightings[next]?.span[0] ?? Infinity) < end; next++) {
      end = Math.max(end, sightings[next]?.span[1] ?? 0);
    }
    const span: Utf16Span = [first[0], end];
    const start = first[0] - MAIL_LINK.length;
    const linkEnd = text.startsWith(MAIL_LINK, start) ? endOf(REST_OF_LINK, text, end) : -1;
    const isLink =
      start >= (edits.at(-1)?.span[1] ?? 0) &&
      linkEnd > 0 &&
      (sightings[next]?.span[0] ?? Infinity) >= linkEnd;
    edits.push({ span: isLink ? [start, linkEnd] : span, replacement: detector.placeholder });
    findings.push({ kind: detector.kind, detector: detector.name, span });
  }
  return { edits, findings };
}
