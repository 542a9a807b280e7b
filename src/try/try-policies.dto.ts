import { Expose } from 'class-transformer';
import { IsInt, IsObject, IsOptional, IsString, Max, Min } from 'class-validator';
import type { Policies } from '#contracts/policies.js';
import { toolPolicies } from '#contracts/settings/policy-kind.js';
import type { ReplayRequest } from '#engine/policies/policy-replay.js';
import { endOfDay, parseInstant } from '../http/time-window.js';
import { invalidBody } from '../http/validation.pipe.js';

const POSITIVE = { message: 'must be a positive integer' };
const LONGEST_MS = 90 * 24 * 3_600_000;

export class TryPoliciesDto {
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
  const from = first?.ok === true ? first.value.time : to - LONGEST_MS;
  if (from > to) errors['from'] = ['must not be after to'];
  else if (to - from > LONGEST_MS) errors['from'] = ['must not be more than 90 days before to'];
  if (Object.keys(errors).length > 0) throw invalidBody(errors);
  const candidate: Policies = policies.ok ? policies.value : {};
  return {
    policies: candidate,
    window: { from: new Date(from), to: new Date(to) },
    cursor: input.cursor ?? undefined,
  };
}
