import type { ControlKey, ModeName, Outcome } from './control-mode.js';
import type { NewRejection } from './firewall.js';
import type { OutgoingEvent } from './outbox.js';
import type { OutputCount, Rendering } from './output.js';
import type { Page, PageRequest, TimeWindow } from './page.js';
import type { PromptStorage } from './prompt-storage.js';
import type { MatchedRule, Origin } from './screening.js';
import type { Span } from './span.js';

/**
 * What binds evidence to a text without keeping it: base64url of SHA-256(salt ‖ name of the field ‖ 0x00 ‖ UTF-8).
 * Once the salt is erased, nobody can find the text again, nor look it up in a dictionary.
 */
export interface Commitments {
  /** To the content's `prompt`. */
  readonly prompt: string;
  /** To the content's `matchedText`. */
  readonly matchedText: string | null;
  /** To the evidence's `principalId`. */
  readonly principal: string | null;
}

/** What a decision leaves behind for ever: never updated. */
export interface Evidence {
  readonly occurredAt: Date;
  readonly control: ControlKey;
  readonly outcome: Outcome;
  /** Never `off`: a control that is off decides nothing. */
  readonly mode: Exclude<ModeName, 'off'>;
  readonly origin: Origin;
  /** The rule that decided. Ids of rules have at most 100 characters; every other text here is of any length. */
  readonly ruleId: string | null;
  /** In UTF-8 bytes of the text as the caller sent it. */
  readonly matchedRules: readonly MatchedRule[];
  readonly erroredRuleIds: readonly string[];
  /** Something could not be judged: a rule failed, or the text was too long. */
  readonly errored: boolean;
  readonly principalId: string | null;
  readonly application: string | null;
  readonly requestId: string | null;
  readonly runId: string | null;
  readonly tool: string | null;
  /** The rendering that an output was sanitized for; `null` for every other control. */
  readonly rendering: Rendering | null;
  readonly rulesetVersion: string;
  /** Code points of the text as the caller sent it. */
  readonly promptLength: number;
  readonly durationUs: number;
  readonly commitments: Commitments;
}

/** The text behind a decision, after hygiene: erasable, and therefore apart from the evidence. */
export interface Content {
  readonly storage: PromptStorage;
  /** The stored text; `hmac-sha256:<hex>` under `hash`, empty when erased. */
  readonly prompt: string;
  /** In UTF-8 bytes of `prompt`; `null` where storage moved the bytes. */
  readonly matchedSpan: Span | null;
  readonly matchedText: string | null;
  /** 32 random bytes, base64url: opens the commitments of the evidence. `null` once the text is erased. */
  readonly salt: string | null;
}

/** Everything one decision leaves in all channels. A store commits the whole of it, or nothing. */
export interface Decision {
  readonly evidence: Evidence;
  readonly content: Content;
  readonly rejection: NewRejection | null;
  readonly outputCounts: readonly OutputCount[];
  /** For external consumers: only what a configured sink selects. */
  readonly outgoing: readonly OutgoingEvent[];
}

export interface AuditFilter {
  /** Default: every control. */
  readonly control?: ControlKey;
  readonly blocked?: boolean;
  readonly outcome?: Outcome;
  readonly ruleId?: string;
  readonly principalId?: string;
  readonly application?: string;
  /** Literal text, looked for in the stored prompt; ASCII letters match in either case, accents count. */
  readonly q?: string;
  /** Inclusive. */
  readonly from?: Date;
  /** Inclusive. */
  readonly to?: Date;
}

/** A row of the list: evidence with a preview in place of the text. */
export interface AuditListEntry {
  readonly id: number;
  readonly control: ControlKey;
  readonly outcome: Outcome;
  readonly mode: Exclude<ModeName, 'off'>;
  readonly origin: Origin;
  readonly ruleId: string | null;
  readonly principalId: string | null;
  readonly application: string | null;
  readonly rulesetVersion: string;
  /** `null` where storage keeps no text (`hash`, `erased`). */
  readonly promptPreview: string | null;
  readonly promptLength: number;
  readonly errored: boolean;
  readonly occurredAt: Date;
}

export interface AuditEntry extends Evidence, Content {
  readonly id: number;
}

export interface TrendPoint {
  /** A UTC day, `YYYY-MM-DD`. */
  readonly date: string;
  readonly total: number;
  readonly blocked: number;
  readonly observed: number;
}

/** How appending fares, live: of a store that commits what comes at the same moment together. */
export interface CommitFigures {
  /** Not committed yet. */
  readonly queued: number;
  /** Decisions that were refused or failed: their callers were told. */
  readonly failed: number;
  readonly batches: number;
  readonly lastBatch: number;
  /** Decisions per batch. */
  readonly meanBatch: number;
  /** From `append` to its answer, in milliseconds, over the last thousand or so; 0 before the first. */
  readonly latencyMs: { readonly p50: number; readonly p99: number };
}

/** The append-only record of every decision. It has no method that changes or removes one. */
export abstract class AuditStore {
  /** `null` where every decision is committed by itself. */
  get commits(): CommitFigures | null {
    return null;
  }

  /**
   * Commits a whole decision — evidence, content, rejection, counts, outgoing events — and answers the evidence's id.
   * Ids grow. What failed with `store_unavailable` or `query_timeout` may be appended again: given as the same object,
   * it is committed once, even where the first attempt was committed and only its answer was lost.
   */
  abstract append(decision: Decision): Promise<number>;

  /** Newest first by id; the cost of a page does not depend on its depth, and nothing is counted. */
  abstract list(filter: AuditFilter, page: PageRequest): Promise<Page<AuditListEntry>>;

  abstract find(id: number): Promise<AuditEntry | null>;

  /** Counts per UTC day, oldest first; days without a decision may be missing. `filter.from`/`to` are not read. */
  abstract trend(filter: AuditFilter, window: TimeWindow): Promise<readonly TrendPoint[]>;
}
