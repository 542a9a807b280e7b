import type { Clock } from '../../../contracts/src/clock.js';
import type { Activity, OverviewStore } from '../../../contracts/src/overview.js';
import type { Rulebook } from '../../../contracts/src/screening.js';
import type { CurrentSettings } from '../../../contracts/src/settings/current-settings.js';
import type { Settings } from '../../../contracts/src/settings/settings.js';

export interface OverviewReading {
  readonly activity: Activity;
  readonly settings: Settings;
  readonly rulesetVersion: string;
  readonly asOf: Date;
}

/** What all controls did in the last day, and how they stand now. Only reads. */
export class Overview {
  constructor(
    private readonly store: OverviewStore,
    private readonly settings: CurrentSettings,
    private readonly rulebook: Rulebook,
    private readonly clock: Clock,
  ) {}

  async read(): Promise<OverviewReading> {
    const asOf = this.clock.now();
    const settings = this.settings.current();
    const activity = await this.store.activity(asOf);
    return { activity, settings, rulesetVersion: this.rulebook.rulesetVersion(settings), asOf };
  }
}
