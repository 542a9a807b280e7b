import { Controller } from '@nestjs/common';
import type { RuleListData } from '../../libs/contracts/src/api/responses.js';
import { Overview } from '../../libs/engine/src/overview/overview.js';
import { Serves } from '../http/serves.decorator.js';
import { presentRules } from './rules.presenter.js';

@Controller()
export class RulesController {
  constructor(private readonly overview: Overview) {}

  @Serves('rules.index')
  async index(): Promise<RuleListData> {
    return presentRules(await this.overview.readRules());
  }
}
