import type { ControlKey, ModeName } from '../control-mode.js';

export interface OverviewData {
  readonly controls: readonly {
    readonly key: ControlKey;
    readonly label: string;
    readonly enabled: boolean;
    readonly mode: ModeName;
    readonly posture: 'Engaged' | 'Observing' | 'Disabled';
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
  readonly ruleset_version: string;
  readonly rulesets_24h: readonly {
    readonly ruleset_version: string;
    readonly attempts: number;
    readonly last_seen_at: string;
  }[];
  readonly as_of: string;
}
