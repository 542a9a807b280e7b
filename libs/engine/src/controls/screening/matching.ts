import type { MentionForm, ScreenedOrigin, ScreeningRule } from '#contracts/screening/screening.js';
import type { Settings } from '#contracts/settings/settings.js';
import type { Utf16Span } from '#contracts/common/spans.js';
import type { Skips } from '../../patterns/automaton.js';
import { MAX_SPANS } from '../../patterns/linear-regex.js';
import { BLOCK_BITS, EarlierTexts, MatchStarts } from '../../patterns/match-starts.js';
import { UNITS_PER_PAUSE, type Resumable } from '../../shared/resumable.js';
import { normalizationOptions } from '../../text/character-folding.js';
import type { Silencer } from './exceptions.js';
import type { MappedText } from '../../text/mapped-text.js';
import { readCues } from './cues/cue-reader.js';
import { HiddenText } from '../../text/hidden-text.js';
import { Mentions } from './mentions/mentions.js';
import { normalize, type NormalizedText } from '../../text/normalization.js';
import { needsSecondSign } from './rules/built-in-rules.js';
import type { Ruleset } from './ruleset.js';
import { IS_CERTAIN, viewsOf, type View } from './views.js';

interface RuleMatch {
  readonly rule: ScreeningRule;
  readonly spans: readonly Utf16Span[];
  /** Set where the text mentions the instruction and does not give it. */
  readonly mentioned?: MentionForm;
}

export interface RuleMatches {
  readonly normalized: NormalizedText;
  /** The normalized text, and its decoded forms as far as no decoder guesses. */
  readonly readings: readonly string[];
  readonly matches: readonly RuleMatch[];
  /** The matches that exceptions cover. */
  readonly silenced: readonly RuleMatch[];
  /** The names of the views in which a rule matched. */
  readonly views: readonly string[];
}

/** Matches the rules against all views of a text. Linear in the text. */
export function* matchRules(
  text: string,
  settings: Settings,
  ruleset: Ruleset,
  origin: ScreenedOrigin,
  application: string | null,
): Resumable<RuleMatches> {
  const { active, exceptions } = ruleset;
  const silencers = exceptions.isEmpty
    ? []
    : active.map((rule) => exceptions.silencer(rule, text, application));
  const options = normalizationOptions(settings);
  const normalized = yield* normalize(text, options);
  const readings: string[] = [];
  const search = new ViewSearch(ruleset, origin, silencers);
  for (const [from, part] of windowsOf(text)) {
    const own = part === text ? normalized : yield* normalize(part, options);
    const forms = yield* viewsOf(part, own, settings, ruleset.vocabulary);
    readings.push(...forms.filter(({ kind }) => IS_CERTAIN.has(kind)).map(({ mapped }) => mapped.text));
    const cues = origin === 'prompt' ? null : yield* readCues(part);
    yield* search.add(cues === null ? forms : [...forms, { mapped: cues, name: CUES, kind: CUES }], from);
  }
  const { decoded, ...found } = search.result();
  const matches = divided(found.matches, text, ruleset, origin, decoded);
  return { normalized, readings, ...found, matches };
}

/** Divides matches into those that give an instruction and those that are only recorded: a mention of one, or without a second sign. */
function divided(
  matches: readonly RuleMatch[],
  text: string,
  ruleset: Ruleset,
  origin: ScreenedOrigin,
  decoded: ReadonlySet<Utf16Span>,
): readonly RuleMatch[] {
  if (matches.length === 0) return matches;
  const divide = (all: readonly RuleMatch[], formAt: FormAt): readonly RuleMatch[] =>
    all.flatMap((match) =>
      match.mentioned === undefined && ruleset.mayObserveMentions(match.rule)
        ? splitByForm(match, formAt)
        : [match],
    );
  const hidden = new HiddenText(text);
  const mentions = new Mentions(text, hidden);
  const byMention = divide(matches, (span) => {
    const mention = decoded.has(span) ? null : mentions.at(span);
    if (mention === null || !ruleset.accepts(mention)) return null;
    return origin === 'prompt' && mention.isOrderInPrompt === true ? null : mention.form;
  });
  if (origin === 'prompt') return byMention;
  const signs = byMention
    .filter(({ mentioned }) => mentioned === undefined)
    .map(({ rule, spans }) => ({ rule, spans: spans.filter((span) => !spansEntries(text, span)) }));
  return divide(byMention, (span, rule) => {
    const isHidden = decoded.has(span) || hidden.at(span[0]);
    const needsSign = needsSecondSign(rule) || spansEntries(text, span);
    return needsSign && !isHidden && !hasSecondSign(rule, span, signs) ? 'alone' : null;
  });
}

/** Units of a long text that are judged at once, and how many of them are judged with the next part again. */
const WINDOW = 50_000;
const OVERLAP = 4000;

