import type { ModeName } from '../control-mode.js';
import type { OwaspRisk } from '../owasp.js';
import type { Confidence, RuleSource, ScreenedOrigin, ScreenerSource, Severity } from '../screening.js';
import type { Span } from '../text.js';

export interface RuleListData {
  /** In the order of evaluation. */
  readonly rules: readonly {
    readonly id: string;
    /** `/pattern/flags`; absent with `fields=summary`. */
    readonly pattern?: string;
    readonly description: string;
    readonly severity: Severity;
    readonly tags: readonly string[];
    /** Ids of the OWASP lists for LLM applications (2025) and agentic applications (2026). */
    readonly owasp: readonly OwaspRisk[];
    /** The texts to which it applies. */
    readonly origins: readonly ScreenedOrigin[];
    /** `input_screen.profile` decides from which confidence a rule may block. */
    readonly confidence: Confidence;
    readonly source: RuleSource;
    readonly mode: ModeName;
    /** Screenings with a match in the trailing 24 hours, each counted once. */
    readonly hits_24h: number;
    /** Screenings with a match that an exception silenced in the trailing 24 hours, each counted once. */
    readonly silenced_24h: number;
    /** Entries that this rule decided and that were reviewed in the last 90 days, by their latest verdict. */
    readonly reviews: {
      readonly true_positive: number;
      readonly false_positive: number;
      readonly unsure: number;
      /** `true_positive` divided by `true_positive` plus `false_positive`; `null` without both. */
      readonly precision: number | null;
    };
  }[];
  /** The classifier, then those of the host. */
  readonly screeners: readonly (Pick<
    RuleListData['rules'][number],
    'id' | 'mode' | 'hits_24h' | 'silenced_24h' | 'reviews'
  > & { readonly source: ScreenerSource })[];
  readonly ruleset_version: string;
  readonly as_of: string;
}

/** Controls whose recorded texts a backtest judges. */
export const BACKTEST_CONTROLS = ['input_screen', 'output_handler'] as const;

export type BacktestControl = (typeof BACKTEST_CONTROLS)[number];

/** Why a recorded text cannot be judged again. */
export const BACKTEST_OBSTACLES = [
  'hashed',
  'erased',
  'truncated',
  'changed_by_hygiene',
  'structured',
  'host_screener',
] as const;

export type BacktestObstacle = (typeof BACKTEST_OBSTACLES)[number];

export interface RulesBacktestData {
  /** Texts of this slice, including those that could not be judged. */
  readonly scanned: number;
  readonly unjudgeable: Readonly<Record<BacktestObstacle, number>>;
  /** For outputs: texts in which something would newly be found. */
  readonly newly_blocked: BacktestChangesData;
  /** For outputs always empty. */
  readonly no_longer_blocked: BacktestChangesData;
  readonly next_cursor: number | null;
}

export interface BacktestChangesData {
  readonly count: number;
  /** Most frequent first. An output counts for each detector that finds something. */
  readonly rules: readonly {
    /** The rule that decided or, for outputs, the detector; `null` where a text could not be judged. */
    readonly rule_id: string | null;
    readonly count: number;
    /** At most twenty, newest first. */
    readonly samples: readonly {
      readonly audit_id: number;
      readonly occurred_at: string;
      readonly prompt_preview: string;
      /** At most sixteen, in UTF-8 bytes of the recorded prompt. */
      readonly spans: readonly Span[];
    }[];
  }[];
}
