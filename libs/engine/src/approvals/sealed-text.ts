import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a text for a store, under a key of its own that is derived from a secret. */
export class SealedText {
  private readonly key: Buffer;

  constructor(secret: string, purpose: string) {
    this.key = createHmac('sha256', secret).update(purpose).digest();
  }

  /** Opens only together with the same `belonging`: what is sealed for one record is worth nothing in another. */
  seal(text: string, belonging: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key, nonce).setAAD(Buffer.from(belonging));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
  }

  open(sealed: string, belonging: string): string {
    const bytes = Buffer.from(sealed, 'base64url');
    const body = NONCE_BYTES + TAG_BYTES;
    const decipher = createDecipheriv(ALGORITHM, this.key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(belonging)).setAuthTag(bytes.subarray(NONCE_BYTES, body));
    return Buffer.concat([decipher.update(bytes.subarray(body)), decipher.final()]).toString('utf8');
  }
}
