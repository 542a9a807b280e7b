import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Approval } from '../../../contracts/src/approvals.js';
import { ConfigurationError } from '../../../contracts/src/errors.js';

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
}

/**
 * Makes the tokens by which approvers decide. Under `list` a token is derived from the secret and the approval's
 * reference, so it can be shown again though no store holds it; under `out_of_band` it is drawn at random, and is
 * known only in the moment it is issued.
 */
export class ApprovalTokens {
  constructor(
    private readonly secret: string | null,
    private readonly delivery: TokenDelivery,
  ) {
    if (delivery === 'list' && (secret === null || Buffer.byteLength(secret) < SHORTEST_SECRET)) {
      throw new ConfigurationError([
        `hitl.token_secret must have at least ${SHORTEST_SECRET} bytes where hitl.token_delivery is list; set GUARDRAILS_HITL_TOKEN_SECRET, the same on every instance.`,
      ]);
    }
  }

  issue(reference: string): IssuedToken {
    const token = this.derive({ reference }) ?? randomBytes(32).toString('base64url');
    return { token, hash: ApprovalTokens.hash(token) };
  }

  /** `null` where tokens are delivered out of band: nobody can show one again. */
  derive({ reference }: Pick<Approval, 'reference'>): string | null {
    if (this.delivery === 'out_of_band' || this.secret === null) return null;
    return createHmac('sha256', this.secret)
      .update(PURPOSE + reference)
      .digest('base64url');
  }

  /** What a store keeps in its place: SHA-256, hex. */
  static hash(token: string): string {
    return createHash('sha256').update(token).digest('hex');
  }

  /** Whether a text could be a token at all; what could not is unknown without a look into the store. */
  static looksLike(token: string): boolean {
    return TOKEN.test(token);
  }
}
