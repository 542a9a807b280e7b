import { auditAppendContract } from './audit.append.contract.js';
import { auditCountsContract } from './audit.counts.contract.js';
import { auditEvidenceContract } from './audit.evidence.contract.js';
import { auditFilterContract } from './audit.filter.contract.js';
import { auditListContract } from './audit.list.contract.js';
import { auditSearchContract } from './audit.search.contract.js';
import { auditTrendContract } from './audit.trend.contract.js';
import type { Runner, Stage } from './harness.js';

export function auditContract(runner: Runner, stage: Stage): void {
  runner.describe('audit', () => {
    auditAppendContract(runner, stage);
    auditEvidenceContract(runner, stage);
    auditListContract(runner, stage);
    auditFilterContract(runner, stage);
    auditSearchContract(runner, stage);
    auditTrendContract(runner, stage);
    auditCountsContract(runner, stage);
  });
}
