import { isPlainObject, ownMember } from '#contracts/common/text.js';

/** Where chunks of a stream have their text: a chunk that is a text, or the member at a path. */
export class ChunkText {
  private readonly path: readonly string[];

  constructor(path: string) {
    this.path = path.split('.');
  }

  /** `null` for a chunk that has no text of the stream. */
  read(chunk: unknown): string | null {
    const text = this.path.reduce<unknown>(ownMember, chunk);
    if (typeof chunk === 'string') return chunk;
    return typeof text === 'string' ? text : null;
  }

  /** A chunk like this one with another text. */
  write(chunk: unknown, text: string): unknown {
    return typeof chunk === 'string' ? text : replaced(chunk, this.path, text);
  }

  /** Whether a chunk has members beside its text, apart from those of the protocol. */
  hasOtherMembers(chunk: unknown): boolean {
    return hasBeside(chunk, this.path, () => true);
  }

  /** Whether a chunk has texts beside its own, apart from those of the protocol. */
  hasOtherText(chunk: unknown): boolean {
    return hasBeside(chunk, this.path, (member) => hasText(member));
  }
}

/** Beside the text and on the way to it: written by the host's code, not by a model. */
const PROTOCOL_MEMBERS: ReadonlySet<string> = new Set(['type', 'id', 'event', 'role']);
/** Deeper chunks are sanitized whole, which reports them. */
const MAX_DEPTH = 100;

function replaced(value: unknown, path: readonly string[], text: string): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return text;
  return { ...(value as object), [key]: replaced(ownMember(value, key), rest, text) };
}

/** Whether a member beside the text, apart from those of the protocol, counts. */
function hasBeside(
  value: unknown,
  [own, ...rest]: readonly string[],
  counts: (member: unknown) => boolean,
): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]: [string, unknown]) => {
    if (key === own) return hasBeside(member, rest, counts);
    return !(PROTOCOL_MEMBERS.has(key) && typeof member !== 'object') && counts(member);
  });
}

/** Names of members count, too, and so does an object that chooses its own JSON. */
function hasText(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value !== '';
  if (typeof value !== 'object' || value === null) return false;
  if (depth > MAX_DEPTH || !Array.isArray(value))
    return !isPlainObject(value) || Object.keys(value).length > 0;
  return value.some((member) => hasText(member, depth + 1));
}
