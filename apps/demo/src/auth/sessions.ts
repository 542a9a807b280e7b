import { createHmac, randomBytes } from 'node:crypto';
import { sameSecret } from './secrets.js';
import { USERS, type Role, type User } from './user.js';

export const SESSION_COOKIE = 'guardrails_demo';
export const SESSION_LIFETIME_MS = 12 * 3_600_000;

/** Signed sessions: `id.role.expiry.signature`. They outlive a restart; one that was ended stays so until then. */
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
    if (!sameSecret(signature, this.sign(claims))) return null;
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
