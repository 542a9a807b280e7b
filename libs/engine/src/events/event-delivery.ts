import type { AuditStore } from '#contracts/audit/store.js';
import {
  approvalLink,
  type DeliveredEvent,
  type EventContent,
  type EventSink,
} from '#contracts/events/event-sink.js';
import type { StoredEvent } from '#contracts/events/outbox.js';
import { withinTime } from '../shared/time-limit.js';
import { withoutContent } from './sink-router.js';

/** Delivers one event to one sink, with a link to the panel, and with content only for sinks that include it. */
export class EventDelivery {
  constructor(
    private readonly audit: AuditStore,
    private readonly panelUrl: string | null,
  ) {}

  async deliver(sink: EventSink, event: StoredEvent, attempts: number): Promise<void> {
    const { id, name, subject, severity, occurredAt, position, auditId } = event;
    const payload = sink.includesContent ? event.payload : withoutContent(event.payload);
    const content = sink.includesContent ? await this.contentOf(auditId) : null;
    const delivered: DeliveredEvent = {
      id,
      name,
      subject,
      severity,
      occurredAt,
      position,
      auditId,
      payload,
      attempts,
      content,
      link: this.linkTo(event),
    };
    await withinTime(sink.deliver(delivered), sink.timeoutMs);
  }

  /** The current content of the audit, which may be erased by now. */
  private async contentOf(auditId: number | null): Promise<EventContent | null> {
    const entry = auditId === null ? null : await this.audit.find(auditId);
    if (entry === null || entry.storage === 'erased') return null;
    return { prompt: entry.prompt, promptStorage: entry.storage, matchedText: entry.matchedText };
  }

  private linkTo({ name, auditId, payload }: StoredEvent) {
    if (this.panelUrl === null) return null;
    const { approval_id: approvalId } = payload;
    if (typeof approvalId === 'number') return approvalLink(this.panelUrl, approvalId);
    if (name === 'guardrails.settings.changed') return `${this.panelUrl}/settings`;
    return auditId === null ? this.panelUrl : `${this.panelUrl}/audit/${auditId}`;
  }
}
