import type { Terminal } from './terminal.js';

const WIDTH = 30;
const EVERY_MS = 100;

/** One line that moves on, for somebody who watches; nothing for a file or a pipe. */
export class ProgressBar {
  private shownAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly terminal: Terminal,
    private readonly what: string,
  ) {}

  show(done: number, all: number): void {
    if (!this.terminal.isWatched || Date.now() - this.shownAt < EVERY_MS) return;
    this.shownAt = Date.now();
    const share = all === 0 ? 1 : Math.min(1, done / all);
    const filled = Math.round(share * WIDTH);
    const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
    this.terminal.redraw(`${this.what} ${bar} ${Math.floor(share * 100)} % (${done} of ${all})`);
  }

  end(): void {
    if (this.terminal.isWatched) this.terminal.redraw('');
  }
}
