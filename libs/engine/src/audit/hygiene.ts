import { createHmac } from 'node:crypto';
import type { Content } from '../../../contracts/src/audit.js';
import type { Redactor } from '../ports.js';
import type { DecisionDraft } from '../ports.js';
import type { Settings } from '../../../contracts/src/settings/settings.js';
import { scrubText, type Span, takeCodePoints } from '../../../contracts/src/text.js';
import { redactedJson } from '../json/redacted-json.js';
import { utf8Span } from '../text/utf8.js';
import { keptViolations, type KeptViolations } from './kept-violations.js';
import { LONGEST_SECRET, redactedHead } from './redacted-head.js';

/** The salt is no part of hygiene: it comes with the commitments. */
export type KeptContent = Omit<Content, 'salt'>;

type KeptOf = Pick<DecisionDraft, 'text' | 'json' | 'tooLong' | 'matchedRules'>;

/** A stored text and where the match stands in it, in UTF-16 units; `moved` when the bytes before its end changed. */
interface Kept {
  readonly text: string;
  readonly match: Span | null;
  readonly moved: boolean;
}

/** Characters of a tool call's arguments that a record keeps. */
const MOST_ARGUMENTS = 65_536;

/** Decides what of a text may be kept. Nothing that it removes may survive elsewhere: the matched text follows the prompt. */
export class Hygiene {
  constructor(private readonly redactor: Redactor) {}

  contentOf({ text, json, tooLong, matchedRules }: KeptOf, settings: Settings): KeptContent {
    const storage = settings.get('audit_hygiene.prompt_storage');
    if (storage === 'hash')
      return { storage, prompt: this.hash(text, settings), matchedSpan: null, matchedText: null };
    const limit = settings.get('audit_hygiene.truncate_at');
    // What is too long to be judged is too long to be kept; the head of it is enough to recognise it by.
    if (tooLong === true) return content('truncate', unmatched(this.head(text, limit, storage)));
    const match = matchedRules?.[0]?.span ?? null;
    const clean =
      json === undefined ? this.clean({ text: scrubText(text), match, moved: false }, storage) : null;
    const kept = clean ?? unmatched(takeCodePoints(this.json(json, storage), MOST_ARGUMENTS).head);
    return content(storage, storage === 'truncate' ? cut(kept, limit) : kept);
  }

  /** The names of arguments are the model's words too. */
  violationsOf(violations: Readonly<Record<string, string>>, settings: Settings): KeptViolations {
    const storage = settings.get('audit_hygiene.prompt_storage');
    return keptViolations(violations, (text, most) => this.head(text, most, storage));
  }

  private head(text: string, limit: number, storage: Content['storage']): string {
    const given = scrubText(takeCodePoints(text, limit + LONGEST_SECRET).head);
    return storage === 'raw' ? takeCodePoints(given, limit).head : redactedHead(given, limit, this.redactor);
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
    // Without a key a digest of a prompt is open to a dictionary. Boot refuses this; nothing is kept if it happens.
    return key === null
      ? ''
      : `hmac-sha256:${createHmac('sha256', key).update(scrubText(text)).digest('hex')}`;
  }

  private redact({ text, match }: Kept): Kept {
    const redacted = this.redactor.redact(text);
    if (match === null) return { text: redacted.text, match, moved: false };
    const [start, end] = match;
    let shift = 0;
    let newStart = start;
    let newEnd = end;
    let moved = false;
    for (const { span, replacement } of redacted.edits) {
      if (span[0] >= end) break;
      moved = true;
      // A placeholder that reaches into the match is shown whole.
      if (span[1] > start && span[0] < start) newStart = span[0] + shift;
      shift += replacement.length - (span[1] - span[0]);
      if (span[1] <= start) newStart = start + shift;
      newEnd = Math.max(span[1], end) + shift;
    }
    return { text: redacted.text, match: [newStart, newEnd], moved };
  }
}

function unmatched(text: string): Kept {
  return { text, match: null, moved: false };
}

function cut({ text, match, moved }: Kept, limit: number): Kept {
  const { head } = takeCodePoints(text, limit);
  return { text: head, match: match !== null && match[1] <= head.length ? match : null, moved };
}

function content(storage: Content['storage'], { text, match, moved }: Kept): KeptContent {
  return {
    storage,
    prompt: text,
    matchedSpan: match === null || moved ? null : utf8Span(text, match),
    matchedText: match === null ? null : text.slice(match[0], match[1]),
  };
}
