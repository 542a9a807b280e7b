import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { IsBoolean, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import {
  DeadLettersQuery,
  EventDeadLettersData,
  EventReplayData,
  EventSinksData,
  EventTestData,
} from '#contracts/events/events.api.js';
import { Clock } from '#contracts/common/clock.js';
import { SinkAdmin, type ReplayRequest, type SinkState } from '#engine/events/sink-admin.js';
import { CurrentAuthor, UntrustedQuery, type Author } from '../http/parameters.js';
import { invalidBody } from '../http/validation.pipe.js';
import { Answers } from '../openapi/answers.js';
import { Member } from '../openapi/body-schema.js';
import { presentEvent } from './live-streams.js';

const POSITIVE = { message: 'must be a positive integer' };

class ReplayEventsDto {
  @Member('The name of a sink.', 'siem')
  @IsString({ message: 'must be the name of a sink' })
  readonly sink!: string;

  @Member('Replay the dead letters instead of a range.')
  @IsOptional()
  @IsBoolean({ message: 'must be true or false' })
  readonly dead_letters?: boolean | null;

  @Member(
    'Replay the dead letter with this number only. If the event is not a dead letter, the status is 404.',
  )
  @IsOptional()
  @Max(Number.MAX_SAFE_INTEGER, POSITIVE)
  @Min(1, POSITIVE)
  @IsInt(POSITIVE)
  readonly sequence?: number | null;

  @Member('The first `sequence` of the range.', 4700)
  @IsOptional()
  @Max(Number.MAX_SAFE_INTEGER, POSITIVE)
  @Min(1, POSITIVE)
  @IsInt(POSITIVE)
  readonly from?: number | null;

  @Member('The last one, inclusive. Default: the newest.', 4800)
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
  @Answers('events.sinks', EventSinksData, { summary: 'State of the sinks' })
  async sinks(): Promise<EventSinksData> {
    return presentSinks(await this.admin.states(), this.clock.now());
  }

  @Get('sinks/:name/dead')
  @Answers('events.dead', EventDeadLettersData, {
    summary: 'Dead letters of a sink, newest event first',
    description:
      'Events that could not be delivered for three days. They stay for `events.retention` days after they occurred. Replay one with its `sequence`, or all of them, with `POST /events/replay`.',
  })
  async dead(
    @Param('name') sink: string,
    @UntrustedQuery(DeadLettersQuery) query: DeadLettersQuery,
  ): Promise<EventDeadLettersData> {
    const { entries, next_cursor } = await this.admin.deadLetters(sink, query);
    const dead = entries.map((letter) => ({
      ...presentEvent(letter),
      attempts: letter.attempts,
      error: letter.error,
      died_at: letter.diedAt.toISOString(),
    }));
    return { sink, dead, next_cursor };
  }

  @Post('replay')
  @HttpCode(200)
  @Answers('events.replay', EventReplayData, {
    summary: 'Queue dead letters or a range of stored events for a sink again',
    description:
      'Recorded in the change log under `events.replay` before anything is queued. Events keep their ids, and the filter of the sink still applies. One request reads at most 10 000 events; `next_from` is the start of the next request.',
    body: ReplayEventsDto,
    errors: ['not_found'],
  })
  async replay(
    @Body() input: ReplayEventsDto,
    @CurrentAuthor() { actor, requestId }: Author,
  ): Promise<EventReplayData> {
    const author = { actorId: actor.id, requestId };
    const { queued, nextFrom } = await this.admin.replay(replayRequestOf(input), author);
    return { sink: input.sink, queued, next_from: nextFrom };
  }

  @Post('sinks/:name/test')
  @HttpCode(200)
  @Answers('events.test', EventTestData, {
    summary: 'Send a test event to a sink and report whether it arrived',
    description: 'Bypasses the queue. A success also resumes a sink that is `resting`.',
    storeless: true,
  })
  async test(@Param('name') sink: string, @CurrentAuthor() { actor }: Author): Promise<EventTestData> {
    const { eventId, delivered, error, durationMs } = await this.admin.test(sink, actor.id);
    return { sink, event_id: eventId, delivered, error, duration_ms: durationMs };
  }
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

function presentSinks(states: readonly SinkState[], now: Date): EventSinksData {
  return { sinks: states.map((state) => presentSink(state, now)), as_of: now.toISOString() };
}

function presentSink(state: SinkState, now: Date): EventSinksData['sinks'][number] {
  const { name, waiting, retrying, dead, waitingSince, delivered, failed, lastError } = state;
  const lag = waitingSince === null ? 0 : (now.getTime() - waitingSince.getTime()) / 1000;
  return {
    name,
    state: state.state,
    waiting,
    retrying,
    dead,
    waiting_since: waitingSince?.toISOString() ?? null,
    lag_seconds: Math.max(0, Math.round(lag)),
    delivered,
    failed,
    last_success_at: state.lastSuccessAt?.toISOString() ?? null,
    last_failure_at: state.lastFailureAt?.toISOString() ?? null,
    last_error: lastError,
    counted_since: state.countedSince.toISOString(),
  };
}
