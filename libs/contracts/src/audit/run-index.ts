import type { PageRequest } from '../common/page.js';
import type { RunDetailData, RunListData, RunsQuery } from './runs.api.js';

export type RunFilter = Omit<RunsQuery, keyof PageRequest>;

/** Entries that `RunDetailData` contains. */
export const RUN_STEPS = 200;

/**
 * Runs as their entries show them. A run ends here when its first entry is purged or its text erased; an entry that is
 * appended later begins another one. What is purged of a run that stays still counts.
 */
export abstract class RunIndex {
  /** By the first entry, newest first. `from` and `to` select by its time. */
  abstract list(filter: RunFilter, page: PageRequest): Promise<RunListData>;

  /** The run with this first entry, and its newest entries, oldest first. */
  abstract find(id: number): Promise<RunDetailData | null>;
}
