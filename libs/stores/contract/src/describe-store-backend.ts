import { approvalsContract } from './approvals.contract.js';
import { auditContract } from './audit.contract.js';
import { firewallContract } from './firewall.contract.js';
import { Stage, type BackendHarness, type Runner } from './harness.js';
import { outboxContract } from './outbox.contract.js';
import { outputContract } from './output.contract.js';
import { overviewContract } from './overview.contract.js';
import { retentionContract } from './retention.contract.js';
import { settingsContract } from './settings.contract.js';

/**
 * What every store backend promises, case by case: whoever passes may stand behind the engine.
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
    const stage = new Stage(harness);
    runner.beforeEach(() => stage.rise());
    runner.afterEach(() => stage.fall());

    auditContract(runner, stage);
    firewallContract(runner, stage);
    outputContract(runner, stage);
    approvalsContract(runner, stage);
    settingsContract(runner, stage);
    overviewContract(runner, stage);
    outboxContract(runner, stage);
    retentionContract(runner, stage);
  });
}
