import type { FirewallListData, FirewallReasonsData } from '#contracts/api/responses.js';
import {
  about,
  boolean,
  count,
  id,
  list,
  literal,
  moment,
  nextCursor,
  nullable,
  object,
  Optional,
  partial,
  principalId,
  text,
  violations,
} from '../openapi/json-schema.js';
import * as parameters from '../openapi/parameters.js';
import { answer, type RouteDescription } from '../openapi/route-description.js';

const schema = object<FirewallListData>({
  entries: list(
    object<FirewallListData['entries'][number]>({
      id,
      tool: text,
      principal_id: nullable(principalId),
      application: nullable(text),
      violations,
      violation_count: about(count, 'The number of all violations; `violations` contains at most 50.'),
      enforced: about(boolean, 'Whether the call was refused, or only recorded.'),
      occurred_at: moment,
    }),
  ),
  next_cursor: nextCursor,
  partial: new Optional(partial),
});

const reasons = object<FirewallReasonsData>({
  values: about(
    list(object<FirewallReasonsData['values'][number]>({ reason: text, count }), { maxItems: 50 }),
    'Most calls first.',
  ),
  partial: new Optional(about(literal(true), 'Only the newest of the matching calls were counted.')),
});

const FILTERS = [
  parameters.tool,
  parameters.principalId,
  parameters.application,
  parameters.search("the tool's name"),
  parameters.reason,
  parameters.from,
  parameters.to,
];

export const FIREWALL = {
  'firewall.index': {
    summary: 'Tool calls that the firewall rejected, newest first',
    query: [parameters.cursor, parameters.after, parameters.limit(200, 50), ...FILTERS],
    answer: answer<FirewallListData>('FirewallListData', schema, {
      entries: [
        {
          id: 318,
          tool: 'refund',
          principal_id: 'customer-42',
          application: 'support-chat',
          violations: { amount: 'must be <= 500' },
          violation_count: 1,
          enforced: true,
          occurred_at: '2026-03-31T09:12:40.007Z',
        },
      ],
      next_cursor: null,
    }),
  },
  'firewall.reasons': {
    summary: 'Rejected tool calls by reason',
    description:
      'Counts the calls that `GET /firewall` lists with the same filters, each once for every reason of its violations. One request reads at most 10,000 calls, or about a second, newest first.',
    query: FILTERS,
    answer: answer<FirewallReasonsData>('FirewallReasonsData', reasons, {
      values: [{ reason: 'must be <= 500', count: 12 }],
    }),
  },
} as const satisfies Record<string, RouteDescription>;
