import { scrubText } from '../../../contracts/src/text.js';
import { DEEPEST } from './plain-json.js';

const TOO_DEEP = '[nested too deep]';

/**
 * A copy of a JSON value with every text in it redacted, names included. A text is judged together with its name,
 * because behind `password` looks a secret what behind `city` is none.
 */
export function redactedJson(value: unknown, redact: (text: string) => string): unknown {
  const copy = (inner: unknown, name: string, depth: number): unknown => {
    if (typeof inner === 'string') return redactedText(scrubText(inner), name, redact);
    if (typeof inner !== 'object' || inner === null) return inner;
    if (depth === DEEPEST) return TOO_DEEP;
    if (Array.isArray(inner)) return inner.map((item: unknown) => copy(item, name, depth + 1));
    const members = Object.entries(inner).map(([key, member]) => {
      const scrubbed = scrubText(key);
      return [redact(scrubbed), copy(member, scrubbed, depth + 1)] as const;
    });
    return Object.fromEntries(members);
  };
  return copy(value, '', 0);
}

function redactedText(text: string, name: string, redact: (text: string) => string): string {
  const alone = redact(text);
  if (alone !== text || name === '') return alone;
  const introduction = `${name}: `;
  const introduced = redact(introduction + text);
  if (introduced === introduction + text) return text;
  return introduced.startsWith(introduction) ? introduced.slice(introduction.length) : introduced;
}