/** A match that is longer than the overlap can be missed where a long text is divided. */
function* windowsOf(text: string): Iterable<readonly [from: number, part: string]> {
  for (let from = 0; ; from += WINDOW - OVERLAP) {
    yield [from, text.slice(from, from + WINDOW)];
    if (from + WINDOW >= text.length) return;
  }
}

/** The beginning of an entry of a list, a table or a log. */
const ENTRY = String.raw`[ \t]{0,8}(?:[-+•|] ?|\*(?=\s)(?<!\s\*)|\d{1,3}[.)]\s|#{1,6} |\[?\d{1,4}[-:/]\d{2})`;
const ENTRY_BEGINS = new RegExp(`^${ENTRY}`, 'u');
/** After a line that does not introduce it with a colon. */
const NEXT_ENTRY = new RegExp(String.raw`[^:：\s]\s*\n${ENTRY}`, 'u');

/** Whether a match begins in one entry and ends in another one, so that its words do not belong together. */
function spansEntries(text: string, [start, end]: Utf16Span) {
  const matched = text.slice(start, end).trim();
  if (!matched.includes('\n') || !NEXT_ENTRY.test(matched)) return false;
  return ENTRY_BEGINS.test(text.slice(text.lastIndexOf('\n', start) + 1, end));
}

/** Units between two signs of the same instruction. */
const NEAR = 400;

const familyOf = ({ id, group = id }: ScreeningRule) =>
  id.startsWith('embedded.') ? group : (id.split('.', 1)[0] ?? id);

/** Whether a rule of another family matches near a span, in other words. */
function hasSecondSign(rule: ScreeningRule, span: Utf16Span, given: readonly RuleMatch[]) {
  const reach: Utf16Span = [span[0] - NEAR, span[1] + NEAR];
  return given.some(
    (other) =>
      familyOf(other.rule) !== familyOf(rule) &&
      other.spans.some((sign) => overlap(sign, reach) && !overlap(sign, span)),
  );
}

interface SearchResult extends Omit<RuleMatches, 'normalized' | 'readings'> {
  /** The spans that were found in decoded text. */
  readonly decoded: ReadonlySet<Utf16Span>;
}

/** Why a match of a rule at this place is only recorded; `null` if it counts. */
type FormAt = (span: Utf16Span, rule: ScreeningRule) => MentionForm | null;

/**
 * The spans that give an instruction, then those that are only recorded. A rule with as many spans as are collected may have more,
 * so none of its matches is taken as a mention. Decoded text is never one, because reports are not encoded.
 */
function splitByForm({ rule, spans }: RuleMatch, formAt: FormAt): readonly RuleMatch[] {
  if (spans.length === MAX_SPANS) return [{ rule, spans }];
  const given: Utf16Span[] = [];
  const mentioned: RuleMatch[] = [];
  for (const span of spans) {
    const form = formAt(span, rule);
    if (form === null) given.push(span);
    else mentioned.push({ rule, spans: [span], mentioned: form });
  }
  return given.length === 0 ? mentioned : [{ rule, spans: given }, ...mentioned];
}

/**
 * Spans are positions in the original text. If two views match the same place, the span of the first view is kept,
 * because the position of decoded text is known only as a whole. Later views are searched only where they differ from
 * the earlier ones that are most similar to them.
 */
class ViewSearch {
  /** By the place of the rule in `active`. */
  private readonly spansByRule = new Map<number, Utf16Span[]>();
  private readonly decoded = new Set<Utf16Span>();
  private readonly matchingViews = new Set<string>();

  constructor(
    private readonly ruleset: Ruleset,
    private readonly origin: ScreenedOrigin,
    private readonly silencers: readonly (Silencer | null)[],
  ) {}

  /** Searches the views of a part of the text that begins at `from`. */
  *add(views: readonly View[], from: number): Resumable<void> {
    const earlier = new EarlierTexts();
    for (const [order, view] of views.entries()) {
      const starts = yield* newStarts(view, views.slice(0, order), earlier);
      if (starts.isEmpty) continue;
      const searched = view.kind === CUES ? CUES : this.origin;
      const places = this.ruleset.placesFor(searched);
      const toOriginal = (span: Utf16Span): Utf16Span => {
        const [start, end] = view.mapped.toOriginal(span);
        return [start + from, end + from];
      };
      const skips = this.silencers.map(skipsIn(toOriginal));
      const found = yield* this.ruleset
        .patternsFor(searched)
        .search(
          view.mapped.text,
          starts,
          skips.length === 0 ? [] : places.map((place) => skips[place]),
          searched === CUES || views.length === 1 ? null : earlier,
        );
      for (const [number, spans] of found) this.take(view, places[number] ?? 0, spans.map(toOriginal));
    }
  }

