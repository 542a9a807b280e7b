// What a command declares, what it gets when it runs, and how errors are shown in a terminal.
import { ApiError } from '#client/index.js';
import type { Terminal } from './terminal.js';

export interface OptionDeclaration {
  /** One letter, as in `-n`. */
  readonly short?: string;
  /** Placeholder for the value in the help. Switches have none. */
  readonly value?: string;
  readonly help: string;
}

/** A command line command. Help text, option parser and reference page are generated from this declaration. */
export interface Command {
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** Paragraphs of the help, after the summary. */
  readonly details?: readonly string[];
  /** Options whose values may be written without their names, in this order. */
  readonly positionals?: readonly string[];
  readonly options: Readonly<Record<string, OptionDeclaration>>;
  /** Command lines, for the help. */
  readonly examples: readonly string[];
  /**
   * The meaning of exit codes 0, 1 and 3. A pipeline distinguishes a negative result (1; `null`: there is none) from a
   * command that could not give a result (3). Every command exits with 2 if the command line is wrong.
   */
  readonly exits: readonly [success: string, negative: string | null, failure: string];
  /** Resolves with the exit code. */
  run(session: Session): Promise<number>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The process that a command runs in. */
export interface Surroundings {
  readonly terminal: Terminal;
  readonly environment: Environment;
  readonly input: AsyncIterable<unknown> & { readonly isTTY?: boolean };
}

/** One run of a command. */
export interface Session extends Surroundings {
  readonly options: ParsedOptions;
}

/** Prints the data with `--json`, and else the lines. */
export function printResult({ options, terminal }: Session, data: unknown, lines: string): void {
  terminal.print(options.has('json') ? JSON.stringify(data, null, 2) : lines);
}

export class ParsedOptions {
  constructor(private readonly values: Readonly<Record<string, string | boolean | undefined>>) {}

  /** Returns `null` if the option is absent or empty. */
  text(option: string): string | null {
    const value = this.values[option];
    return typeof value === 'string' && value !== '' ? value : null;
  }

  required(option: string): string {
    const text = this.text(option);
    if (text === null) throw new UsageError(`--${option} is missing. Add it to the command.`);
    return text;
  }

  requiredId(option: string): number {
    this.required(option);
    return this.id(option) ?? 0;
  }

  /** `null` if the option is absent or empty. */
  choice<const Choice extends string>(option: string, choices: readonly Choice[]): Choice | null {
    const text = this.text(option);
    const chosen = choices.find((each) => each === text);
    if (text !== null && chosen === undefined)
      throw new UsageError(`--${option} must be one of ${choices.join(', ')}.`);
    return chosen ?? null;
  }

  /** A positive integer, or `null` if the option is absent or empty. */
  id(option: string): number | null {
    const text = this.text(option);
    if (text === null) return null;
    if (!/^[1-9][0-9]{0,15}$/.test(text)) throw new UsageError(`--${option} must be a positive integer.`);
    return Number(text);
  }

  has(option: string): boolean {
    return this.values[option] === true;
  }
}

/** The command line is wrong. Printed together with a reference to the help; the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The message of an error and of its cause, without stack. Database drivers give the reason only in the cause. */
export function errorMessage(error: unknown): string {
  if (error instanceof ApiError) return apiErrorMessage(error);
  if (!(error instanceof Error)) return String(error);
  const message = messageOf(error);
  return error.cause instanceof Error ? `${message}\n  ${messageOf(error.cause)}` : message;
}

const HINTS: Readonly<Record<number, string>> = {
  401: 'Set GUARDRAILS_API_AUTHORIZATION to the whole value of the Authorization header, such as "Bearer …".',
  404: 'If nothing is found at all: the URL must be that of the API, such as https://shop.example/guardrails/api.',
};

function apiErrorMessage({ status, message, fields }: ApiError) {
  const faults = Object.entries(fields).map(([name, reasons]) => `${name} ${reasons.join('; ')}`);
  const hint = HINTS[status];
  return [
    `The request failed with status ${status}. ${message}`,
    ...faults,
    ...(hint === undefined ? [] : [hint]),
  ].join('\n');
}

/** Node reports one error per address that it tried, without a common message; the first is enough. */
function messageOf(error: Error) {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(first instanceof Error)) return error.message;
  return first.message || (first as NodeJS.ErrnoException).code || first.name;
}
