// Salted digests of texts in the evidence: they verify a text until its salt is erased with it.
import { hash, randomFillSync } from 'node:crypto';
import type { Commitments, Content } from '#contracts/audit/record.js';
import { scrubText } from '#contracts/common/text.js';

/**
 * Fields with a commitment. The name is part of the hash, so that commitments cannot be exchanged between fields.
 */
type CommittedField = keyof Commitments;

interface CommittedTexts {
  readonly prompt: string;
  readonly matchedText: string | null;
  readonly principal: string | null;
  readonly policy: string | null;
}

const SALT_BYTES = 32;
/** Filled for many decisions at once, because a call for random bytes takes as long as for thousands of them. */
const random = Buffer.alloc(128 * SALT_BYTES);
let used = random.length;

/** The salt of one decision; needed to check its commitments. */
export function newSalt(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  const salt = random.toString('base64url', used, used + SALT_BYTES);
  random.fill(0, used, used + SALT_BYTES);
  used += SALT_BYTES;
  return salt;
}

/** SHA-256(salt ‖ name of the field ‖ 0x00 ‖ UTF-8 of the stored text), base64url. */
export function commitmentTo(field: CommittedField, text: string, salt: string): string {
  const bytes = [Buffer.from(salt, 'base64url'), Buffer.from(`${field}\u0000${scrubText(text)}`)];
  return hash('sha256', Buffer.concat(bytes), 'base64url');
}

export function commitmentsTo(texts: CommittedTexts, salt: string): Commitments {
  const to = (field: CommittedField, text: string | null) =>
    text === null ? null : commitmentTo(field, text, salt);
  return {
    prompt: commitmentTo('prompt', texts.prompt, salt),
    matchedText: to('matchedText', texts.matchedText),
    principal: to('principal', texts.principal),
    policy: to('policy', texts.policy),
  };
}

/** Fields whose text does not match its commitment; `null` where the salt is erased and nothing can be checked. */
export function brokenCommitments(
  commitments: Commitments,
  texts: CommittedTexts,
  salt: Content['salt'],
): readonly CommittedField[] | null {
  if (salt === null) return null;
  const recomputed = commitmentsTo(texts, salt);
  return (['prompt', 'matchedText', 'principal', 'policy'] as const).filter(
    (field) => recomputed[field] !== commitments[field],
  );
}
