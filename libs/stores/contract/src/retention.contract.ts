import type { Runner, Stage } from './harness.js';
import { retentionAnonymizeContract } from './retention.anonymize.contract.js';
import { retentionPurgeContract } from './retention.purge.contract.js';
import { retentionRunsContract } from './retention.runs.contract.js';

export function retentionContract(runner: Runner, stage: Stage): void {
  runner.describe('retention: anonymize', () => retentionAnonymizeContract(runner, stage));
  runner.describe('retention: purge', () => retentionPurgeContract(runner, stage));
  runner.describe('retention: runs', () => retentionRunsContract(runner, stage));
}
