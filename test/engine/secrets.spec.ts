import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Approval } from '#contracts/approvals/approvals.js';
import type { StoreBackend } from '#contracts/stores/store-backend.js';
import { memoryStores } from '#stores/memory/memory-stores.js';
import { sendSecret, situations, survivor } from '../support/secret-traffic.js';

describe('a secret in a prompt, an argument, its name, an output, a result or an error', () => {
  it('is in no record, event or log line, at any truncation limit', async () => {
    await fc.assert(
      fc.asyncProperty(situations, async (situation) => {
        const stores = memoryStores();
        const sent = await sendSecret(situation, stores);
        const kept = await everythingIn(stores);
        expect(survivor(situation.secret, JSON.stringify([sent, kept]))).toBeNull();
      }),
      { numRuns: 15 },
    );
  });

  it('is found by this search when `prompt_storage` is `raw`', async () => {
    const [situation] = fc.sample(situations, 1);
    const stores = memoryStores();
    await sendSecret({ ...situation!, storage: 'raw' }, stores);
    expect(survivor(situation!.secret, JSON.stringify(await everythingIn(stores)))).not.toBeNull();
  });
});

/** Everything in the stores except the arguments of parked calls, which must be kept unchanged to run. */
async function everythingIn(stores: StoreBackend): Promise<readonly unknown[]> {
  const { entries } = await stores.audit.list({}, { limit: 1000 });
  const found = await Promise.all(entries.map(({ id }) => stores.audit.find(id)));
  const rejections = await stores.firewall.list({}, { limit: 1000 });
  const parked = await Promise.all([1, 2, 3].map((id) => stores.approvals.find(id)));
  if (entries.length === 0 || rejections.entries.length === 0 || parked.includes(null)) {
    throw new Error('The traffic left no records.');
  }
  const approvals = parked.map((approval) => ({ ...(approval as Approval), arguments: null }));
  return [entries, found, rejections, approvals];
}
