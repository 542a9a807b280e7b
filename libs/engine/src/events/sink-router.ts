import { createHash } from 'node:crypto';
import type { EventSink } from '#contracts/events/event-sink.js';
import { type DecisionFacts, DecisionMade } from '#contracts/events/decision-events.js';
import { type EventName, isEventName, severityOfEvent } from '#contracts/events/events.js';
import type { GuardrailsEvent } from '#contracts/events/guardrails-event.js';
import {
  AuditCheckpointed,
  AuditExported,
  EventsReplayed,
  FreezeChanged,
  HoldReleased,
  HoldSet,
  RetentionApplied,
  SettingsChanged,
  StoreUnavailable,
} from '#contracts/events/operation-events.js';
import type { OutgoingEvent } from '#contracts/events/outbox.js';
import { snakeCase } from '#contracts/common/text.js';
import { EventRouter } from '../shared/ports.js';
import type { Freeze } from '#contracts/freeze/freezes.api.js';
import type { Hold } from '#contracts/retention/holds.js';
import type { RetentionRun } from '#contracts/retention/retention.js';
import type { Checkpoint } from '#contracts/events/checkpoints.js';

/** Events that the live stream keeps even if no sink selects them. */
type StreamPolicy = 'off' | 'security' | 'all';

interface Choice {
  readonly sinks: readonly string[];
  readonly isStored: boolean;
}

/** Decides per event name which sinks receive it. Sinks are queried once per name. */
export class SinkRouter extends EventRouter {
  private readonly choices = new Map<string, Choice>();

  constructor(
    private readonly sinks: readonly EventSink[],
    private readonly stream: StreamPolicy,
  ) {
    super();
  }

  override route(event: GuardrailsEvent): readonly OutgoingEvent[] {
    const { name } = event;
    if (!isEventName(name)) return [];
    const { sinks, isStored } = this.choiceOf(name);
    if (!isStored) return [];
    return [
      {
        id: event.id,
        name,
        subject: subjectOf(event),
        severity: severityOfEvent(name),
        occurredAt: event.occurredAt,
        payload: payloadOf(event),
        sinks,
      },
    ];
  }

  /** Whether any sink receives it. */
  isSelectedBySink({ name }: GuardrailsEvent): boolean {
    return isEventName(name) && this.choiceOf(name).sinks.length > 0;
  }

  /** Whether the outbox keeps it, for a sink or the live stream. */
  isStored({ name }: GuardrailsEvent): boolean {
    return isEventName(name) && this.choiceOf(name).isStored;
  }

  private choiceOf(name: EventName) {
    const earlier = this.choices.get(name);
    if (earlier !== undefined) return earlier;
    const sinks = this.sinks.filter((sink) => isSelected(sink, name)).map((sink) => sink.name);
    const choice = { sinks, isStored: sinks.length > 0 || this.streams(name) };
    this.choices.set(name, choice);
    return choice;
  }

  private streams(name: EventName) {
    return this.stream === 'all' || (this.stream === 'security' && isForOperators(name));
  }
}

/**
 * Events that operators act on or that change their screens: approvals, settings and retention, of every severity.
 */
function isForOperators(name: EventName) {
  return (
    severityOfEvent(name) !== 'low' ||
    name.startsWith('guardrails.approval.') ||
    name === SettingsChanged.eventName ||
    name === RetentionApplied.eventName
  );
}

/** A filter that throws selects the event: events must not be lost. Filters do not apply to checkpoints and freezes. */
function isSelected(sink: EventSink, name: EventName) {
  if (name === AuditCheckpointed.eventName) return sink.keepsLog;
  if (name === FreezeChanged.eventName) return true;
  try {
    return sink.selects(name, severityOfEvent(name));
  } catch {
    return true;
  }
}

type EventPayload = Readonly<Record<string, unknown>>;

/** The payload of an event, besides name, subject and time: JSON with the field names of the API. */
function payloadOf(event: GuardrailsEvent): EventPayload {
  if (event instanceof DecisionMade) return decisionPayload(event.facts);
  if (event instanceof SettingsChanged) return settingsPayload(event);
  if (event instanceof FreezeChanged) return freezePayload(event.freeze);
  if (event instanceof RetentionApplied) return retentionPayload(event.run);
  if (event instanceof HoldSet || event instanceof HoldReleased) return holdPayload(event.hold);
  if (event instanceof EventsReplayed) return replayPayload(event);
  if (event instanceof AuditExported) return exportPayload(event);
  if (event instanceof AuditCheckpointed) return checkpointPayload(event.checkpoint);
  if (event instanceof StoreUnavailable) return { until: event.until?.toISOString() ?? null };
  return {};
}

