import { ConfigurationError } from '../../contracts/src/errors.js';
import { EventSink } from '../../contracts/src/event-sink.js';
import { isEventName, type EventName } from '../../contracts/src/events.js';
import type { Severity } from '../../contracts/src/screening.js';

const ORDER: readonly Severity[] = ['low', 'medium', 'high', 'critical'];

/** What every sink of ours can be told. */
export interface SinkOptions {
  /** What its deliveries are kept under. Default: the kind of the sink. Two of a kind need two names. */
  readonly name?: string;
  /** Names of events, or their beginnings: `guardrails.approval.*`. Default: all. */
  readonly events?: readonly (EventName | `guardrails.${string}.*`)[];
  readonly minimumSeverity?: Severity;
  /** `stored`: prompts as the audit keeps them, and values of settings, go along. Default `none`. */
  readonly content?: 'none' | 'stored';
  /** Deliveries under way at once, each of another subject. */
  readonly concurrency?: number;
  /** Default 15 s. */
  readonly timeoutMs?: number;
}

export interface SinkDefaults {
  readonly name: string;
  readonly minimumSeverity: Severity;
  readonly concurrency: number;
}

/** The filter and the content policy that all sinks of ours share. */
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
    this.minimum = ORDER.indexOf(options.minimumSeverity ?? defaults.minimumSeverity);
    const unknown = (this.events ?? []).filter((event) => !isEventName(event) && !isBeginning(event));
    if (unknown.length > 0 || this.minimum < 0)
      throw new ConfigurationError([
        ...unknown.map((event) => `the sink ${this.name} selects ${event}, which is no event`),
        ...(this.minimum < 0 ? [`the sink ${this.name}: minimumSeverity is one of ${ORDER.join(', ')}`] : []),
      ]);
  }

  override selects(name: EventName, severity: Severity): boolean {
    if (ORDER.indexOf(severity) < this.minimum) return false;
    return this.events?.some((event) => matches(event, name)) ?? true;
  }
}

function isBeginning(event: string): boolean {
  return /^guardrails\.([a-z_]+\.)*\*$/.test(event);
}

function matches(event: string, name: EventName): boolean {
  return event.endsWith('.*') ? name.startsWith(event.slice(0, -1)) : event === name;
}

function positive(sink: string, option: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new ConfigurationError([`the sink ${sink}: ${option} must be a positive integer`]);
}
