import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { HoldBody } from '#bodies/bodies.js';
import { HoldData, HoldListData, HoldsQuery } from '#contracts/retention/holds.api.js';
import type { Hold, HoldScope } from '#contracts/retention/holds.js';
import { HoldStore } from '#contracts/stores/retention.store.js';
import { Holds } from '#engine/record/holds.js';
import { CurrentAuthor, IdPipe, UntrustedQuery, type Author } from '../http/parameters.js';
import { parseRange } from '../http/time-window.js';
import { Answers } from '../openapi/answers.js';
import { invalidBody } from '../http/validation.pipe.js';

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
  @Answers('holds.set', HoldData, {
    summary: 'Set a hold',
    description:
      'Records under the hold are neither erased nor deleted until it is released. Give exactly one scope: `principal_id`, `run_id`, `application`, `first_id` with `last_id`, or `from` with `to`.',
  })
  async set(@Body() input: HoldBody, @CurrentAuthor() { actor }: Author): Promise<HoldData> {
    return { hold: presentHold(await this.holds.set(scopeOf(input), input.reason, actor.id)) };
  }

  @Post(':id/release')
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
} as const satisfies Readonly<Record<HoldScope['kind'], readonly (keyof HoldBody)[]>>;

function scopeOf(input: HoldBody): HoldScope {
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

type Complete = { readonly [Name in keyof HoldBody]-?: NonNullable<HoldBody[Name]> };

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

function periodOf(input: Complete): HoldScope {
  const { range, errors } = parseRange(input);
  const { from, to } = range;
  if (from === undefined || to === undefined || 'from' in errors) throw invalidBody(errors);
  return { kind: 'period', from, to };
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
