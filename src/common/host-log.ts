import { AsyncLocalStorage } from 'node:async_hooks';
import { Logger, type LoggerService } from '@nestjs/common';
import { Diagnostics } from '#engine/shared/ports.js';

/** Warnings of one boot that are logged in full. */
const MAX_WARNINGS = 10;

/** The host's log. Until the end of the boot it collects warnings, and then it logs them after the lines of the boot. */
export class HostLog extends Diagnostics {
  private readonly logger = new Logger('Guardrails');
  private pending: string[] | null = [];

  override warn(message: string, facts: Readonly<Record<string, unknown>> = {}): void {
    const line = Object.keys(facts).length === 0 ? message : `${message} ${JSON.stringify(facts)}`;
    if (this.pending === null) this.logger.warn(line);
    else this.pending.push(line);
  }

  endBoot(lines: readonly string[]): void {
    for (const line of lines) this.logger.log(line);
    const warnings = this.pending ?? [];
    this.pending = null;
    for (const warning of warnings.slice(0, MAX_WARNINGS)) this.warn(warning);
    const more = warnings.length - MAX_WARNINGS;
    if (more > 0) this.warn(`${more} more warnings. Check the configuration: npx nest-guardrails doctor`);
  }
}

/** Nest logs every module and route of an application. Those of the admin API are not in the host's log; warnings are. */
export abstract class InnerApplicationLog extends Logger {
  static async silence<T>(start: () => Promise<T>): Promise<T> {
    const hosts = Logger.staticInstanceRef;
    const isInner = new AsyncLocalStorage<true>();
    const filter = new Proxy({} as LoggerService, {
      get:
        (_, level: keyof LoggerService) =>
        (...line: [unknown, ...unknown[]]) =>
          level === 'log' && isInner.getStore() ? undefined : hosts?.[level]?.(...(line as [never])),
    });
    Logger.staticInstanceRef = filter;
    try {
      return await isInner.run(true, start);
    } finally {
      if (Logger.staticInstanceRef === filter) Logger.staticInstanceRef = hosts;
    }
  }
}
