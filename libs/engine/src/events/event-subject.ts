import { createHash } from 'node:crypto';
import { DecisionMade } from '../../../contracts/src/decision-events.js';
import {
  EventsReplayed,
  RetentionApplied,
  SettingsChanged,
  StoreUnavailable,
} from '../../../contracts/src/events.js';
import type { GuardrailsEvent } from '../../../contracts/src/guardrails-event.js';

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
