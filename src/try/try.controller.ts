import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Expose } from 'class-transformer';
import { IsIn, IsOptional, IsString } from 'class-validator';
import type { TrySanitizeData, TryScreenData } from '#contracts/api/responses.js';
import { RENDERINGS, type Finding, type Rendering } from '#contracts/output.js';
import { Sandbox, type SandboxScreening } from '#engine/sandbox.js';
import { countsByKind } from '../output/output.controller.js';

export class TryScreenDto {
  @Expose()
  @IsString({ message: 'must be a text' })
  readonly prompt!: string;
}

export class TrySanitizeDto {
  @Expose()
  @IsString({ message: 'must be a text' })
  readonly text!: string;

  @Expose()
  @IsOptional()
  @IsIn(RENDERINGS, { message: `must be one of ${RENDERINGS.join(', ')}` })
  readonly rendering?: Rendering;
}

@Controller('try')
export class TryController {
  constructor(private readonly sandbox: Sandbox) {}

  @Post('screen')
  @HttpCode(200)
  async screen(@Body() { prompt }: TryScreenDto): Promise<TryScreenData> {
    return presentScreening(await this.sandbox.screen(prompt));
  }

  @Post('sanitize')
  @HttpCode(200)
  sanitize(@Body() { text, rendering }: TrySanitizeDto): TrySanitizeData {
    return presentSanitized(this.sandbox.sanitize(text, rendering));
  }
}

function presentScreening(screening: SandboxScreening): TryScreenData {
  const { result, blocked, wouldEnforce, refusalMessage, matched } = screening;
  return {
    blocked,
    would_enforce: wouldEnforce,
    rule_id: result.ruleId,
    refusal_message: refusalMessage,
    ruleset_version: result.rulesetVersion,
    matched_rules: matched.map(({ ruleId, span, text }) => ({ rule_id: ruleId, span, text })),
    errored_screeners: result.screenerFailures.map(({ id, reason }) => ({ id, reason })),
    normalized: result.normalized,
    normalization_steps: result.steps,
  };
}

function presentSanitized(sanitized: {
  readonly text: string;
  readonly findings: readonly Finding[];
}): TrySanitizeData {
  return {
    sanitized: sanitized.text,
    kinds: countsByKind(sanitized.findings.map(({ kind }) => ({ kind, count: 1 }))),
    findings: sanitized.findings.map(({ kind, detector, span }) => ({ kind, detector, span })),
  };
}
