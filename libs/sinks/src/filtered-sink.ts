import { ConfigurationError } from '#contracts/common/errors.js';
import { EventSink } from '#contracts/events/event-sink.js';
import { isEventName, type EventName } from '#contracts/events/events.js';
import type { Severity } from '#contracts/screening/screening.js';

const SEVERITIES: readonly Severity[] = ['low', 'medium', 'high', 'critical'];

/** Options of every built-in sink. */
export interface SinkOptions {
  /** The key of its deliveries in the outbox. Default: the kind of the sink. Two sinks of one kind need different names. */
  readonly name?: string;
  /** Event names or prefixes such as `guardrails.approval.*`. Default: all events. */
  readonly events?: readonly (EventName | `guardrails.${string}.*`)[];
  readonly minimumSeverity?: Severity;
  /** `stored` adds prompts as stored in the audit, and values of settings. Default `none`. */
  readonly content?: 'none' | 'stored';
  /** Maximum number of concurrent deliveries, each of a different subject. */
  readonly concurrency?: number;
  /** Time limit of one delivery. Default 15 s. */
  readonly timeoutMs?: number;
}

/** What a kind of sink does where an option is missing. */
export interface SinkDefaults {
  readonly name: string;
  readonly minimumSeverity: Severity;
  readonly concurrency: number;
}

/** The event filter and content policy of all built-in sinks. */
export abstract class FilteredSink extends EventSink {
  override readonly name: string;
  override readonly concurrency: number;
  override readonly timeoutMs: number;
  override readonly includesContent: boolean;
  private readonly events: readonly string[] | null;
  private readonly minimum: number;

  constructor(options: SinkOptions, defaults: SinkDefaults) {
    super();
    this.name = options.name ?? defaults.name;
    this.concurrency = positive(this.name, 'concurrency', options.concurrency ?? defaults.concurrency);
    this.timeoutMs = positive(this.name, 'timeoutMs', options.timeoutMs ?? 15_000);
    this.includesContent = options.content === 'stored';
    this.events = options.events ?? null;
    this.minimum = SEVERITIES.indexOf(options.minimumSeverity ?? defaults.minimumSeverity);
    const reasons = (this.events ?? [])
      .filter((event) => !isEventName(event) && !isPrefix(event))
      .map((event) => `the sink ${this.name} selects ${event}, which is not an event`);
    if (this.minimum < 0)
      reasons.push(`the sink ${this.name}: minimumSeverity must be one of ${SEVERITIES.join(', ')}`);
    if (reasons.length > 0) throw new ConfigurationError(reasons);
  }

  override selects(name: EventName, severity: Severity) {
    if (SEVERITIES.indexOf(severity) < this.minimum) return false;
    return this.events?.some((event) => matches(event, name)) ?? true;
  }
}

function isPrefix(event: string): boolean {
  return /^guardrails\.([a-z_]+\.)*\*$/.test(event);
}

function matches(event: string, name: EventName): boolean {
  return event.endsWith('.*') ? name.startsWith(event.slice(0, -1)) : event === name;
}

function positive(sink: string, option: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new ConfigurationError([`the sink ${sink}: ${option} must be a positive integer`]);
}
