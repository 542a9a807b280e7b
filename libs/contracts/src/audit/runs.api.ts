/** Runs as lists show them: one row per application, principal and run, made by its first entry. */
import { CONTROL_KEYS } from '../common/control-mode.js';
import { filterText, pageOf, RANGE } from '../common/query.js';
import {
  about,
  choice,
  control,
  count,
  id,
  list,
  moment,
  nextCursor,
  nullable,
  object,
  optional,
  outcome,
  principalId,
  record,
  type Static,
  text,
} from '../common/schema.js';
import { AuditListItem } from './entry.js';
import { RUN_LABELS } from '../runs/run.store.js';

export const RunsQuery = object({
  ...pageOf(200, 50),
  outcome: optional(about(outcome, 'The worst outcome of the run.', 'blocked')),
  control: optional(
    about(control, 'Runs in which this control blocked or monitored something.', 'input_screen'),
  ),
  application: optional(about(filterText, 'The calling application.', 'support-chat')),
  principal_id: optional(about(filterText, 'The principal for whom the model ran.', 'customer-42')),
  run_id: optional(about(filterText, 'The run as the host names it.', 'run-2f61')),
  ...RANGE,
});
export type RunsQuery = Static<typeof RunsQuery>;

const worst = about(nullable(outcome), 'The worst outcome of this control; `null` where it decided nothing.');

export const RunData = object(
  {
    id: about(id, 'The first entry of the run.', 4711),
    run_id: about(text, 'The run as the host names it.', 'run-2f61'),
    application: about(nullable(text), 'The calling application.', 'support-chat'),
    principal_id: nullable(principalId),
    said: about(
      nullable(text),
      'The first 160 characters of the first prompt; `null` where there is none, or its text is not stored.',
      'Where is my order A-1001?',
    ),
    outcome: about(
      outcome,
      'The worst outcome of the run. Of an approval only the latest step counts, and none if it was superseded.',
    ),
    controls: record(CONTROL_KEYS, worst),
    label: about(
      choice(RUN_LABELS),
      'What the run has read, where a policy asks; `clean` where nothing is remembered.',
      'untrusted',
    ),
    entries: about(count, 'Entries of the run.', 4),
    started_at: moment,
    last_at: about(moment, 'The time of the newest entry.'),
  },
  'Run',
);

/** A run with what became of it. */
export type RunData = Static<typeof RunData>;

export const RunListData = object(
  {
    runs: list(RunData),
    next_cursor: nextCursor,
    as_of: about(moment, 'Totals include every entry up to this time, and may include later ones.'),
  },
  'RunListData',
);
export type RunListData = Static<typeof RunListData>;

export const RunDetailData = object(
  {
    run: RunData,
    entries: about(list(AuditListItem, { maxItems: 200 }), 'Oldest first; the newest 200 of a longer run.'),
    as_of: moment,
  },
  'RunDetailData',
);
export type RunDetailData = Static<typeof RunDetailData>;
