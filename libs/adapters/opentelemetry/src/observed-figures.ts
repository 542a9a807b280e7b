import type { BatchObservableResult, Meter, Observable } from '@opentelemetry/api';
import type { Figures } from '#engine/figures.js';

/** Reports the figures of `<name>/metrics` whenever the SDK collects. Returns a function that ends it. */
export function observeFigures(meter: Meter, figures: Figures): () => void {
  const approvals = meter.createObservableGauge('guardrails.approvals', {
    description: 'Parked calls of all instances, by state.',
  });
  const oldest = meter.createObservableGauge('guardrails.approvals.oldest', {
    unit: 's',
    description: 'How long the oldest pending call has waited.',
  });
  const events = meter.createObservableGauge('guardrails.sink.events', {
    description: 'Events of all instances that a sink did not get.',
  });
  const lag = meter.createObservableGauge('guardrails.sink.lag', {
    unit: 's',
    description: 'How long the oldest waiting event of a sink has waited.',
  });
  const deliveries = meter.createObservableCounter('guardrails.sink.deliveries', {
    description: 'Deliveries of this instance since its start.',
  });
  const queued = meter.createObservableGauge('guardrails.records.queued', {
    description: 'Decisions of this instance that are not written yet.',
  });
  const lost = meter.createObservableCounter('guardrails.records.lost', {
    description: 'Decisions of this instance that were never written.',
  });

  const observeApprovals = async (result: BatchObservableResult): Promise<void> => {
    const { pending, executing, outcomeUnknown, oldestSeconds } = await figures.approvals();
    const states = { pending, executing, outcome_unknown: outcomeUnknown };
    for (const [state, count] of Object.entries(states))
      result.observe(approvals, count, { 'guardrails.state': state });
    result.observe(oldest, oldestSeconds);
  };
  const observeSinks = async (result: BatchObservableResult): Promise<void> => {
    for (const { name, waiting, dead, lagSeconds, delivered, failed } of await figures.sinks()) {
      const sink = { 'guardrails.sink': name };
      result.observe(events, waiting, { ...sink, 'guardrails.state': 'waiting' });
      result.observe(events, dead, { ...sink, 'guardrails.state': 'dead' });
      result.observe(lag, lagSeconds, sink);
      result.observe(deliveries, delivered, { ...sink, 'guardrails.result': 'delivered' });
      result.observe(deliveries, failed, { ...sink, 'guardrails.result': 'failed' });
    }
  };
  const observeRecording = (result: BatchObservableResult): void => {
    result.observe(queued, figures.recording.queued);
    result.observe(lost, figures.recording.lost);
  };

  const observed: [(result: BatchObservableResult) => void | Promise<void>, Observable[]][] = [
    [observeApprovals, [approvals, oldest]],
    [observeSinks, [events, lag, deliveries]],
    [observeRecording, [queued, lost]],
  ];
  for (const [observe, instruments] of observed) meter.addBatchObservableCallback(observe, instruments);
  return () => {
    for (const [observe, instruments] of observed) meter.removeBatchObservableCallback(observe, instruments);
  };
}
