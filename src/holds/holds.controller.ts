import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min, MinLength } from 'class-validator';
import { HoldData, HoldListData, HoldsQuery } from '#contracts/retention/holds.api.js';
import type { Hold, HoldScope } from '#contracts/retention/holds.js';
import { HoldStore } from '#contracts/stores/holds.store.js';
import { Holds } from '#engine/record/holds.js';
import { CurrentAuthor, IdPipe, UntrustedQuery, type Author } from '../http/parameters.js';
import { endOfDay, parseInstant } from '../http/time-window.js';
import { Answers } from '../openapi/answers.js';
import { Member } from '../openapi/body-schema.js';
import { invalidBody, RefuseUnknownMembers } from '../http/validation.pipe.js';

const TEXT = { message: 'must be a string' };
const SHORT = { message: 'must have at most 500 characters' };
const NOT_EMPTY = { message: 'must not be empty' };
const ID = { message: 'must be a positive integer' };

/** Exactly one of the kinds of scope: one text, two ids, or two times. */
@RefuseUnknownMembers()
class SetHoldDto {
  @Member('The principal.', 'customer-42')
  @IsOptional()
  @MinLength(1, NOT_EMPTY)
  @MaxLength(500, SHORT)
  @IsString(TEXT)
  readonly principal_id?: string | null;

  @Member('The run of a model.')
  @IsOptional()
  @MinLength(1, NOT_EMPTY)
  @MaxLength(500, SHORT)
  @IsString(TEXT)
  readonly run_id?: string | null;

  @Member('The application.')
  @IsOptional()
  @MinLength(1, NOT_EMPTY)
  @MaxLength(500, SHORT)
  @IsString(TEXT)
  readonly application?: string | null;

  @Member('Audit entries by id, both inclusive.')
  @IsOptional()
  @Max(Number.MAX_SAFE_INTEGER, ID)
  @Min(1, ID)
  @IsInt(ID)
  readonly first_id?: number | null;

  @Member('Not below `first_id`.')
  @IsOptional()
  @Max(Number.MAX_SAFE_INTEGER, ID)
  @Min(1, ID)
  @IsInt(ID)
  readonly last_id?: number | null;

  @Member('A time as in the parameters of lists.')
  @IsOptional()
  @IsString(TEXT)
  readonly from?: string | null;

  @Member('A bare date includes that whole UTC day.')
  @IsOptional()
  @IsString(TEXT)
  readonly to?: string | null;

  @Member('Why the records are kept.', 'case 2026-118')
  @MaxLength(1000, { message: 'must have at most 1000 characters' })
  @MinLength(1, NOT_EMPTY)
  @IsString(TEXT)
  readonly reason!: string;
}

@Controller('holds')
export class HoldsController {
  constructor(
    private readonly holds: Holds,
    private readonly store: HoldStore,
  ) {}

  @Get()
  @Answers('holds.index', HoldListData, { summary: 'Holds on recorded data, newest first' })
  async index(@UntrustedQuery(HoldsQuery) query: HoldsQuery): Promise<HoldListData> {
    const { entries, next_cursor } = await this.store.list(query, query);
    return { holds: entries.map(presentHold), next_cursor };
  }

  @Post()
  @HttpCode(200)
  @Answers('holds.set', HoldData, {
    summary: 'Set a hold',
    description:
      'Records under the hold are neither erased nor deleted until it is released. Give exactly one scope: `principal_id`, `run_id`, `application`, `first_id` with `last_id`, or `from` with `to`.',
    body: SetHoldDto,
  })
  async set(@Body() input: SetHoldDto, @CurrentAuthor() { actor }: Author): Promise<HoldData> {
    return { hold: presentHold(await this.holds.set(scopeOf(input), input.reason, actor.id)) };
  }

  @Post(':id/release')
  @HttpCode(200)
  @Answers('holds.release', HoldData, { summary: 'Release a hold', errors: ['already_released'] })
  async release(@Param('id', IdPipe) id: number, @CurrentAuthor() { actor }: Author): Promise<HoldData> {
    return { hold: presentHold(await this.holds.release(id, actor.id)) };
  }
}

const MEMBERS = {
  principal: ['principal_id'],
  run: ['run_id'],
  application: ['application'],
  entries: ['first_id', 'last_id'],
  period: ['from', 'to'],
} as const satisfies Readonly<Record<HoldScope['kind'], readonly (keyof SetHoldDto)[]>>;

function scopeOf(input: SetHoldDto): HoldScope {
  const given = Object.entries(MEMBERS).filter(([, names]) =>
    names.some((name) => (input[name] ?? null) !== null),
  );
  const [[kind, names] = [], other] = given;
  if (kind === undefined) throw invalidBody({ principal_id: [ONE_SCOPE] });
  if (other !== undefined) throw invalidBody({ [other[1][0]]: [ONE_SCOPE] });
  const missing = (names ?? []).filter((name) => (input[name] ?? null) === null);
  if (missing.length > 0)
    throw invalidBody(Object.fromEntries(missing.map((name) => [name, ['is required']])));
  return scopeOfKind(kind as HoldScope['kind'], input as Complete);
}

const ONE_SCOPE = 'give one scope: principal_id, run_id, application, first_id with last_id, or from with to';

type Complete = { readonly [Name in keyof SetHoldDto]-?: NonNullable<SetHoldDto[Name]> };

function scopeOfKind(kind: HoldScope['kind'], input: Complete): HoldScope {
  switch (kind) {
    case 'principal':
      return { kind, principalId: input.principal_id };
    case 'run':
      return { kind, runId: input.run_id };
    case 'application':
      return { kind, application: input.application };
    case 'entries':
      if (input.first_id > input.last_id) throw invalidBody({ first_id: ['must not be above last_id'] });
      return { kind, firstId: input.first_id, lastId: input.last_id };
    case 'period':
      return periodOf(input);
  }
  return kind satisfies never;
}

/** A bare date in `to` includes that whole day, as in lists. */
function periodOf({ from: fromText, to: toText }: Complete): HoldScope {
  const [from, to] = [parseInstant(fromText), parseInstant(toText)];
  if (!from.ok) throw invalidBody({ from: from.reasons });
  if (!to.ok) throw invalidBody({ to: to.reasons });
  const end = to.value.isWholeDay ? endOfDay(to.value.time) : to.value.time;
  if (from.value.time > end) throw invalidBody({ from: ['must not be after to'] });
  return { kind: 'period', from: new Date(from.value.time), to: new Date(end) };
}

function presentHold({ id, scope, reason, setBy, setAt, releasedBy, releasedAt }: Hold): HoldData['hold'] {
  return {
    id,
    kind: scope.kind,
    principal_id: scope.kind === 'principal' ? scope.principalId : null,
    run_id: scope.kind === 'run' ? scope.runId : null,
    application: scope.kind === 'application' ? scope.application : null,
    first_id: scope.kind === 'entries' ? scope.firstId : null,
    last_id: scope.kind === 'entries' ? scope.lastId : null,
    from: scope.kind === 'period' ? scope.from.toISOString() : null,
    to: scope.kind === 'period' ? scope.to.toISOString() : null,
    reason,
    set_by: setBy,
    set_at: setAt.toISOString(),
    released_by: releasedBy,
    released_at: releasedAt?.toISOString() ?? null,
  };
}
