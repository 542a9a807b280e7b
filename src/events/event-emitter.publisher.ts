import { Injectable, Logger } from '@nestjs/common';
import type { EventEmitter2 } from '@nestjs/event-emitter';
import { EventPublisher, type GuardrailsEvent } from '../../libs/contracts/src/events.js';

type Listener = (...args: unknown[]) => unknown;

/** Tells the host's listeners, one by one: neither a throwing nor a rejecting one harms the next, or us. */
@Injectable()
export class EventEmitterPublisher extends EventPublisher {
  private readonly logger = new Logger('Guardrails');
  private emitter: EventEmitter2 | null = null;

  attach(emitter: EventEmitter2): void {
    this.emitter = emitter;
  }

  override publish(event: GuardrailsEvent): void {
    if (this.emitter === null) return;
    const everything = this.emitter.listenersAny().slice();
    const named = this.emitter.listeners(event.name).slice();
    for (const listener of everything) this.tell(event, listener as Listener, event.name, event);
    for (const listener of named) this.tell(event, listener as Listener, event);
  }

  private tell(event: GuardrailsEvent, listener: Listener, ...args: unknown[]): void {
    try {
      Promise.resolve(listener.apply(this.emitter, args)).catch((error: unknown) =>
        this.report(event, error),
      );
    } catch (error) {
      this.report(event, error);
    }
  }

  private report(event: GuardrailsEvent, error: unknown): void {
    this.logger.error(
      `a listener of ${event.name} failed`,
      error instanceof Error ? error.stack : String(error),
    );
  }
}