  private take(view: View, place: number, spans: readonly Utf16Span[]) {
    const known = this.spansByRule.get(place) ?? [];
    this.spansByRule.set(place, known);
    for (const span of spans) {
      if (known.some((each) => overlap(each, span))) continue;
      known.push(span);
      if (!READABLE.has(view.kind)) this.decoded.add(span);
      this.matchingViews.add(view.name);
    }
  }

  result(): SearchResult {
    const { active } = this.ruleset;
    const matching = [...this.spansByRule.keys()].toSorted((place, other) => place - other);
    const matches = matching.flatMap((place): RuleMatch[] => {
      const rule = active[place];
      const spans = this.spansByRule.get(place) ?? [];
      if (rule === undefined) return [];
      return [{ rule, spans: spans.toSorted(([start], [other]) => start - other).slice(0, MAX_SPANS) }];
    });
    const silenced = this.silencers.flatMap((silencer, place): RuleMatch[] => {
      const rule = active[place];
      if (rule === undefined || silencer === null || silencer.silenced.length === 0) return [];
      return [{ rule, spans: silencer.silenced }];
    });
    return { matches, silenced, views: [...this.matchingViews], decoded: this.decoded };
  }
}

const skipsIn =
  (toOriginal: MappedText['toOriginal']) =>
  (silencer: Silencer | null): Skips | undefined => {
    silencer?.beginView();
    return silencer === null ? undefined : (span) => silencer.silences(toOriginal(span));
  };

function overlap([start, end]: Utf16Span, [otherStart, otherEnd]: Utf16Span) {
  return start < otherEnd && otherStart < end;
}

/** The view of the words that are cues, for the rules on them. */
const CUES = 'cues';

/** Views of what a reader sees. A list of strings is read as one text, too. */
const READABLE: ReadonlySet<string> = new Set(['normalized', 'joined', CUES]);

/** Maximum distance between the start of a match and a difference within it, in a long text. */
const REACH = 512;

/** In shorter texts a difference can be in every match that starts before it. */
const MIN_LIMITED = 1024;

/** Where matches can start that are in none of the earlier views. Sets the differences from them. */
function* newStarts(view: View, views: readonly View[], earlier: EarlierTexts): Resumable<MatchStarts> {
  let starts = MatchStarts.anywhere;
  earlier.differences = [];
  if (view.kind === CUES) return starts;
  const reach = view.mapped.text.length < MIN_LIMITED ? Infinity : REACH;
  for (const known of new Set([views[0], views.findLast(({ kind }) => kind === view.kind), views.at(-1)])) {
    if (known === undefined) continue;
    const places = yield* differences(view.mapped, known.mapped);
    earlier.differences = [...earlier.differences, places];
    starts = starts.and(places.upTo(reach));
    if (starts.isEmpty) break;
  }
  return starts;
}

/** Steps through differing parts before the comparison stops and all of the text is searched. */
const MAX_STEPS = 50_000;

/** Returns where `text` differs from `known`, if both derive from the same text. Equal parts are not searched twice. */
export function* differences(text: MappedText, known: MappedText): Resumable<MatchStarts> {
  const bits = new Uint32Array((text.text.length >> (BLOCK_BITS + 5)) + 1);
  let steps = 0;
  let here = 0;
  let there = 0;
  let pause = UNITS_PER_PAUSE;
  while (here < text.text.length) {
    const equal = equalUnits(text.text, here, known.text, there, pause - here);
    here += equal;
    there += equal;
    if (here >= pause) {
      pause += UNITS_PER_PAUSE;
      yield;
      continue;
    }
    const from = here;
    // The position that is behind in the original advances until both are at the same place with the same unit.
    while (
      here < text.text.length &&
      !(sameUnit(text, here, known, there) && text.originalStart(here) === known.originalStart(there))
    ) {
      steps += 1;
      if (steps > MAX_STEPS) return MatchStarts.anywhere;
      if (there < known.text.length && known.originalStart(there) <= text.originalStart(here)) there += 1;
      else here += 1;
    }
    if (from < text.text.length) mark(bits, from, here);
  }
  if (there < known.text.length) mark(bits, here, here);
  return new MatchStarts(bits);
}

/** How many units from these places on are equal, at most `limit`. */
function equalUnits(text: string, from: number, known: string, place: number, limit: number) {
  const length = Math.min(limit, text.length - from, known.length - place);
  let equal = 0;
  while (equal < length && text.charCodeAt(from + equal) === known.charCodeAt(place + equal)) equal += 1;
  return equal;
}

function sameUnit(text: MappedText, here: number, known: MappedText, there: number) {
  return there < known.text.length && text.text.charCodeAt(here) === known.text.charCodeAt(there);
}

function mark(bits: Uint32Array, from: number, to: number) {
  for (let block = from >> BLOCK_BITS; block <= to >> BLOCK_BITS; block++)
    bits[block >> 5] = (bits[block >> 5] ?? 0) | (1 << (block & 31));
}
