// What would other settings decide on recorded texts? This reads and counts; `backtest-judges.ts` judges one text.
import {
  BACKTEST_OBSTACLES,
  type BacktestChangesData,
  type BacktestObstacle,
  type RulesBacktestData,
} from '#contracts/screening/rules.api.js';
import { type BacktestControl, TRIED_SETTINGS } from '#contracts/common/control-mode.js';
import type { AuditFilter } from '#contracts/audit/filter.js';
import type { AuditStore } from '#contracts/audit/store.js';
import type { AuditEntry } from '#contracts/audit/record.js';
import type { Screener } from '#contracts/screening/screening.js';
import type { SettingKey } from '#contracts/settings/settings.schema.js';
import type { Settings } from '#contracts/settings/settings.js';
import { previewOf } from '#contracts/common/text.js';
import { outputJudge, promptJudge, type Change, type Judge } from './backtest-judges.js';
import type { Sanitizer } from '../controls/output/sanitizer.js';
import { pauseIfDue } from '../shared/resumable.js';
import type { Screening } from '../controls/screening/screening.js';
import type { LiveSettings } from '../settings/live-settings.js';

/** A request ends within a second, with the time to read and to answer. */
const SLICE_MS = 800;
/** Texts that are read at once. */
const BATCH = 250;
/** Candidates whose rules stay compiled. */
const MAX_COMPILED = 4;
/** Samples per rule and direction, and spans per sample. */
const MAX_SAMPLES = 20;
const MAX_SPANS = 16;

export interface BacktestRequest {
  /** Overrides as in an update of the settings. */
  readonly candidate: Readonly<Record<string, unknown>>;
  readonly control: BacktestControl;
  readonly filter: Omit<AuditFilter, 'control'>;
  readonly cursor?: number | undefined;
}

interface Compiled {
  readonly key: string;
  readonly inForce: Settings;
  readonly judge: Judge;
}

interface BacktestOptions {
  readonly audit: AuditStore;
  readonly settings: LiveSettings;
  readonly screening: Screening;
  readonly screeners: readonly Screener[];
  readonly sanitizer: Sanitizer;
  readonly sliceMs?: number;
}

/** Judges recorded texts with candidate settings, in slices. Stores nothing. */
export class Backtest {
  /** The latest candidates, oldest first. */
  private compiled: readonly Compiled[] = [];
  private lastSlice: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: BacktestOptions) {}

  /** One slice at a time, so that concurrent requests do not add up to a blocked process. */
  async run(request: BacktestRequest): Promise<RulesBacktestData> {
    const slice = this.lastSlice.then(async () => this.slice(request, await this.judgeOf(request)));
    this.lastSlice = slice.catch(() => undefined);
    return slice;
  }

  /** Every slice repeats its candidate, and several callers can run backtests at once. */
  private async judgeOf({ candidate: input, control }: BacktestRequest): Promise<Judge> {
    const key = JSON.stringify([control, input]);
    const current = this.options.settings.current();
    const earlier = this.compiled.find((each) => each.key === key && each.inForce === current);
    if (earlier !== undefined) return this.keep(earlier);
    await this.options.settings.compile(input);
    const inForce = this.options.settings.current();
    const isTried = (setting: SettingKey) => TRIED_SETTINGS[control].test(setting);
    const trial = { inForce, candidate: this.options.settings.candidate(input, isTried) };
    const judge =
      control === 'input_screen'
        ? promptJudge(this.options.screening, this.options.screeners, trial)
        : outputJudge(this.options.sanitizer, trial);
    return this.keep({ key, inForce, judge });
  }

  private keep(compiled: Compiled): Judge {
    const others = this.compiled.filter((each) => each !== compiled && each.inForce === compiled.inForce);
    this.compiled = [...others, compiled].slice(-MAX_COMPILED);
    return compiled.judge;
  }

  private async slice(
    { control, filter, cursor }: BacktestRequest,
    judge: Judge,
  ): Promise<RulesBacktestData> {
    const end = performance.now() + (this.options.sliceMs ?? SLICE_MS);
    const tally = new BacktestTally();
    let reading = this.read({ ...filter, control }, cursor);
    for (;;) {
      const { entries, next_cursor } = await reading;
      const isLast = next_cursor === null || performance.now() >= end;
      if (!isLast) {
        // The database reads the next texts while these are judged. If they are not needed, an error does not matter.
        reading = this.read({ ...filter, control }, next_cursor);
        reading.catch(() => undefined);
      }
      for (const text of entries) {
        tally.add(text, obstacleOf(text) ?? (await judge(text)));
        if (performance.now() >= end) return tally.result(text.id);
        await pauseIfDue();
      }
      if (isLast) return tally.result(next_cursor);
    }
  }

  private read(filter: AuditFilter, cursor: number | undefined) {
    return this.options.audit.recordedTexts(filter, {
      limit: BATCH,
      ...(cursor !== undefined && { cursor }),
    });
  }
}

/** Why the recorded text is not the one that was judged; `null` if it is. */
export function obstacleOf({
  storage,
  alteration,
}: Pick<AuditEntry, 'storage' | 'alteration'>): BacktestObstacle | null {
  if (storage === 'hash') return 'hashed';
  if (storage === 'erased') return 'erased';
  switch (alteration) {
    case null:
      return null;
    case 'edited':
    case 'changed':
      return 'changed_by_hygiene';
    case 'truncated':
      return 'truncated';
    case 'serialized':
      return 'structured';
  }
  return alteration satisfies never;
}

type Sample = BacktestChangesData['rules'][number]['samples'][number];

class ChangeTally {
  private count = 0;
  private readonly rules = new Map<string | null, { count: number; readonly samples: Sample[] }>();

  add(text: AuditEntry, { causes }: Change): void {
    this.count += 1;
    for (const { ruleId, spans } of causes) {
      const rule = this.rules.get(ruleId) ?? { count: 0, samples: [] };
      this.rules.set(ruleId, rule);
      rule.count += 1;
      if (rule.samples.length === MAX_SAMPLES) continue;
      rule.samples.push({
        audit_id: text.id,
        occurred_at: text.occurredAt.toISOString(),
        prompt_preview: previewOf(text.prompt),
        spans: spans.slice(0, MAX_SPANS),
      });
    }
  }

  result(): BacktestChangesData {
    const rules = [...this.rules]
      .map(([ruleId, { count, samples }]) => ({ rule_id: ruleId, count, samples }))
      .toSorted(({ count: one }, { count: other }) => other - one);
    return { count: this.count, rules };
  }
}

class BacktestTally {
  private scanned = 0;
  private readonly unjudgeable = Object.fromEntries(
    BACKTEST_OBSTACLES.map((obstacle) => [obstacle, 0]),
  ) as Record<BacktestObstacle, number>;
  private readonly changes = { newly_blocked: new ChangeTally(), no_longer_blocked: new ChangeTally() };

  add(text: AuditEntry, verdict: Change | BacktestObstacle | null): void {
    this.scanned += 1;
    if (typeof verdict === 'string') this.unjudgeable[verdict] += 1;
    else if (verdict !== null) this.changes[verdict.kind].add(text, verdict);
  }

  result(next_cursor: number | null): RulesBacktestData {
    return {
      scanned: this.scanned,
      unjudgeable: this.unjudgeable,
      newly_blocked: this.changes.newly_blocked.result(),
      no_longer_blocked: this.changes.no_longer_blocked.result(),
      next_cursor,
    };
  }
}
