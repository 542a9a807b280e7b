import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { EventData } from '#contracts/events/events.api.js';
import { EVENT_NAMES, isEventName } from '#contracts/events/events.js';
import { invalid, valid } from '#contracts/settings/setting-kinds.js';
import { UntrustedQuery } from '../http/parameters.js';
import type { QueryKind, QueryReader } from '../http/query-reader.js';
import { Answers } from '../openapi/answers.js';
import { eventNames, lastEventId } from '../openapi/parameters.js';
import { LiveStreams } from './live-streams.js';

/** Served at `<name>/events`, beside the prefix. */
@Controller('events')
export class LiveStreamController {
  constructor(private readonly streams: LiveStreams) {}

  @Get()
  @Answers('events.stream', EventData, {
    summary: 'Live stream of events',
    description:
      'Server-sent events: each `data:` line is an envelope. The stream contains the events of the outbox: those that a sink selects, and those that `events.stream` adds. The first line is the comment `: at <sequence>`: the number of the newest event when the stream was opened. A comment every 15 seconds keeps the connection alive; a client that reads nothing for ten seconds is disconnected. Each stream ends after about a minute with an event named `end`. Reconnect with `Last-Event-ID`, as an `EventSource` does; no event is lost.',
    query: [eventNames],
    headers: [lastEventId],
  })
  stream(
    @Req() request: Request,
    @Res() response: Response,
    @UntrustedQuery(readNames) names: ReadonlySet<string> | null,
  ): Promise<void> {
    return this.streams.serve(request, response, names);
  }
}

function readNames(query: QueryReader): ReadonlySet<string> | null {
  return query.read('names', namesOfEvents) ?? null;
}

/** Separated by commas. */
const namesOfEvents: QueryKind<ReadonlySet<string>> = (text) => {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !isEventName(name));
  return unknown === undefined
    ? valid(new Set(names))
    : invalid(`must be names of events, separated by commas: ${EVENT_NAMES.join(', ')}`);
};
