/** Where the engine says what an operator of the process should read. The Nest face writes it to the host's log. */
export abstract class Diagnostics {
  abstract warn(message: string, facts?: Readonly<Record<string, unknown>>): void;
}

export class SilentDiagnostics extends Diagnostics {
  override warn(): void {
    // An engine that is used alone has no log of its own.
  }
}
