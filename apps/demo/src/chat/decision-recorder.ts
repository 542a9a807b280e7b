import { Injectable } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import {
  DecisionMade,
  type DecisionEventName,
  type DecisionFacts,
} from '#contracts/events/decision-events.js';

export interface RecordedDecision extends Pick<
  DecisionFacts,
  'control' | 'outcome' | 'mode' | 'origin' | 'ruleId' | 'tool' | 'auditId'
> {
  readonly event: DecisionEventName;
}

/** Collects the decisions of a run from the events of the guardrails. */
@Injectable()
export class DecisionRecorder {
  private readonly recordings = new Map<string, RecordedDecision[]>();

  constructor(events: EventEmitter2) {
    events.onAny((_name, event: unknown) => {
      if (event instanceof DecisionMade) this.add(event);
    });
  }

  async record<Result>(
    runId: string,
    work: () => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly steps: readonly RecordedDecision[] }> {
    const steps: RecordedDecision[] = [];
    this.recordings.set(runId, steps);
    try {
      return { result: await work(), steps };
    } finally {
      this.recordings.delete(runId);
    }
  }

  private add({ name, facts }: DecisionMade) {
    const { control, outcome, mode, origin, ruleId, tool, auditId, runId } = facts;
    this.recordings
      .get(runId ?? '')
      ?.push({ event: name, control, outcome, mode, origin, ruleId, tool, auditId });
  }
}
