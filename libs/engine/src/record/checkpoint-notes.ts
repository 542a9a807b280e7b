// Signed checkpoints of the log: the schedule writes them, the command line opens them.
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  hash,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import { ConfigurationError } from '#contracts/common/errors.js';
import type { LogHead } from '#contracts/events/checkpoints.js';
import type { LogSeal } from '#contracts/log/transparency-log.js';

/** The DER headers of a 32-byte Ed25519 seed and of a public key. */
const SEED_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_HEAD = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_BYTES = 32;
/** The algorithm number of Ed25519 in signed notes. */
const ED25519 = Buffer.of(1);

const INVALID_KEY =
  'audit.checkpoint_key is not an Ed25519 key: set it to the output of openssl genpkey -algorithm ed25519, of openssl rand -base64 32, or to file: and the path of such a key';

/** Why a key cannot sign checkpoints. */
export function invalidCheckpointKey(key: string): readonly string[] {
  return privateKey(key) === null ? [INVALID_KEY] : [];
}

/** @param secret `hitl.token_secret`; without it `audit_hygiene.hash_key` */
export function logSeal(secret: string): LogSeal {
  const key = createHmac('sha256', secret).update('nest-guardrails/log-seal/v1').digest();
  return (head) => createHmac('sha256', key).update(head).digest('base64url');
}

/** Signs checkpoints as C2SP `tlog-checkpoint` notes. */
export class CheckpointSigner {
  readonly #key: KeyObject;
  readonly #identity: LogIdentity;

  /** @param key an Ed25519 key: PEM (PKCS #8), or its 32 bytes in base64 */
  constructor(key: string) {
    const parsed = privateKey(key);
    if (parsed === null) throw new ConfigurationError([INVALID_KEY]);
    this.#key = parsed;
    this.#identity = new LogIdentity(rawPublicKey(parsed));
  }

  /** The form in which verifiers of signed notes accept it: name, id and key. */
  get publicKey(): string {
    return this.#identity.verifierKey;
  }

  sign({ size, root, time }: LogHead): string {
    const { origin, keyId } = this.#identity;
    const text = `${origin}\n${size}\n${root}\ntime ${time.toISOString()}\n`;
    const signature = Buffer.concat([keyId, sign(null, Buffer.from(text), this.#key)]);
    return `${text}\n— ${origin} ${signature.toString('base64')}\n`;
  }
}

const NOTE =
  /^(?<text>(?<origin>[^\n]+)\n(?<size>0|[1-9]\d{0,15})\n(?<root>[A-Za-z0-9+/]{43}=)\n(?:[^\n]+\n)*)\n(?<signatures>(?:— [^\n]+\n)+)$/u;
const TIME = /^time (\S+)$/m;

/**
 * What a signed note states.
 *
 * @param publicKey as `CheckpointSigner.publicKey`, or the 32 bytes of the key in base64
 * @throws Error with a sentence for the person who verifies
 */
export function openCheckpoint(note: string, publicKey: string): LogHead {
  const key = /^(?:[^+\s]+\+[0-9a-f]{8}\+)?([A-Za-z0-9+/]{43,44}=?)$/.exec(publicKey.trim())?.[1];
  const bytes = Buffer.from(key ?? '', 'base64').subarray(-KEY_BYTES);
  if (bytes.length !== KEY_BYTES)
    throw new Error('The public key is invalid. Pass what nest-guardrails checkpoint --public-key prints.');
  const { text, origin, size, root, signatures } = NOTE.exec(note)?.groups ?? {};
  const time = new Date(TIME.exec(text ?? '')?.[1] ?? Number.NaN);
  if (text === undefined || root === undefined || Number.isNaN(time.getTime()))
    throw new Error('The checkpoint is not a signed note of nest-guardrails.');
  const identity = new LogIdentity(bytes);
  const isSigned = (signatures ?? '').split('\n').some((line) => identity.hasSigned(text, line));
  if (origin !== identity.origin || !isSigned)
    throw new Error('The checkpoint is not signed with this key, or was changed.');
  return { size: Number(size), root, time };
}

/** Names derived from the key, so that they need no configuration. One key signs one log. */
class LogIdentity {
  readonly origin: string;
  readonly keyId: Buffer;

  constructor(private readonly key: Buffer) {
    this.origin = `nest-guardrails/${hash('sha256', key, 'hex').slice(0, 16)}`;
    const named = Buffer.concat([Buffer.from(`${this.origin}\n`), ED25519, key]);
    this.keyId = hash('sha256', named, 'buffer').subarray(0, 4);
  }

  get verifierKey(): string {
    const key = Buffer.concat([ED25519, this.key]).toString('base64');
    return `${this.origin}+${this.keyId.toString('hex')}+${key}`;
  }

  hasSigned(text: string, line: string): boolean {
    const signature = Buffer.from(line.split(' ')[2] ?? '', 'base64');
    if (!line.startsWith(`— ${this.origin} `) || !signature.subarray(0, 4).equals(this.keyId)) return false;
    const key = createPublicKey({
      key: Buffer.concat([PUBLIC_HEAD, this.key]),
      format: 'der',
      type: 'spki',
    });
    return verify(null, Buffer.from(text), key, signature.subarray(4));
  }
}

function privateKey(text: string) {
  const seed = Buffer.from(text.trim(), 'base64');
  try {
    const key = text.includes('-----BEGIN')
      ? createPrivateKey(text)
      : createPrivateKey({ key: Buffer.concat([SEED_HEAD, seed]), format: 'der', type: 'pkcs8' });
    const isSeed = text.includes('-----BEGIN') || seed.length === KEY_BYTES;
    return isSeed && key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}

function rawPublicKey(key: KeyObject): Buffer {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES);
}
