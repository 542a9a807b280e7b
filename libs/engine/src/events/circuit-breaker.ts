import type { Clock } from '#contracts/common/clock.js';

const FAILURES = 5;
const MIN_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 60_000;
const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;

type BreakerState = 'closed' | 'open' | 'half_open';

/** Stops deliveries to a receiver after several consecutive failures, and probes it later. */
export class CircuitBreaker {
  private failures = 0;
  private trips = 0;
  private openUntil = Number.NEGATIVE_INFINITY;

  constructor(private readonly clock: Clock) {}

  get state(): BreakerState {
    if (this.now() < this.openUntil) return 'open';
    return this.failures >= FAILURES ? 'half_open' : 'closed';
  }

  /** Returns whether the breaker had tripped. */
  succeeded(): boolean {
    const recovered = this.failures >= FAILURES;
    this.failures = 0;
    this.trips = 0;
    this.openUntil = Number.NEGATIVE_INFINITY;
    return recovered;
  }

  /** A `Retry-After` of the receiver opens the breaker at once. */
  failed(retryAfterMs: number | null): void {
    this.failures += 1;
    // Concurrent deliveries that fail together count as one trip.
    const trips = this.failures >= FAILURES && this.state !== 'open';
    const pause = trips ? Math.min(MIN_PAUSE_MS * 2 ** Math.min(this.trips++, 10), MAX_PAUSE_MS) : 0;
    const requested = Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
    const longest = Math.max(pause, requested);
    if (longest > 0) this.openUntil = Math.max(this.openUntil, this.now() + longest);
  }

  private now() {
    return this.clock.now().getTime();
  }
}
