/** What detectors read beside the written text: the parts of it that are shown in another way. */
import type { Utf16Span } from '#contracts/common/spans.js';
import type { Placeholders } from './detectors/placeholders.js';
import { couldChange } from './lookalikes.js';
import { changesOf, changesOfTex, changesWithin } from './rendered-changes.js';
import { countWhile } from '../../text/ordered-list.js';
import { RenderedText, type Surroundings } from './rendered-text.js';

/** What every finding contains, or the label before it. */
const COULD_CONTAIN =
  /@|\d(?:\D{0,3}\d){6}|[A-Za-z0-9_-]{15}|\d\.\d{1,3}\.\d|[\da-f]:[\da-f]{0,4}:|pass|pwd|\bpw\b|\bpan\b|secret|token|key|credential|wort\b|contraseña|clave|senha|пароль|密|パスワード|bearer|basic|eyj| -u| -p/i;

/** With more changes, one test of the whole text costs less than one test at each change. */
const MANY_CHANGES = 64;

/** Some renderers show a word without its underscores. */
const EMPHASIS_IN_WORD = /[A-Za-z0-9]_[A-Za-z0-9][^\n_]{0,64}_[A-Za-z0-9]/;

/**
 * Every finding contains a digit, an at sign, or one of two letters (`hf_…`, `sshpass`, `PRIVATE KEY`), or what is shown
 * as one.
 */
const PART_OF_FINDING = /[\d@Eh\u0080-\uffff]|&(?![lg]t|amp|[lga]?m?$)/;

const FORMULA = /\$|\\[([]|\\begin|```math/;

/** The shortest finding of a built-in detector. */
const MIN_FINDING = 6;

/** Separates parts of the text that are not adjacent. A label belongs to no number behind another numeral or a blank line. */
const GAP = '\n\n\u2160\n\n';

/** A part of the view and where it begins in the rendered text. */
interface Window {
  readonly at: number;
  /** Where its first change begins. */
  readonly change: number;
  readonly text: string;
  readonly rendered: RenderedText;
  readonly renderedStart: number;
}

/**
 * The text as it is rendered: escapes and character references decoded, markup and invisible
 * characters removed. It holds only the parts that differ and could contain a finding, separated by gaps.
 */
export class RenderedView {
  private constructor(
    readonly text: string,
    /** No finding that begins here, or after it, is needed. */
    readonly until: number,
    private readonly windows: readonly Window[],
  ) {}

  /** `null` if no detector could find anything else that begins before `until`. */
  static of(source: string, placeholders: Placeholders, until = source.length): RenderedView | null {
    if (!couldChange(source) || !PART_OF_FINDING.test(source)) return null;
    const whole: Utf16Span = [0, source.length];
    const changes = changesOf(source, placeholders, whole);
    const readings = [changes];
    if (source.includes('_') && EMPHASIS_IN_WORD.test(source)) {
      const inWords = changesOf(source, placeholders, whole, true);
      // It has all other changes, too.
      if (inWords.length > changes.length) readings.push(inWords);
    }
    if (FORMULA.test(source)) readings.push(changesOfTex(source));
    if (readings.every(({ length }) => length === 0)) return null;
    // The target of a link is not part of the text around it.
    const targets: Utf16Span[] = [];
    for (const { target } of changes) {
      if (target !== null && target[0] < until && target[1] - target[0] >= MIN_FINDING) targets.push(target);
    }
    const windows: Window[] = [];
    let length = 0;
    let end = 0;
    const addWindows = (rendered: RenderedText, limit: number, parts: readonly Surroundings[]) => {
      for (const [start, stop, change] of parts) {
        const text = rendered.text.slice(start, stop);
        if (!COULD_CONTAIN.test(text)) continue;
        windows.push({ at: length, change: length + change - start, text, rendered, renderedStart: start });
        // Markup before `until` can belong to a finding right after it.
        end = length + Math.min(text.length, limit - start + 1);
        length += text.length + GAP.length;
      }
    };
    if (targets.length > 0) {
      const rendered = renderedTargets(source, targets, placeholders);
      addWindows(rendered, rendered.placeOf(until), [[0, rendered.text.length, 0]]);
    }
    for (const reading of readings) {
      const rendered = new RenderedText(source, reading, whole);
      if (reading.length > MANY_CHANGES && !COULD_CONTAIN.test(rendered.text)) continue;
      const limit = rendered.placeOf(until);
      addWindows(rendered, limit, rendered.windows(limit));
    }
    const text = windows.map((window) => window.text).join(GAP);
    return windows.length === 0 ? null : new RenderedView(text, end, windows);
  }

  /**
   * The span in the source, with markup that would lose its other half; `null` if it crosses a gap, or ends before all
   * changes: the written text shows the same there, and its window may begin behind a label such as `order no.`.
   */
  sourceSpan([start, end]: Utf16Span): Utf16Span | null {
    const window = this.windows[countWhile(this.windows, ({ at }) => at <= start) - 1];
    if (window === undefined || end < window.change || end > window.at + window.text.length) return null;
    const offset = window.renderedStart - window.at;
    return window.rendered.sourceSpan([start + offset, end + offset]);
  }
}

/** The targets of all links, separated by gaps. */
function renderedTargets(source: string, targets: readonly Utf16Span[], placeholders: Placeholders) {
  const whole: Utf16Span = [targets[0]?.[0] ?? 0, targets.at(-1)?.[1] ?? 0];
  return new RenderedText(source, changesWithin(source, placeholders, targets, GAP), whole);
}
