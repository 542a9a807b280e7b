import type { ModeName } from '../control-mode.js';
import type { OwaspRisk } from '../owasp.js';
import type {
  Confidence,
  Profile,
  RetiredRule,
  RuleSource,
  ScreenedOrigin,
  ScreenerSource,
  Severity,
} from '../screening.js';
import type { Span } from '../text.js';

/** What rules, groups of rules and screeners did. */
export interface RuleActivity {
  /** Screenings with a match in the trailing 24 hours, each counted once. */
  readonly hits_24h: number;
  /** Screenings in the trailing 24 hours with a match that did not count, because of an exception, each counted once. */
  readonly silenced_24h: number;
  /** Entries that this rule decided and that were reviewed in the last 90 days, by their latest verdict. */
  readonly reviews: {
    readonly true_positive: number;
    readonly false_positive: number;
    readonly unsure: number;
    /** `true_positive` divided by `true_positive` plus `false_positive`; `null` without both. */
    readonly precision: number | null;
  };
}

/** Response of `GET /rules`. */
export interface RuleListData {
  /** The rules of this page, in the order of evaluation. */
  readonly rules: readonly (RuleActivity & {
    readonly id: string;
    /** A mode, a replacement or an exception of the group applies to all its rules. */
    readonly group: string;
    /** `/pattern/flags`; absent with `fields=summary`. */
    readonly pattern?: string;
    readonly description: string;
    /** Why such a text is suspicious. Empty for patterns of operators. */
    readonly rationale: string;
    /** Texts that it finds; absent with `fields=summary`. */
    readonly examples?: readonly string[];
    /** Similar harmless texts that it does not find; absent with `fields=summary`. */
    readonly near_misses?: readonly string[];
    readonly severity: Severity;
    readonly tags: readonly string[];
    /** Ids of the OWASP lists for LLM applications (2025) and agentic applications (2026). */
    readonly owasp: readonly OwaspRisk[];
    /** Ids of MITRE ATLAS techniques (`AML.T…`) and of weaknesses (`CWE-…`). */
    readonly references: readonly string[];
    /** The texts to which it applies. */
    readonly origins: readonly ScreenedOrigin[];
    /** `input_screen.profile` decides from which confidence a rule may block. */
    readonly confidence: Confidence;
    /** The most lenient profile under which it may block. */
    readonly profile: Profile;
    readonly source: RuleSource;
    readonly mode: ModeName;
  })[];
  /** The groups whose first rule is on this page, with all their rules. The figures are sums, with those that earlier versions recorded. */
  readonly groups: readonly (RuleActivity & {
    readonly id: string;
    readonly description: string;
    readonly rules: readonly string[];
  })[];
  /** The classifier, then those of the host. */
  readonly screeners: readonly (RuleActivity & {
    readonly id: string;
    readonly source: ScreenerSource;
    readonly mode: ModeName;
  })[];
  /** Ids of removed rules and groups that a stored mode, an exception or a review names. They have no effect. */
  readonly retired: readonly (RetiredRule & Pick<RuleActivity, 'reviews'>)[];
  /** The position of the last rule of this page; `null` at the end. */
  readonly next_cursor: number | null;
  /** The number of rules on all pages. */
  readonly total: number;
  readonly ruleset_version: string;
  readonly as_of: string;
}

/** Controls whose recorded texts a backtest judges. */
export const BACKTEST_CONTROLS = ['input_screen', 'output_handler'] as const;

/** A control whose recorded texts can be judged again. */
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

/** Why a recorded text cannot be judged again. */
export type BacktestObstacle = (typeof BACKTEST_OBSTACLES)[number];

/** Response of `POST /rules/backtest`, for one slice of the records. */
export interface RulesBacktestData {
  /** Texts of this slice, including those that could not be judged. */
  readonly scanned: number;
  readonly unjudgeable: Readonly<Record<BacktestObstacle, number>>;
  /** For outputs: texts in which something would newly be found. */
  readonly newly_blocked: BacktestChangesData;
  /** Always empty for outputs. */
  readonly no_longer_blocked: BacktestChangesData;
  readonly next_cursor: number | null;
}

/** The texts whose verdict the candidate changes, by rule. */
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
