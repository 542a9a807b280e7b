import { Body, Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type {
  EventReplayData,
  EventSinksData,
  EventTestData,
} from '../../libs/contracts/src/api/responses.js';
import { Clock } from '../../libs/contracts/src/clock.js';
import { SinkAdmin } from '../../libs/engine/src/events/sink-admin.js';
import { CurrentAuthor, SinkName, type Author } from '../http/parameters.js';
import { Serves } from '../http/serves.decorator.js';
import { presentReplay, presentSinks, presentTest } from './events.presenter.js';
import { LiveStreams } from './live-streams.js';
import { ReplayEventsDto } from './replay-events.dto.js';
import { replayRequest } from './replay-request.js';

@Controller()
export class EventsController {
  constructor(
    private readonly desk: SinkAdmin,
    private readonly streams: LiveStreams,
    private readonly clock: Clock,
  ) {}

  @Serves('events.stream')
  stream(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.streams.serve(request, response);
  }

  @Serves('events.sinks')
  async sinks(): Promise<EventSinksData> {
    return presentSinks(await this.desk.states(), this.clock.now());
  }

  @Serves('events.replay')
  async replay(
    @Body() input: ReplayEventsDto,
    @CurrentAuthor() { actor, requestId }: Author,
  ): Promise<EventReplayData> {
    const author = { actorId: actor.id, requestId };
    return presentReplay(input.sink, await this.desk.replay(replayRequest(input), author));
  }

  @Serves('events.test')
  async test(@SinkName() sink: string, @CurrentAuthor() { actor }: Author): Promise<EventTestData> {
    return presentTest(sink, await this.desk.test(sink, actor.id));
  }
}
