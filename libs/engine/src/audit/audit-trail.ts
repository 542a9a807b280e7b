import { randomUUID } from 'node:crypto';
import type { AuditStore, Decision } from '../../../contracts/src/audit.js';
import type { Clock } from '../../../contracts/src/clock.js';
import {
  decisionEventOf,
  type DecisionFacts,
  type DecisionMade,
} from '../../../contracts/src/decision-events.js';
import { GuardrailsError } from '../../../contracts/src/errors.js';
import type { EventPublisher } from '../../../contracts/src/events.js';
import type { Outlet } from '../../../contracts/src/outbox.js';
import { DecisionRecorder, type PreparedDecision, type Ruling } from '../../../contracts/src/recorder.js';
import type { Settings } from '../../../contracts/src/settings/settings.js';
import type { Diagnostics } from '../diagnostics.js';
import type { StoreOutage } from '../store-outage.js';
import { codePoints } from '../text/code-points.js';
import { utf8Spans } from '../text/utf8.js';
import { commitmentsTo, newSalt } from './commitments.js';
import type { DecisionBuffer } from './decision-buffer.js';
import type { Hygiene } from './hygiene.js';

/** Hygiene first, then the store, then the word: in this order for every control. */
export class AuditTrail extends DecisionRecorder {
  constructor(
    private readonly store: AuditStore,
    private readonly buffer: DecisionBuffer,
    private readonly hygiene: Hygiene,
    private readonly outlet: Outlet,
    private readonly publisher: EventPublisher,
    private readonly clock: Clock,
    private readonly diagnostics: Diagnostics,
    private readonly outage: StoreOutage,
  ) {
    super();
  }

  override async record(ruling: Ruling, settings: Settings): Promise<number | null> {
    const prepared = this.prepare(ruling, settings);
    if (isStrict(ruling, settings)) {
      const id = await this.append(prepared.decision);
      prepared.announce(id);
      return id;
    }
    this.buffer.push(prepared.decision);
    prepared.announce(null);
    return null;
  }

  override prepare(ruling: Ruling, settings: Settings): PreparedDecision {
    const facts = factsOf(ruling, this.clock.now());
    const id = randomUUID();
    const salt = newSalt();
    const kept = this.hygiene.contentOf(ruling, settings);
    const decision: Decision = {
      evidence: {
        occurredAt: facts.occurredAt,
        control: ruling.control,
        outcome: ruling.outcome,
        mode: facts.mode,
        origin: ruling.origin,
        ruleId: facts.ruleId,
        matchedRules: inBytes(ruling),
        erroredRuleIds: ruling.erroredRuleIds ?? [],
        errored: facts.errored,
        principalId: facts.principalId,
        application: facts.application,
        requestId: facts.requestId,
        runId: facts.runId,
        tool: facts.tool,
        rendering: ruling.rendering ?? null,
        rulesetVersion: ruling.rulesetVersion,
        promptLength: facts.promptLength,
        durationUs: ruling.durationUs,
        commitments: commitmentsTo({ ...kept, principal: facts.principalId }, salt),
      },
      content: { ...kept, salt },
      rejection: this.rejectionOf(ruling, facts, settings),
      outputCounts: ruling.outputCounts ?? [],
      outgoing: this.outlet.of(decisionEventOf(ruling.event, id, facts)),
    };
    return {
      decision,
      announce: (auditId) => this.tell(decisionEventOf(ruling.event, id, { ...facts, auditId })),
    };
  }

  /** It is committed: whatever a listener makes of it, the control that decided goes on. */
  private tell(event: DecisionMade): void {
    try {
      this.publisher.publish(event);
    } catch {
      this.diagnostics.warn('a listener failed', { event: event.name, id: event.id });
    }
  }

  private rejectionOf(
    { rejection }: Ruling,
    { tool, principalId, application, occurredAt }: DecisionFacts,
    settings: Settings,
  ): Decision['rejection'] {
    if (rejection === undefined || tool === null) return null;
    const { violations, violationCount } = this.hygiene.violationsOf(rejection.violations, settings);
    const { enforced } = rejection;
    return { tool, principalId, application, occurredAt, violations, violationCount, enforced };
  }

  private async append(decision: Decision): Promise<number> {
    try {
      return await this.store.append(decision);
    } catch (error) {
      this.outage.failed(error);
      throw GuardrailsError.ofStore(error);
    }
  }
}

function isStrict(ruling: Ruling, settings: Settings): boolean {
  const policy = settings.get('audit.write_policy');
  return policy === 'by_mode' ? ruling.mode.enforces() : policy === 'strict';
}

function factsOf(ruling: Ruling, occurredAt: Date): DecisionFacts {
  const { context } = ruling;
  return {
    auditId: null,
    control: ruling.control,
    outcome: ruling.outcome,
    mode: ruling.mode.observes() ? 'monitor' : 'enforce',
    origin: ruling.origin,
    ruleId: ruling.ruleId ?? null,
    ruleIds: [...new Set(ruling.matchedRules?.map(({ ruleId }) => ruleId))],
    errored: ruling.errored ?? false,
    tool: ruling.tool ?? null,
    principalId: context.principalId ?? null,
    application: context.application ?? null,
    requestId: context.requestId ?? null,
    runId: context.runId ?? null,
    rulesetVersion: ruling.rulesetVersion,
    promptLength: codePoints(ruling.text),
    durationUs: ruling.durationUs,
    occurredAt,
    approvalId: ruling.approvalId ?? null,
    actorId: ruling.actorId ?? null,
  };
}

function inBytes({ text, matchedRules = [] }: Ruling): Decision['evidence']['matchedRules'] {
  const spans = utf8Spans(
    text,
    matchedRules.map(({ span }) => span),
  );
  return matchedRules.map(({ ruleId }, index) => ({ ruleId, span: spans[index] ?? [0, 0] }));
}
