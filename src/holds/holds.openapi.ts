import type { HoldData, HoldListData } from '#contracts/api/responses.js';
import { HOLD_KINDS } from '#contracts/holds.js';
import {
  about,
  choice,
  id,
  type JsonSchema,
  list,
  moment,
  nextCursor,
  nullable,
  object,
  text,
} from '../openapi/json-schema.js';
import * as parameters from '../openapi/parameters.js';
import { answer, type RouteDescription } from '../openapi/route-description.js';

const hold = object<HoldData['hold']>({
  id,
  kind: about(choice(HOLD_KINDS), 'Which of the members below are set.'),
  principal_id: about(nullable(text), '`null` also once retention erased the principal of a released hold.'),
  run_id: nullable(text),
  application: nullable(text),
  first_id: about(nullable(id), 'Audit entries by id, both inclusive.'),
  last_id: nullable(id),
  from: about(nullable(moment), 'Inclusive, like `to`.'),
  to: nullable(moment),
  reason: text,
  set_by: text,
  set_at: moment,
  released_by: nullable(text),
  released_at: nullable(moment),
});

const example: HoldData['hold'] = {
  id: 7,
  kind: 'principal',
  principal_id: 'customer-42',
  run_id: null,
  application: null,
  first_id: null,
  last_id: null,
  from: null,
  to: null,
  reason: 'case 2026-118',
  set_by: 'ops-1',
  set_at: '2026-03-31T09:15:02.118Z',
  released_by: null,
  released_at: null,
};

const name: JsonSchema = { ...text, minLength: 1, maxLength: 500 };

export const HOLDS = {
  'holds.index': {
    summary: 'Holds on recorded data, newest first',
    query: [parameters.cursor, parameters.after, parameters.limit(200, 50), parameters.active],
    answer: answer<HoldListData>('HoldListData', object({ holds: list(hold), next_cursor: nextCursor }), {
      holds: [example],
      next_cursor: null,
    }),
  },
  'holds.set': {
    summary: 'Set a hold',
    description:
      'Records under the hold are neither erased nor deleted until it is released. Give exactly one scope: `principal_id`, `run_id`, `application`, `first_id` with `last_id`, or `from` with `to`.',
    body: {
      schema: {
        type: 'object',
        properties: {
          principal_id: nullable(name),
          run_id: nullable(name),
          application: nullable(name),
          first_id: nullable(id),
          last_id: nullable(id),
          from: about(nullable(text), 'A time as in the parameters of lists.'),
          to: about(nullable(text), 'A bare date includes that whole UTC day.'),
          reason: { ...name, maxLength: 1000 },
        },
        required: ['reason'],
      },
      example: { principal_id: 'customer-42', reason: 'case 2026-118' },
    },
    answer: answer<HoldData>('HoldData', object({ hold }), { hold: example }),
  },
  'holds.release': {
    summary: 'Release a hold',
    answer: answer<HoldData>('HoldData', object({ hold }), {
      hold: { ...example, released_by: 'ops-2', released_at: '2026-06-30T10:00:00.000Z' },
    }),
    errors: ['already_released'],
  },
} as const satisfies Record<string, RouteDescription>;
