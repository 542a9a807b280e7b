interface Waiting {
  readonly who: object;
  readonly admit: () => void;
}

/** Lends the one session to one connection at a time, in the order of asking. */
export class SessionQueue {
  private holder: object | undefined;
  private readonly waiting: Waiting[] = [];

  /** Resolves at once for the connection that holds the session already. */
  async acquire(who: object, patienceMs: number): Promise<void> {
    this.holder ??= who;
    if (this.holder !== who) await this.turnOf(who, patienceMs);
  }

  release(who: object): void {
    if (this.holder !== who) return;
    const next = this.waiting.shift();
    this.holder = next?.who;
    next?.admit();
  }

  private turnOf(who: object, patienceMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(place), 1);
        reject(new Error('PGlite: the session is busy. Is the pool used inside an open transaction?'));
      }, patienceMs);
      const place: Waiting = {
        who,
        admit: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      this.waiting.push(place);
    });
  }
}
