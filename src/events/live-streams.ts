import type { IncomingMessage, ServerResponse } from 'node:http';
import { GuardrailsError } from '#contracts/common/errors.js';
import type { EventData, StreamEndData } from '#contracts/events/events.api.js';
import type { NumberedEvent } from '#contracts/events/outbox.js';
import type { EventStream, StreamStart } from '#engine/events/event-stream.js';
import { ApiRequest } from '../http/api-request.js';
import { sendPart } from '../http/send-part.js';
import { envelopeText, setHead } from '../http/envelope.interceptor.js';

const HEARTBEAT_MS = 15_000;
const RETRY_MS = 3000;
/** After a planned end, a client reconnects sooner than after a failure. */
const PLANNED_RETRY_MS = 500;
/** A client that reads nothing for this long is disconnected. */
const DRAIN_TIMEOUT_MS = 10_000;
const LIFETIME_MS = 60_000;
/** Spreads the reconnects of clients that connected at the same time. */
const LIFETIME_JITTER_MS = 10_000;

interface Selection {
  readonly after: number | null;
  readonly names: ReadonlySet<string> | null;
}

/**
 * Serves the live stream to a bounded number of clients. Each stream ends after about a minute, so that the client
 * passes the host's middleware and the gate again: revoked access ends with the stream.
 */
export class LiveStreams {
  /** The open responses, each with its actor; streams without an actor count as those of one. */
  private readonly open = new Map<ServerResponse, string | undefined>();

  constructor(
    private readonly stream: EventStream,
    private readonly maxStreams: number,
    private readonly lifetimeMs: () => number = jitteredLifetime,
  ) {}

  /** With `names`, only events of these names are sent. */
  async serve(
    request: IncomingMessage,
    response: ServerResponse,
    names: ReadonlySet<string> | null = null,
  ): Promise<void> {
    const after = lastEventId(request);
    const actor = ApiRequest.get(request).actor?.id;
    const share = Math.ceil(this.maxStreams / 3);
    const own = [...this.open.values()].filter((id) => id === actor).length;
    if (this.open.size >= this.maxStreams || own >= share) {
      throw new GuardrailsError(
        'rate_limited',
        `This instance serves ${this.maxStreams} live streams, ${share} for each actor, and they are in use. Close one or retry later, or raise events.max_streams.`,
      );
    }
    this.open.set(response, actor);
    response.once('close', () => this.open.delete(response));
    const heartbeat = setInterval(() => {
      if (response.headersSent && !response.writableNeedDrain) response.write(': heartbeat\n\n');
    }, HEARTBEAT_MS).unref();
    try {
      await this.send(ApiRequest.get(request), response, { after, names });
    } finally {
      clearInterval(heartbeat);
    }
  }

  private async send(request: ApiRequest, response: ServerResponse, { after, names }: Selection) {
    const endsAt = performance.now() + this.lifetimeMs();
    const isGone = () => response.destroyed || response.writableEnded;
    const start = await this.stream.start(after);
    let { position } = start;
    for await (const events of this.stream.from(position, () => isGone() || performance.now() >= endsAt)) {
      if (!response.headersSent) begin(response, request, start);
      if (request.method === 'HEAD') break;
      for (const event of events) {
        if (isGone()) break;
        if (names === null || names.has(event.name))
          await sendPart(response, eventFrame(request, event), DRAIN_TIMEOUT_MS);
      }
      position = events.at(-1)?.sequence ?? position;
    }
    if (!isGone() && request.method !== 'HEAD') response.write(endFrame(request, position));
    response.end();
  }
}

function jitteredLifetime() {
  return LIFETIME_MS + (Math.random() - 0.5) * LIFETIME_JITTER_MS;
}

/** Runs once the store has answered, so that an earlier failure is answered like any other error. */
function begin(response: ServerResponse, request: ApiRequest, { position, newest }: StreamStart) {
  setHead(response, request, 200);
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  // `no-transform` keeps middleware such as compression() from buffering the stream.
  response.setHeader('Cache-Control', 'no-store, no-transform');
  response.setHeader('X-Accel-Buffering', 'no');
  // The position comes first, so that a client which has received no event yet resumes without a gap, too.
  response.write(`: at ${newest}\nid: ${position}\nretry: ${RETRY_MS}\n\n`);
}

function eventFrame({ endpoint }: ApiRequest, event: NumberedEvent) {
  return `id: ${event.sequence}\ndata: ${envelopeText(endpoint, presentEvent(event))}\n\n`;
}

export function presentEvent({ sequence, id, name, subject, severity, ...event }: NumberedEvent): EventData {
  const { occurredAt, auditId, payload } = event;
  return {
    sequence,
    id,
    name,
    subject,
    severity,
    occurred_at: occurredAt.toISOString(),
    audit_id: auditId,
    payload,
  };
}

function endFrame({ endpoint }: ApiRequest, position: number) {
  const data: StreamEndData = { stream: 'end', resume_after: position };
  const text = envelopeText(endpoint, data);
  return `id: ${position}\nevent: end\nretry: ${PLANNED_RETRY_MS}\ndata: ${text}\n\n`;
}

/** The last event that the client has, as browsers send it on a reconnect; `null` starts with the next event. */
function lastEventId({ headers }: IncomingMessage): number | null {
  const given = headers['last-event-id'];
  if (given === undefined || given === '') return null;
  const id = typeof given === 'string' && /^(0|[1-9][0-9]{0,15})$/.test(given) ? Number(given) : Number.NaN;
  if (Number.isSafeInteger(id)) return id;
  throw new GuardrailsError(
    'invalid_query',
    'The header Last-Event-ID is invalid. Send the id of the last event, or leave the header out.',
    { fields: { 'Last-Event-ID': ['must be an id of this stream'] } },
  );
}
