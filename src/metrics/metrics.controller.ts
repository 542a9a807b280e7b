import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Clock } from '#contracts/clock.js';
import { CONTROL_KEYS, OUTCOMES } from '#contracts/control-mode.js';
import { DecisionCounts, DURATION_BOUNDS } from '#engine/audit/decision-counts.js';
import { SinkAdmin } from '#engine/events/sink-admin.js';
import { Overview } from '#engine/overview/overview.js';
import { ApiRequest } from '../http/api-request.js';
import { setHead } from '../http/envelope.interceptor.js';
import { PrometheusText } from './prometheus-text.js';

/** Figures of recording, of this instance. */
export abstract class Recording {
  abstract readonly queued: number;
  abstract readonly lost: number;
}

/** Served at `<name>/metrics`, beside the prefix. No text, no principal and no rule is in it. */
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly counts: DecisionCounts,
    private readonly recording: Recording,
    private readonly overview: Overview,
    private readonly sinks: SinkAdmin,
    private readonly clock: Clock,
  ) {}

  @Get()
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const text = new PrometheusText();
    this.writeDecisions(text);
    await this.writeApprovals(text);
    await this.writeSinks(text);
    setHead(response, ApiRequest.get(request), 200);
    response.setHeader('Content-Type', 'text/plain; version=0.0.4; charset=utf-8');
    response.end(text.toString());
  }

  private writeDecisions(text: PrometheusText): void {
    text.metric('guardrails_decisions_total', 'counter', 'Decisions of this instance since its start.');
    for (const control of CONTROL_KEYS)
      for (const outcome of OUTCOMES)
        text.sample('guardrails_decisions_total', this.counts.of(control, outcome), { control, outcome });

    const seconds = 'guardrails_decision_duration_seconds';
    text.metric(seconds, 'histogram', 'How long the controls of this instance took to decide.');
    for (const control of CONTROL_KEYS) {
      const { upTo, count, sumSeconds } = this.counts.durationsOf(control);
      for (const [index, bound] of DURATION_BOUNDS.entries())
        text.sample(`${seconds}_bucket`, upTo[index] ?? 0, { control, le: String(bound) });
      text.sample(`${seconds}_bucket`, count, { control, le: '+Inf' });
      text.sample(`${seconds}_sum`, sumSeconds, { control }).sample(`${seconds}_count`, count, { control });
    }

    const { queued, lost } = this.recording;
    text
      .metric('guardrails_records_queued', 'gauge', 'Decisions of this instance that are not written yet.')
      .sample('guardrails_records_queued', queued)
      .metric(
        'guardrails_records_lost_total',
        'counter',
        'Decisions of this instance that were never written.',
      )
      .sample('guardrails_records_lost_total', lost);
  }

  private async writeApprovals(text: PrometheusText): Promise<void> {
    const { approvals } = (await this.overview.read()).activity;
    text.metric('guardrails_approvals', 'gauge', 'Parked calls of all instances, by state.');
    const states = {
      pending: approvals.pending,
      executing: approvals.executing,
      outcome_unknown: approvals.outcomeUnknown,
    };
    for (const [state, count] of Object.entries(states))
      text.sample('guardrails_approvals', count, { state });
    text
      .metric('guardrails_approvals_oldest_seconds', 'gauge', 'How long the oldest pending call has waited.')
      .sample('guardrails_approvals_oldest_seconds', this.secondsSince(approvals.oldestPendingAt));
  }

  private async writeSinks(text: PrometheusText): Promise<void> {
    const states = await this.sinks.states();
    text.metric('guardrails_sink_events', 'gauge', 'Events of all instances that a sink did not get.');
    for (const { name: sink, waiting, dead } of states)
      text
        .sample('guardrails_sink_events', waiting, { sink, state: 'waiting' })
        .sample('guardrails_sink_events', dead, { sink, state: 'dead' });
    text.metric(
      'guardrails_sink_lag_seconds',
      'gauge',
      'How long the oldest waiting event of a sink has waited.',
    );
    for (const { name: sink, waitingSince } of states)
      text.sample('guardrails_sink_lag_seconds', this.secondsSince(waitingSince), { sink });
    text.metric(
      'guardrails_sink_deliveries_total',
      'counter',
      'Deliveries of this instance since its start.',
    );
    for (const { name: sink, delivered, failed } of states)
      text
        .sample('guardrails_sink_deliveries_total', delivered, { sink, result: 'delivered' })
        .sample('guardrails_sink_deliveries_total', failed, { sink, result: 'failed' });
  }

  private secondsSince(moment: Date | null): number {
    return moment === null ? 0 : Math.max(0, (this.clock.now().getTime() - moment.getTime()) / 1000);
  }
}
