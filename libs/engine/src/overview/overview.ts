import type { Clock } from '../../../contracts/src/clock.js';
import type { Activity, OverviewStore } from '../../../contracts/src/overview.js';
import type { Settings } from '../../../contracts/src/settings/settings.js';
import type { Screening } from '../screening/screening.js';
import type { LiveSettings } from '../settings/live-settings.js';

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
    private readonly settings: LiveSettings,
    private readonly screening: Screening,
    private readonly clock: Clock,
  ) {}

  async read(): Promise<OverviewReading> {
    const asOf = this.clock.now();
    const settings = this.settings.current();
    const activity = await this.store.activity(asOf);
    return { activity, settings, rulesetVersion: this.screening.rulesetVersion(settings), asOf };
  }
}
