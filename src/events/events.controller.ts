import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ReplayBody } from '#bodies/bodies.js';
import {
  DeadLettersQuery,
  EventDeadLettersData,
  EventReplayData,
  EventSinksData,
  EventTestData,
} from '#contracts/events/events.api.js';
import { pattern } from '#contracts/common/schema.js';
import { Clock } from '#contracts/common/clock.js';
import { SinkAdmin, type ReplayRequest } from '#engine/events/sink-admin.js';
import { CurrentAuthor, UntrustedQuery, type Author } from '../http/parameters.js';
import { invalidBody } from '../http/validation.pipe.js';
import { Answers } from '../openapi/answers.js';
import { presentEvent } from './live-streams.js';

/** The sink in a path. */
const path = {
  name: { description: 'The name of a sink.', schema: pattern('^[a-z][a-z0-9_-]{0,39}$'), example: 'siem' },
};

@Controller('events')
export class EventsController {
  constructor(
    private readonly admin: SinkAdmin,
    private readonly clock: Clock,
  ) {}

  @Get('sinks')
  @Answers('events.sinks', EventSinksData, { summary: 'State of the sinks' })
  async sinks(): Promise<EventSinksData> {
    return { sinks: await this.admin.states(), as_of: this.clock.now().toISOString() };
  }

  @Get('sinks/:name/dead')
  @Answers('events.dead', EventDeadLettersData, {
    summary: 'Dead letters of a sink, newest event first',
    description:
      'Events that could not be delivered for three days. They stay for `events.retention` days after they occurred. Replay one with its `sequence`, or all of them, with `POST /events/replay`.',
    path,
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
  @Answers('events.replay', EventReplayData, {
    summary: 'Queue dead letters or a range of stored events for a sink again',
    description:
      'Recorded in the change log under `events.replay` before anything is queued. Events keep their ids, and the filter of the sink still applies. One request reads at most 10 000 events; `next_from` is the start of the next request.',
    errors: ['not_found'],
  })
  replay(@Body() input: ReplayBody, @CurrentAuthor() { actor, requestId }: Author): Promise<EventReplayData> {
    return this.admin.replay(replayRequestOf(input), { actorId: actor.id, requestId });
  }

  @Post('sinks/:name/test')
  @Answers('events.test', EventTestData, {
    summary: 'Send a test event to a sink and report whether it arrived',
    description: 'Bypasses the queue. A success also resumes a sink that is `resting`.',
    path,
    storeless: true,
  })
  test(@Param('name') sink: string, @CurrentAuthor() { actor }: Author): Promise<EventTestData> {
    return this.admin.test(sink, actor.id);
  }
}

/** Dead letters, one of them, or a range must be named, so that a missing member does not replay everything. */
function replayRequestOf(input: ReplayBody): ReplayRequest {
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
