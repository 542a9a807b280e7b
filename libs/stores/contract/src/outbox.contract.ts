import type { Runner, Stage } from './harness.js';
import { outboxClaimContract } from './outbox.claim.contract.js';
import { outboxQueueContract } from './outbox.queue.contract.js';

export function outboxContract(runner: Runner, stage: Stage): void {
  runner.describe('outbox', () => {
    outboxQueueContract(runner, stage);
    outboxClaimContract(runner, stage);
  });
}
