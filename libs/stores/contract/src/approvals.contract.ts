import { approvalsCallContract } from './approvals.call.contract.js';
import { approvalsDecideContract } from './approvals.decide.contract.js';
import { approvalsHistoryContract } from './approvals.history.contract.js';
import { approvalsLeaseContract } from './approvals.lease.contract.js';
import { approvalsMendContract } from './approvals.mend.contract.js';
import { approvalsOutcomeContract } from './approvals.outcome.contract.js';
import { approvalsParkContract } from './approvals.park.contract.js';
import { approvalsReadContract } from './approvals.read.contract.js';
import { approvalsRunContract } from './approvals.run.contract.js';
import type { Runner, Stage } from './harness.js';

export function approvalsContract(runner: Runner, stage: Stage): void {
  runner.describe('approvals', () => {
    approvalsParkContract(runner, stage);
    approvalsCallContract(runner, stage);
    approvalsReadContract(runner, stage);
    approvalsDecideContract(runner, stage);
    approvalsRunContract(runner, stage);
    approvalsLeaseContract(runner, stage);
    approvalsMendContract(runner, stage);
    approvalsOutcomeContract(runner, stage);
    approvalsHistoryContract(runner, stage);
  });
}
