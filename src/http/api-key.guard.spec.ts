import { describe, expect, it } from '@jest/globals';
import { ApiKeyGuard } from './api-key.guard.js';

describe('ApiKeyGuard', () => {
  const key = 'k'.repeat(32);

  it.each([
    ['of 31 characters', key.slice(1), /ops-2 needs at least 32 characters/],
    ['that is not set', undefined, /ops-2 needs at least 32 characters/],
    ['with the end of a line, which no header contains', `${key}\n`, /ops-2 needs .* no space/],
    ['of somebody else', key, /ops-2 and ops-1 have the same key/],
  ])('refuses a key %s', (_, other, reason) => {
    const create = () =>
      new ApiKeyGuard({ 'ops-1': { key, role: 'operator' }, 'ops-2': { key: other, role: 'viewer' } });
    expect(create).toThrow(reason);
  });
});
