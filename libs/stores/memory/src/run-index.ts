import type { RecordedEvidence } from '#contracts/audit/record.js';
import type { Clock } from '#contracts/common/clock.js';
import { CONTROL_KEYS, OUTCOMES, type Outcome } from '#contracts/common/control-mode.js';
import type { PageRequest } from '#contracts/common/page.js';
import { RUN_STEPS, RunIndex, type RunFilter } from '#contracts/audit/run-index.js';
import type { RunData, RunListData } from '#contracts/audit/runs.api.js';
import { listed } from './audit.store.js';
import { isEqual, isWithin } from './list-filters.js';
import { copyOf, keyOf, Table, type MemoryTables } from './memory-tables.js';

export class MemoryRunIndex extends RunIndex {
  constructor(
    private readonly tables: MemoryTables,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async list(filter: RunFilter, request: PageRequest): Promise<RunListData> {
    const runs = new Table<RunData>();
    for (const steps of this.tables.runSteps.values()) runs.put(this.runOf(steps));
    const { entries, next_cursor } = runs.page(request, runMatcher(filter));
    return { runs: entries, next_cursor, as_of: this.clock.now().toISOString() };
  }

  override async find(id: number) {
    const steps = [...this.tables.runSteps.values()].find(([first]) => first?.id === id);
    if (steps === undefined) return null;
    const entries = steps.flatMap((step) => this.tables.decisions.find(step.id) ?? []);
    return {
      run: this.runOf(steps),
      entries: entries.slice(-RUN_STEPS).map(listed),
      as_of: this.clock.now().toISOString(),
    };
  }

  private runOf(steps: readonly RecordedEvidence[]): RunData {
    const { decisions, runs } = this.tables;
    const [first] = steps as readonly [RecordedEvidence];
    const runId = first.runId ?? '';
    const prompt = steps.find(({ control, origin }) => control === 'input_screen' && origin === 'prompt');
    const said = decisions.find(prompt?.id ?? 0);
    const controls = CONTROL_KEYS.map(
      (key) => [key, worstOf(steps.filter(({ control }) => control === key))] as const,
    );
    return {
      id: first.id,
      run_id: runId,
      application: first.application,
      principal_id: first.principalId,
      said: said === undefined ? null : listed(said).prompt_preview,
      outcome: worstOf(steps) ?? 'allowed',
      controls: Object.fromEntries(controls) as RunData['controls'],
      label: runs.get(keyOf({ ...first, runId }))?.label ?? 'clean',
      entries: steps.length,
      started_at: first.occurredAt.toISOString(),
      last_at: steps
        .map(({ occurredAt }) => occurredAt)
        .reduce((latest, time) => (time > latest ? time : latest))
        .toISOString(),
    };
  }
}

/** Of an approval only the latest step counts, and none of one that another approval supersedes. */
function worstOf(entries: readonly RecordedEvidence[]): Outcome | null {
  const latest = new Map(entries.map((entry) => [entry.approvalId ?? -entry.id, entry]));
  const counted = [...latest.values()].filter(({ approvalStep }) => approvalStep !== 'superseded');
  return OUTCOMES.findLast((worst) => counted.some(({ outcome }) => outcome === worst)) ?? null;
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
