import { unescape } from 'node:querystring';
import { GuardrailsError, type FieldErrors } from '#contracts/common/errors.js';
import type { PageRequest, TimeWindow } from '#contracts/common/page.js';
import { invalid, valid, type Parsed } from '#contracts/settings/setting-kinds.js';
import type { JsonSchema } from '#contracts/common/schema.js';
import { scrubText, takeCodePoints } from '#contracts/common/text.js';
import { parseRange } from './time-window.js';

/** Parses one scalar of a query. */
export type QueryKind<T> = (text: string) => Parsed<T>;

const MAX_FILTER_LENGTH = 500;
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const MAX_IGNORED = 20;
const MAX_IGNORED_LENGTH = 100;

/** Reads parameters and collects their errors. An invalid filter is refused: ignoring it would show the wrong rows. */
export class QueryReader {
  private readonly errors = new Map<string, readonly string[]>();
  private readonly known = new Set<string>();
  private readonly parameters: ReadonlyMap<string, string>;

  constructor(private readonly query: QueryParameters) {
    this.parameters = query.scalars;
  }

  read<T>(name: string, kind: QueryKind<T>): T | undefined {
    this.known.add(name);
    const text = this.parameters.get(name);
    if (text === undefined) return undefined;
    const parsed = kind(text);
    if (parsed.ok) return parsed.value;
    this.errors.set(name, parsed.reasons);
    return undefined;
  }

  /** Every parameter of a schema. Those without a value or a default are missing. */
  readAll(schema: JsonSchema): Readonly<Record<string, unknown>> {
    const parameters = schema['properties'] as Readonly<Record<string, JsonSchema>>;
    const isPaged = 'cursor' in parameters;
    const together = [...(isPaged ? ['cursor', 'after', 'limit'] : []), 'from', 'to'];
    const size = parameters['limit']?.['default'] as number | undefined;
    const values = Object.entries(parameters)
      .filter(([name]) => !together.includes(name))
      .map(([name, parameter]) => [name, this.read(name, kindOf(parameter)) ?? parameter['default']]);
    // Only the default order has a place after which a list continues.
    if (
      'sort' in parameters &&
      this.parameters.get('sort') === 'risk' &&
      ['cursor', 'after'].some((name) => this.parameters.has(name))
    )
      this.errors.set('sort', ['must not be combined with cursor or after']);
    return {
      ...withoutUndefined(Object.fromEntries(values) as Record<string, unknown>),
      ...('from' in parameters && this.readRange()),
      ...(isPaged && ('after' in parameters ? this.readPage(size) : this.readCursor(size))),
    };
  }

  readRange(): Partial<TimeWindow> {
    const [from, to] = ['from', 'to'].map((name) => {
      this.known.add(name);
      return this.parameters.get(name) ?? null;
    });
    const { range, errors } = parseRange({ from, to });
    for (const [name, reasons] of Object.entries(errors)) this.errors.set(name, reasons);
    return range;
  }

  /** `cursor` and `limit` of a list. */
  readCursor(defaultLimit = DEFAULT_LIMIT): Omit<PageRequest, 'after'> {
    const cursor = this.read('cursor', positiveId);
    const limit = this.read('limit', pageSize(MAX_LIMIT)) ?? defaultLimit;
    return { limit, ...(cursor !== undefined && { cursor }) };
  }

  /** `cursor` or `after`, and `limit` of a list. */
  readPage(defaultLimit = DEFAULT_LIMIT): PageRequest {
    const page = this.readCursor(defaultLimit);
    const after = this.read('after', positiveId);
    if (page.cursor !== undefined && after !== undefined) {
      this.errors.set('after', ['must not be combined with cursor']);
    }
    return { ...page, ...(after !== undefined && { after }) };
  }

  /**
   * Names of parameters that were not read, or that were not one scalar. Their number and length are limited,
   * because answers contain them.
   */
  ignored(): readonly string[] {
    const { scalars, others } = this.query;
    const names = new Set([...others, ...[...scalars.keys()].filter((name) => !this.known.has(name))]);
    return [...names].slice(0, MAX_IGNORED).map((name) => takeCodePoints(name, MAX_IGNORED_LENGTH).head);
  }

  /** Why parameters are invalid, by their names. */
  invalid(): FieldErrors {
    return Object.fromEntries(this.errors);
  }

  assertValid(): void {
    if (this.errors.size === 0) return;
    throw new GuardrailsError(
      'invalid_query',
      'Some query parameters are invalid. Correct the parameters listed in fields.',
      { fields: this.invalid() },
    );
  }
}

export interface QueryParameters {
  readonly scalars: ReadonlyMap<string, string>;
  /** Names of parameters that were repeated or written as an array. */
  readonly others: ReadonlySet<string>;
}

/**
 * The scalars of a raw query string. A parameter that is repeated, written as an array in any notation, or empty is
 * ignored. The host's query parser is not used, because hosts configure different ones.
 */
export function queryParameters(query: string): QueryParameters {
  const scalars = new Map<string, string>();
  const seen = new Set<string>();
  const others = new Set<string>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const key = decode(equals < 0 ? pair : pair.slice(0, equals));
    const bracket = key.indexOf('[');
    const name = bracket < 0 ? key : key.slice(0, bracket);
    if (bracket >= 0 || seen.has(name)) {
      scalars.delete(name);
      others.add(name);
    } else scalars.set(name, equals < 0 ? '' : decode(pair.slice(equals + 1)));
    seen.add(name);
  }
  for (const [name, value] of scalars) if (value === '') scalars.delete(name);
  return { scalars, others };
}

/** Keeps broken percent-encodings as they are. Stores replace characters that they cannot hold in the same way. */
function decode(text: string) {
  return scrubText(unescape(text.replaceAll('+', ' ')));
}

/** Ids and cursors: positive, and exact in a JSON number. */
export const positiveId: QueryKind<number> = (text) => {
  const id = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) ? valid(id) : invalid('must be a positive integer');
};

/** A size above the largest is clamped. */
export function pageSize(largest: number): QueryKind<number> {
  return (text) =>
    /^[1-9][0-9]*$/.test(text)
      ? valid(Math.min(Number(text), largest))
      : invalid(`must be an integer from 1 to ${largest}`);
}

export const flag: QueryKind<boolean> = (text) => {
  if (text === 'true' || text === '1') return valid(true);
  if (text === 'false' || text === '0') return valid(false);
  return invalid('must be true or false');
};

export const filterText: QueryKind<string> = (text) =>
  takeCodePoints(text, MAX_FILTER_LENGTH).cut
    ? invalid(`must have at most ${MAX_FILTER_LENGTH} characters`)
    : valid(text);

function choice(choices: readonly string[], excluded: JsonSchema): QueryKind<string> {
  return (text) => {
    if (choices.includes(text)) return valid(text);
    const isExcluded = text === excluded['const'];
    return invalid(isExcluded ? String(excluded['description']) : `must be one of ${choices.join(', ')}`);
  };
}

/** How a parameter with this schema is read. `not` is one value that is refused, and why. */
function kindOf({ type, enum: choices, not: excluded = {} }: JsonSchema): QueryKind<unknown> {
  if (Array.isArray(choices)) return choice(choices as readonly string[], excluded as JsonSchema);
  if (type === 'boolean') return flag;
  return type === 'integer' ? positiveId : filterText;
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Drops undefined members: an absent filter is an absent key. */
export function withoutUndefined<T extends object>(filter: T): Defined<T> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as Defined<T>;
}
