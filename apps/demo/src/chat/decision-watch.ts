import { Injectable } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import {
  DecisionMade,
  type DecisionEventName,
  type DecisionFacts,
} from '../../../../libs/contracts/src/index.js';

/** One thing a control decided. */
export interface ControlStep extends Pick<
  DecisionFacts,
  'control' | 'outcome' | 'mode' | 'origin' | 'ruleId' | 'tool' | 'auditId'
> {
  readonly event: DecisionEventName;
}

/** Listens to the guardrails' events, and tells what was decided during one run. */
@Injectable()
export class DecisionWatch {
  private readonly watched = new Map<string, ControlStep[]>();

  constructor(events: EventEmitter2) {
    events.onAny((_name, event: unknown) => {
      if (event instanceof DecisionMade) this.see(event);
    });
  }

  async during<Result>(
    runId: string,
    work: () => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly steps: readonly ControlStep[] }> {
    const steps: ControlStep[] = [];
    this.watched.set(runId, steps);
    try {
      return { result: await work(), steps };
    } finally {
      this.watched.delete(runId);
    }
  }

  private see({ name, facts }: DecisionMade): void {
    const { control, outcome, mode, origin, ruleId, tool, auditId, runId } = facts;
    this.watched
      .get(runId ?? '')
      ?.push({ event: name, control, outcome, mode, origin, ruleId, tool, auditId });
  }
}
