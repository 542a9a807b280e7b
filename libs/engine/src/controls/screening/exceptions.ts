import type { Clock } from '#contracts/common/clock.js';
import type { ScreeningException } from '#contracts/screening/screening.js';
import { hasEnded } from '#contracts/settings/exception-kind.js';
import type { Settings } from '#contracts/settings/settings.js';
import type { Utf16Span } from '#contracts/common/spans.js';
import { MAX_SPANS } from '../../patterns/linear-regex.js';
import type { Redactor } from '../../shared/ports.js';

/** Matches of one rule in one view of a text that exceptions cover. Further ones count, which limits the cost. */
export const MAX_SILENCED = 64;

/** The exceptions of a settings snapshot that are in force at one time. */
export class ExceptionsInForce {
  private constructor(
    private readonly byRule: ReadonlyMap<string, readonly ScreeningException[]>,
    /** When the next of them ends, in milliseconds; `Infinity` without any. */
    private readonly endsAt: number,
  ) {}

  static at(now: Date, settings: Settings): ExceptionsInForce {
    const inForce = settings.get('input_screen.exceptions').filter((exception) => !hasEnded(exception, now));
    const byRule = new Map<string, ScreeningException[]>();
    for (const exception of inForce)
      byRule.set(exception.rule_id, [...(byRule.get(exception.rule_id) ?? []), exception]);
    return new ExceptionsInForce(byRule, Math.min(...inForce.map(({ ends_at }) => Date.parse(ends_at))));
  }

  get isEmpty(): boolean {
    return this.byRule.size === 0;
  }

  /** The clock is not read for every text where there is no exception. */
  hasOneEnded(clock: Clock): boolean {
    return !this.isEmpty && this.endsAt <= clock.now().getTime();
  }

  /** What can change a result, independent of the order of the entries. */
  facts(): readonly string[] {
    const all = [...this.byRule.values()].flat();
    const facts = all.map(({ rule_id, phrase, application }) =>
      JSON.stringify([rule_id, phrase, application ?? null]),
    );
    return [...new Set(facts)].toSorted();
  }

  /** `null` if neither the rule nor its group has an exception. */
  silencer(
    { id, group = id }: { readonly id: string; readonly group?: string },
    text: string,
    application: string | null,
  ): Silencer | null {
    const exceptions = [...new Set([id, group])].flatMap((name) => this.byRule.get(name) ?? []);
    return exceptions.length === 0 ? null : new Silencer(text, application, exceptions);
  }
}

/** Decides which matches of one rule in one text exceptions cover. */
export class Silencer {
  /** The first matches that exceptions cover, in UTF-16 units of the text, without overlap. */
  readonly silenced: Utf16Span[] = [];
  private count = 0;

  constructor(
    private readonly text: string,
    private readonly application: string | null,
    private readonly exceptions: readonly ScreeningException[],
  ) {}

  /** The limit holds for each view, because every view repeats the matches. */
  beginView(): void {
    this.count = 0;
  }

  silences(span: Utf16Span): boolean {
    if (this.count === MAX_SILENCED) return false;
    if (!this.exceptions.some((exception) => this.covers(exception, span))) return false;
    this.count += 1;
    const [start, end] = span;
    const isNew = this.silenced.every(([from, to]) => end <= from || to <= start);
    if (isNew && this.silenced.length < MAX_SPANS) this.silenced.push(span);
    return true;
  }

  private covers({ application, phrase }: ScreeningException, span: Utf16Span) {
    return (
      (application === undefined || application === this.application) &&
      isInOccurrence(this.text, span, phrase)
    );
  }
}

/**
 * Whether the span lies within an occurrence of the phrase. Every occurrence between the first and the last possible
 * start contains it, so the rest of the text is not read. An empty span can stand for the whole text and is in none.
 */
function isInOccurrence(text: string, [start, end]: Utf16Span, phrase: string) {
  if (end <= start || end - start > phrase.length) return false;
  return text.slice(Math.max(0, end - phrase.length), start + phrase.length).includes(phrase);
}

const MAX_DAYS = 90;

/** Why these exceptions cannot be put in force; an entry of `known` may have ended. */
export function exceptionErrors(
  exceptions: readonly ScreeningException[],
  known: readonly ScreeningException[],
  now: Date,
  redactor: Redactor,
): readonly string[] {
  const accepted = new Set(known.map((exception) => JSON.stringify(exception)));
  const latest = now.getTime() + MAX_DAYS * 24 * 3_600_000;
  return exceptions.flatMap((exception, index) => {
    const faults: string[] = [];
    if (hasEnded(exception, now) && !accepted.has(JSON.stringify(exception)))
      faults.push('ends_at must be in the future');
    if (Date.parse(exception.ends_at) > latest) faults.push(`ends_at must be at most ${MAX_DAYS} days ahead`);
    if (redactor.redact(exception.phrase).edits.length > 0)
      faults.push('phrase contains a secret or personal data; settings and their changes are readable');
    return faults.map((fault) => `entry ${index}: ${fault}`);
  });
}
