import { Controller, Get, Param } from '@nestjs/common';
import { RunIndex } from '#contracts/audit/run-index.js';
import { RunDetailData, RunListData, RunsQuery } from '#contracts/audit/runs.api.js';
import { IdPipe, orNotFound, UntrustedQuery } from '../http/parameters.js';
import { Answers } from '../openapi/answers.js';

@Controller('runs')
export class RunsController {
  constructor(private readonly runs: RunIndex) {}

  @Get()
  @Answers('runs.index', RunListData, {
    summary: 'Runs, newest first',
    description:
      'One for each application, principal and `run_id`. `from` and `to` select by the first entry. Entries without `run_id` belong to no run. With replicas, totals are up to ten seconds old: see `as_of`.',
  })
  async index(@UntrustedQuery(RunsQuery) query: RunsQuery): Promise<RunListData> {
    return this.runs.list(query, query);
  }

  @Get(':id')
  @Answers('runs.show', RunDetailData, { summary: 'One run, with its entries' })
  async show(@Param('id', IdPipe) id: number): Promise<RunDetailData> {
    return orNotFound(await this.runs.find(id));
  }
}
