const MOST_FAILURES = 5;
const WINDOW_MS = 60_000;

/** Slows down whoever guesses: after five failures within a minute an address has to wait that minute out. */
export class LoginThrottle {
  private readonly failures = new Map<string, number[]>();

  constructor(private readonly now: () => number = Date.now) {}

  isOpen(address: string): boolean {
    return this.recent(address).length < MOST_FAILURES;
  }

  failed(address: string): void {
    for (const known of this.failures.keys())
      if (this.recent(known).length === 0) this.failures.delete(known);
    this.failures.set(address, [...this.recent(address), this.now()]);
  }

  succeeded(address: string): void {
    this.failures.delete(address);
  }

  private recent(address: string): number[] {
    return (this.failures.get(address) ?? []).filter((at) => this.now() - at < WINDOW_MS);
  }
}
