/** The detectors of one list together: the text is scanned once, and only detectors that could find anything are run. */
import type { Detector } from '#contracts/output/output.js';
import type { Utf16Span } from '#contracts/common/spans.js';
import { checkedSpans } from '../../../text/checked-spans.js';
import { Placeholders } from './placeholders.js';
import { BuiltInDetector } from './pattern-detector.js';
import { TRAITS } from './text-traits.data.js';
import { contentsOf, type TextContents } from './text-traits.js';
import { VendorTokenDetector } from './secret.detectors.js';
import { vendorTokens } from './vendor-tokens.js';

/** A finding of one detector, before overlapping ones are merged. */
export interface Sighting {
  readonly detector: Detector;
  /** The place of the detector in the list. */
  readonly rank: number;
  readonly span: Utf16Span;
}

/** A detector, and what a text must contain so that it can find anything. */
class Finder {
  /** The traits of a text in which it could find anything. */
  readonly required: number;
  private readonly builtIn: BuiltInDetector | null;
  private readonly findsNumbers: boolean;

  constructor(
    readonly detector: Detector,
    readonly rank: number,
  ) {
    this.builtIn = detector instanceof BuiltInDetector ? detector : null;
    this.required = TRAITS[this.builtIn?.requires ?? 'none'];
    this.findsNumbers = (this.required & NUMBERS) !== 0;
  }

  /** `near` is the beginning of the text that is long enough for a number before `until`. */
  find(text: string, near: string, until: number): readonly Utf16Span[] {
    if (this.builtIn === null) return checkedSpans(this.detector.find(text), text);
    return this.builtIn.find(this.findsNumbers ? near : text, until);
  }
}

/** Units after the beginning of a number, at most, that decide whether it is a finding. */
const NUMBER_REACH = 128;
const NUMBERS =
  TRAITS.call_abroad | TRAITS.six_digits | TRAITS.thirteen_digits | TRAITS.dotted_number | TRAITS.capitals;

/** An ordered list of detectors and the placeholders that they insert. */
export class Detectors {
  readonly placeholders: Placeholders;
  private readonly finders: readonly Finder[];
  /** The finders of the table of tokens, which are searched for together. */
  private readonly vendors: ReadonlyMap<string, Finder>;
  private readonly byTraits = new Map<number, readonly Finder[]>();
  /** Whether a detector of a host is in the list. It can find anything. */
  readonly hasOther: boolean;

  constructor(readonly list: readonly Detector[]) {
    this.placeholders = new Placeholders(list.map(({ placeholder }) => placeholder));
    this.hasOther = list.some((detector) => !(detector instanceof BuiltInDetector));
    const finders = list.map((detector, rank) => new Finder(detector, rank));
    const isVendor = ({ detector }: Finder) => detector instanceof VendorTokenDetector;
    this.finders = finders.filter((finder) => !isVendor(finder));
    this.vendors = new Map(finders.filter(isVendor).map((finder) => [finder.detector.name, finder]));
  }

  /** Whether any detector could find anything in a text. */
  couldFind({ traits, tokens }: TextContents): boolean {
    return (tokens.length > 0 && this.vendors.size > 0) || this.findersFor(traits).length > 0;
  }

  /** Whether a finding in a text could depend on a label before the text. */
  couldNeedLabel({ traits }: TextContents): boolean {
    return this.hasOther || (traits & (NUMBERS | TRAITS.two_digits)) !== 0;
  }

  /** The findings of all detectors that begin before a place, where `locate` returns a span. */
  find(
    text: string,
    until: number,
    locate: (span: Utf16Span, detector: Detector) => Utf16Span | null,
  ): Sighting[] {
    const { traits, tokens } = contentsOf(text, until);
    const near = text.slice(0, until + NUMBER_REACH);
    const sightings: Sighting[] = [];
    const add = ({ detector, rank }: Finder, found: Utf16Span) => {
      const span = locate(found, detector);
      if (span !== null) sightings.push({ detector, rank, span });
    };
    for (const { name, span } of vendorTokens(text, tokens, until)) {
      const finder = this.vendors.get(name);
      if (finder !== undefined) add(finder, span);
    }
    for (const finder of this.findersFor(traits))
      for (const found of finder.find(text, near, until)) add(finder, found);
    return sightings;
  }

  private findersFor(traits: number) {
    let finders = this.byTraits.get(traits);
    if (finders === undefined) {
      finders = this.finders.filter(({ required }) => (traits & required) === required);
      this.byTraits.set(traits, finders);
    }
    return finders;
  }
}
