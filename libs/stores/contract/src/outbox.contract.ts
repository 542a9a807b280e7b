import type { Runner, Stage } from './harness.js';
import { outboxClaimContract } from './outbox.claim.contract.js';
import { outboxKeepContract } from './outbox.keep.contract.js';
import { outboxOrderContract } from './outbox.order.contract.js';
import { outboxQueueContract } from './outbox.queue.contract.js';
import { outboxReadContract } from './outbox.read.contract.js';
import { outboxSettleContract } from './outbox.settle.contract.js';

export function outboxContract(runner: Runner, stage: Stage): void {
  runner.describe('outbox', () => {
    outboxQueueContract(runner, stage);
    outboxClaimContract(runner, stage);
    outboxOrderContract(runner, stage);
    outboxSettleContract(runner, stage);
    outboxReadContract(runner, stage);
    outboxKeepContract(runner, stage);
  });
}