/** Removes values of settings, which are content; the keys remain. */
export function withoutContent({ changes: _values, ...payload }: EventPayload): EventPayload {
  return payload;
}

/** Omits the evidence id, which the store adds beside the payload. */
function decisionPayload(facts: DecisionFacts): EventPayload {
  return {
    control: facts.control,
    outcome: facts.outcome,
    mode: facts.mode,
    origin: facts.origin,
    rule_id: facts.ruleId,
    rule_ids: [...facts.ruleIds],
    errored: facts.errored,
    tool: facts.tool,
    principal_id: facts.principalId,
    application: facts.application,
    request_id: facts.requestId,
    run_id: facts.runId,
    ruleset_version: facts.rulesetVersion,
    prompt_length: facts.promptLength,
    duration_us: facts.durationUs,
    approval_id: facts.approvalId,
    actor_id: facts.actorId,
  };
}

function settingsPayload({ actorId, revision, changes, requestId }: SettingsChanged): EventPayload {
  return {
    actor_id: actorId,
    revision,
    request_id: requestId,
    keys: changes.map(({ key }) => key),
    changes: JSON.parse(JSON.stringify(changes)) as unknown,
  };
}

export function replayPayload({ scope, actorId, requestId }: EventsReplayed): EventPayload {
  const { sink, deadLetters, from, to } = scope;
  return { actor_id: actorId, request_id: requestId, sink, dead_letters: deadLetters, from, to };
}

/** Contains the principal, because erasing the principal deletes the event. */
function exportPayload({ facts, principalId, actorId, requestId }: AuditExported): EventPayload {
  const { withContent, ...order } = facts;
  return {
    actor_id: actorId,
    request_id: requestId,
    principal_id: principalId,
    with_content: withContent,
    ...order,
  };
}

function checkpointPayload({ size, root, time, note }: Checkpoint): EventPayload {
  return { size, root, time: time.toISOString(), note };
}

/** Omits the name of an erased principal. */
function retentionPayload({ id, actorId, strategy, scope, heldBy, counts }: RetentionRun): EventPayload {
  return {
    run: id,
    actor_id: actorId,
    strategy,
    scope: scope.kind,
    before: scope.kind === 'before' ? scope.before.toISOString() : null,
    audit_id: scope.kind === 'entry' ? scope.id : null,
    held_by: heldBy,
    counts: { ...counts },
  };
}

/** Omits the reason, which is a text. */
function holdPayload({ id, scope, setBy, releasedBy }: Hold): EventPayload {
  const { kind, ...covered } = JSON.parse(JSON.stringify(scope)) as Record<string, unknown>;
  const names = Object.entries(covered).map(([name, value]) => [snakeCase(name), value]);
  return { hold: id, actor_id: releasedBy ?? setBy, kind, ...(Object.fromEntries(names) as EventPayload) };
}

/** Omits the reasons, which are texts. */
function freezePayload({ id, scope, name, frozen_by: by, lifted_by: liftedBy }: Freeze): EventPayload {
  const action = liftedBy === null ? 'freeze' : 'lift';
  return { freeze: id, action, scope, freeze_name: name, actor_id: liftedBy ?? by };
}

const MAX_ID_LENGTH = 200;

/** Events of one approval, run or principal stay in order; settings changes are one subject. */
export function subjectOf(event: GuardrailsEvent): string {
  if (event instanceof SettingsChanged) return 'settings';
  if (event instanceof FreezeChanged) return 'freeze';
  if (event instanceof RetentionApplied) return 'retention';
  if (event instanceof HoldSet || event instanceof HoldReleased) return `hold:${event.hold.id}`;
  if (event instanceof StoreUnavailable) return 'store';
  if (event instanceof EventsReplayed) return 'events';
  if (event instanceof AuditExported) return 'exports';
  if (event instanceof AuditCheckpointed) return 'checkpoints';
  if (!(event instanceof DecisionMade)) return `event:${event.id}`;
  const { approvalId, runId, principalId } = event.facts;
  if (approvalId !== null) return `approval:${approvalId}`;
  if (runId !== null) return `run:${bounded(runId)}`;
  return principalId === null ? `event:${event.id}` : `principal:${bounded(principalId)}`;
}

/** Ids have any length; a subject is a key of the outbox and has a limit. */
function bounded(id: string) {
  return id.length <= MAX_ID_LENGTH ? id : createHash('sha256').update(id).digest('hex');
}
