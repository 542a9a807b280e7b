import { Injectable, Logger } from '@nestjs/common';
import type { EventEmitter2 } from '@nestjs/event-emitter';
import { EventPublisher, type GuardrailsEvent } from '#contracts/events/guardrails-event.js';

type Listener = (...args: unknown[]) => unknown;

/** Publishes events to the host's EventEmitter2. A listener that throws or rejects does not affect the others. */
@Injectable()
export class EventEmitterPublisher extends EventPublisher {
  private readonly logger = new Logger('Guardrails');
  private emitter: EventEmitter2 | null = null;

  attach(emitter: EventEmitter2): void {
    this.emitter = emitter;
  }

  override publish(event: GuardrailsEvent): void {
    if (this.emitter === null) return;
    const any = this.emitter.listenersAny().slice();
    const named = this.emitter.listeners(event.name).slice();
    for (const listener of any) this.notify(event, listener as Listener, event.name, event);
    for (const listener of named) this.notify(event, listener as Listener, event);
  }

  private notify(event: GuardrailsEvent, listener: Listener, ...args: unknown[]) {
    try {
      Promise.resolve(listener.apply(this.emitter, args)).catch((error: unknown) => this.log(event, error));
    } catch (error) {
      this.log(event, error);
    }
  }

  private log(event: GuardrailsEvent, error: unknown) {
    this.logger.error(
      `A listener of ${event.name} failed. The event was delivered to the other listeners.`,
      error instanceof Error ? error.stack : String(error),
    );
  }
}
