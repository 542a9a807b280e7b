import type { Diagnostics } from '../diagnostics.js';
import { failureOf, type Failure } from './failure-reason.js';

/** What one sink has to say. A receiver that is down says the same again and again; the log need not. */
export class SinkLog {
  private said: string | null = null;

  constructor(
    private readonly sink: string,
    private readonly diagnostics: Diagnostics,
    private readonly withoutSecrets: (text: string) => string,
  ) {}

  failureOf(error: unknown): Failure {
    return failureOf(error, this.withoutSecrets);
  }

  say(message: string, facts: Readonly<Record<string, unknown>>): void {
    this.diagnostics.warn(message, { sink: this.sink, ...facts });
  }

  /** Until something else is said, or a delivery arrives. */
  sayOnce(reason: string): void {
    if (this.said === reason) return;
    this.said = reason;
    this.say('events are not delivered, and are tried again', { reason });
  }

  forget(): void {
    this.said = null;
  }
}
