import { Body, Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { Expose } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import type { Request, Response } from 'express';
import type { EventReplayData, EventSinksData, EventTestData } from '#contracts/api/responses.js';
import { Clock } from '#contracts/clock.js';
import { SinkAdmin, type ReplayRequest } from '#engine/events/sink-admin.js';
import { CurrentAuthor, type Author } from '../http/parameters.js';
import { invalidBody } from '../http/validation.pipe.js';
import { presentReplay, presentSinks, presentTest } from './events.presenter.js';
import { LiveStreams } from './live-streams.js';

const POSITIVE = { message: 'must be a positive integer' };

export class ReplayEventsDto {
  @Expose()
  @IsString({ message: 'must be the name of a sink' })
  readonly sink!: string;

  /** Replays the dead letters of the sink instead of a range. */
  @Expose()
  @IsOptional()
  @IsBoolean({ message: 'must be true or false' })
  readonly dead_letters?: boolean | null;

  /** The first sequence number of the range. */
  @Expose()
  @IsOptional()
  @Max(Number.MAX_SAFE_INTEGER, POSITIVE)
  @Min(1, POSITIVE)
  @IsInt(POSITIVE)
  readonly from?: number | null;

  /** The last sequence number of the range. Default: the newest. */
  @Expose()
  @IsOptional()
  @Max(Number.MAX_SAFE_INTEGER, POSITIVE)
  @Min(1, POSITIVE)
  @IsInt(POSITIVE)
  readonly to?: number | null;
}

@Controller('events')
export class EventsController {
  constructor(
    private readonly desk: SinkAdmin,
    private readonly streams: LiveStreams,
    private readonly clock: Clock,
  ) {}

  /** Served at `<name>/events`, beside the prefix. */
  @Get()
  stream(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.streams.serve(request, response);
  }

  @Get('sinks')
  async sinks(): Promise<EventSinksData> {
    return presentSinks(await this.desk.states(), this.clock.now());
  }

  @Post('replay')
  @HttpCode(200)
  async replay(
    @Body() input: ReplayEventsDto,
    @CurrentAuthor() { actor, requestId }: Author,
  ): Promise<EventReplayData> {
    const author = { actorId: actor.id, requestId };
    return presentReplay(input.sink, await this.desk.replay(replayRequestOf(input), author));
  }

  @Post('sinks/:name/test')
  @HttpCode(200)
  async test(@Param('name') sink: string, @CurrentAuthor() { actor }: Author): Promise<EventTestData> {
    return presentTest(sink, await this.desk.test(sink, actor.id));
  }
}

/** Dead letters or a range must be named, so that a missing member does not replay everything. */
function replayRequestOf({ sink, dead_letters: dead, from, to }: ReplayEventsDto): ReplayRequest {
  const deadLetters = dead === true;
  const first = from ?? null;
  const last = to ?? Number.MAX_SAFE_INTEGER;
  if (deadLetters && first !== null)
    throw invalidBody({ from: ['must be left out with dead_letters: true'] });
  if (!deadLetters && first === null)
    throw invalidBody({ from: ['is required unless dead_letters is true'] });
  if (first !== null && first > last) throw invalidBody({ from: ['must not be after to'] });
  return { sink, deadLetters, from: first ?? 1, to: last };
}
