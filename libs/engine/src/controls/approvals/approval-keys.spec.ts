import { describe, expect, it } from '@jest/globals';
import { ApprovalTokens } from './approval-keys.js';

const SECRET = 'a secret of at least thirty-two bytes';
const REFERENCE = '0b8f5f0c-5c1f-4a63-8f3e-2b0f6f5f7d11';

describe('approval tokens', () => {
  it('under `list`, are the same on every instance with the secret, and differ with another secret', () => {
    const issued = new ApprovalTokens(SECRET, 'list').issue(REFERENCE);
    expect(new ApprovalTokens(SECRET, 'list').derive({ reference: REFERENCE })).toBe(issued.token);
    expect(new ApprovalTokens(`${SECRET}!`, 'list').derive({ reference: REFERENCE })).not.toBe(issued.token);
    expect(new ApprovalTokens(SECRET, 'list').derive({ reference: 'another' })).not.toBe(issued.token);
  });

  it('under `out_of_band`, are random and cannot be derived', () => {
    const tokens = new ApprovalTokens(SECRET, 'out_of_band');
    expect(tokens.issue(REFERENCE).token).not.toBe(tokens.issue(REFERENCE).token);
    expect(tokens.derive({ reference: REFERENCE })).toBeNull();
  });

  it.each(['list', 'out_of_band'] as const)('have 256 bits, and are stored as a hash (%s)', (delivery) => {
    const { token, hash } = new ApprovalTokens(SECRET, delivery).issue(REFERENCE);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(ApprovalTokens.looksLike(token)).toBe(true);
    expect(hash).toBe(ApprovalTokens.hash(token));
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(hash).not.toContain(token);
  });

  it('need a secret of 32 bytes', () => {
    expect(() => new ApprovalTokens('', 'list')).toThrow(/token_secret/);
    expect(() => new ApprovalTokens('short', 'out_of_band')).toThrow(/32 bytes/);
  });

  it('are encrypted where they cannot be derived, and decrypt only with the same secret and reference', () => {
    const tokens = new ApprovalTokens(SECRET, 'out_of_band');
    const { token, encrypted: sealed } = tokens.issue(REFERENCE);
    expect(sealed).not.toContain(token);
    expect(tokens.decrypt(sealed ?? '', { reference: REFERENCE })).toBe(token);
    expect(() => tokens.decrypt(sealed ?? '', { reference: 'another' })).toThrow();
    expect(() =>
      new ApprovalTokens(`${SECRET}!`, 'out_of_band').decrypt(sealed ?? '', { reference: REFERENCE }),
    ).toThrow();
    for (const broken of ['', 'x', sealed?.slice(1) ?? '', `${sealed}AAAA`]) {
      expect(() => tokens.decrypt(broken, { reference: REFERENCE })).toThrow();
    }
    expect(new ApprovalTokens(SECRET, 'list').issue(REFERENCE).encrypted).toBeNull();
  });

  it('match only the approval with their hash', () => {
    const { token, hash } = new ApprovalTokens(SECRET, 'list').issue(REFERENCE);
    expect(ApprovalTokens.matches(token, { tokenHash: hash })).toBe(true);
    for (const tokenHash of ['', hash.slice(1), hash.toUpperCase(), ApprovalTokens.hash(hash)]) {
      expect(ApprovalTokens.matches(token, { tokenHash })).toBe(false);
    }
  });

  it.each([
    '',
    'a'.repeat(42),
    'a'.repeat(44),
    `${'a'.repeat(42)}=`,
    `${'a'.repeat(42)}/`,
    `${'a'.repeat(43)}\n`,
  ])('do not have the form %j', (text) => {
    expect(ApprovalTokens.looksLike(text)).toBe(false);
  });
});
