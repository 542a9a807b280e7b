import type { OutputKind } from '../output.js';

export interface OutputStatsData {
  readonly from: string;
  readonly to: string;
  readonly counts: Readonly<Record<OutputKind, number>> & DetectorCounts;
  /** @deprecated Use `counts.pii`. */
  readonly pii: DetectorCounts['pii'];
  /** @deprecated Use `counts.secrets`. */
  readonly secrets: DetectorCounts['secrets'];
  readonly total: number;
  readonly enforced: number;
  readonly observed: number;
}

export interface DetectorCounts {
  readonly pii: { readonly by_detector: Readonly<Record<string, number>> };
  readonly secrets: { readonly by_detector: Readonly<Record<string, number>> };
}
