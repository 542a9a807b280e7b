import { resultText } from '#engine/result-text.js';
import { readParts, type ReadResult } from '#adapters/shared/read-parts.js';

/** A result of a tool as the SDK passes it to the model. */
export interface ModelOutput {
  readonly type: string;
  readonly value?: unknown;
  readonly reason?: string | undefined;
}

/** Only an output of the type `content` has parts that are not text. */
export function readModelOutput({ type, value, reason }: ModelOutput): ReadResult {
  return type === 'content' ? readParts(value) : { text: resultText(value ?? reason ?? ''), notText: [] };
}
