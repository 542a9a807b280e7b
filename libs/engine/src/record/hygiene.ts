import { createHmac } from 'node:crypto';
import type { Content } from '#contracts/audit/record.js';
import { MAX_RECORDED_FINDINGS, type Finding, type RecordedFinding } from '#contracts/output/output.js';
import type { Resumable } from '../shared/resumable.js';
import type { Redactor, DecisionDraft, Redaction } from '../shared/ports.js';
import type { PolicyRecord, RecordedArgument } from '#contracts/policies/policies.js';
import { isCounted, type MatchedRule, type RecordedMatch } from '#contracts/screening/screening.js';
import type { Settings } from '#contracts/settings/settings.js';
import { scrubText, takeCodePoints } from '#contracts/common/text.js';
import { byteSpans, type ByteSpan, type Utf16Span } from '#contracts/common/spans.js';
import { redactedJson } from '../json/redacted-json.js';
import { countWhile } from '../text/ordered-list.js';
import type { NewRejection } from '#contracts/firewall/firewall.js';

/** The salt comes with the commitments. */
export type StoredContent = Omit<Content, 'salt' | 'policy'>;

type StoredViolations = Pick<NewRejection, 'violations' | 'violationCount'>;

type Source = Pick<DecisionDraft, 'text' | 'json' | 'tooLong' | 'matchedRules' | 'findings' | 'alteration'>;

/** What a record keeps of a text, and where the matches and the findings are in it. */
interface StoredText {
  readonly content: StoredContent;
  readonly matchedRules: readonly RecordedMatch[];
  readonly findings: readonly RecordedFinding[];
}

/** Places in a stored text, in UTF-16 units; `null` where the text is not stored. */
interface Places {
  readonly matches: readonly (Utf16Span | null)[];
  readonly findings: readonly (Utf16Span | null)[];
}

/** A stored text. `moved` if the bytes before the end of the first match changed. */
interface PlacedText extends Places {
  readonly text: string;
  readonly moved: boolean;
  readonly isCut: boolean;
}

/** Characters of a tool call's arguments that a record keeps. */
const MAX_ARGUMENTS = 65_536;
/** Code points after a cut that are redacted as well: the length of the longest secret that a detector finds. */
const MAX_SECRET = 32_768;
/** Longer texts that a policy compared are not kept. */
const MAX_COMPARED = 1000;
const MAX_VIOLATIONS = 50;
const MAX_NAME = 200;
const MAX_REASON = 500;

/** Decides what a record keeps of a text. The matched text is a part of the kept prompt, so it is redacted with it. */
export class Hygiene {
  constructor(private readonly redactor: Redactor) {}

  *contentOf(source: Source, settings: Settings): Resumable<StoredText> {
    const { text, json, tooLong, matchedRules = [] } = source;
    const recordable = firstFindings(source.findings ?? []);
    const storage = settings.get('audit_hygiene.prompt_storage');
    if (storage === 'hash') {
      const prompt = this.hash(text, settings);
      const content = { storage, prompt, matchedSpan: null, matchedText: null, alteration: null };
      const placed = matchedRules.map((match) => recordedMatch(match, null));
      return { content, matchedRules: placed, findings: recordable.map(withoutPlace) };
    }
    const limit = settings.get('audit_hygiene.truncate_at');
    // A text that is too long to be judged is kept only as its head.
    if (tooLong === true) {
      const isCut = takeCodePoints(text, limit).cut;
      return storedText(
        'truncate',
        { ...unmatched(this.head(text, limit, storage)), isCut },
        source,
        recordable,
      );
    }
    const matches = matchedRules.map(({ span }) => span);
    const findings = source.alteration === 'serialized' ? [] : recordable.map(({ span }) => span);
    const clean =
      json === undefined ? yield* this.clean(scrubText(text), { matches, findings }, storage) : null;
    const stored = clean ?? cut(unmatched(this.json(json, storage)), MAX_ARGUMENTS);
    yield;
    return storedText(storage, storage === 'truncate' ? cut(stored, limit) : stored, source, recordable);
  }

  /** The names of arguments come from the model, so they are redacted. Reasons are texts of this package. */
  violationsOf(violations: Readonly<Record<string, string>>, settings: Settings): StoredViolations {
    const storage = settings.get('audit_hygiene.prompt_storage');
    const names = Object.keys(violations);
    const stored = names
      .slice(0, MAX_VIOLATIONS)
      .map((name) => [
        takeCodePoints(this.head(name, MAX_NAME, storage), MAX_NAME).head,
        takeCodePoints(violations[name] ?? '', MAX_REASON).head,
      ]);
    return { violations: Object.fromEntries(stored) as Record<string, string>, violationCount: names.length };
  }

  /** Arguments that would be changed are withheld, because a replay must not compare other values. */
  policyOf(record: PolicyRecord | undefined, settings: Settings): string | null {
    if (record === undefined) return null;
    const storage = settings.get('audit_hygiene.prompt_storage');
    const stored = Object.entries(record.arguments).map(([pointer, argument]) => {
      // The items of a list are judged with the name of the list.
      const name = pointer.split('/').findLast((token) => !/^\d*$/.test(token)) ?? '';
      return [pointer, this.isShown(name, argument, storage) ? argument : { kind: 'withheld' }] as const;
    });
    return scrubText(JSON.stringify({ ...record, arguments: Object.fromEntries(stored) }));
  }

  private isShown(name: string, argument: RecordedArgument, storage: Content['storage']) {
    if (!('value' in argument) || argument.value === null || typeof argument.value === 'boolean') return true;
    const text = String(argument.value);
    if (storage === 'hash' || text.length > MAX_COMPARED) return false;
    if (storage === 'raw') return true;
    const redact = (source: string) => this.redactor.redact(source).text;
    const clean = redactedJson({ [name]: text }, redact) as Readonly<Record<string, unknown>>;
    return clean[name] === text;
  }

