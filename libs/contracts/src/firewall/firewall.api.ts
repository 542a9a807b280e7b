/** Tool calls that the firewall rejected. */
import { filterText, OF_TOOL_CALLS, pageOf, RANGE } from '../common/query.js';
import {
  about,
  boolean,
  count,
  example,
  id,
  list,
  literal,
  moment,
  nextCursor,
  nullable,
  object,
  optional,
  partial,
  principalId,
  type Static,
  text,
  violations,
} from '../common/schema.js';

const FILTERS = {
  ...OF_TOOL_CALLS,
  q: optional(about(filterText, "Literal text to find in the tool's name; case-insensitive.", 'refund')),
  reason: optional(about(filterText, 'The whole reason of one of the violations.', 'must be <= 500')),
  ...RANGE,
};

export const FirewallFilter = object(FILTERS);
export type FirewallFilter = Static<typeof FirewallFilter>;

export const FirewallQuery = object({ ...FILTERS, ...pageOf(200, 50) });
export type FirewallQuery = Static<typeof FirewallQuery>;

export const FirewallListData = object(
  {
    entries: list(
      object(
        {
          id: example(id, 318),
          tool: example(text, 'refund'),
          principal_id: nullable(principalId),
          application: example(nullable(text), 'support-chat'),
          violations: example(violations, { amount: 'must be <= 500' }),
          violation_count: about(count, 'The number of all violations; `violations` contains at most 50.', 1),
          enforced: about(boolean, 'Whether the call was refused, or only recorded.', true),
          occurred_at: moment,
        },
        'Rejection',
      ),
    ),
    next_cursor: nextCursor,
    partial: optional(partial),
  },
  'FirewallListData',
);
export type FirewallListData = Static<typeof FirewallListData>;

/** A rejected call with the id of its evidence, as stores read it and answers show it. */
export type Rejection = FirewallListData['entries'][number];

export const FirewallReasonsData = object(
  {
    values: about(
      list(object({ reason: example(text, 'must be <= 500'), count: example(count, 12) }), { maxItems: 50 }),
      'Most calls first.',
    ),
    partial: optional(about(literal(true), 'Only the newest of the matching calls were counted.')),
  },
  'FirewallReasonsData',
);
export type FirewallReasonsData = Static<typeof FirewallReasonsData>;
