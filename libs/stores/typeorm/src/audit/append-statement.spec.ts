import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Decision } from '#contracts/audit/record.js';
import { decision, newRejection, outgoingEvent } from '#stores/contract/builders.js';
import { tableNaming } from '../database/options.js';
import { tablesOf, type Tables } from '../database/tables.js';
import { appendStatement, batchOf } from './append-statement.js';
import { decisionRow, newWriter } from './decision-row.js';

const newTables = (): Tables => tablesOf(tableNaming({}));

const output = { kind: 'secret_redaction', detector: 'jwt', enforced: true, count: 2 } as const;

/** A decision with any combination of what has a part of its own in the statement. */
const given = fc
  .record({
    principalId: fc.constantFrom(null, 'customer-1', 'customer-2'),
    isRejected: fc.boolean(),
    hasMatch: fc.boolean(),
    hasOutput: fc.boolean(),
    sinks: fc.constantFrom(null, [], ['siem']),
  })
  .map(({ principalId, isRejected, hasMatch, hasOutput, sinks }): Decision =>
    decision({
      principalId,
      matchedRules: hasMatch ? [{ ruleId: 'a', span: [0, 1] }] : [],
      outputCounts: hasOutput ? [output] : [],
      outgoing: sinks === null ? [] : [outgoingEvent({ sinks })],
      rejection: isRejected ? newRejection({ principalId: 'customer-3' }) : null,
    }),
  );

describe('the statement of a batch', () => {
  it('has a known text that fits its values', () => {
    const tables = newTables();
    fc.assert(
      fc.property(fc.array(given, { minLength: 1, maxLength: 3 }), (decisions) => {
        const batch = batchOf(newWriter(), decisions.map(decisionRow));
        const known = appendStatement(tables, batch, { endsWriter: false });
        const composed = appendStatement(newTables(), batch, { endsWriter: false });
        expect(known.text).toBe(composed.text);
        expect(known.values).toEqual(composed.values);
        expect(known.text.match(/\$\d+/g)).toHaveLength(known.values.length);
      }),
      { numRuns: 500 },
    );
  });
});
