import { Inject, Injectable } from '@nestjs/common';
import { withinTime } from '#engine/shared/time-limit.js';
import { Assembly } from '../options/assembly.js';

/** The form of `HealthIndicatorResult` in `@nestjs/terminus`, which is not needed to use this class. */
export type GuardrailsHealth<Key extends string = string> = Record<
  Key,
  {
    readonly status: 'up' | 'down';
    readonly store: 'reachable' | 'unreachable';
    /** Buffered decisions that are not written yet, on this instance. */
    readonly queued: number;
    /** Decisions of this instance that were never written. */
    readonly lost: number;
  }
>;

/** Shorter than the time that probes usually wait. */
const MAX_STORE_MS = 2_000;

/** A health indicator for `@nestjs/terminus`: `down` while the store does not answer. */
@Injectable()
export class GuardrailsHealthIndicator {
  /** One for all probes, so that they do not accumulate while the store does not answer. */
  private reading: Promise<void> | null = null;

  constructor(@Inject(Assembly) private readonly assembly: Assembly) {}

  async isHealthy<Key extends string>(key: Key): Promise<GuardrailsHealth<Key>> {
    const isReachable = await this.readsStore();
    const { queued, lost } = this.assembly.engine.recording;
    return {
      [key]: {
        status: isReachable ? 'up' : 'down',
        store: isReachable ? 'reachable' : 'unreachable',
        queued,
        lost,
      },
    } as GuardrailsHealth<Key>;
  }

  /** The reason is not returned, because health routes are often public; the log has it. */
  private async readsStore(): Promise<boolean> {
    this.reading ??= this.assembly.engine.refresh().finally(() => {
      this.reading = null;
    });
    try {
      await withinTime(this.reading, MAX_STORE_MS, { keepsAlive: false });
      return true;
    } catch {
      return false;
    }
  }
}
