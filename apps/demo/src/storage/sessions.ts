import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export type Role = 'viewer' | 'operator';

/** The authenticated user. The API records `id` as the actor of decisions and changes. */
export interface User {
  readonly id: string;
  readonly role: Role;
}

/** Two operators, because some refunds need two approvals, and a user who may only read. */
export const USERS = [
  { id: 'ops-1', role: 'operator' },
  { id: 'ops-2', role: 'operator' },
  { id: 'viewer-1', role: 'viewer' },
] as const satisfies readonly User[];

export type UserId = (typeof USERS)[number]['id'];

export const SESSION_COOKIE = 'guardrails_demo';
export const SESSION_LIFETIME_MS = 12 * 3_600_000;

/**
 * Signed sessions of the form `id.user.expiry.signature`. They stay valid over a restart. Ended sessions are kept in
 * memory, so a restart makes an ended session valid again until it expires.
 */
export class Sessions {
  private readonly ended = new Map<string, number>();

  constructor(
    private readonly secret: string,
    private readonly now: () => number = Date.now,
  ) {}

  begin(userId: UserId): string {
    const claims = [
      randomBytes(16).toString('base64url'),
      userId,
      String(this.now() + SESSION_LIFETIME_MS),
    ].join('.');
    return `${claims}.${this.sign(claims)}`;
  }

  userOf(session: string): User | null {
    const { claims, id, userId, expiry, signature } = partsOf(session);
    if (!isSameSecret(signature, this.sign(claims))) return null;
    if (this.now() >= Number(expiry) || this.ended.has(id)) return null;
    return USERS.find((user) => user.id === userId) ?? null;
  }

  end(session: string): void {
    if (this.userOf(session) === null) return;
    for (const [id, expiry] of this.ended) if (expiry <= this.now()) this.ended.delete(id);
    const { id, expiry } = partsOf(session);
    this.ended.set(id, Number(expiry));
  }

  private sign(claims: string) {
    return createHmac('sha256', this.secret).update(claims).digest('base64url');
  }
}

function partsOf(session: string): Record<'claims' | 'id' | 'userId' | 'expiry' | 'signature', string> {
  const [id = '', userId = '', expiry = '', signature = ''] = session.split('.');
  return { claims: `${id}.${userId}.${expiry}`, id, userId, expiry, signature };
}

/** Compares in constant time. The digests give both sides the same length. */
export function isSameSecret(secret: string, expected: string): boolean {
  return timingSafeEqual(digest(secret), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
