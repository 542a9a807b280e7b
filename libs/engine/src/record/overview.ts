// GET /overview, GET /rules and the metrics read it.
import type { Clock } from '#contracts/common/clock.js';
import {
  overviewWindow,
  type Activity,
  type OverviewStore,
  type RuleHits,
} from '#contracts/overview/overview.js';
import type { TimeWindow } from '#contracts/common/page.js';
import type {
  RetiredRule,
  RuleGroupInForce,
  RuleInForce,
  ScreenerInForce,
} from '#contracts/screening/screening.js';
import type { RuleCatalog, CurrentSettings } from '../shared/ports.js';
import type { Settings } from '#contracts/settings/settings.js';

export interface OverviewReading {
  readonly activity: Activity;
  readonly settings: Settings;
  readonly rulesetVersion: string;
  readonly window: TimeWindow;
}

const NO_HITS: RuleHits = { hits: 0, silenced: 0 };

type WithHits<Described> = Described & { readonly hits: RuleHits };

export interface RulesReading {
  readonly rules: readonly WithHits<RuleInForce>[];
  /** The hits of a group are those of its rules and those that earlier versions recorded under its id. */
  readonly groups: readonly WithHits<RuleGroupInForce>[];
  readonly screeners: readonly WithHits<ScreenerInForce>[];
  readonly retired: readonly RetiredRule[];
  readonly rulesetVersion: string;
  readonly window: TimeWindow;
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
    const window = overviewWindow(this.clock.now());
    const settings = this.settings.current();
    const activity = await this.store.activity(window);
    return { activity, settings, rulesetVersion: this.ruleCatalog.rulesetVersion(settings), window };
  }

  async readRules(): Promise<RulesReading> {
    const window = overviewWindow(this.clock.now());
    const settings = this.settings.current();
    const hits = await this.store.ruleHits(window);
    const catalog = this.ruleCatalog;
    const sumOf = (ids: readonly string[]) =>
      ids
        .map((id) => hits.get(id) ?? NO_HITS)
        .reduce(
          (sum, its) => ({ hits: sum.hits + its.hits, silenced: sum.silenced + its.silenced }),
          NO_HITS,
        );
    return {
      rules: catalog.rulesInForce(settings).map((rule) => ({ hits: sumOf([rule.id]), ...rule })),
      groups: catalog.groupsInForce(settings).map((group) => ({ hits: sumOf(group.recordedIds), ...group })),
      screeners: catalog
        .screenersInForce(settings)
        .map((screener) => ({ hits: sumOf([screener.id]), ...screener })),
      retired: catalog.retiredRules(settings),
      rulesetVersion: catalog.rulesetVersion(settings),
      window,
    };
  }
}
