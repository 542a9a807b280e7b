import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Approval } from '../../../contracts/src/approvals.js';
import { ConfigurationError } from '../../../contracts/src/errors.js';
import { SealedText } from './sealed-text.js';

/** Keeps tokens apart from whatever else the secret may once be used for. */
const PURPOSE = 'nest-guardrails/approval/v1\0';

const SHORTEST_SECRET = 32;

/** 256 bits in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export type TokenDelivery = 'list' | 'out_of_band';

export interface IssuedToken {
  /** For the approver alone: never for the model, a log, an event or a store. */
  readonly token: string;
  readonly hash: string;
  /** The token as a store may keep it for the notifier; `null` where it can be derived again. */
  readonly sealed: string | null;
}

/**
 * Makes the tokens by which approvers decide. Under `list` a token is derived from the secret and the approval's
 * reference, so it can be shown again though no store holds it; under `out_of_band` it is drawn at random, and only
 * the notifier opens what is kept of it.
 */
export class ApprovalTokens {
  private readonly sealing: SealedText;

  constructor(
    private readonly secret: string,
    private readonly delivery: TokenDelivery,
  ) {
    if (Buffer.byteLength(secret) < SHORTEST_SECRET) {
      throw new ConfigurationError([
        `hitl.token_secret must have at least ${SHORTEST_SECRET} bytes; set GUARDRAILS_HITL_TOKEN_SECRET, the same on every instance.`,
      ]);
    }
    this.sealing = new SealedText(secret, 'nest-guardrails/approval-token/v1');
  }

  issue(reference: string): IssuedToken {
    const derived = this.derive({ reference });
    const token = derived ?? randomBytes(32).toString('base64url');
    const sealed = derived === null ? this.sealing.seal(token, reference) : null;
    return { token, hash: ApprovalTokens.hash(token), sealed };
  }

  /** `null` where tokens are delivered out of band: no route shows one. */
  derive({ reference }: Pick<Approval, 'reference'>): string | null {
    if (this.delivery === 'out_of_band') return null;
    return createHmac('sha256', this.secret)
      .update(PURPOSE + reference)
      .digest('base64url');
  }

  get areOutOfBand(): boolean {
    return this.delivery === 'out_of_band';
  }

  /** @throws where it was sealed under another secret, or for another approval. */
  open(sealed: string, { reference }: Pick<Approval, 'reference'>): string {
    return this.sealing.open(sealed, reference);
  }

  /** What a store keeps in its place: SHA-256, hex. */
  static hash(token: string): string {
    return createHash('sha256').update(token).digest('hex');
  }

  /** Whether the approval that a store found for the token is the token's: compared in constant time. */
  static names(token: string, { tokenHash }: Pick<Approval, 'tokenHash'>): boolean {
    const [asked, kept] = [Buffer.from(ApprovalTokens.hash(token)), Buffer.from(tokenHash)];
    return asked.length === kept.length && timingSafeEqual(asked, kept);
  }

  /** Whether a text could be a token at all; what could not is unknown without a look into the store. */
  static looksLike(token: string): boolean {
    return TOKEN.test(token);
  }
}
