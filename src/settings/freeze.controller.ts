import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { FreezeBody, FreezeLiftBody } from '#bodies/bodies.js';
import { FreezeData, FreezeLiftData, FreezeListData, FreezesQuery } from '#contracts/freeze/freezes.api.js';
import { Freezes } from '#engine/settings/freezes.js';
import { type Author, CurrentAuthor, parseId, UntrustedQuery } from '../http/parameters.js';
import { Answers } from '../openapi/answers.js';

@Controller('freeze')
export class FreezeController {
  constructor(private readonly freezes: Freezes) {}

  @Get()
  @Answers('freeze.index', FreezeListData, { summary: 'Freezes of tools, newest first', storeless: true })
  async index(@UntrustedQuery(FreezesQuery) query: FreezesQuery): Promise<FreezeListData> {
    const { entries, next_cursor } = this.freezes.list(query);
    return { freezes: entries, next_cursor };
  }

  @Post()
  @Answers('freeze.create', FreezeData, {
    summary: 'Freeze tools',
    description:
      'Calls under the freeze are refused in every mode, and approved calls that have not started wait, on all instances within two seconds, until the freeze is lifted.',
    errors: ['already_frozen'],
  })
  create(@Body() order: FreezeBody, @CurrentAuthor() { actor, requestId }: Author): Promise<FreezeData> {
    return this.freezes.freeze(order, { actorId: actor.id, requestId });
  }

  @Post(':id/lift')
  @Answers('freeze.lift', FreezeLiftData, {
    summary: 'Lift a freeze',
    errors: ['already_lifted', 'self_lift'],
  })
  async lift(
    @Param('id') id: string,
    @Body() { reason }: FreezeLiftBody,
    @CurrentAuthor() { actor, requestId }: Author,
  ): Promise<FreezeLiftData> {
    return { freeze: await this.freezes.lift(parseId(id), reason, { actorId: actor.id, requestId }) };
  }
}
