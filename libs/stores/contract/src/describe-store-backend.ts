import { approvalsChangeContract } from './approvals.change.contract.js';
import { approvalsDueContract, approvalsListContract } from './approvals.list.contract.js';
import { approvalsParkContract, approvalsProposeContract } from './approvals.park.contract.js';
import { auditAppendContract } from './audit.append.contract.js';
import { auditCountsContract } from './audit.counts.contract.js';
import { auditExportContract } from './audit.export.contract.js';
import { auditListContract } from './audit.list.contract.js';
import { auditDecidedCallsContract, auditRecordedTextsContract } from './audit.recorded.contract.js';
import { auditSearchContract } from './audit.search.contract.js';
import { BackendFixture, type BackendHarness, type Contract, type Runner } from './backend-fixture.js';
import { budgetsContract } from './budgets.contract.js';
import { durabilityContract } from './durability.contract.js';
import { firewallContract } from './firewall.contract.js';
import { listsContract } from './lists.contract.js';
import { holdsContract, coverContract } from './holds.contract.js';
import { deadLetterContract, outboxContract } from './outbox.contract.js';
import { outboxEventsContract } from './outbox.events.contract.js';
import { outputContract } from './output.contract.js';
import { overviewContract } from './overview.contract.js';
import { retentionContract, retentionRunsContract } from './retention.contract.js';
import { reviewsContract } from './reviews.contract.js';
import { runListsContract, runRetentionContract, runRowsContract } from './run-index.contract.js';
import { runsContract } from './runs.contract.js';
import { settingsContract } from './settings.contract.js';
import { transparencyLogContract } from './transparency-log.contract.js';

const CONTRACTS: Readonly<Record<string, readonly Contract[]>> = {
  audit: [
    auditAppendContract,
    auditListContract,
    auditSearchContract,
    auditCountsContract,
    auditDecidedCallsContract,
    auditRecordedTextsContract,
    auditExportContract,
  ],
  firewall: [firewallContract],
  output: [outputContract],
  reviews: [reviewsContract],
  approvals: [
    approvalsParkContract,
    approvalsListContract,
    approvalsProposeContract,
    approvalsChangeContract,
    approvalsDueContract,
  ],
  budgets: [budgetsContract],
  runs: [runsContract, runRowsContract, runListsContract, runRetentionContract],
  settings: [settingsContract],
  lists: [listsContract],
  overview: [overviewContract],
  outbox: [outboxEventsContract, outboxContract, deadLetterContract],
  retention: [retentionContract, retentionRunsContract],
  holds: [holdsContract, coverContract],
  log: [transparencyLogContract],
};

/**
 * The behaviour that the engine expects of every store backend, as test cases. A backend that passes them can be given
 * to the engine. Cases about a restart run only if the harness has `reopen`.
 *
 * @example
 * import { afterEach, beforeEach, describe, it } from 'node:test';
 *
 * describeStoreBackend({ describe, it, beforeEach, afterEach }, {
 *   name: 'my store',
 *   open: () => openEmptyDatabase(),
 *   close: (backend) => backend.close(),
 * });
 */
export function describeStoreBackend(runner: Runner, harness: BackendHarness): void {
  runner.describe(`store backend: ${harness.name}`, () => {
    const fixture = new BackendFixture(harness);
    runner.beforeEach(() => fixture.open());
    runner.afterEach(() => fixture.close());

    for (const [store, contracts] of Object.entries(CONTRACTS)) {
      runner.describe(store, () => {
        for (const contract of contracts) contract(runner, fixture);
      });
    }
    if (harness.reopen !== undefined) {
      runner.describe('durability', () => durabilityContract(runner, fixture));
    }
  });
}
