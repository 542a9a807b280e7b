import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Actor } from './claim.js';
import { GuardrailsError } from '../../libs/contracts/src/errors.js';
import { Claim } from './claim.js';
import { positiveId } from './query/query-kinds.js';
import { queryParameters } from './query/query-parameters.js';
import { QueryReader } from './query/query-reader.js';
import { queryOf } from './query/raw-url.js';

/** Who writes, and under which request. */
export interface Author {
  readonly actor: Actor;
  readonly requestId: string;
}

const claimOf = (context: ExecutionContext): Claim =>
  Claim.expect(context.switchToHttp().getRequest<object>());

export const CurrentClaim = createParamDecorator((_: unknown, context: ExecutionContext) => claimOf(context));

/** The query, read from the raw URL by the given reader; everything that does not fit is named in one answer. */
export const UntrustedQuery = createParamDecorator(
  (read: (query: QueryReader) => unknown, context: ExecutionContext) => {
    const query = new QueryReader(queryParameters(queryOf(claimOf(context).url)));
    const values = read(query);
    query.assertValid();
    return values;
  },
);

/** The `:id` of the path. A malformed one names nothing, so it is not found. */
export const EntryId = createParamDecorator((_: unknown, context: ExecutionContext): number => {
  const id = positiveId(claimOf(context).params['id'] ?? '');
  if (!id.ok) throw new GuardrailsError('not_found', 'No entry has this id.');
  return id.value;
});

/** The `:approval_id` of the path; `null` where it is malformed and names nothing: that is said after the fields. */
export const ApprovalId = createParamDecorator((_: unknown, context: ExecutionContext): number | null => {
  const id = positiveId(claimOf(context).params['approval_id'] ?? '');
  return id.ok ? id.value : null;
});

/** The `:token` of the path. */
export const Token = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => claimOf(context).params['token'] ?? '',
);

/** The `:name` of the path. */
export const SinkName = createParamDecorator(
  (_: unknown, context: ExecutionContext): string => claimOf(context).params['name'] ?? '',
);

export const CurrentAuthor = createParamDecorator((_: unknown, context: ExecutionContext): Author => {
  const { actor, requestId } = claimOf(context);
  if (actor === null) throw new Error('a route that takes an author must be declared as one that writes');
  return { actor, requestId };
});
