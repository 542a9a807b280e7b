import { Transform } from 'node:stream';

const NEWLINE = 0x0a;

/** Counts lines, and reads the id of the first and the last one. An id is the first member of its line. */
export class LineCounter extends Transform {
  rows = 0;
  firstId: number | null = null;
  lastId: number | null = null;
  /** The beginning of the current line. */
  private head = '';

  constructor(private readonly onId: (id: number) => void) {
    super();
  }

  override _transform(
    chunk: Buffer,
    _encoding: string,
    done: (error: Error | null, chunk?: Buffer) => void,
  ): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.keepHead(chunk, start, end);
      const id = /^\{"id":(\d+)/.exec(this.head)?.[1];
      if (id === undefined) return done(new Error('The instance sent a line that is not an audit entry.'));
      this.rows += 1;
      this.lastId = Number(id);
      this.firstId ??= this.lastId;
      this.head = '';
      start = end + 1;
    }
    this.keepHead(chunk, start, chunk.length);
    if (this.lastId !== null) this.onId(this.lastId);
    done(null, chunk);
  }

  override _flush(done: (error: Error | null) => void): void {
    done(this.head === '' ? null : new Error('The instance sent an incomplete line.'));
  }

  private keepHead(chunk: Buffer, start: number, end: number): void {
    const missing = MAX_HEAD_LENGTH - this.head.length;
    if (missing > 0) this.head += chunk.toString('latin1', start, Math.min(end, start + missing));
  }
}

/** `{"id":` and sixteen digits. */
const MAX_HEAD_LENGTH = 24;

/** Reads the last checkpoint of a log. */
export class CheckpointReader extends Transform {
  newest: string | null = null;
  private rest = '';

  override _transform(
    chunk: Buffer,
    _encoding: string,
    done: (error: Error | null, chunk?: Buffer) => void,
  ): void {
    // Lines of leaves are ASCII. If a chunk ends within a character of a checkpoint, its bytes stay in the rest.
    const lines = (this.rest + chunk.toString('latin1')).split('\n');
    this.rest = lines.pop() ?? '';
    const line = lines.findLast((one) => one.startsWith('{"checkpoint"'));
    if (line !== undefined) {
      const text = Buffer.from(line, 'latin1').toString('utf8');
      this.newest = (JSON.parse(text) as { readonly checkpoint: string }).checkpoint;
    }
    done(null, chunk);
  }

  override _flush(done: (error: Error | null) => void): void {
    done(this.rest === '' ? null : new Error('The instance sent an incomplete line.'));
  }
}
