import type { Clock } from '#contracts/common/clock.js';
import type { DecisionCounts } from '../shared/counters.js';
import type { RecordingState } from '../record/decision-buffer.js';
import { Durations } from '../shared/counters.js';
import type { SinkAdmin } from '../events/sink-admin.js';
import type { Overview } from '../record/overview.js';
import type { ScreeningTimes } from '../shared/tracing.js';

/** Approvals of all instances. */
export interface ApprovalFigures {
  readonly pending: number;
  readonly executing: number;
  readonly outcomeUnknown: number;
  /** How long the oldest pending call has waited; 0 without one. */
  readonly oldestSeconds: number;
}

/** Events of one sink: `waiting`, `dead` and `lagSeconds` of all instances, deliveries of this one. */
export interface SinkFigures {
  readonly name: string;
  readonly waiting: number;
  readonly dead: number;
  /** How long the oldest waiting event has waited; 0 without one. */
  readonly lagSeconds: number;
  readonly delivered: number;
  readonly failed: number;
}

interface FiguresOptions {
  readonly decisions: DecisionCounts;
  readonly screening: ScreeningDurations;
  readonly recording: RecordingState;
  readonly overview: Overview;
  readonly sinkAdmin: SinkAdmin;
  readonly clock: Clock;
}

/** What monitoring reads. No text, no principal, no rule and no tool. */
export class Figures {
  /** Counted since the start of this process. */
  readonly decisions: DecisionCounts;
  readonly screening: ScreeningDurations;
  readonly recording: RecordingState;

  constructor(private readonly options: FiguresOptions) {
    this.decisions = options.decisions;
    this.screening = options.screening;
    this.recording = options.recording;
  }

  async approvals(): Promise<ApprovalFigures> {
    const { pending, executing, outcomeUnknown, oldestPendingAt } = (await this.options.overview.read())
      .activity.approvals;
    return { pending, executing, outcomeUnknown, oldestSeconds: this.secondsSince(oldestPendingAt) };
  }

  async sinks(): Promise<readonly SinkFigures[]> {
    const states = await this.options.sinkAdmin.states();
    return states.map(({ name, waiting, dead, waiting_since: since, delivered, failed }) => ({
      name,
      waiting,
      dead,
      lagSeconds: this.secondsSince(since === null ? null : new Date(since)),
      delivered,
      failed,
    }));
  }

  private secondsSince(moment: Date | null) {
    return moment === null ? 0 : Math.max(0, (this.options.clock.now().getTime() - moment.getTime()) / 1000);
  }
}

/** How long the parts of screenings took on this process since its start. */
export class ScreeningDurations {
  /** All rules together, because they are matched in one pass. */
  readonly rules = new Durations();
  readonly screeners: ReadonlyMap<string, Durations>;

  constructor(screenerIds: readonly string[]) {
    this.screeners = new Map(screenerIds.map((id) => [id, new Durations()]));
  }

  add({ rulesUs, screeners }: ScreeningTimes): void {
    if (rulesUs !== null) this.rules.add(rulesUs);
    for (const { id, us } of screeners) this.screeners.get(id)?.add(us);
  }
}
