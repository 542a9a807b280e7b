import { describe, expect, it } from '@jest/globals';
import { assert, constantFrom, nat, pre, property, string } from 'fast-check';
import { SESSION_LIFETIME_MS, Sessions } from './sessions.js';

const SECRET = 'a secret of the data folder';

describe('Sessions', () => {
  it('identify the user, also after a restart', () => {
    const session = new Sessions(SECRET).begin('ops-1');
    expect(new Sessions(SECRET).userOf(session)).toEqual({ id: 'ops-1', role: 'operator' });
  });

  it('expire after their lifetime', () => {
    let now = 1_000;
    const sessions = new Sessions(SECRET, () => now);
    const session = sessions.begin('viewer-1');
    now += SESSION_LIFETIME_MS - 1;
    expect(sessions.userOf(session)?.id).toBe('viewer-1');
    now += 1;
    expect(sessions.userOf(session)).toBeNull();
  });

  it('can be ended individually', () => {
    const sessions = new Sessions(SECRET);
    const [first, second] = [sessions.begin('ops-1'), sessions.begin('ops-1')];
    sessions.end(first);
    expect(sessions.userOf(first)).toBeNull();
    expect(sessions.userOf(second)).not.toBeNull();
  });

  it('are rejected with another secret or a changed character', () => {
    const session = new Sessions(SECRET).begin('viewer-1');
    expect(new Sessions('another secret').userOf(session)).toBeNull();
    expect(new Sessions(SECRET).userOf(session.replace('viewer-1', 'ops-1'))).toBeNull();
    assert(
      property(nat(session.length - 1), constantFrom('!', '.', ' '), (at, mark) => {
        pre(session[at] !== mark);
        const forged = session.slice(0, at) + mark + session.slice(at + 1);
        expect(new Sessions(SECRET).userOf(forged)).toBeNull();
      }),
    );
  });

  it('reject any other text', () => {
    assert(property(string(), (text) => new Sessions(SECRET).userOf(text) === null));
  });
});
