/** The part of `ws` that the tests use. */
declare module 'ws' {
  import { EventEmitter } from 'node:events';

  export class WebSocket extends EventEmitter {
    constructor(url: string);
    on(event: 'message', listener: (bytes: Buffer) => void): this;
    send(text: string): void;
    close(): void;
  }
}
