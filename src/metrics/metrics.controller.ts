import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONTROL_KEYS, OUTCOMES } from '#contracts/common/control-mode.js';
import type { SchemaOf } from '#contracts/common/schema.js';
import { Figures } from '#engine/metrics/figures.js';
import { ApiRequest } from '../http/api-request.js';
import { setHead } from '../http/envelope.interceptor.js';
import { DURATION_BOUNDS, type Durations } from '#engine/shared/counters.js';
import { Answers } from '../openapi/answers.js';

const MetricsText: SchemaOf<string> = {
  type: 'string',
  title: 'MetricsText',
  examples: ['guardrails_decisions_total{control="input_screen",outcome="blocked"} 3\n'],
};

/** Served at `<name>/metrics`, beside the prefix. No text, no principal and no rule is in it. */
@Controller('metrics')
export class MetricsController {
  constructor(private readonly figures: Figures) {}

  @Get()
  @Answers('metrics', MetricsText, {
    summary: 'Figures for Prometheus',
    description:
      'Text in the format of Prometheus, without an envelope; errors have one. Decisions, durations and records are those of the answering instance; approvals and waiting events are those of all instances.',
  })
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const text = new PrometheusText();
    this.writeDecisions(text);
    this.writeScreening(text);
    this.writeRecording(text);
    await this.writeApprovals(text);
    await this.writeSinks(text);
    setHead(response, ApiRequest.get(request), 200);
    response.setHeader('Content-Type', 'text/plain; version=0.0.4; charset=utf-8');
    response.end(text.toString());
  }

  private writeDecisions(text: PrometheusText) {
    const { decisions } = this.figures;
    text.metric('guardrails_decisions_total', 'counter', 'Decisions of this instance since its start.');
    for (const control of CONTROL_KEYS)
      for (const outcome of OUTCOMES)
        text.sample('guardrails_decisions_total', decisions.of(control, outcome), { control, outcome });

    const seconds = 'guardrails_decision_duration_seconds';
    text.metric(seconds, 'histogram', 'How long the controls of this instance took to decide.');
    for (const control of CONTROL_KEYS) text.histogram(seconds, decisions.durationsOf(control), { control });
  }

  private writeScreening(text: PrometheusText) {
    const { rules, screeners } = this.figures.screening;
    text
      .metric(
        'guardrails_rules_duration_seconds',
        'histogram',
        'How long all rules together took for one text. They are matched in one pass.',
      )
      .histogram('guardrails_rules_duration_seconds', rules);
    const seconds = 'guardrails_screener_duration_seconds';
    text.metric(
      seconds,
      'histogram',
      'How long the classifier and each screener of the host took for one text.',
    );
    for (const [screener, durations] of screeners) text.histogram(seconds, durations, { screener });
  }

  private writeRecording(text: PrometheusText) {
    const { queued, lost } = this.figures.recording;
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

  private async writeApprovals(text: PrometheusText) {
    const { pending, executing, outcomeUnknown, oldestSeconds } = await this.figures.approvals();
    text.metric('guardrails_approvals', 'gauge', 'Approvals of all instances, by state.');
    const states = { pending, executing, outcome_unknown: outcomeUnknown };
    for (const [state, count] of Object.entries(states))
      text.sample('guardrails_approvals', count, { state });
    text
      .metric('guardrails_approvals_oldest_seconds', 'gauge', 'How long the oldest pending call has waited.')
      .sample('guardrails_approvals_oldest_seconds', oldestSeconds);
  }

  private async writeSinks(text: PrometheusText) {
    const states = await this.figures.sinks();
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
    for (const { name: sink, lagSeconds } of states)
      text.sample('guardrails_sink_lag_seconds', lagSeconds, { sink });
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
}

type Labels = Readonly<Record<string, string>>;

/** Writes the text format of Prometheus, version 0.0.4. */
class PrometheusText {
  private readonly lines: string[] = [];

  /** Describes a metric; its samples follow. */
  metric(name: string, type: 'counter' | 'gauge' | 'histogram', help: string): this {
    this.lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
    return this;
  }

  sample(name: string, value: number, labels: Labels = {}): this {
    const named = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
    this.lines.push(`${name}${named.length === 0 ? '' : `{${named.join(',')}}`} ${value}`);
    return this;
  }

  /** The buckets, the sum and the count of a histogram. */
  histogram(name: string, { upTo, count, sumSeconds }: Durations, labels: Labels = {}): this {
    for (const [index, bound] of DURATION_BOUNDS.entries())
      this.sample(`${name}_bucket`, upTo[index] ?? 0, { ...labels, le: String(bound) });
    return this.sample(`${name}_bucket`, count, { ...labels, le: '+Inf' })
      .sample(`${name}_sum`, sumSeconds, labels)
      .sample(`${name}_count`, count, labels);
  }

  toString(): string {
    return `${this.lines.join('\n')}\n`;
  }
}

function escaped(text: string) {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
