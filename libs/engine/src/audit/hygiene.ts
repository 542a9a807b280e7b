import { createHmac } from 'node:crypto';
import type { Content } from '#contracts/audit.js';
import type { Redactor, DecisionDraft } from '../ports.js';
import type { PolicyRecord, RecordedArgument } from '#contracts/policies.js';
import type { Settings } from '#contracts/settings/settings.js';
import { scrubText, type Span, takeCodePoints } from '#contracts/text.js';
import { redactedJson } from '../json/redacted-json.js';
import { utf8Span } from '../text/utf8.js';
import type { NewRejection } from '#contracts/firewall.js';

/** The salt comes with the commitments. */
export type KeptContent = Omit<Content, 'salt' | 'policy'>;

export type KeptViolations = Pick<NewRejection, 'violations' | 'violationCount'>;

type KeptOf = Pick<DecisionDraft, 'text' | 'json' | 'tooLong' | 'matchedRules' | 'alteration'>;

/** A stored text and the match in it, in UTF-16 units. `moved` if the bytes before the end of the match changed. */
interface Kept {
  readonly text: string;
  readonly match: Span | null;
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

  contentOf(given: KeptOf, settings: Settings): KeptContent {
    const { text, json, tooLong, matchedRules } = given;
    const storage = settings.get('audit_hygiene.prompt_storage');
    if (storage === 'hash') {
      const prompt = this.hash(text, settings);
      return { storage, prompt, matchedSpan: null, matchedText: null, alteration: null };
    }
    const limit = settings.get('audit_hygiene.truncate_at');
    // A text that is too long to be judged is kept only as its head.
    if (tooLong === true) {
      const isCut = takeCodePoints(text, limit).cut;
      return content('truncate', { ...unmatched(this.head(text, limit, storage)), isCut }, given);
    }
    const [first] = matchedRules ?? [];
    const match = first === undefined || first.exception === true ? null : first.span;
    const clean =
      json === undefined
        ? this.clean({ text: scrubText(text), match, moved: false, isCut: false }, storage)
        : null;
    const kept = clean ?? cut(unmatched(this.json(json, storage)), MAX_ARGUMENTS);
    return content(storage, storage === 'truncate' ? cut(kept, limit) : kept, given);
  }

  /** The names of arguments come from the model, so they are redacted. Reasons are texts of this package. */
  violationsOf(violations: Readonly<Record<string, string>>, settings: Settings): KeptViolations {
    const storage = settings.get('audit_hygiene.prompt_storage');
    const names = Object.keys(violations);
    const kept = names
      .slice(0, MAX_VIOLATIONS)
      .map((name) => [
        takeCodePoints(this.head(name, MAX_NAME, storage), MAX_NAME).head,
        takeCodePoints(violations[name] ?? '', MAX_REASON).head,
      ]);
    return { violations: Object.fromEntries(kept) as Record<string, string>, violationCount: names.length };
  }

  /** Arguments that would be changed are withheld, because a replay must not compare other values. */
  policyOf(record: PolicyRecord | undefined, settings: Settings): string | null {
    if (record === undefined) return null;
    const storage = settings.get('audit_hygiene.prompt_storage');
    const kept = Object.entries(record.arguments).map(([pointer, argument]) => {
      // The items of a list are judged with the name of the list.
      const name = pointer.split('/').findLast((token) => !/^\d*$/.test(token)) ?? '';
      return [pointer, this.isKept(name, argument, storage) ? argument : { kind: 'withheld' }] as const;
    });
    return scrubText(JSON.stringify({ ...record, arguments: Object.fromEntries(kept) }));
  }

  private isKept(name: string, argument: RecordedArgument, storage: Content['storage']): boolean {
    if (!('value' in argument) || argument.value === null || typeof argument.value === 'boolean') return true;
    const text = String(argument.value);
    if (storage === 'hash' || text.length > MAX_COMPARED) return false;
    if (storage === 'raw') return true;
    const redact = (given: string): string => this.redactor.redact(given).text;
    const clean = redactedJson({ [name]: text }, redact) as Readonly<Record<string, unknown>>;
    return clean[name] === text;
  }

  private head(text: string, limit: number, storage: Content['storage']): string {
    const given = scrubText(takeCodePoints(text, limit + MAX_SECRET).head);
    return storage === 'raw' ? takeCodePoints(given, limit).head : this.redactedHead(given, limit);
  }

  /** Redacts before it cuts, because no detector finds a secret that was cut. */
  private redactedHead(text: string, limit: number): string {
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

  private json(value: unknown, storage: Content['storage']): string {
    if (storage === 'raw') return scrubText(JSON.stringify(value));
    const redact = (text: string): string => this.redactor.redact(text).text;
    return redact(JSON.stringify(redactedJson(value, redact)));
  }

  private clean(given: Kept, storage: Content['storage']): Kept {
    return storage === 'raw' ? given : this.redact(given);
  }

  private hash(text: string, settings: Settings): string {
    const key = settings.get('audit_hygiene.hash_key');
    // Boot refuses a missing key. Without a key, a digest could be reversed with a dictionary, so nothing is kept.
    return key === null
      ? ''
      : `hmac-sha256:${createHmac('sha256', key).update(scrubText(text)).digest('hex')}`;
  }

  private redact({ text, match, isCut }: Kept): Kept {
    const redacted = this.redactor.redact(text);
    if (match === null) return { text: redacted.text, match, moved: false, isCut };
    const [start, end] = match;
    let shift = 0;
    let newStart = start;
    let newEnd = end;
    let moved = false;
    for (const { span, replacement } of redacted.edits) {
      if (span[0] >= end) break;
      moved = true;
      // A placeholder that overlaps the match is part of the matched text.
      if (span[1] > start && span[0] < start) newStart = span[0] + shift;
      shift += replacement.length - (span[1] - span[0]);
      if (span[1] <= start) newStart = start + shift;
      newEnd = Math.max(span[1], end) + shift;
    }
    return { text: redacted.text, match: [newStart, newEnd], moved, isCut };
  }
}

function unmatched(text: string): Kept {
  return { text, match: null, moved: false, isCut: false };
}

function cut({ text, match, moved, isCut }: Kept, limit: number): Kept {
  const { head, cut: isShorter } = takeCodePoints(text, limit);
  const kept = match !== null && match[1] <= head.length ? match : null;
  return { text: head, match: kept, moved, isCut: isCut || isShorter };
}

function content(
  storage: Content['storage'],
  { text, match, moved, isCut }: Kept,
  given: Pick<KeptOf, 'text' | 'alteration'>,
): KeptContent {
  return {
    storage,
    prompt: text,
    matchedSpan: match === null || moved ? null : utf8Span(text, match),
    matchedText: match === null ? null : text.slice(match[0], match[1]),
    alteration: given.alteration ?? (isCut ? 'truncated' : text === given.text ? null : 'changed'),
  };
}
