import type { WriteStream } from 'node:tty';

type Stream = Pick<WriteStream, 'write' | 'on'> & { readonly isTTY?: boolean };

const CLEAR_LINE = '\r\u001B[2K';

/** Results go to standard output; everything about the way there goes to standard error, so that a pipe holds results only. */
export class Terminal {
  constructor(
    private readonly output: Stream,
    private readonly error: Stream,
  ) {
    // A reader that has seen enough, as `| head`, is no failure of ours.
    output.on('error', (fault: NodeJS.ErrnoException) => {
      if (fault.code !== 'EPIPE') throw fault;
    });
  }

  /** Somebody looks on while it works. */
  get isWatched(): boolean {
    return this.error.isTTY === true;
  }

  print(text: string): void {
    this.output.write(`${text}\n`);
  }

  tell(text: string): void {
    this.error.write(`${text}\n`);
  }

  /** Puts a line in place of the one that is being drawn. */
  redraw(line: string): void {
    this.error.write(CLEAR_LINE + line);
  }
}
