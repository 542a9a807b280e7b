import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export type Role = 'viewer' | 'operator';

/** The authenticated user. The API records `id` as the actor of decisions and changes. */
export interface User {
  readonly id: string;
  readonly role: Role;
}

export const USERS: Readonly<Record<Role, User>> = {
  viewer: { id: 'viewer-1', role: 'viewer' },
  operator: { id: 'ops-1', role: 'operator' },
};

export const SESSION_COOKIE = 'guardrails_demo';
export const SESSION_LIFETIME_MS = 12 * 3_600_000;

/**
 * Signed sessions of the form `id.role.expiry.signature`. They stay valid over a restart. Ended sessions are kept in
 * memory, so a restart makes an ended session valid again until it expires.
 */
export class Sessions {
  private readonly ended = new Map<string, number>();

  constructor(
    private readonly secret: string,
    private readonly now: () => number = Date.now,
  ) {}

  begin(role: Role): string {
    const claims = [
      randomBytes(16).toString('base64url'),
      role,
      String(this.now() + SESSION_LIFETIME_MS),
    ].join('.');
    return `${claims}.${this.sign(claims)}`;
  }

  userOf(session: string): User | null {
    const { claims, id, role, expiry, signature } = partsOf(session);
    if (!isSameSecret(signature, this.sign(claims))) return null;
    if (this.now() >= Number(expiry) || this.ended.has(id)) return null;
    return USERS[role as Role];
  }

  end(session: string): void {
    if (this.userOf(session) === null) return;
    for (const [id, expiry] of this.ended) if (expiry <= this.now()) this.ended.delete(id);
    const { id, expiry } = partsOf(session);
    this.ended.set(id, Number(expiry));
  }

  private sign(claims: string): string {
    return createHmac('sha256', this.secret).update(claims).digest('base64url');
  }
}

function partsOf(session: string): Record<'claims' | 'id' | 'role' | 'expiry' | 'signature', string> {
  const [id = '', role = '', expiry = '', signature = ''] = session.split('.');
  return { claims: `${id}.${role}.${expiry}`, id, role, expiry, signature };
}

/** Compares in constant time. The digests give both sides the same length. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
