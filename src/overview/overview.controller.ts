import { Controller } from '@nestjs/common';
import type { OverviewData } from '../../libs/contracts/src/api/responses.js';
import { Overview } from '../../libs/engine/src/overview/overview.js';
import { Serves } from '../http/serves.decorator.js';
import { presentOverview } from './overview.presenter.js';

@Controller()
export class OverviewController {
  constructor(private readonly overview: Overview) {}

  @Serves('overview')
  async show(): Promise<OverviewData> {
    return presentOverview(await this.overview.read());
  }
}
