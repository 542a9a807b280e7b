import type {
  RecordedScope,
  RetentionCounts,
  RetentionRun,
  RetentionStrategy,
} from '../../../../contracts/src/retention.js';
import type { HeldRun } from '../../../../contracts/src/retention.store.js';
import { jsonOf } from '../json-text.js';
import type { RunState } from './run-state.js';

/** A run as the driver hands it over. */
export interface RunColumns {
  readonly id: string;
  readonly actor_id: string;
  readonly strategy: RetentionStrategy;
  readonly scope: string;
  readonly counts: string;
  readonly started_at: Date;
  readonly finished_at: Date | null;
  readonly state: string | null;
  readonly lease: string | null;
}

export const RUN_COLUMNS = 'id, actor_id, strategy, scope, counts, started_at, finished_at, state, lease';

export function runOf(row: RunColumns): RetentionRun {
  return {
    id: Number(row.id),
    strategy: row.strategy,
    scope: recordedScope(jsonOf(row.scope) as { kind: string; before?: string }),
    actorId: row.actor_id,
    counts: jsonOf(row.counts) as RetentionCounts,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  };
}

export function heldRunOf(row: RunColumns): HeldRun {
  return { ...runOf(row), lease: row.lease ?? '' };
}

export function stateOf({ state }: RunColumns): RunState | null {
  return state === null ? null : (jsonOf(state) as RunState);
}

function recordedScope(scope: { readonly kind: string; readonly before?: string }): RecordedScope {
  return (scope.before === undefined ? scope : { ...scope, before: new Date(scope.before) }) as RecordedScope;
}
