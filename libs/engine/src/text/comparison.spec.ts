import { describe, expect, it } from '@jest/globals';
import { comparableId, comparableName } from './comparison.js';

describe('comparison of ids (contract 7.5)', () => {
  it.each([
    ['case', 'Alice', 'alice'],
    ['outer spaces', ' alice\t', 'alice'],
    ['a decomposed accent', 'Ame\u0301lie', 'am\u00e9lie'],
    ['full-width letters', '\uff41\uff4c\uff49\uff43\uff45', 'alice'],
    ['a sharp s', 'Stra\u00dfe', 'STRASSE'],
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

describe('comparison of argument names (contract 7.5)', () => {
  it.each(['userId', 'UserID', 'user-id', 'user id', 'USER_ID', 'user__id', '\uff55ser_id'])(
    'accepts %s as user_id',
    (name) => {
      expect(comparableName(name)).toBe(comparableName('user_id'));
    },
  );

  it.each(['user', 'user_ids', 'my_user_id'])('distinguishes %s and user_id', (name) => {
    expect(comparableName(name)).not.toBe(comparableName('user_id'));
  });
});
