import type { OutputKind } from '../output.js';

export interface OutputStatsData {
  readonly from: string;
  readonly to: string;
  readonly counts: Readonly<Record<OutputKind, number>>;
  readonly pii: { readonly by_detector: Readonly<Record<string, number>> };
  readonly secrets: { readonly by_detector: Readonly<Record<string, number>> };
  readonly total: number;
  readonly enforced: number;
  readonly observed: number;
}
