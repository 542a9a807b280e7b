import type { ModeName } from '../control-mode.js';
import type { RuleSource, Severity } from '../screening.js';

export interface RuleListData {
  /** In the order in which they are asked. */
  readonly rules: readonly {
    readonly id: string;
    /** `/pattern/flags` */
    readonly pattern: string;
    readonly description: string;
    readonly severity: Severity;
    readonly tags: readonly string[];
    readonly source: RuleSource;
    readonly mode: ModeName;
    /** Screenings of the trailing 24 hours in which it matched, each counted once. */
    readonly hits_24h: number;
  }[];
  readonly ruleset_version: string;
  readonly as_of: string;
}
