import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { Approval, ApprovalVerdict, ApprovalVote, NewApproval } from '#contracts/approvals/approvals.js';
import { ConfigurationError } from '#contracts/common/errors.js';
import type { SettingValues } from '#contracts/settings/settings.schema.js';
import { digestOf } from '../../json/plain-json.js';
import { isErased } from './life-cycle.js';

// The token of an approval, and the MACs that show whether its row was changed in the database.

/** Keys derived from `hitl.token_secret`. Without the secret Approvals are not set up. */
export class ApprovalKeys {
  readonly tokens: ApprovalTokens;
  readonly macs: ApprovalMacs;

  constructor(secret: string, delivery: TokenDelivery) {
    this.tokens = new ApprovalTokens(secret, delivery);
    this.macs = new ApprovalMacs(secret);
  }
}

/** `null` without `hitl.token_secret`. */
export function approvalKeys(configured: SettingValues): ApprovalKeys | null {
  const secret = configured['hitl.token_secret'];
  return secret === null ? null : new ApprovalKeys(secret, configured['hitl.token_delivery']);
}

/** Separates tokens from other uses of the secret. */
const PURPOSE = 'nest-guardrails/approval/v1\0';

const MIN_SECRET_BYTES = 32;

/** 256 bits in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

type TokenDelivery = 'list' | 'out_of_band';

interface IssuedToken {
  /** For the approver only; must not reach the model, a log, an event or a store. */
  readonly token: string;
  readonly hash: string;
  /** Encrypted token for the store; `null` where the token can be derived. */
  readonly encrypted: string | null;
}

/**
 * Creates approval tokens. Under `list` a token is derived from the secret and the approval's reference, so that
 * it can be shown without being stored. Under `out_of_band` it is random, and only the notifier receives it.
 */
export class ApprovalTokens {
  private readonly sealing: TextCipher;

  constructor(
    private readonly secret: string,
    private readonly delivery: TokenDelivery,
  ) {
    if (Buffer.byteLength(secret) < MIN_SECRET_BYTES) {
      throw new ConfigurationError([
        `hitl.token_secret must have at least ${MIN_SECRET_BYTES} bytes; set GUARDRAILS_HITL_TOKEN_SECRET, the same on every instance.`,
      ]);
    }
    this.sealing = new TextCipher(secret, 'nest-guardrails/approval-token/v1');
  }

  issue(reference: string): IssuedToken {
    const derived = this.derive({ reference });
    const token = derived ?? randomBytes(32).toString('base64url');
    const sealed = derived === null ? this.sealing.encrypt(token, reference) : null;
    return { token, hash: ApprovalTokens.hash(token), encrypted: sealed };
  }

  /** `null` under `out_of_band`: no route shows a token. */
  derive({ reference }: Pick<Approval, 'reference'>): string | null {
    if (this.delivery === 'out_of_band') return null;
    return createHmac('sha256', this.secret)
      .update(PURPOSE + reference)
      .digest('base64url');
  }

  get areOutOfBand(): boolean {
    return this.delivery === 'out_of_band';
  }

  /** @throws where it was encrypted with another secret, or for another approval. */
  decrypt(sealed: string, { reference }: Pick<Approval, 'reference'>): string {
    return this.sealing.decrypt(sealed, reference);
  }

  /** SHA-256, hex: the stored form of a token. */
  static hash(token: string): string {
    return createHash('sha256').update(token).digest('hex');
  }

  /** Compares the hash of the token with the approval's, in constant time. */
  static matches(token: string, { tokenHash }: Pick<Approval, 'tokenHash'>): boolean {
    return isSame(ApprovalTokens.hash(token), tokenHash);
  }

  /** Whether a text has the form of a token; other texts need no store lookup. */
  static looksLike(token: string): boolean {
    return TOKEN.test(token);
  }
}

/** Everything that is approved, and everything that controls the run. */
type Sealed = Omit<
  NewApproval,
  'callMac' | 'encryptedToken' | 'arguments' | 'editReason' | 'requestId' | 'traceParent' | 'ttlMs'
>;

type DecidedApproval = Pick<Approval, 'reference' | 'decision' | 'decidedBy' | 'decisionMac'>;

/**
 * MACs of pending calls and decisions, with a key that is not in the database: a row that was changed or forged
 * does not run.
 */
class ApprovalMacs {
  private readonly key: Buffer;

  constructor(secret: string) {
    this.key = createHmac('sha256', secret).update('nest-guardrails/approval-seal/v1').digest();
  }

