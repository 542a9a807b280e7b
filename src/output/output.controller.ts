import { Controller } from '@nestjs/common';
import type { OutputStatsData } from '../../libs/contracts/src/api/responses.js';
import { Clock } from '../../libs/contracts/src/clock.js';
import { OutputStore } from '../../libs/contracts/src/output.js';
import { UntrustedQuery } from '../http/parameters.js';
import { statisticsWindow } from '../http/query/time-window.js';
import { Serves } from '../http/serves.decorator.js';
import { presentOutputStats } from './output.presenter.js';
import { readOutputQuery, type OutputQuery } from './output.query.js';

@Controller()
export class OutputController {
  constructor(
    private readonly output: OutputStore,
    private readonly clock: Clock,
  ) {}

  @Serves('output.stats')
  async stats(@UntrustedQuery(readOutputQuery) range: OutputQuery): Promise<OutputStatsData> {
    const window = statisticsWindow(range, this.clock.now());
    return presentOutputStats(await this.output.stats(window), window);
  }
}
