import { randomUUID } from 'node:crypto';
import type { AuditStore } from '#contracts/audit/store.js';
import type { Decision } from '#contracts/audit/record.js';
import type { Clock } from '#contracts/common/clock.js';
import { type DecisionFacts, decisionEventOf } from '#contracts/events/decision-events.js';
import type { EventPublisher } from '#contracts/events/guardrails-event.js';
import { GuardrailsError } from '#contracts/common/errors.js';
import {
  type EventRouter,
  DecisionRecorder,
  type PreparedDecision,
  type DecisionDraft,
} from '../shared/ports.js';
import { type DecisionRecord, isCounted, recordedContext } from '#contracts/screening/screening.js';
import type { Settings } from '#contracts/settings/settings.js';
import { type Resumable, runInSlices, runToEnd } from '../shared/resumable.js';
import type { StoreOutage } from '../shared/store-outage.js';
import { codePoints } from '../text/characters.js';
import { commitmentsTo, newSalt } from './commitments.js';
import type { DecisionBuffer } from './decision-buffer.js';
import type { DecisionCounts } from '../shared/counters.js';
import type { Hygiene } from './hygiene.js';

interface AuditTrailOptions {
  readonly store: AuditStore;
  readonly buffer: DecisionBuffer;
  readonly hygiene: Hygiene;
  readonly router: EventRouter;
  readonly publisher: EventPublisher;
  readonly clock: Clock;
  readonly outage: StoreOutage;
  readonly counts: DecisionCounts;
}

/** Records every decision of every control: hygiene (redaction and truncation of texts), then the store, then the event. */
export class AuditTrail extends DecisionRecorder {
  constructor(private readonly options: AuditTrailOptions) {
    super();
  }

  override async record(draft: DecisionDraft, settings: Settings) {
    const prepared = await runInSlices(this.preparing(draft, settings));
    if (isStrict(draft, settings)) {
      const id = await this.append(prepared.decision);
      prepared.publish(id);
      return id;
    }
    this.options.buffer.push(prepared.decision);
    prepared.publish(null);
    return null;
  }

  override prepare(draft: DecisionDraft, settings: Settings) {
    return runToEnd(this.preparing(draft, settings));
  }

  private *preparing(draft: DecisionDraft, settings: Settings): Resumable<PreparedDecision> {
    const record = recordOf(draft, this.options.clock.now());
    this.options.counts.add(record);
    yield;
    const facts: DecisionFacts = {
      auditId: null,
      ruleIds: ruleIdsOf(draft),
      approvalId: draft.approvalId ?? null,
      actorId: draft.actorId ?? null,
      ...record,
    };
    const id = randomUUID();
    const salt = newSalt();
    const policy = this.options.hygiene.policyOf(draft.policy, settings);
    const { content, matchedRules, findings } = yield* this.options.hygiene.contentOf(draft, settings);
    const stored = { policy, ...content };
    yield;
    const decision: Decision = {
      evidence: {
        matchedRules,
        erroredRuleIds: draft.erroredRuleIds ?? [],
        findings,
        findingCount: draft.findings?.length ?? 0,
        rendering: draft.rendering ?? null,
        approvalId: draft.approvalId ?? null,
        approvalStep: draft.approvalStep ?? null,
        commitments: commitmentsTo({ principal: record.principalId, ...stored }, salt),
        ...record,
      },
      content: { salt, ...stored },
      rejection: this.rejectionOf(draft, record, settings),
      outputCounts: draft.outputCounts ?? [],
      outgoing: this.options.router.route(decisionEventOf(draft.event, id, facts)),
    };
    return {
      decision,
      publish: (auditId) =>
        this.options.publisher.publish(decisionEventOf(draft.event, id, { ...facts, auditId })),
    };
  }

  private rejectionOf(
    { rejection }: DecisionDraft,
    { tool, principalId, application, occurredAt }: DecisionRecord,
    settings: Settings,
  ): Decision['rejection'] {
    if (rejection === undefined || tool === null) return null;
    const { violations, violationCount } = this.options.hygiene.violationsOf(rejection.violations, settings);
    const { enforced } = rejection;
    return { tool, principalId, application, occurredAt, violations, violationCount, enforced };
  }

  private async append(decision: Decision) {
    try {
      return await this.options.store.append(decision);
    } catch (error) {
      this.options.outage.failed(error);
      throw GuardrailsError.ofStore(error);
    }
  }
}

function isStrict(draft: DecisionDraft, settings: Settings) {
  const policy = settings.get('audit.write_policy');
  return policy === 'by_mode' ? draft.mode.enforces() : policy === 'strict';
}

function recordOf(draft: DecisionDraft, occurredAt: Date): DecisionRecord {
  return {
    occurredAt,
    control: draft.control,
    outcome: draft.outcome,
    mode: draft.mode.observes() ? 'monitor' : 'enforce',
    origin: draft.origin,
    ruleId: draft.ruleId ?? null,
    errored: draft.errored ?? false,
    ...recordedContext(draft.context),
    tool: draft.tool ?? null,
    rulesetVersion: draft.rulesetVersion,
    promptLength: codePoints(draft.text),
    durationUs: draft.durationUs,
  };
}

function ruleIdsOf({ matchedRules = [] }: DecisionDraft): readonly string[] {
  const counted = matchedRules.filter(isCounted);
  return [...new Set(counted.map(({ ruleId }) => ruleId))];
}
