import { Expose } from 'class-transformer';
import { IsObject, IsOptional } from 'class-validator';
import { BACKTEST_CONTROLS } from '#contracts/api/rules.responses.js';
import type { FieldErrors } from '#contracts/errors.js';
import type { BacktestRequest } from '#engine/backtest.js';
import { readGroupFilter, readRecordFilter } from '../audit/audit.controller.js';
import { choice, positiveId, QueryReader } from '../http/query-reader.js';
import { invalidBody, RefuseUnknownMembers } from '../http/validation.pipe.js';

const control = choice(BACKTEST_CONTROLS);

/** `from`, `to` and `cursor` are validated with the filters. */
@RefuseUnknownMembers()
export class BacktestDto {
  /** Dotted or nested, as in PUT /settings. */
  @Expose()
  @IsObject({ message: 'must be an object of settings' })
  readonly candidate!: Readonly<Record<string, unknown>>;

  @Expose()
  @IsOptional()
  readonly from?: unknown;

  @Expose()
  @IsOptional()
  readonly to?: unknown;

  @Expose()
  @IsOptional()
  @IsObject({ message: 'must be an object of filters' })
  readonly filters?: Readonly<Record<string, unknown>> | null;

  @Expose()
  @IsOptional()
  readonly cursor?: unknown;
}

/** Reads filters and range like the query of GET /audit, but refuses what that ignores. */
export function backtestRequestOf({
  candidate,
  filters,
  from,
  to,
  cursor: last,
}: BacktestDto): BacktestRequest {
  const around = scalarsOf({ from, to, cursor: last });
  const within = scalarsOf(filters ?? {});
  const range = new QueryReader({ scalars: around.texts, others: new Set() });
  const filter = new QueryReader({ scalars: within.texts, others: new Set() });
  const request: BacktestRequest = {
    candidate,
    control: filter.read('control', control) ?? 'input_screen',
    filter: { ...readGroupFilter(filter), ...readRecordFilter(filter), ...range.readRange() },
    cursor: range.read('cursor', positiveId),
  };
  const unknown = filter.ignored().map((name) => [name, ['is not a filter']] as const);
  const errors: FieldErrors = {
    ...around.errors,
    ...range.invalid(),
    ...inFilters({ ...within.errors, ...filter.invalid(), ...Object.fromEntries(unknown) }),
  };
  if (Object.keys(errors).length > 0) throw invalidBody(errors);
  return request;
}

interface Scalars {
  readonly texts: ReadonlyMap<string, string>;
  readonly errors: FieldErrors;
}

/** Members as texts; `null` and the empty text are left out. */
function scalarsOf(members: Readonly<Record<string, unknown>>): Scalars {
  const texts = new Map<string, string>();
  const errors = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined || value === null || value === '') continue;
    if (typeof value === 'object') errors.set(name, ['must be a text, a number or a boolean']);
    else texts.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return { texts, errors: Object.fromEntries(errors) };
}

function inFilters(errors: FieldErrors): FieldErrors {
  return Object.fromEntries(Object.entries(errors).map(([name, reasons]) => [`filters.${name}`, reasons]));
}
