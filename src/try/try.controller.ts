import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { Expose } from 'class-transformer';
import { IsIn, IsObject, IsOptional, IsString, MaxLength, IsInt, Max, Min } from 'class-validator';
import type { TryPoliciesData, TrySanitizeData, TryScreenData } from '#contracts/api/responses.js';
import { Clock } from '#contracts/clock.js';
import { RENDERINGS, type Rendering } from '#contracts/output.js';
import { SCREENED_ORIGINS, type ScreenedOrigin } from '#contracts/screening.js';
import type { Policies } from '#contracts/policies.js';
import { toolPolicies } from '#contracts/settings/policy-kind.js';
import {
  PolicyReplay,
  type ChangedCall,
  type ReplayResult,
  type ReplayRequest,
} from '#engine/policies/policy-replay.js';
import { Sandbox } from '#engine/sandbox.js';
import { endOfDay, parseInstant } from '../http/time-window.js';
import { invalidBody } from '../http/validation.pipe.js';

const TEXT = { message: 'must be a string' };

class TryScreenDto {
  @Expose()
  @IsString(TEXT)
  readonly prompt!: string;

  /** Decides which exceptions apply. */
  @Expose()
  @IsOptional()
  @MaxLength(500, { message: 'must have at most 500 characters' })
  @IsString(TEXT)
  readonly application?: string | null;

  /** Where the text comes from. Default `prompt`. */
  @Expose()
  @IsOptional()
  @IsIn(SCREENED_ORIGINS, { message: `must be one of ${SCREENED_ORIGINS.join(', ')}` })
  readonly origin?: ScreenedOrigin | null;

  /** Dotted or nested, as in PUT /settings. */
  @Expose()
  @IsOptional()
  @IsObject({ message: 'must be an object of settings' })
  readonly candidate?: Readonly<Record<string, unknown>> | null;
}

class TrySanitizeDto {
  @Expose()
  @IsString(TEXT)
  readonly text!: string;

  @Expose()
  @IsOptional()
  @IsIn(RENDERINGS, { message: `must be one of ${RENDERINGS.join(', ')}` })
  readonly rendering?: Rendering;
}

const POSITIVE = { message: 'must be a positive integer' };
const MAX_RANGE_MS = 90 * 24 * 3_600_000;

class TryPoliciesDto {
  @Expose()
  @IsObject({ message: 'must be an object of tools' })
  readonly policies!: Readonly<Record<string, unknown>>;

  @Expose()
  @IsOptional()
  @IsString({ message: 'must be a date' })
  readonly from?: string | null;

  @Expose()
  @IsOptional()
  @IsString({ message: 'must be a date' })
  readonly to?: string | null;

  @Expose()
  @IsOptional()
  @Max(Number.MAX_SAFE_INTEGER, POSITIVE)
  @Min(1, POSITIVE)
  @IsInt(POSITIVE)
  readonly cursor?: number | null;
}

@Controller('try')
export class TryController {
  constructor(
    private readonly sandbox: Sandbox,
    private readonly policyReplay: PolicyReplay,
    private readonly clock: Clock,
  ) {}

  @Post('screen')
  @HttpCode(200)
  screen(@Body() { prompt, application, origin, candidate }: TryScreenDto): Promise<TryScreenData> {
    const context = { ...(application && { application }), ...(origin && { origin }) };
    return this.sandbox.screen(prompt, context, candidate ?? undefined);
  }

  @Post('policies')
  @HttpCode(200)
  async policies(@Body() input: TryPoliciesDto): Promise<TryPoliciesData> {
    return presentReplay(await this.policyReplay.replay(replayRequestOf(input, this.clock.now())));
  }

  @Post('sanitize')
  @HttpCode(200)
  sanitize(@Body() { text, rendering }: TrySanitizeDto): Promise<TrySanitizeData> {
    return this.sandbox.sanitize(text, rendering);
  }
}

function presentReplay(result: ReplayResult): TryPoliciesData {
  const { replayed, unchanged, rules, stricter, looser, obstacles, next_cursor } = result;
  return {
    replayed,
    unchanged,
    rules,
    stricter: { count: stricter.count, calls: stricter.calls.map(presentChange) },
    looser: { count: looser.count, calls: looser.calls.map(presentChange) },
    not_replayable: obstacles,
    next_cursor: next_cursor,
  };
}

function presentChange({ call, before, after }: ChangedCall): TryPoliciesData['looser']['calls'][number] {
  const { id, tool, occurredAt } = call;
  return { audit_id: id, tool: tool ?? '', occurred_at: occurredAt.toISOString(), before, after };
}

/** At most ninety days, which end now by default. */
export function replayRequestOf(input: TryPoliciesDto, now: Date): ReplayRequest {
  const errors: Record<string, readonly string[]> = {};
  const read = (name: 'from' | 'to'): ReturnType<typeof parseInstant> | null => {
    const text = input[name];
    const parsed = text === undefined || text === null ? null : parseInstant(text);
    if (parsed !== null && !parsed.ok) errors[name] = parsed.reasons;
    return parsed;
  };
  const [first, last] = [read('from'), read('to')];
  const policies = toolPolicies.parse(input.policies);
  if (!policies.ok) errors['policies'] = policies.reasons;
  const to =
    last?.ok === true ? (last.value.isWholeDay ? endOfDay(last.value.time) : last.value.time) : now.getTime();
  const from = first?.ok === true ? first.value.time : to - MAX_RANGE_MS;
  if (from > to) errors['from'] = ['must not be after to'];
  else if (to - from > MAX_RANGE_MS) errors['from'] = ['must not be more than 90 days before to'];
  if (Object.keys(errors).length > 0) throw invalidBody(errors);
  const candidate: Policies = policies.ok ? policies.value : {};
  return {
    policies: candidate,
    window: { from: new Date(from), to: new Date(to) },
    cursor: input.cursor ?? undefined,
  };
}