  private head(text: string, limit: number, storage: Content['storage']) {
    const source = scrubText(takeCodePoints(text, limit + MAX_SECRET).head);
    return storage === 'raw' ? takeCodePoints(source, limit).head : this.redactedHead(source, limit);
  }

  /** Redacts before it cuts, because no detector finds a secret that was cut. */
  private redactedHead(text: string, limit: number) {
    const end = takeCodePoints(text, limit).head.length;
    let clean = '';
    let from = 0;
    for (const { span, replacement } of this.redactor.redact(text).edits) {
      if (span[0] >= end) break;
      clean += text.slice(from, span[0]) + replacement;
      from = span[1];
    }
    return clean + text.slice(from, Math.max(from, end));
  }

  private json(value: unknown, storage: Content['storage']) {
    if (storage === 'raw') return scrubText(JSON.stringify(value));
    const redact = (text: string) => this.redactor.redact(text).text;
    return redact(JSON.stringify(redactedJson(value, redact)));
  }

  private *clean(text: string, places: Places, storage: Content['storage']): Resumable<PlacedText> {
    if (storage === 'raw') return { text, ...places, moved: false, isCut: false };
    const redacted = yield* this.redactor.redacting(text);
    yield;
    const move = movedBy(redacted.edits);
    yield;
    const moved = (span: Utf16Span | null) => (span === null ? null : move(span).span);
    const [first = null] = places.matches;
    return {
      text: redacted.text,
      matches: places.matches.map(moved),
      findings: places.findings.map(moved),
      moved: first !== null && move(first).moved,
      isCut: false,
    };
  }

  private hash(text: string, settings: Settings) {
    const key = settings.get('audit_hygiene.hash_key');
    // Boot refuses a missing key. Without a key, a digest could be reversed with a dictionary, so nothing is kept.
    return key === null
      ? ''
      : `hmac-sha256:${createHmac('sha256', key).update(scrubText(text)).digest('hex')}`;
  }
}

/** Limits the findings of one output. */
function firstFindings(findings: readonly Finding[]) {
  if (findings.length <= MAX_RECORDED_FINDINGS) return findings;
  const seen = new Map<string, Set<string>>();
  return findings.filter(({ kind, detector }, index) => {
    const kinds = seen.get(detector) ?? new Set();
    const isFirst = !kinds.has(kind);
    if (isFirst) seen.set(detector, kinds.add(kind));
    return isFirst || index < MAX_RECORDED_FINDINGS;
  });
}

/** A screener that did not judge the text has no place in it. */
function recordedMatch(matched: MatchedRule, span: ByteSpan | null): RecordedMatch {
  return { ...matched, span: matched.notJudged === true ? [0, 0] : span };
}

function withoutPlace({ kind, detector }: Finding): RecordedFinding {
  return { kind, detector, span: null };
}

/** A span after edits of the text. A replacement that overlaps the span becomes part of it. */
function movedBy(
  edits: Redaction['edits'],
): (span: Utf16Span) => { readonly span: Utf16Span; readonly moved: boolean } {
  const shifts = [0];
  for (const { span, replacement } of edits)
    shifts.push((shifts.at(-1) ?? 0) + replacement.length - (span[1] - span[0]));
  return ([start, end]) => {
    const before = countWhile(edits, ({ span }) => span[1] <= start);
    const until = countWhile(edits, ({ span }) => span[0] < end);
    const first = edits[before]?.span[0] ?? start;
    const last = until > before ? (edits[until - 1]?.span[1] ?? end) : end;
    return {
      span: [Math.min(first, start) + (shifts[before] ?? 0), Math.max(last, end) + (shifts[until] ?? 0)],
      moved: until > 0,
    };
  };
}

function unmatched(text: string): PlacedText {
  return { text, matches: [], findings: [], moved: false, isCut: false };
}

function cut({ text, matches, findings, moved, isCut }: PlacedText, limit: number): PlacedText {
  const { head, cut: isShorter } = takeCodePoints(text, limit);
  const within = (span: Utf16Span | null) => (span !== null && span[1] <= head.length ? span : null);
  return {
    text: head,
    matches: matches.map(within),
    findings: findings.map(within),
    moved,
    isCut: isCut || isShorter,
  };
}

function storedText(
  storage: Content['storage'],
  { text, matches, findings, moved, isCut }: PlacedText,
  source: Pick<Source, 'text' | 'matchedRules' | 'alteration'>,
  recordable: readonly Finding[],
): StoredText {
  const { matchedRules = [] } = source;
  const places = [...matches, ...findings];
  const spans = byteSpans(
    text,
    places.map((span) => span ?? [0, 0]),
  );
  const stored = places.map((span, index) => (span === null ? null : (spans[index] ?? null)));
  const [first] = matchedRules;
  const match = first !== undefined && isCounted(first) ? (matches[0] ?? null) : null;
  return {
    content: {
      storage,
      prompt: text,
      matchedSpan: moved || match === null ? null : (stored[0] ?? null),
      matchedText: match === null ? null : text.slice(match[0], match[1]),
      alteration: source.alteration ?? (isCut ? 'truncated' : text === source.text ? null : 'edited'),
    },
    matchedRules: matchedRules.map((matched, index) => {
      const place = matches[index] ?? null;
      const isWhole = place !== null && text.slice(...place) === source.text.slice(...matched.span);
      return recordedMatch(matched, isWhole ? (stored[index] ?? null) : null);
    }),
    findings: recordable.map(({ kind, detector }, index) => ({
      kind,
      detector,
      span: stored[matches.length + index] ?? null,
    })),
  };
}
