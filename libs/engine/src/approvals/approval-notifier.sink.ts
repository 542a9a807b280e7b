import type { Approval, ApprovalNotice, ApprovalNotifier } from '#contracts/approvals.js';
import type { ApprovalStore } from '#contracts/approvals.store.js';
import { DeliveryError, EventSink, type DeliveredEvent } from '#contracts/event-sink.js';
import type { EventName } from '#contracts/events.js';
import type { ApprovalTokens } from './approval-keys.js';

/**
 * Delivers parked calls to the host's notifier. Events contain no token; where the notifier needs one, it is
 * stored encrypted with the call and deleted after delivery.
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
    // Test deliveries have no approval.
    const approval = typeof approvalId === 'number' ? await this.store.find(approvalId) : null;
    if (approval === null || approval.status !== 'pending') return;
    if (!this.tokens.areOutOfBand) return this.notify(approval, null);
    const encrypted = await this.store.encryptedToken(approval.id);
    // Delivered before; only the acknowledgement was lost.
    if (encrypted === null) return;
    await this.notify(approval, this.tokens.decrypt(encrypted, approval));
    await this.store.deleteToken(approval.id);
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

/** The error is stored, shown and logged, and errors of mail libraries often contain the message. */
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
