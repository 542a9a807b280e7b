import type { IncomingMessage, ServerResponse } from 'node:http';
import { GuardrailsError } from '../../libs/contracts/src/errors.js';
import type { NumberedEvent } from '../../libs/contracts/src/outbox.js';
import type { EventStream } from '../../libs/engine/src/events/event-stream.js';
import { envelopeText, prepareHead } from '../http/answer.js';
import { Claim } from '../http/claim.js';
import { presentEvent } from './events.presenter.js';
import { lastEventId } from './last-event-id.js';

const HEARTBEAT_MS = 15_000;
/** A client that takes nothing for this long is cut off: it comes back, and goes on where it stopped. */
const PATIENCE_MS = 10_000;

/** Serves the live stream to a bounded number of clients, none of whom can make us keep what it does not take. */
export class LiveStreams {
  private open = 0;

  constructor(
    private readonly stream: EventStream,
    private readonly most: number,
    private readonly patienceMs = PATIENCE_MS,
  ) {}

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const after = lastEventId(request);
    if (this.open >= this.most)
      throw new GuardrailsError('rate_limited', 'As many live streams as this instance serves are open.');
    this.open += 1;
    const beat = setInterval(() => {
      if (response.headersSent && !response.writableNeedDrain) response.write(': still here\n\n');
    }, HEARTBEAT_MS).unref();
    try {
      await this.send(request, response, after);
    } finally {
      clearInterval(beat);
      this.open -= 1;
    }
  }

  private async send(
    request: IncomingMessage,
    response: ServerResponse,
    after: number | null,
  ): Promise<void> {
    const claim = Claim.expect(request);
    const isGone = (): boolean => response.destroyed || response.writableEnded;
    for await (const events of this.stream.from(after, isGone)) {
      if (!response.headersSent) begin(response, claim);
      if (request.method === 'HEAD') break;
      for (const event of events) if (!isGone()) await this.write(response, frame(claim.endpoint, event));
    }
    response.end();
  }

  private async write(response: ServerResponse, text: string): Promise<void> {
    if (response.write(text) || (await drained(response, this.patienceMs))) return;
    response.destroy();
  }
}

/** Only once the store has answered: until then, a failure is an answer like any other. */
function begin(response: ServerResponse, claim: Claim): void {
  prepareHead(response, claim, 200);
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  response.setHeader('X-Accel-Buffering', 'no');
  response.write('retry: 3000\n\n');
}

function frame(endpoint: string, event: NumberedEvent): string {
  return `id: ${event.sequence}\ndata: ${envelopeText(endpoint, presentEvent(event))}\n\n`;
}

/** `false`: it did not, in all this time. */
function drained(response: ServerResponse, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (ok: boolean) => (): void => {
      clearTimeout(timer);
      response.off('drain', onDrain).off('close', onClose);
      resolve(ok);
    };
    const [onDrain, onClose] = [end(true), end(true)];
    const timer = setTimeout(end(false), withinMs);
    response.on('drain', onDrain).on('close', onClose);
  });
}
