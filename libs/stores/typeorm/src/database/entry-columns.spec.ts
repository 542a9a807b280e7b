import { describe, expect, it } from '@jest/globals';
import type { Evidence } from '#contracts/audit/record.js';
import { decision, newBytes } from '#stores/contract/builders.js';
import { EVIDENCE_COLUMNS, rowHashOf } from './entry-columns.js';

const WRITER = '7b0d4a54-7d0c-4a36-9a51-3d7a1f7d2c11';
const BYTES = 'Y29tbWl0bWVudC1vZi10aGlydHktdHdvLWJ5dGVzLS4';

const FULL: Partial<Evidence> = {
  ruleId: 'a.b',
  matchedRules: [{ ruleId: 'a.b', span: [0, 3] }],
  erroredRuleIds: ['c'],
  findings: [{ kind: 'pii_redaction', detector: 'email', span: [4, 9] }],
  application: 'support-chat',
  requestId: 'req-7f3a',
  runId: 'run-1',
  tool: 'refund\u0000',
  rendering: 'markdown',
  approvalId: 7,
  approvalStep: 'voted',
  commitments: { prompt: BYTES, matchedText: BYTES, principal: BYTES, policy: BYTES },
};

function valuesOf(parts: Partial<Evidence>): readonly unknown[] {
  const { evidence } = decision(parts);
  return EVIDENCE_COLUMNS.map(([, , valueOf]) => valueOf(evidence));
}

const hashOf = (values: readonly unknown[]): string => rowHashOf(WRITER, 1, values).toString('base64url');

describe('the hash of a row', () => {
  // Leaves of the log and exports contain it: neither a new column nor anything else may change it.
  it.each([
    ['with as many nulls as possible', {}, 'fpApx4al0tlmAvEI0Q0aDR9Ila1UYlVrkPjyd9QSC44'],
    ['with every member of the first version', FULL, 'idMGyo-dilDFlYgSFEFOsPmU8Pic63P4e3F3CEUjJMw'],
  ])('stays the same %s', (_, parts, golden) => {
    expect(hashOf(valuesOf(parts))).toBe(golden);
  });

  it.each(EVIDENCE_COLUMNS.map(([name], index) => [name, index] as const))('covers %s', (_, index) => {
    const values = valuesOf(FULL);
    expect(hashOf(values.with(index, newBytes()))).not.toBe(hashOf(values));
  });
});
