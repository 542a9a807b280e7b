import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { Expose } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import type {
  EventDeadLettersData,
  EventReplayData,
  EventSinksData,
  EventTestData,
} from '#contracts/api/responses.js';
import { Clock } from '#contracts/clock.js';
import type { DeadLetterRequest } from '#contracts/outbox.js';
import { SinkAdmin, type ReplayRequest } from '#engine/events/sink-admin.js';
import { CurrentAuthor, UntrustedQuery, type Author } from '../http/parameters.js';
import type { QueryReader } from '../http/query-reader.js';
import { invalidBody } from '../http/validation.pipe.js';
import { presentDeadLetters, presentReplay, presentSinks, presentTest } from './events.presenter.js';

const POSITIVE = { message: 'must be a positive integer' };

class ReplayEventsDto {
  @Expose()
  @IsString({ message: 'must be the name of a sink' })
  readonly sink!: string;

  /** Replays the dead letters of the sink instead of a range. */
  @Expose()
  @IsOptional()
  @IsBoolean({ message: 'must be true or false' })
  readonly dead_letters?: boolean | null;

  /** Replays the dead letter with this sequence number. */
  @Expose()
  @IsOptional()
  @Max(Number.MAX_SAFE_INTEGER, POSITIVE)
  @Min(1, POSITIVE)
  @IsInt(POSITIVE)
  readonly sequence?: number | null;

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
    private readonly admin: SinkAdmin,
    private readonly clock: Clock,
  ) {}

  @Get('sinks')
  async sinks(): Promise<EventSinksData> {
    return presentSinks(await this.admin.states(), this.clock.now());
  }

  @Get('sinks/:name/dead')
  async dead(
    @Param('name') sink: string,
    @UntrustedQuery(readDeadQuery) request: DeadLetterRequest,
  ): Promise<EventDeadLettersData> {
    return presentDeadLetters(sink, await this.admin.deadLetters(sink, request));
  }

  @Post('replay')
  @HttpCode(200)
  async replay(
    @Body() input: ReplayEventsDto,
    @CurrentAuthor() { actor, requestId }: Author,
  ): Promise<EventReplayData> {
    const author = { actorId: actor.id, requestId };
    return presentReplay(input.sink, await this.admin.replay(replayRequestOf(input), author));
  }

  @Post('sinks/:name/test')
  @HttpCode(200)
  async test(@Param('name') sink: string, @CurrentAuthor() { actor }: Author): Promise<EventTestData> {
    return presentTest(sink, await this.admin.test(sink, actor.id));
  }
}

function readDeadQuery(reader: QueryReader): DeadLetterRequest {
  return reader.readCursor();
}

/** Dead letters, one of them, or a range must be named, so that a missing member does not replay everything. */
function replayRequestOf(input: ReplayEventsDto): ReplayRequest {
  const { sink } = input;
  const first = input.from ?? null;
  const sequence = input.sequence ?? null;
  const to = input.to ?? Number.MAX_SAFE_INTEGER;
  if (sequence !== null) {
    if (first !== null || (input.to ?? null) !== null || input.dead_letters === true)
      throw invalidBody({ sequence: ['must be the only member beside the sink'] });
    return { sink, deadLetters: true, sequence, from: sequence, to: sequence };
  }
  const deadLetters = input.dead_letters === true;
  if (deadLetters && first !== null)
    throw invalidBody({ from: ['must be left out with dead_letters: true'] });
  if (!deadLetters && first === null)
    throw invalidBody({ from: ['is required, unless the body has sequence or dead_letters: true'] });
  if (first !== null && first > to) throw invalidBody({ from: ['must not be after to'] });
  return { sink, deadLetters, from: first ?? 1, to };
}
