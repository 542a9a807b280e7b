import type { AuditEntry } from '#contracts/audit/record.js';
import type { Clock } from '#contracts/common/clock.js';
import { CONTROL_KEYS, OUTCOMES, type Outcome } from '#contracts/common/control-mode.js';
import type { PageRequest } from '#contracts/common/page.js';
import { RUN_STEPS, RunIndex, type RunFilter } from '#contracts/audit/run-index.js';
import type { RunData, RunListData } from '#contracts/audit/runs.api.js';
import { listed } from './audit.store.js';
import { isEqual, isWithin } from './list-filters.js';
import { copyOf, Table, type MemoryTables } from './memory-tables.js';
import { keyOf } from './run.store.js';

export class MemoryRunIndex extends RunIndex {
  constructor(
    private readonly tables: MemoryTables,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async list(filter: RunFilter, request: PageRequest): Promise<RunListData> {
    const runs = new Table<RunData>();
    for (const entries of this.entriesByRun()) runs.put(this.runOf(entries));
    const { entries, next_cursor } = runs.page(request, runMatcher(filter));
    return { runs: entries, next_cursor, as_of: this.clock.now().toISOString() };
  }

  override async find(id: number) {
    const entries = this.entriesByRun().find(([first]) => first?.id === id);
    if (entries === undefined) return null;
    return {
      run: this.runOf(entries),
      entries: entries.slice(-RUN_STEPS).map(listed),
      as_of: this.clock.now().toISOString(),
    };
  }

  /** By the first entry. */
  private entriesByRun(): readonly (readonly AuditEntry[])[] {
    const runs = new Map<string, AuditEntry[]>();
    for (const entry of this.tables.decisions) {
      if (entry.runId === null) continue;
      const key = keyOf({ ...entry, runId: entry.runId });
      if (entry.id <= (this.tables.endedRuns.get(key) ?? 0)) continue;
      const entries = runs.get(key);
      if (entries !== undefined) entries.push(entry);
      else if (entry.storage !== 'erased') runs.set(key, [entry]);
    }
    return [...runs.values()];
  }

  private runOf(entries: readonly AuditEntry[]): RunData {
    const [first] = entries as readonly [AuditEntry];
    const runId = first.runId ?? '';
    const said = entries.find(({ control, origin }) => control === 'input_screen' && origin === 'prompt');
    const controls = CONTROL_KEYS.map(
      (key) => [key, worstOf(entries.filter(({ control }) => control === key))] as const,
    );
    return {
      id: first.id,
      run_id: runId,
      application: first.application,
      principal_id: first.principalId,
      said: said === undefined ? null : listed(said).prompt_preview,
      outcome: worstOf(entries) ?? 'allowed',
      controls: Object.fromEntries(controls) as RunData['controls'],
      label: this.tables.runs.get(keyOf({ ...first, runId }))?.label ?? 'clean',
      entries: entries.length,
      started_at: first.occurredAt.toISOString(),
      last_at: new Date(Math.max(...entries.map(({ occurredAt }) => occurredAt.getTime()))).toISOString(),
    };
  }
}

/** Of an approval only the latest step counts, and none of one that another approval supersedes. */
function worstOf(entries: readonly AuditEntry[]): Outcome | null {
  const latest = new Map(entries.map((entry) => [entry.approvalId ?? -entry.id, entry]));
  const ranks = [...latest.values()]
    .filter(({ approvalStep }) => approvalStep !== 'superseded')
    .map(({ outcome }) => OUTCOMES.indexOf(outcome));
  return OUTCOMES[Math.max(...ranks)] ?? null;
}

const EQUAL = ['outcome', 'application', 'principal_id', 'run_id'] as const;

/** Copies the filter because stored texts are scrubbed. */
function runMatcher(filter: RunFilter): (run: RunData) => boolean {
  const { control, ...sought } = copyOf(filter);
  return (run) =>
    EQUAL.every((name) => isEqual<string>(sought[name], run[name])) &&
    (control === undefined || !['allowed', null].includes(run.controls[control])) &&
    isWithin(sought, new Date(run.started_at));
}
