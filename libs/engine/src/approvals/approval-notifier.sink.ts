import type { Approval, ApprovalNotice, ApprovalNotifier } from '../../../contracts/src/approvals.js';
import type { ApprovalStore } from '../../../contracts/src/approvals.store.js';
import { DeliveryError, EventSink, type DeliveredEvent } from '../../../contracts/src/event-sink.js';
import type { EventName } from '../../../contracts/src/events.js';
import type { ApprovalTokens } from './approval-keys.js';

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

  override async deliver({ payload: { approval_id: approvalId } }: DeliveredEvent): Promise<void> {
    // A delivery that only tests the sink is about no call.
    const approval = typeof approvalId === 'number' ? await this.store.find(approvalId) : null;
    if (approval === null || approval.status !== 'pending') return;
    if (!this.tokens.areOutOfBand) return this.notify(approval, null);
    const sealed = await this.store.encryptedToken(approval.id);
    // Handed over before, and only the queue does not know it yet.
    if (sealed === null) return;
    await this.notify(approval, this.tokens.decrypt(sealed, approval));
    await this.store.forgetToken(approval.id);
  }

  private async notify(approval: Approval, token: string | null): Promise<void> {
    try {
      await this.notifier.notify(noticeOf(approval, token));
    } catch (error) {
      throw withoutToken(error, token);
    }
  }
}

function noticeOf(approval: Approval, token: string | null): ApprovalNotice {
  const { id, reference, tool, arguments: args, argumentsDigest, reversible, warnings } = approval;
  const { principalId, application, runId, stepName, createdAt, expiresAt } = approval;
  const call = { approvalId: id, reference, tool, arguments: args, argumentsDigest, reversible, warnings };
  return { ...call, principalId, application, runId, stepName, createdAt, expiresAt, token };
}

/** Why a delivery failed is kept, shown and logged: a mailer's error often holds all that it was to send. */
function withoutToken(error: unknown, token: string | null): DeliveryError {
  const said = error instanceof Error ? error.message : 'the notifier failed';
  const reason = token === null ? said : said.replaceAll(token, '[token]');
  return error instanceof DeliveryError
    ? new DeliveryError(reason, {
        gone: error.gone,
        ...(error.retryAfterMs !== null && { retryAfterMs: error.retryAfterMs }),
      })
    : new DeliveryError(reason);
}
