// Overrides of settings and who changed them.
import type { OutgoingEvent } from '../events/outbox.js';
import type { Page, PageRequest } from '../common/page.js';
import type { LatestChange, SettingChange } from '../settings/settings.js';

/** The stored overrides: dotted key → value. Untrusted; readers validate them again. */
export interface StoredOverrides {
  readonly values: ReadonlyMap<string, unknown>;
  /** Grows by one with every plan that is written; 0 before the first. */
  readonly revision: number;
  /** `null` before the first change record. */
  readonly latestChange: LatestChange | null;
}

/** The changes that one PUT writes over the stored overrides. */
export interface SettingsPlan {
  /**
   * Overrides to write; `null` removes one. May be written without changes: an override that equals the configured
   * value is removed without a record.
   */
  readonly overrides: ReadonlyMap<string, unknown>;
  readonly changes: readonly SettingChange[];
  readonly actorId: string;
  readonly requestId: string | null;
  readonly occurredAt: Date;
  readonly outgoing: readonly OutgoingEvent[];
}

/** A stored change of a setting: who, when, and in which request. */
export interface SettingChangeRecord extends SettingChange, LatestChange {
  readonly requestId: string | null;
}

export interface SettingChangeFilter {
  /** Includes all keys below it (`input_screen.patterns` → changes of each rule). */
  readonly key?: string;
  readonly actor?: string;
  /** Inclusive. */
  readonly from?: Date;
  /** Inclusive. */
  readonly to?: Date;
}

/** Stores the overrides of settings, their revision and their changes. */
export abstract class SettingsStore {
  abstract read(): Promise<StoredOverrides>;

  /** Reads only the revision, to detect changes. */
  abstract revision(): Promise<number>;

  /**
   * Locks the settings, passes the stored overrides to `plan`, and commits overrides, change records, outgoing
   * events and the next revision in one transaction. A plan of `null` writes nothing; a plan that throws rolls
   * back, and the error is passed on. Values keep the order of their keys.
   */
  abstract apply(plan: (stored: StoredOverrides) => SettingsPlan | null): Promise<StoredOverrides>;

  /** Newest first. */
  abstract changes(filter: SettingChangeFilter, page: PageRequest): Promise<Page<SettingChangeRecord>>;
}
