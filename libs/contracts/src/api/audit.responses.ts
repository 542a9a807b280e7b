import type { ControlKey, ModeName, Outcome } from '../control-mode.js';
import type { Rendering } from '../output.js';
import type { PromptStorage } from '../prompt-storage.js';
import type { Origin } from '../screening.js';
import type { Span } from '../span.js';

export interface AuditFacts {
  readonly id: number;
  readonly control: ControlKey;
  readonly blocked: boolean;
  readonly outcome: Outcome;
  readonly mode: ModeName;
  readonly origin: Origin;
  readonly rule_id: string | null;
  readonly principal_id: string | null;
  readonly application: string | null;
  readonly ruleset_version: string;
  readonly prompt_length: number;
  readonly errored: boolean;
  readonly occurred_at: string;
}

export interface AuditListItem extends AuditFacts {
  readonly prompt_preview: string | null;
}

export interface AuditListData {
  readonly entries: readonly AuditListItem[];
  readonly next_cursor: number | null;
  readonly partial?: true;
}

export interface AuditDetailData {
  readonly entry: AuditFacts & {
    readonly prompt: string;
    readonly prompt_storage: PromptStorage;
    readonly errored_rule_ids: readonly string[];
    readonly matched_span: Span | null;
    readonly matched_text: string | null;
    readonly matched_rules: readonly { readonly rule_id: string; readonly span: Span }[];
    readonly request_id: string | null;
    readonly run_id: string | null;
    readonly tool: string | null;
    /** Of an output. */
    readonly rendering: Rendering | null;
    readonly duration_us: number;
  };
}

export interface AuditTrendData {
  readonly from: string;
  readonly to: string;
  readonly points: readonly {
    readonly date: string;
    readonly total: number;
    readonly blocked: number;
    readonly allowed: number;
    readonly observed: number;
  }[];
}
