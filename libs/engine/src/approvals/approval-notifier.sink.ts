import type { ApprovalNotifier } from '../../../contracts/src/approval-notifier.js';
import type { Approval, ApprovalStore } from '../../../contracts/src/approvals.js';
import { EventSink } from '../../../contracts/src/event-sink.js';
import type { EventName } from '../../../contracts/src/events.js';
import type { QueuedEvent } from '../../../contracts/src/outbox.js';
import { withinTime } from '../time-limit.js';
import type { ApprovalTokens } from './approval-token.js';

const PATIENCE_MS = 15_000;

/**
 * Tells the deployer's notifier of parked calls. The event that leads here carries no token: where one has to be
 * handed over, it lies encrypted beside the call, and is forgotten once it was.
 */
export class ApprovalNotifierSink extends EventSink {
  override readonly name = 'approval-notifier';

  constructor(
    private readonly notifier: ApprovalNotifier,
    private readonly store: ApprovalStore,
    private readonly tokens: ApprovalTokens,
  ) {
    super();
  }

  override selects(name: EventName): boolean {
    return name === 'guardrails.tool.parked';
  }

  override async deliver({ payload }: QueuedEvent): Promise<void> {
    const approval = await this.store.find(Number(payload['approvalId']));
    if (approval === null || approval.status !== 'pending') return;
    if (!this.tokens.areOutOfBand) return this.notify(approval, null);
    const sealed = await this.store.sealedToken(approval.id);
    // Handed over before, and only the queue does not know it yet.
    if (sealed === null) return;
    await this.notify(approval, this.tokens.open(sealed, approval));
    await this.store.forgetToken(approval.id);
  }

  private async notify(approval: Approval, token: string | null): Promise<void> {
    const {
      id: approvalId,
      reference,
      tool,
      arguments: args,
      argumentsDigest,
      reversible,
      warnings,
    } = approval;
    const { principalId, application, runId, stepName, createdAt, expiresAt } = approval;
    const call = { approvalId, reference, tool, arguments: args, argumentsDigest, reversible, warnings };
    const about = { principalId, application, runId, stepName, createdAt, expiresAt };
    const notified = this.notifier.notify({ ...call, ...about, token });
    await withinTime(notified, PATIENCE_MS);
  }
}
