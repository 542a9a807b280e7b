import { Controller, Get } from '@nestjs/common';
import type { RuleListData } from '#contracts/api/responses.js';
import { Overview, type RulesReading } from '#engine/overview/overview.js';

@Controller('rules')
export class RulesController {
  constructor(private readonly overview: Overview) {}

  @Get()
  async index(): Promise<RuleListData> {
    return presentRules(await this.overview.readRules());
  }
}

function presentRules({ rules, rulesetVersion, asOf }: RulesReading): RuleListData {
  return {
    rules: rules.map(({ mode, hits, ...rule }) => ({ ...rule, mode: mode.name, hits_24h: hits })),
    ruleset_version: rulesetVersion,
    as_of: asOf.toISOString(),
  };
}
