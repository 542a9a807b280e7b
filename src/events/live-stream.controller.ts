import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { EVENT_NAMES, isEventName } from '#contracts/events.js';
import { invalid, valid } from '#contracts/settings/setting-kinds.js';
import { UntrustedQuery } from '../http/parameters.js';
import type { QueryKind, QueryReader } from '../http/query-reader.js';
import { LiveStreams } from './live-streams.js';

/** Served at `<name>/events`, beside the prefix. */
@Controller('events')
export class LiveStreamController {
  constructor(private readonly streams: LiveStreams) {}

  @Get()
  stream(
    @Req() request: Request,
    @Res() response: Response,
    @UntrustedQuery(readNames) names: ReadonlySet<string> | null,
  ): Promise<void> {
    return this.streams.serve(request, response, names);
  }
}

function readNames(query: QueryReader): ReadonlySet<string> | null {
  return query.read('names', eventNames) ?? null;
}

/** Names of events, separated by commas. */
const eventNames: QueryKind<ReadonlySet<string>> = (text) => {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !isEventName(name));
  return unknown === undefined
    ? valid(new Set(names))
    : invalid(`must be names of events, separated by commas: ${EVENT_NAMES.join(', ')}`);
};
