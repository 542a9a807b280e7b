const KEPT = 1_024;

/** The latest durations, as many as are kept, and where half and nearly all of them lie. */
export class LatencyFigures {
  private readonly kept = new Float64Array(KEPT);
  private seen = 0;

  add(milliseconds: number): void {
    this.kept[this.seen % KEPT] = milliseconds;
    this.seen++;
  }

  /** 0 before the first. */
  read(): { readonly p50: number; readonly p99: number } {
    const sorted = this.kept.slice(0, Math.min(this.seen, KEPT)).toSorted();
    const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
    return { p50: at(0.5), p99: at(0.99) };
  }
}
