import { DecisionMade, type DecisionFacts } from '../../../contracts/src/decision-events.js';
import {
  EventsReplayed,
  RetentionApplied,
  SettingsChanged,
  StoreUnavailable,
} from '../../../contracts/src/events.js';
import type { GuardrailsEvent } from '../../../contracts/src/guardrails-event.js';
import type { RetentionRun } from '../../../contracts/src/retention.js';

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
