import type { WriteStream } from 'node:tty';

type Stream = Pick<WriteStream, 'write' | 'on'> & { readonly isTTY?: boolean };

const CLEAR_LINE = '\r\u001B[2K';
const BAR_WIDTH = 30;
const REDRAW_INTERVAL_MS = 100;

/** Prints results to standard output, and errors and progress to standard error, so that a pipe gets results only. */
export class Terminal {
  constructor(
    private readonly output: Stream,
    private readonly error: Stream,
  ) {
    // A reader that closes the pipe early, such as `| head`, is not an error.
    output.on('error', (fault: NodeJS.ErrnoException) => {
      if (fault.code !== 'EPIPE') throw fault;
    });
  }

  get isInteractive(): boolean {
    return this.error.isTTY === true;
  }

  print(text: string): void {
    this.output.write(`${text}\n`);
  }

  printError(text: string): void {
    this.error.write(`${text}\n`);
  }

  /** Replaces the current line. */
  redraw(line: string): void {
    this.error.write(CLEAR_LINE + line);
  }
}

/** A progress bar on one line of an interactive terminal. Prints nothing to a file or a pipe. */
export class ProgressBar {
  private shownAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly terminal: Terminal,
    private readonly label: string,
  ) {}

  show(done: number, total: number): void {
    if (!this.terminal.isInteractive || Date.now() - this.shownAt < REDRAW_INTERVAL_MS) return;
    this.shownAt = Date.now();
    const share = total === 0 ? 1 : Math.min(1, done / total);
    const filled = Math.round(share * BAR_WIDTH);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
    this.terminal.redraw(`${this.label} ${bar} ${Math.floor(share * 100)} % (${done} of ${total})`);
  }

  end(): void {
    if (this.terminal.isInteractive) this.terminal.redraw('');
  }
}
