import { Logger } from '@nestjs/common';
import { Diagnostics } from '../libs/engine/src/ports.js';

/** What the engine has to say goes to the host's log. */
export class LogDiagnostics extends Diagnostics {
  private readonly logger = new Logger('Guardrails');

  override warn(message: string, facts: Readonly<Record<string, unknown>> = {}): void {
    this.logger.warn(Object.keys(facts).length === 0 ? message : `${message} ${JSON.stringify(facts)}`);
  }
}
