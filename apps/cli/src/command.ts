import type { Environment } from './environment.js';
import type { Terminal } from './terminal.js';

export interface OptionDeclaration {
  /** Stands for its value in the help; a switch has none. */
  readonly value?: string;
  readonly help: string;
}

/** A command declares all that its help, its parser and its page in the documentation say. */
export interface Command {
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** Paragraphs. */
  readonly details: readonly string[];
  readonly options: Readonly<Record<string, OptionDeclaration>>;
  /** When it ends with 0 and with 1. Every command ends with 2 on wrong use. */
  readonly exits: readonly [well: string, badly: string];
  run(given: Given, session: Session): Promise<number>;
}

export interface Session {
  readonly terminal: Terminal;
  readonly environment: Environment;
}

/** What was written behind the command's name. */
export class Given {
  constructor(private readonly values: Readonly<Record<string, string | boolean | undefined>>) {}

  /** `null` where it was not given, or is empty. */
  text(option: string): string | null {
    const value = this.values[option];
    return typeof value === 'string' && value !== '' ? value : null;
  }

  has(option: string): boolean {
    return this.values[option] === true;
  }
}

/** The command line itself is wrong: said together with where to read how it is right. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
