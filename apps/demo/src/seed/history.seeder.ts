import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DemoData } from '../storage/demo-data.js';
import { demoSettings } from '../demo.settings.js';
import { say } from '../say.js';
import { History, HISTORY_DAYS, SEED_APPLICATION } from './history.js';

/** Fills an empty database, once and before anyone is let in. */
@Injectable()
export class HistorySeeder implements OnApplicationBootstrap {
  constructor(private readonly data: DemoData) {}

  async onApplicationBootstrap(): Promise<void> {
    const { stores, firstFill, credentials } = this.data;
    const { entries } = await stores.audit.list({}, { limit: 1 });
    const [latest] = entries;
    // Whatever else stands there is somebody's: history is only ever put into an empty database, or behind itself.
    const isOurs = latest?.application === SEED_APPLICATION && firstFill.isUnderWay;
    if (latest !== undefined && !isOurs) return;
    const newest = latest?.occurredAt ?? null;
    firstFill.begin();
    say(`Writing ${HISTORY_DAYS} days of demo history, marked as "demo-seed".`);
    let told = 0;
    await new History(stores, demoSettings(credentials), new Date()).write(newest, (share) => {
      if (share < told + 0.25) return;
      told = share;
      say(`  ${Math.round(share * 100)} %`);
    });
    firstFill.end();
  }
}