  ofCall(call: Sealed): string {
    const { rule, approvers, group, isReasonRequired } = call.requirement;
    return this.mac('call', [
      call.reference,
      call.tokenHash,
      call.runId,
      call.stepName,
      call.tool,
      call.toolFingerprint,
      call.argumentsDigest,
      call.reversible,
      call.idempotent,
      call.principalId,
      call.application,
      call.policyRevision,
      call.warnings,
      call.claims.map(({ budget, owner, amount }) => [budget, owner, amount]),
      [rule, approvers, group, isReasonRequired],
      digestOf([call.requestedArguments, call.overwritten]),
      [call.supersedes, call.firstId, call.editors],
      // Calls without risks have the MAC that they had before risks existed.
      ...(call.risk.length > 0 ? [call.risk.map(({ name, text }) => [name, text])] : []),
      // So have calls without a headline.
      ...(call.headline === null ? [] : [{ headline: call.headline }]),
    ]);
  }

  ofVote(reference: string, actorId: string): string {
    return this.mac('vote', [reference, actorId]);
  }

  /** Cast in the application, by the recorded actor, for this approval. */
  isVoteOf({ reference }: Pick<Approval, 'reference'>, { actorId, voteMac }: ApprovalVote): boolean {
    return isSame(this.ofVote(reference, actorId), voteMac);
  }

  ofDecision(reference: string, verdict: ApprovalVerdict, actorId: string): string {
    return this.mac('decision', [reference, verdict, actorId]);
  }

  /** Requested by the application, and unchanged. */
  isCallOf(approval: Approval): boolean {
    return isSame(this.ofCall(approval), approval.callMac);
  }

  /** Decided in the application, by the recorded actor. */
  isDecisionOf({ reference, decision, decidedBy, decisionMac }: DecidedApproval): boolean {
    if (decision === null || decidedBy === null || decisionMac === null) return false;
    return isSame(this.ofDecision(reference, decision, decidedBy), decisionMac);
  }

  isApprovalOf(approval: DecidedApproval): boolean {
    return approval.decision === 'approved' && this.isDecisionOf(approval);
  }

  private mac(kind: string, parts: readonly unknown[]) {
    return createHmac('sha256', this.key)
      .update(JSON.stringify([kind, ...parts]))
      .digest('base64url');
  }
}

/**
 * Returns a check that lists what differs in a stored approval. Without the secret (`hitl.token_secret`) only the
 * digest of the arguments is compared. An erased call keeps the MACs of its decision and its votes.
 */
export function brokenSeals(secret: string | null): (approval: Approval) => readonly string[] {
  const macs = secret === null ? null : new ApprovalMacs(secret);
  return (approval) => {
    const erased = isErased(approval);
    const isCallIntact = macs === null || erased || macs.isCallOf(approval);
    return [
      ...(erased || hasItsDigest(approval) ? [] : ['its arguments do not match their digest']),
      ...(isCallIntact ? [] : [`its call ${CHANGED}`]),
      ...(macs === null ? [] : brokenDecisions(approval, macs)),
    ];
  };
}

const CHANGED =
  'does not match its keyed digest: it was changed, or sealed with another hitl.token_secret than the given one';

function brokenDecisions(approval: Approval, macs: ApprovalMacs): readonly string[] {
  const broken = approval.votes.filter((vote) => !macs.isVoteOf(approval, vote));
  return [
    ...(isDecisionIntact(approval, macs) ? [] : [`its decision ${CHANGED}`]),
    ...broken.map(({ id, actorId }) => `vote ${id} of ${JSON.stringify(actorId)} ${CHANGED}`),
  ];
}

/** Without the secret a call can still be rejected; the decision is then not sealed. */
function isDecisionIntact(approval: Approval, macs: ApprovalMacs) {
  const { decision, decisionMac } = approval;
  if (decision === null) return decisionMac === null;
  return (decision === 'rejected' && decisionMac === '') || macs.isDecisionOf(approval);
}

/** Changed arguments may have no canonical form. */
function hasItsDigest({ arguments: args, argumentsDigest }: Approval) {
  try {
    return args !== null && digestOf(args) === argumentsDigest;
  } catch {
    return false;
  }
}

/** In constant time. */
function isSame(expected: string, stored: string) {
  const [one, other] = [Buffer.from(expected), Buffer.from(stored)];
  return one.length === other.length && timingSafeEqual(one, other);
}

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts texts for a store with a key that is derived from a secret. */
class TextCipher {
  private readonly key: Buffer;

  constructor(secret: string, purpose: string) {
    this.key = createHmac('sha256', secret).update(purpose).digest();
  }

  /** `belonging` must be the same for decryption, so that a ciphertext cannot be moved to another record. */
  encrypt(text: string, belonging: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key, nonce).setAAD(Buffer.from(belonging));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
  }

  decrypt(sealed: string, belonging: string): string {
    const bytes = Buffer.from(sealed, 'base64url');
    const body = NONCE_BYTES + TAG_BYTES;
    const decipher = createDecipheriv(ALGORITHM, this.key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(belonging)).setAuthTag(bytes.subarray(NONCE_BYTES, body));
    return Buffer.concat([decipher.update(bytes.subarray(body)), decipher.final()]).toString('utf8');
  }
}
