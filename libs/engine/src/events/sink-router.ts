import { createHash } from 'node:crypto';
import type { EventSink } from '../../../contracts/src/event-sink.js';
import {
  type DecisionFacts,
  DecisionMade,
  type EventName,
  EventsReplayed,
  type GuardrailsEvent,
  isEventName,
  RetentionApplied,
  SettingsChanged,
  severityOfEvent,
  StoreUnavailable,
} from '../../../contracts/src/events.js';
import { type OutgoingEvent } from '../../../contracts/src/outbox.js';
import { EventRouter } from '../ports.js';
import type { RetentionRun } from '../../../contracts/src/retention.js';

/** What is kept for the live stream even where no sink selects it. */
export type StreamPolicy = 'off' | 'security' | 'all';

interface Choice {
  readonly sinks: readonly string[];
  readonly kept: boolean;
}

/** Asks every sink about a name once: what it answers may not change while it runs. */
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
    const { sinks, kept } = this.choiceOf(name);
    if (!kept) return [];
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

  /** Whether anything is delivered of it. */
  isSelectedBySink({ name }: GuardrailsEvent): boolean {
    return isEventName(name) && this.choiceOf(name).sinks.length > 0;
  }

  /** Whether the live stream shows it. */
  isKept({ name }: GuardrailsEvent): boolean {
    return isEventName(name) && this.choiceOf(name).kept;
  }

  private choiceOf(name: EventName): Choice {
    const known = this.choices.get(name);
    if (known !== undefined) return known;
    const sinks = this.sinks.filter((sink) => isSelected(sink, name)).map((sink) => sink.name);
    const choice = { sinks, kept: sinks.length > 0 || this.streams(name) };
    this.choices.set(name, choice);
    return choice;
  }

  private streams(name: EventName): boolean {
    return this.stream === 'all' || (this.stream === 'security' && severityOfEvent(name) !== 'low');
  }
}

/** A filter that throws must neither lose an event nor fail the control: it is told too much rather than too little. */
function isSelected(sink: EventSink, name: EventName): boolean {
  try {
    return sink.selects(name, severityOfEvent(name));
  } catch {
    return true;
  }
}

export type EventPayload = Readonly<Record<string, unknown>>;

/** What leaves the process of an event, beside its name, subject and time: JSON, named as the API names things. */
export function payloadOf(event: GuardrailsEvent): EventPayload {
  if (event instanceof DecisionMade) return decisionPayload(event.facts);
  if (event instanceof SettingsChanged) return settingsPayload(event);
  if (event instanceof RetentionApplied) return retentionPayload(event.run);
  if (event instanceof EventsReplayed) return replayPayload(event);
  if (event instanceof StoreUnavailable) return { until: event.until?.toISOString() ?? null };
  return {};
}

/** Values of settings are content: a refusal message, a pattern. What is left says which keys they were of. */
export function withoutContent({ changes: _values, ...payload }: EventPayload): EventPayload {
  return payload;
}

/** The store knows the evidence's id better than we do: it hands it over beside the payload. */
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

/** Of a principal only that it was one: the name is what was erased. */
function retentionPayload({ id, actorId, strategy, scope, counts }: RetentionRun): EventPayload {
  return {
    run: id,
    actor_id: actorId,
    strategy,
    scope: scope.kind,
    before: scope.kind === 'before' ? scope.before.toISOString() : null,
    audit_id: scope.kind === 'entry' ? scope.id : null,
    counts: { ...counts },
  };
}

const LONGEST_ID = 200;

/** Events about one approval, one run or one principal stay in order; the settings are one subject. */
export function subjectOf(event: GuardrailsEvent): string {
  if (event instanceof SettingsChanged) return 'settings';
  if (event instanceof RetentionApplied) return 'retention';
  if (event instanceof StoreUnavailable) return 'store';
  if (event instanceof EventsReplayed) return 'events';
  if (!(event instanceof DecisionMade)) return `event:${event.id}`;
  const { approvalId, runId, principalId } = event.facts;
  if (approvalId !== null) return `approval:${approvalId}`;
  if (runId !== null) return `run:${bounded(runId)}`;
  return principalId === null ? `event:${event.id}` : `principal:${bounded(principalId)}`;
}

/** Ids are the host's, of any length; a subject is a key of the outbox. */
function bounded(id: string): string {
  return id.length <= LONGEST_ID ? id : createHash('sha256').update(id).digest('hex');
}
