/**
 * Freezes: an operator stops tools on every instance. A freeze is stored as it is shown, as the override `freeze.<id>` of
 * the settings, so that their poll, change records and log cover it.
 */
import {
  about,
  choice,
  example,
  id,
  list,
  moment,
  nextCursor,
  nullable,
  object,
  optional,
  type Static,
  text,
  boolean,
} from '../common/schema.js';
import { comparableId } from '../common/comparison.js';
import { flag, pageOf } from '../common/query.js';

export const FREEZE_SCOPES = ['all', 'tool', 'application'] as const;

export const FreezesQuery = object({
  ...pageOf(200, 50),
  active: optional(about(flag, 'Freezes that are in force, or that were lifted.', true)),
});
export type FreezesQuery = Static<typeof FreezesQuery>;

export const Freeze = object(
  {
    id: example(id, 12),
    scope: about(choice(FREEZE_SCOPES), 'All tools, one tool, or the calls of one application.', 'tool'),
    name: about(nullable(text), 'The tool or the application; `null` for `all`.', 'refund'),
    reason: example(text, 'refunds to a wrong account'),
    frozen_by: example(text, 'ops-1'),
    frozen_at: moment,
    lifted_by: about(
      nullable(text),
      '`break_glass` where the command line lifted it with the credentials of the database.',
    ),
    lifted_at: example(nullable(moment), null),
    lift_reason: nullable(text),
    announced: about(
      boolean,
      'The event of the latest change is queued for every sink. A lift by the command line waits for an instance.',
      true,
    ),
  },
  'Freeze',
);

/** An operator's stop of tools. */
export type Freeze = Static<typeof Freeze>;

/** What to freeze, and why. */
export type FreezeOrder = Pick<Freeze, 'scope' | 'reason'> & { readonly name?: string | null | undefined };

export const FreezeData = object(
  {
    freeze: Freeze,
    running: about(
      list(object({ approval_id: example(id, 17), tool: example(text, 'refund') })),
      'Approved calls under the freeze that run now. They end by themselves. At most 200.',
    ),
    warnings: about(example(list(text), []), 'Why the freeze may stop less than was meant.'),
  },
  'FreezeData',
);
export type FreezeData = Static<typeof FreezeData>;

export const FreezeLiftData = object({ freeze: Freeze }, 'FreezeLiftData');
export type FreezeLiftData = Static<typeof FreezeLiftData>;

export const FreezeListData = object({ freezes: list(Freeze), next_cursor: nextCursor }, 'FreezeListData');
export type FreezeListData = Static<typeof FreezeListData>;

/** What a freeze is about. Names are compared as those of policies are. An unknown scope covers everything. */
export function covers({ scope, name }: Freeze, tool: string, application: string | null): boolean {
  const isNamed = (other: string | null) => comparableId(name ?? '') === comparableId(other ?? '');
  if (scope === 'tool') return isNamed(tool);
  return scope === 'application' ? isNamed(application) : true;
}

export const FREEZE_KEY = 'freeze.';

export const freezeKey = ({ id: number }: Pick<Freeze, 'id'>): string => `${FREEZE_KEY}${number}`;

export const isFreezeKey = (key: string): boolean => key.startsWith(FREEZE_KEY);

/** The freezes among stored overrides, newest first. */
export function freezesOf(overrides: ReadonlyMap<string, unknown>): readonly Freeze[] {
  const stored = [...overrides].filter(([key]) => isFreezeKey(key));
  return stored.map(([, value]) => value as Freeze).toSorted((one, other) => other.id - one.id);
}

/** A stored value that cannot be read is in force. */
export const isInForce = ({ lifted_at: liftedAt }: Freeze): boolean => typeof liftedAt !== 'string';
