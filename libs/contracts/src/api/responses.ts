import type { ControlKey, ModeName } from '../control-mode.js';
import type { SettingKey } from '../settings/settings.schema.js';
import type { RouteName } from './api.routes.js';

/** Response of `GET /me`. */
export interface MeData {
  /** The id that writes of this caller are recorded under; `null` if the request has none. */
  readonly actor: string | null;
  /** Whether the caller may use the route. `null`: the host gave no answer, so only a request shows it. */
  readonly permissions: Readonly<Record<RouteName, boolean | null>>;
  readonly four_eyes: boolean;
  readonly token_delivery: 'list' | 'out_of_band';
  /** Events of the live stream: `events.stream`. */
  readonly live: 'off' | 'security' | 'all';
  /** Sequence number of the newest event: a `Last-Event-ID` of the live stream. */
  readonly sequence: number;
  readonly now: string;
}

/** Response of `GET /overview`. */
export interface OverviewData {
  readonly controls: readonly {
    readonly key: ControlKey;
    readonly label: string;
    readonly enabled: boolean;
    readonly mode: ModeName;
    readonly posture: 'Engaged' | 'Observing' | 'Disabled';
    readonly warning: string | null;
    readonly counts_24h: { readonly total: number; readonly blocked: number; readonly observed: number };
    readonly spark: readonly number[];
  }[];
  readonly totals: {
    readonly attempts_24h: number;
    readonly blocked_24h: number;
    readonly observed_24h: number;
    readonly firewall_rejections_24h: number;
    readonly outputs_sanitized_24h: number;
    readonly pending_approvals: number;
    readonly sampled: false;
  };
  readonly approvals: {
    readonly pending: number;
    readonly expiring_soon: number;
    readonly executing: number;
    readonly outcome_unknown: number;
    readonly oldest_pending_at: string | null;
  };
  readonly ruleset_version: string;
  readonly rulesets_24h: readonly {
    readonly ruleset_version: string;
    readonly attempts: number;
    readonly last_seen_at: string;
  }[];
  readonly as_of: string;
}

/** Response of `GET /settings`. */
export interface SettingsData {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly overridden: readonly SettingKey[];
  readonly revision: number;
  /** When and by whom a setting was last changed; `null` if never. */
  readonly updated_at: string | null;
  readonly updated_by: string | null;
  readonly warnings: readonly string[];
  /** Every setting of `settings`, in its order. */
  readonly schema: readonly SettingSchemaData[];
}

/** The description of one setting in `GET /settings`. */
export interface SettingSchemaData {
  readonly key: SettingKey;
  readonly kind: string;
  /** JSON Schema (2020-12) of a value: allowed values and limits, where the kind has them. */
  readonly value_schema: Readonly<Record<string, unknown>>;
  readonly help: string;
  readonly default: unknown;
  /** The value without an override. */
  readonly configured: unknown;
  /** The environment variable that sets the configured value. */
  readonly environment: string;
  /** PUT /settings refuses it. */
  readonly locked: boolean;
  readonly weakens: {
    /** The values that protect less than the others, the weakest last. For an object, these are values of its entries. */
    readonly values: readonly unknown[];
    /** What weakens a list or an object; `null` if nothing does. */
    readonly entries: 'added' | 'removed' | null;
  };
}

/** Response of `PUT /settings`. */
export interface SettingsUpdateData extends SettingsData {
  /** Dotted keys; a pattern is `input_screen.patterns.<rule id>`, as in the change records. */
  readonly changed: readonly string[];
}

/** Response of `POST /settings/preview`. */
export interface SettingsPreviewData {
  /** What PUT /settings would record. */
  readonly changes: readonly {
    readonly key: string;
    readonly old_value: unknown;
    readonly new_value: unknown;
    /** The new value protects less. */
    readonly weakens: boolean;
  }[];
  /** What would protect less, and the warnings of GET /settings that would be new. */
  readonly warnings: readonly string[];
  /** Pending approvals whose calls would no longer run, because the policy that they were requested under changes. */
  readonly superseded: {
    readonly count: number;
    /** The newest 100. */
    readonly approvals: readonly { readonly approval_id: number; readonly tool: string }[];
  };
}

/** One recorded change of a setting. */
export interface SettingChangeData {
  readonly id: number;
  readonly actor_id: string;
  readonly key: string;
  readonly old_value: unknown;
  readonly new_value: unknown;
  readonly occurred_at: string;
  readonly request_id: string | null;
}

/** Response of `GET /settings/changes`. */
export interface SettingsChangesData {
  readonly changes: readonly SettingChangeData[];
  readonly next_cursor: number | null;
}
