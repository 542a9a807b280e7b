import type { Clock } from '#contracts/clock.js';
import type { Activity, OverviewStore, RuleHits } from '#contracts/overview.js';
import type { RuleInForce, ScreenerInForce } from '#contracts/screening.js';
import type { RuleCatalog, CurrentSettings } from '../ports.js';
import type { Settings } from '#contracts/settings/settings.js';

export interface OverviewReading {
  readonly activity: Activity;
  readonly settings: Settings;
  readonly rulesetVersion: string;
  readonly asOf: Date;
}

const NO_HITS: RuleHits = { hits: 0, silenced: 0 };

export interface RulesReading {
  readonly rules: readonly (RuleInForce & {
    readonly hits: RuleHits;
  })[];
  readonly screeners: readonly (ScreenerInForce & {
    readonly hits: RuleHits;
  })[];
  readonly rulesetVersion: string;
  readonly asOf: Date;
}

/** Activity and status of all controls. Read only. */
export class Overview {
  constructor(
    private readonly store: OverviewStore,
    private readonly settings: CurrentSettings,
    private readonly ruleCatalog: RuleCatalog,
    private readonly clock: Clock,
  ) {}

  async read(): Promise<OverviewReading> {
    const asOf = this.clock.now();
    const settings = this.settings.current();
    const activity = await this.store.activity(asOf);
    return { activity, settings, rulesetVersion: this.ruleCatalog.rulesetVersion(settings), asOf };
  }

  async readRules(): Promise<RulesReading> {
    const asOf = this.clock.now();
    const settings = this.settings.current();
    const hits = await this.store.ruleHits(asOf);
    const rules = this.ruleCatalog
      .rulesInForce(settings)
      .map((rule) => ({ ...rule, hits: hits.get(rule.id) ?? NO_HITS }));
    const screeners = this.ruleCatalog
      .screenersInForce(settings)
      .map((screener) => ({ ...screener, hits: hits.get(screener.id) ?? NO_HITS }));
    return { rules, screeners, rulesetVersion: this.ruleCatalog.rulesetVersion(settings), asOf };
  }
}
