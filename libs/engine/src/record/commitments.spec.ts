import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { brokenCommitments, commitmentsTo, commitmentTo, newSalt } from './commitments.js';

const texts = { prompt: 'hello 😀', matchedText: 'hello', principal: 'customer-42', policy: null };

describe('commitments', () => {
  it('are SHA-256 over salt, name of the field, a zero byte and the text', () => {
    const salt = newSalt();
    const bytes = Buffer.concat([Buffer.from(salt, 'base64url'), Buffer.from('prompt\u0000hello 😀')]);
    expect(commitmentTo('prompt', 'hello 😀', salt)).toBe(
      createHash('sha256').update(bytes).digest('base64url'),
    );
  });

  it('are computed from the stored, scrubbed text', () => {
    const salt = newSalt();
    expect(commitmentTo('prompt', 'a\uD800\u0000', salt)).toBe(commitmentTo('prompt', 'a\uFFFD\uFFFD', salt));
  });

  it('differ between fields and salts, and are null without a text', () => {
    const [salt, other] = [newSalt(), newSalt()];
    const same = { prompt: 'x', matchedText: 'x', principal: 'x', policy: 'x' };
    const commitments = [
      ...Object.values(commitmentsTo(same, salt)),
      ...Object.values(commitmentsTo(same, other)),
    ];
    expect(new Set(commitments).size).toBe(8);
    const none = { matchedText: null, principal: null, policy: null };
    expect(commitmentsTo({ prompt: '', ...none }, salt)).toMatchObject(none);
    expect(Buffer.from(salt, 'base64url')).toHaveLength(32);
  });

  it('have a salt of their own for every decision', () => {
    const salts = Array.from({ length: 1000 }, newSalt);
    expect(new Set(salts).size).toBe(1000);
    expect(salts.every((salt) => Buffer.from(salt, 'base64url').length === 32)).toBe(true);
  });

  it('detect changed, added and removed texts while the salt is stored', () => {
    const salt = newSalt();
    const commitments = commitmentsTo(texts, salt);
    expect(brokenCommitments(commitments, texts, salt)).toEqual([]);
    const forged = { prompt: 'hello', matchedText: null, principal: 'customer-42', policy: null };
    expect(brokenCommitments(commitments, forged, salt)).toEqual(['prompt', 'matchedText']);
    expect(brokenCommitments(commitments, forged, null)).toBeNull();
  });
});
