import { createHash, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../../contracts/src/clock.js';
import { type FieldErrors, GuardrailsError } from '../../../contracts/src/errors.js';
import { type EventPublisher, SettingsChanged } from '../../../contracts/src/events.js';
import type { EventRouter } from '../ports.js';
import { readSettingsInput } from '../../../contracts/src/settings/settings-input.js';
import { type SettingChange, Settings } from '../../../contracts/src/settings/settings.js';
import {
  definitionOf,
  isSettingKey,
  type SettingKey,
  type SettingValues,
} from '../../../contracts/src/settings/settings.schema.js';
import type { SettingsStore, StoredOverrides } from '../../../contracts/src/settings/settings.store.js';
import { CurrentSettings, type Diagnostics } from '../ports.js';

export interface SettingsAuthor {
  readonly actorId: string;
  readonly requestId: string | null;
  /** The `If-Match` header, where one was sent. */
  readonly ifMatch: string | null;
}

/** Rule id → why its pattern does not compile; empty when all do. */
export type PatternCheck = (patterns: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;

export interface SettingsUpdate {
  /** As this update left them; another one may have followed since. */
  readonly settings: Settings;
  /** The keys of the change log, in its order. */
  readonly changed: readonly string[];
}

/** The settings in force on this instance. Readers take one snapshot; only a committed change swaps it. */
export class LiveSettings extends CurrentSettings {
  private snapshot: Settings;

  constructor(
    private readonly store: SettingsStore,
    private readonly configured: SettingValues,
    private readonly outlet: EventRouter,
    private readonly publisher: EventPublisher,
    private readonly clock: Clock,
    private readonly diagnostics: Diagnostics,
    private readonly patternErrors: PatternCheck,
  ) {
    super();
    this.snapshot = effectiveSettings(configured, { values: new Map(), revision: 0 }).settings;
  }

  override current(): Settings {
    return this.snapshot;
  }

  /** Names these settings, the ones in force unless others are given. */
  etag(settings: Settings = this.snapshot): string {
    return settingsEtag(settings);
  }

  /** Takes over what another instance changed. Costs one look at the revision where nothing did. */
  async refresh(): Promise<void> {
    if ((await this.store.revision()) === this.snapshot.revision) return;
    const stored = await this.store.read();
    // A read that began before a change of our own may end after it; only a second look tells a restored
    // database, whose revision really is lower, from a stale answer.
    this.adopt(stored.revision < this.snapshot.revision ? await this.store.read() : stored);
  }

  /** All or nothing, and in force here when it resolves. */
  async update(input: Readonly<Record<string, unknown>>, author: SettingsAuthor): Promise<SettingsUpdate> {
    const values = this.accept(input);
    let event: SettingsChanged | null = null;
    const stored = await this.store.apply((current) => {
      const before = effectiveSettings(this.configured, current).settings;
      if (author.ifMatch !== null && !matchesEtag(author.ifMatch, settingsEtag(before)))
        throw staleSettings();
      const after = effectiveSettings(this.configured, withOverrides(current, values)).settings;
      const diff = settingsDiff(before, after, values.keys());
      if (diff.length === 0) return null;
      const effective = new Set(diff.map(({ setting }) => setting));
      const changes = diff.map(({ key, before: old, after: value }) => ({ key, before: old, after: value }));
      const { actorId, requestId } = author;
      const occurredAt = this.clock.now();
      event = new SettingsChanged(
        randomUUID(),
        actorId,
        current.revision + 1,
        changes,
        requestId,
        occurredAt,
      );
      return {
        overrides: new Map([...values].filter(([key]) => effective.has(key))),
        changes,
        actorId,
        requestId,
        occurredAt,
        outgoing: this.outlet.route(event),
      };
    });
    if (stored.revision >= this.snapshot.revision) this.adopt(stored);
    return { settings: effectiveSettings(this.configured, stored).settings, changed: this.announce(event) };
  }

  private accept(input: Readonly<Record<string, unknown>>): ReadonlyMap<SettingKey, unknown> {
    const { values, unknown, invalid } = readSettingsInput(input, false);
    const fields: FieldErrors = {
      ...unknown,
      ...invalid,
      ...this.lacking(values),
      ...this.uncompilable(values.get('input_screen.patterns')),
    };
    if (Object.keys(unknown).length > 0) {
      throw new GuardrailsError(
        'not_overridable',
        'Some of these settings cannot be overridden; nothing was changed.',
        {
          fields,
        },
      );
    }
    if (Object.keys(fields).length > 0) {
      throw new GuardrailsError('invalid_settings', 'Some of these values do not fit; nothing was changed.', {
        fields,
      });
    }
    return values;
  }

  private lacking(values: ReadonlyMap<SettingKey, unknown>): FieldErrors {
    return Object.fromEntries(
      [...values].flatMap(([key, value]) => {
        const reason = missingRequirement(key, value, this.configured);
        return reason === null ? [] : [[key, [reason]]];
      }),
    );
  }

  private uncompilable(patterns: unknown): FieldErrors {
    if (patterns === undefined || patterns === null) return {};
    const errors = Object.entries(this.patternErrors(patterns as Readonly<Record<string, string>>));
    if (errors.length === 0) return {};
    return { 'input_screen.patterns': errors.map(([ruleId, reason]) => `rule ${ruleId} ${reason}`) };
  }

  private announce(event: SettingsChanged | null): readonly string[] {
    if (event === null) return [];
    this.publisher.publish(event);
    return event.changes.map(({ key }) => key);
  }

  private adopt(stored: StoredOverrides): void {
    const { settings, ignored } = effectiveSettings(this.configured, stored);
    this.snapshot = settings;
    if (ignored.length > 0) {
      this.diagnostics.warn('stored overrides no longer pass the schema and are ignored', { keys: ignored });
    }
  }
}

function withOverrides(stored: StoredOverrides, values: ReadonlyMap<SettingKey, unknown>): StoredOverrides {
  const next = new Map(stored.values);
  for (const [key, value] of values) {
    if (value === null) next.delete(key);
    else next.set(key, value);
  }
  return { values: next, revision: stored.revision + 1 };
}

function staleSettings(): GuardrailsError {
  return new GuardrailsError(
    'stale_settings',
    'The settings have changed since they were read: read them again.',
  );
}

export interface EffectiveSettings {
  readonly settings: Settings;
  /** Stored overrides that no longer pass the schema: ignored, never half-trusted. */
  readonly ignored: readonly string[];
}

/** The deployer's values, with every stored override on top that still passes the schema. */
export function effectiveSettings(configured: SettingValues, stored: StoredOverrides): EffectiveSettings {
  const values: Record<string, unknown> = { ...configured };
  const overridden: SettingKey[] = [];
  const ignored: string[] = [];
  for (const [key, raw] of stored.values) {
    const definition = isSettingKey(key) ? definitionOf(key) : null;
    const parsed = definition === null || definition.locked ? null : definition.kind.parse(raw);
    if (parsed?.ok !== true || missingRequirement(key, parsed.value, configured) !== null) {
      ignored.push(key);
      continue;
    }
    values[key] = parsed.value;
    overridden.push(key as SettingKey);
  }
  overridden.sort();
  return {
    settings: new Settings(Object.freeze(values) as SettingValues, overridden, stored.revision),
    ignored,
  };
}

/** What a value needs that only the deployer can give, where it is missing. */
export function missingRequirement(key: string, value: unknown, configured: SettingValues): string | null {
  const hashes = key === 'audit_hygiene.prompt_storage' && value === 'hash';
  if (!hashes || configured['audit_hygiene.hash_key'] !== null) return null;
  return 'hash needs audit_hygiene.hash_key, which is configuration: without a key a dictionary finds the text again';
}

/** A strong validator of what GET /settings shows. */
export function settingsEtag(settings: Settings): string {
  const shown = JSON.stringify([settings.revision, settings.overridden, settings.shown()]);
  return `"${createHash('sha256').update(shown).digest('hex').slice(0, 32)}"`;
}

/** Whether an `If-Match` header names this validator: `*`, or a list of tags compared strongly. */
export function matchesEtag(ifMatch: string, etag: string): boolean {
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  return tags.includes('*') || tags.includes(etag);
}

export type KeyedChange = SettingChange & { readonly setting: SettingKey };

/** What changed among `keys`, in their order; patterns are told rule by rule. */
export function settingsDiff(
  before: Settings,
  after: Settings,
  keys: Iterable<SettingKey>,
): readonly KeyedChange[] {
  return [...keys].flatMap((key): KeyedChange[] => {
    const [old, current] = [before.get(key), after.get(key)];
    if (isDeepStrictEqual(old, current)) return [];
    if (key !== 'input_screen.patterns') return [{ setting: key, key, before: old, after: current }];
    return patternChanges(before.get(key), after.get(key)).map((change) => ({ setting: key, ...change }));
  });
}

function patternChanges(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): SettingChange[] {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return ids
    .filter((id) => before[id] !== after[id])
    .map((id) => ({
      key: `input_screen.patterns.${id}`,
      before: before[id] ?? null,
      after: after[id] ?? null,
    }));
}
