import assert from 'node:assert/strict';
import type { AuditFilter, AuditListEntry } from '../../../contracts/src/audit.js';
import { decision, NOON, noonPlus, type DecisionParts } from './builders.js';
import type { Runner, Stage } from './harness.js';
import { UNSTORABLE_TEXTS } from './hostile-text.js';
import { entriesOf } from './reading.js';

/** One row for each thing a filter can tell apart; the request id names it. */
const ROWS: readonly DecisionParts[] = [
  { requestId: 'plain' },
  { requestId: 'blocked', outcome: 'blocked', ruleId: 'role_override', principalId: 'customer-42' },
  { requestId: 'observed', outcome: 'observed', ruleId: 'role_override', mode: 'monitor' },
  { requestId: 'hers', principalId: 'customer-42', application: 'support' },
  { requestId: 'case', principalId: 'Customer-42', application: 'Support', ruleId: 'Role_Override' },
  { requestId: 'firewall', control: 'tool_firewall', outcome: 'blocked', application: 'support' },
  { requestId: 'output', control: 'output_handler', outcome: 'observed' },
  { requestId: 'hitl', control: 'hitl', outcome: 'blocked', occurredAt: noonPlus(1) },
  { requestId: 'early', outcome: 'blocked', occurredAt: noonPlus(-1) },
];

const FILTERS: readonly (readonly [filter: AuditFilter, found: readonly string[]])[] = [
  [{ control: 'tool_firewall' }, ['firewall']],
  [{ control: 'hitl' }, ['hitl']],
  [{ blocked: true }, ['early', 'hitl', 'firewall', 'blocked']],
  [{ blocked: false }, ['output', 'case', 'hers', 'observed', 'plain']],
  [{ outcome: 'blocked' }, ['early', 'hitl', 'firewall', 'blocked']],
  [{ outcome: 'observed' }, ['output', 'observed']],
  [{ outcome: 'allowed' }, ['case', 'hers', 'plain']],
  [{ ruleId: 'role_override' }, ['observed', 'blocked']],
  [{ principalId: 'customer-42' }, ['hers', 'blocked']],
  [{ application: 'support' }, ['firewall', 'hers']],
  [{ from: noonPlus(1) }, ['hitl']],
  [{ to: noonPlus(-1) }, ['early']],
  [{ from: NOON, to: NOON, outcome: 'observed' }, ['output', 'observed']],
  [{ from: noonPlus(-1), to: noonPlus(-1) }, ['early']],
  [{ from: noonPlus(2) }, []],
  [{ from: noonPlus(1), to: noonPlus(-1) }, []],
  [{ ruleId: 'role_' }, []],
  [{ ruleId: 'role%' }, []],
  [{ principalId: 'nobody' }, []],
  [{ application: '' }, []],
  [{ blocked: false, ruleId: 'role_override' }, ['observed']],
  [{ blocked: true, outcome: 'observed' }, []],
  [{ control: 'input_screen', blocked: true, principalId: 'customer-42', to: NOON }, ['blocked']],
  [{ application: 'support', principalId: 'customer-42' }, ['hers']],
  [{ control: 'input_screen', outcome: 'blocked', to: noonPlus(-1), q: 'HELL' }, ['early']],
];

export function auditFilterContract({ describe, it }: Runner, stage: Stage): void {
  const found = (filter: AuditFilter, limit?: number): Promise<AuditListEntry[]> =>
    entriesOf((page) => stage.backend.audit.list(filter, page), limit);

  describe('filters', () => {
    for (const [filter, expected] of FILTERS) {
      it(`answers ${nameOf(filter)} with ${expected.length === 0 ? 'nothing' : expected.join(', ')}`, async () => {
        const names = new Map<number, string>();
        for (const row of ROWS)
          names.set(await stage.backend.audit.append(decision(row)), row.requestId ?? '');
        const entries = await found(filter, 2);
        assert.deepEqual(
          entries.map((entry) => names.get(entry.id)),
          expected,
        );
      });
    }

    for (const { name, given, kept } of UNSTORABLE_TEXTS) {
      it(`takes ${name} in any filter, and finds what was stored from the same text`, async () => {
        const { audit } = stage.backend;
        await audit.append(
          decision({ ruleId: given, principalId: given, application: given, prompt: given }),
        );
        for (const filter of [
          { ruleId: given },
          { principalId: given },
          { application: given },
          { q: given },
        ]) {
          const [entry] = await found(filter);
          assert.equal(entry?.promptPreview, kept);
        }
      });
    }
  });
}

function nameOf(filter: AuditFilter): string {
  return Object.entries(filter)
    .map(([key, value]) => `${key}=${value instanceof Date ? value.toISOString().slice(11) : String(value)}`)
    .join(' ');
}
