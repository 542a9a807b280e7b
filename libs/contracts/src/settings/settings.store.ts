import type { OutgoingEvent } from '../outbox.js';
import type { Page, PageRequest } from '../page.js';
import type { SettingChange } from './settings.js';

/** The overrides as stored: dotted key → value. Never trusted: who reads them parses them again. */
export interface StoredOverrides {
  readonly values: ReadonlyMap<string, unknown>;
  /** Grows by one with every effective change; 0 before the first. */
  readonly revision: number;
}

/** What one PUT comes to, given what is stored. */
export interface SettingsPlan {
  /** Overrides to write; `null` removes one. */
  readonly overrides: ReadonlyMap<string, unknown>;
  readonly changes: readonly SettingChange[];
  readonly actorId: string;
  readonly requestId: string | null;
  readonly occurredAt: Date;
  readonly outgoing: readonly OutgoingEvent[];
}

export interface SettingChangeRecord extends SettingChange {
  readonly id: number;
  readonly actorId: string;
  readonly requestId: string | null;
  readonly occurredAt: Date;
}

export abstract class SettingsStore {
  abstract read(): Promise<StoredOverrides>;

  /** The cheapest possible answer to "has anything changed?". */
  abstract revision(): Promise<number>;

  /**
   * Locks the settings, hands the stored overrides to `plan`, and commits overrides, change records, outgoing
   * events and the next revision in that one transaction. A plan of `null` writes nothing; a plan that throws
   * rolls back and the error passes through. Values keep the order of their keys.
   */
  abstract apply(plan: (stored: StoredOverrides) => SettingsPlan | null): Promise<StoredOverrides>;

  /** Newest first. `key` also takes everything below it (`input_screen.patterns` → each rule's changes). */
  abstract changes(filter: { readonly key?: string }, page: PageRequest): Promise<Page<SettingChangeRecord>>;
}
