import { createHash, randomBytes } from 'node:crypto';
import type { Commitments, Content } from '../../../contracts/src/audit.js';
import { scrubText } from '../../../contracts/src/text.js';

/** What a commitment can be to; the names are part of it, so that one field's never passes for another's. */
export type CommittedField = keyof Commitments;

export interface CommittedTexts {
  readonly prompt: string;
  readonly matchedText: string | null;
  readonly principal: string | null;
}

/** Of one decision: whoever holds it can try texts against the decision's commitments. */
export function newSalt(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256(salt ‖ name of the field ‖ 0x00 ‖ UTF-8 of the text as it is stored), base64url. */
export function commitmentTo(field: CommittedField, text: string, salt: string): string {
  return createHash('sha256')
    .update(Buffer.from(salt, 'base64url'))
    .update(`${field}\u0000${scrubText(text)}`)
    .digest('base64url');
}

export function commitmentsTo(texts: CommittedTexts, salt: string): Commitments {
  const to = (field: CommittedField, text: string | null): string | null =>
    text === null ? null : commitmentTo(field, text, salt);
  return {
    prompt: commitmentTo('prompt', texts.prompt, salt),
    matchedText: to('matchedText', texts.matchedText),
    principal: to('principal', texts.principal),
  };
}

/** Fields of an entry whose text is not what was committed to; `null` where the salt is erased and nothing can be told. */
export function brokenCommitments(
  commitments: Commitments,
  texts: CommittedTexts,
  salt: Content['salt'],
): readonly CommittedField[] | null {
  if (salt === null) return null;
  const made = commitmentsTo(texts, salt);
  return (['prompt', 'matchedText', 'principal'] as const).filter(
    (field) => made[field] !== commitments[field],
  );
}
