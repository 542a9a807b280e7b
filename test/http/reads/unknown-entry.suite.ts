import { describe, expect } from '@jest/globals';
import { expectError } from '../support/envelope.js';
import type { Bench } from '../support/hosts.js';
import { wireValues } from './parameters.js';

const MALFORMED = [
  ...wireValues(String.raw`
    0 -1 01 1e3 1.0 0x1 abc NaN null +1 %201 1%20 1%00 %00 1%0A %EF%BC%91 %D9%A1
    9007199254740992 9007199254740993 99999999999999999999
    % %zz %E0%A4%A %FF %ED%A0%80 1%2F.. ..%2F1 %2e%2e . 1;x=1 1'-- 1%27 :id * trend%00 Trend %3F 1%23
  `),
  '9'.repeat(4000),
];

export function describeUnknownEntries(bench: Bench): void {
  const { it } = bench;

  describe('contract 2.3: GET /audit/{id} without an entry', () => {
    it.each(MALFORMED.map((id) => [id.slice(0, 40), id]))(
      'answers 404 to %s without a store call',
      async (_, id) => {
        const calls = await bench.stores.callsDuring(async () => {
          expectError(await bench.api.get(`/audit/${id}`), 404, 'audit-detail', 'not_found');
        });
        expect(calls).toEqual([]);
      },
    );

    it.each(['999999999', '9007199254740991'])('answers 404 to %s', async (id) => {
      expectError(await bench.api.get(`/audit/${id}`), 404, 'audit-detail', 'not_found');
    });
  });
}
