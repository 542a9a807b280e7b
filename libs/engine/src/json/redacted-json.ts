// Redaction of JSON text by text, for records and for stored results of tools.
import { scrubText } from '#contracts/common/text.js';
import { MAX_DEPTH } from './plain-json.js';

const TOO_DEEP = '[nested too deep]';

/** A separator that no detector matches across, and that is long enough to separate contexts. */
const GAP = `\n${'·'.repeat(24)}\n`;

/** Returns the replacement of a text that was found under `name`; names themselves have none. */
type Clean = (text: string, name: string) => string;

/**
 * A copy of a JSON value with every text redacted, including names. A text is judged with its name, because a
 * value is a secret under `password` and none under `city`.
 */
export function redactedJson(value: unknown, redact: (text: string) => string): unknown {
  // Most values contain nothing to redact. One pass over all texts detects that.
  const { texts, copy } = textsAndCopy(value);
  return redact(texts) === texts ? copy : copyOf(value, (text, name) => redacted(text, name, redact));
}

/** All texts of a JSON value, for detectors, and a copy of it. */
export function textsAndCopy(value: unknown): { readonly texts: string; readonly copy: unknown } {
  const texts: string[] = [];
  const copy = copyOf(value, (text, name) => {
    texts.push(introduced(text, name));
    return text;
  });
  return { texts: texts.join(GAP), copy };
}

function copyOf(value: unknown, clean: Clean): unknown {
  const copy = (inner: unknown, name: string, depth: number): unknown => {
    if (typeof inner === 'string') return clean(scrubText(inner), name);
    if (typeof inner !== 'object' || inner === null) return inner;
    if (depth === MAX_DEPTH) return TOO_DEEP;
    if (Array.isArray(inner)) return inner.map((item: unknown) => copy(item, name, depth + 1));
    const members = Object.entries(inner).map(([key, member]) => {
      const scrubbed = scrubText(key);
      return [clean(scrubbed, ''), copy(member, scrubbed, depth + 1)] as const;
    });
    return Object.fromEntries(members);
  };
  return copy(value, '', 0);
}

function redacted(text: string, name: string, redact: (text: string) => string) {
  const alone = redact(text);
  if (name === '') return alone;
  const answer = redact(introduced(alone, name));
  const introduction = introduced('', name);
  return answer.startsWith(introduction) ? answer.slice(introduction.length) : answer;
}

function introduced(text: string, name: string) {
  return name === '' ? text : `${name}: ${text}`;
}
