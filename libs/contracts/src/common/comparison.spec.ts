import { describe, expect, it } from '@jest/globals';
import { comparableId, comparableName, isActorId } from './comparison.js';

describe('comparison of ids (contract 7.5)', () => {
  it.each([
    ['case', 'Alice', 'alice'],
    ['outer spaces', ' alice\t', 'alice'],
    ['a decomposed accent', 'Ame\u0301lie', 'am\u00e9lie'],
    ['full-width letters', '\uff41\uff4c\uff49\uff43\uff45', 'alice'],
    ['a sharp s', 'Stra\u00dfe', 'STRASSE'],
    ['a zero-width space', 'ali\u200bce', 'alice'],
    ['a soft hyphen and a variation selector', 'al\u00adice\ufe0f', 'alice'],
    ['the forms of sigma', '\u039f\u03a3', '\u03bf\u03c2'],
  ])('ignores %s', (_, one, other) => {
    expect(comparableId(one)).toBe(comparableId(other));
  });

  it.each([
    ['ops-1', 'ops-2'],
    ['ops-1', 'ops1'],
    ['ops 1', 'ops1'],
  ])('distinguishes %s and %s', (one, other) => {
    expect(comparableId(one)).not.toBe(comparableId(other));
  });
});

describe('the id of an actor', () => {
  it.each(['alice', ' ops-1', 'ops 1', '\u674e'])('may be %j', (id) => {
    expect(isActorId(id)).toBe(true);
  });

  it.each(['', ' ', 'alice\u200b', '\u2060', 'al\u00adice', 'alice\ufe0f', undefined])(
    'must not be %j',
    (id) => {
      expect(isActorId(id)).toBe(false);
    },
  );
});

describe('comparison of argument names (contract 7.5)', () => {
  it.each(['userId', 'UserID', 'user-id', 'user id', 'USER_ID', 'user_\u200bid', 'user__id', '\uff55ser_id'])(
    'accepts %s as user_id',
    (name) => {
      expect(comparableName(name)).toBe(comparableName('user_id'));
    },
  );

  it.each(['user', 'user_ids', 'my_user_id'])('distinguishes %s and user_id', (name) => {
    expect(comparableName(name)).not.toBe(comparableName('user_id'));
  });
});
