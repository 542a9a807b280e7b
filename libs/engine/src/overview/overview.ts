import type { Clock } from '#contracts/clock.js';
import type { Activity, OverviewStore } from '#contracts/overview.js';
import type { RuleInForce } from '#contracts/screening.js';
import type { RuleCatalog, CurrentSettings } from '../ports.js';
import type { Settings } from '#contracts/settings/settings.js';

export interface OverviewReading {
  readonly activity: Activity;
  readonly settings: Settings;
  readonly rulesetVersion: string;
  readonly asOf: Date;
}

export interface RulesReading {
  readonly rules: readonly (RuleInForce & {
    /** Screenings with a match in the trailing 24 hours. */
    readonly hits: number;
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
      .map((rule) => ({ ...rule, hits: hits.get(rule.id) ?? 0 }));
    return { rules, rulesetVersion: this.ruleCatalog.rulesetVersion(settings), asOf };
  }
}
