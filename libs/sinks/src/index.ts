export { NatsSink, type JetStreamPublisher, type NatsOptions } from './nats.sink.js';
export { PagerdutySink, type PagerdutyOptions } from './pagerduty.sink.js';
export { SiemSink, type SiemOptions } from './siem.sink.js';
export { SlackSink, type SlackOptions } from './slack.sink.js';
export { StdoutSink, type StdoutOptions } from './stdout.sink.js';
export { SyslogSink, type SyslogOptions } from './syslog.sink.js';
export { WebhookSink, type WebhookOptions } from './webhook.sink.js';
export type { SinkOptions } from './filtered-sink.js';
export type { HttpEndpointOptions } from './http.sink.js';
export {
  DeliveryError,
  EventSink,
  type EventContent,
  type DeliveredEvent,
} from '#contracts/events/event-sink.js';
