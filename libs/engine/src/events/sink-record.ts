/** How the deliveries to one sink fared, on this instance, since it started. */
export class SinkRecord {
  delivered = 0;
  failed = 0;
  dead = 0;
  lastSuccessAt: Date | null = null;
  lastFailureAt: Date | null = null;
  lastError: string | null = null;
  /** The receiver wants nothing more. */
  restsSince: Date | null = null;

  succeeded(now: Date): void {
    this.delivered += 1;
    this.lastSuccessAt = now;
  }

  failedWith(reason: string, now: Date): void {
    this.failed += 1;
    this.lastFailureAt = now;
    this.lastError = reason;
  }
}
