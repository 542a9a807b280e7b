/** Sanitizes one text part of a stream, chunk by chunk. */
export class PartSession {
  private readonly writer: WritableStreamDefaultWriter<string>;
  private readonly reader: ReadableStreamDefaultReader<string>;
  private readonly done: Promise<void>;
  private ready: string[] = [];

  constructor({ writable, readable }: TransformStream<string, string>) {
    this.writer = writable.getWriter();
    this.reader = readable.getReader();
    this.done = this.read();
    // A failure is thrown by the next write or by `close`.
    this.done.catch(() => undefined);
  }

  async write(text: string): Promise<readonly string[]> {
    await this.writer.write(text);
    return this.taken();
  }

  async close(): Promise<readonly string[]> {
    await this.writer.close();
    await this.done;
    return this.taken();
  }

  async abort(): Promise<void> {
    await this.reader.cancel().catch(() => undefined);
  }

  private taken(): readonly string[] {
    const { ready } = this;
    this.ready = [];
    return ready;
  }

  private async read(): Promise<void> {
    for (let next = await this.reader.read(); !next.done; next = await this.reader.read())
      this.ready.push(next.value);
  }
}
