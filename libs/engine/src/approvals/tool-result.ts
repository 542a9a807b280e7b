import { scrubText } from '../../../contracts/src/text.js';
import { redactedJson } from '../json/redacted-json.js';

const MAXIMUM_BYTES = 16 * 1024;

/** More JSON than this is not looked through for secrets, and therefore not kept. */
const MOST_READ = 1024 * 1024;

/** What a tool returned, as it may be stored and shown: JSON, redacted, at most 16 KiB. */
export function storableResult(value: unknown, redact: (text: string) => string): unknown {
  const text = asJson(value);
  if (text === undefined) return null;
  if (text.length > MOST_READ) return { truncated: true, text: '' };
  const redacted = redactedJson(JSON.parse(text), redact);
  if (Buffer.byteLength(JSON.stringify(redacted)) <= MAXIMUM_BYTES) return redacted;
  return { truncated: true, text: headOf(JSON.stringify(redacted)) };
}

function asJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_key, leaf: unknown) =>
      typeof leaf === 'bigint' ? leaf.toString() : leaf,
    );
  } catch {
    // A cycle, or a toJSON that throws: the call ran all the same.
    return JSON.stringify('[result that is not JSON]');
  }
}

/** Escaped quotes and multi-byte characters cost more when the head is encoded again: a quarter always fits. */
function headOf(text: string): string {
  return scrubText(text.slice(0, MAXIMUM_BYTES / 4));
}
