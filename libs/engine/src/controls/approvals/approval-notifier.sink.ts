// A sink, so that a notifier that fails is called again like every receiver of events.
import { messageOf } from '#contracts/common/errors.js';
import {
  type Approval,
  type ApprovalNotifier,
  NOTICE_FIELDS,
  type NoticeOccasion,
} from '#contracts/approvals/approvals.js';
import type { ApprovalStore } from '#contracts/stores/approvals.store.js';
import { DeliveryError, EventSink, type DeliveredEvent } from '#contracts/events/event-sink.js';
import type { EventName } from '#contracts/events/events.js';
import type { ApprovalKeys, ApprovalTokens } from './approval-keys.js';

/**
 * Delivers pending calls to the host's notifier. Events contain no token; where the notifier needs one, it is
 * stored encrypted with the call until the decision, so that every approver gets the same one.
 */
class ApprovalNotifierSink extends EventSink {
  override readonly name = 'approval-notifier';

  constructor(
    private readonly notifier: ApprovalNotifier,
    private readonly store: ApprovalStore,
    private readonly tokens: ApprovalTokens,
    /** `hitl.escalate_to`. */
    private readonly escalateTo: string,
  ) {
    super();
  }

  override selects(name: EventName) {
    return Object.hasOwn(OCCASIONS, name);
  }

  override async deliver({ name, payload: { approval_id: approvalId } }: DeliveredEvent) {
    const occasion = OCCASIONS[name] ?? 'parked';
    // A test delivery has no approval.
    const approval = typeof approvalId === 'number' ? await this.store.find(approvalId) : null;
    if (approval === null || approval.status !== 'pending') return;
    if (!this.tokens.areOutOfBand) return this.notify(approval, occasion, null);
    const encrypted = await this.store.encryptedToken(approval.id);
    // The call was decided in the meantime.
    if (encrypted === null) return;
    await this.notify(approval, occasion, this.tokens.decrypt(encrypted, approval));
  }

  private async notify(approval: Approval, occasion: NoticeOccasion, token: string | null) {
    const escalateTo = occasion === 'escalated' ? this.escalateTo : null;
    try {
      const fields = Object.fromEntries(NOTICE_FIELDS.map((name) => [name, approval[name]])) as Pick<
        Approval,
        (typeof NOTICE_FIELDS)[number]
      >;
      await this.notifier.notify({ ...fields, approvalId: approval.id, token, occasion, escalateTo });
    } catch (error) {
      throw withoutToken(error, token);
    }
  }
}

/** None without a notifier, or without `hitl.token_secret`. */
export function notifierSinks(
  notifier: ApprovalNotifier | null | undefined,
  store: ApprovalStore,
  keys: ApprovalKeys | null,
  escalateTo: string,
): readonly EventSink[] {
  return notifier == null || keys === null
    ? []
    : [new ApprovalNotifierSink(notifier, store, keys.tokens, escalateTo)];
}

/** Approvers are not notified of other events. */
const OCCASIONS: Readonly<Record<string, NoticeOccasion>> = {
  'guardrails.tool.parked': 'parked',
  'guardrails.approval.proposed': 'proposed',
  'guardrails.approval.reminded': 'reminded',
  'guardrails.approval.escalated': 'escalated',
};

/** The error is stored, shown and logged, and errors of mail libraries often contain the message. */
function withoutToken(error: unknown, token: string | null) {
  const message = messageOf(error, 'the notifier failed');
  const reason = token === null ? message : message.replaceAll(token, '[token]');
  return error instanceof DeliveryError
    ? new DeliveryError(reason, {
        gone: error.gone,
        ...(error.retryAfterMs !== null && { retryAfterMs: error.retryAfterMs }),
      })
    : new DeliveryError(reason);
}
