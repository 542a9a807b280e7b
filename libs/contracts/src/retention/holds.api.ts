/** Holds: recorded data that retention keeps. */
import { HOLD_KINDS } from './holds.js';
import { flag, pageOf } from '../common/query.js';
import {
  about,
  choice,
  example,
  id,
  list,
  moment,
  nextCursor,
  none,
  nullable,
  object,
  optional,
  type Static,
  text,
} from '../common/schema.js';

export const HoldsQuery = object({
  ...pageOf(200, 50),
  active: optional(about(flag, 'Holds that are active, or that were released.', true)),
});
export type HoldsQuery = Static<typeof HoldsQuery>;

const Hold = object(
  {
    id: example(id, 7),
    kind: about(choice(HOLD_KINDS), 'Which of the members below are set.', 'principal'),
    principal_id: about(
      nullable(text),
      '`null` also once retention erased the principal of a released hold.',
      'customer-42',
    ),
    run_id: nullable(text),
    application: nullable(text),
    first_id: about(nullable(id), 'Audit entries by id, both inclusive.'),
    last_id: nullable(id),
    from: about(none(moment), 'Inclusive, like `to`.'),
    to: none(moment),
    reason: example(text, 'case 2026-118'),
    set_by: example(text, 'ops-1'),
    set_at: moment,
    released_by: nullable(text),
    released_at: none(moment),
  },
  'Hold',
);

export const HoldData = object({ hold: Hold }, 'HoldData');
export type HoldData = Static<typeof HoldData>;

export const HoldListData = object({ holds: list(Hold), next_cursor: nextCursor }, 'HoldListData');
export type HoldListData = Static<typeof HoldListData>;
