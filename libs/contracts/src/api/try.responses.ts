import type { OutputKind } from '../output.js';
import type { Span } from '../span.js';

export interface TryScreenData {
  readonly blocked: boolean;
  readonly would_enforce: boolean;
  readonly rule_id: string | null;
  readonly refusal_message: string | null;
  readonly ruleset_version: string;
  readonly matched_rules: readonly { readonly rule_id: string; readonly span: Span; readonly text: string }[];
  /** Screeners and rules that failed on this prompt. */
  readonly errored_screeners: readonly { readonly id: string; readonly reason: string }[];
  readonly normalized: string;
  readonly normalization_steps: readonly string[];
}

export interface TrySanitizeData {
  readonly sanitized: string;
  readonly kinds: Readonly<Record<OutputKind, number>>;
  readonly findings: readonly { readonly kind: OutputKind; readonly detector: string; readonly span: Span }[];
}
