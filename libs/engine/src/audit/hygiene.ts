import { createHmac } from 'node:crypto';
import type { Content } from '../../../contracts/src/audit.js';
import type { Redactor } from '../../../contracts/src/output.js';
import type { Settings } from '../../../contracts/src/settings/settings.js';
import type { Span } from '../../../contracts/src/span.js';
import { scrubText, takeCodePoints } from '../../../contracts/src/text.js';
import { utf8Span } from '../text/utf8.js';

/** A stored text and where the match stands in it, in UTF-16 units; `moved` when the bytes before its end changed. */
interface Kept {
  readonly text: string;
  readonly match: Span | null;
  readonly moved: boolean;
}

/** Decides what of a text may be kept. Nothing that it removes may survive elsewhere: the matched text follows the prompt. */
export class Hygiene {
  constructor(private readonly redactor: Redactor) {}

  contentOf(text: string, match: Span | null, settings: Settings, headOnly = false): Content {
    const storage = settings.get('audit_hygiene.prompt_storage');
    if (storage === 'hash')
      return { storage, prompt: this.hash(text, settings), matchedSpan: null, matchedText: null };
    const limit = settings.get('audit_hygiene.truncate_at');
    // What is too long to be judged is too long to be kept; the head of it is enough to recognise it by.
    const given = headOnly ? takeCodePoints(text, limit).head : text;
    const scrubbed: Kept = { text: scrubText(given), match, moved: false };
    const clean = storage === 'raw' ? scrubbed : this.redact(scrubbed);
    if (headOnly) return content('truncate', clean);
    return content(storage, storage === 'truncate' ? cut(clean, limit) : clean);
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

function cut({ text, match, moved }: Kept, limit: number): Kept {
  const { head } = takeCodePoints(text, limit);
  return { text: head, match: match !== null && match[1] <= head.length ? match : null, moved };
}

function content(storage: Content['storage'], { text, match, moved }: Kept): Content {
  return {
    storage,
    prompt: text,
    matchedSpan: match === null || moved ? null : utf8Span(text, match),
    matchedText: match === null ? null : text.slice(match[0], match[1]),
  };
}
