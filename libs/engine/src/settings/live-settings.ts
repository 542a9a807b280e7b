import { createHash, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '#contracts/clock.js';
import { type FieldErrors, GuardrailsError } from '#contracts/errors.js';
import type { EventPublisher } from '#contracts/guardrails-event.js';
import { SettingsChanged } from '#contracts/operation-events.js';
import type { Policies } from '#contracts/policies.js';
import type { ScreeningException } from '#contracts/screening.js';
import { readSettingsInput } from '#contracts/settings/settings-input.js';
import { type SettingChange, Settings } from '#contracts/settings/settings.js';
import {
  definitionOf,
  isSettingKey,
  type SettingKey,
  type SettingValues,
  unlockedKeys,
} from '#contracts/settings/settings.schema.js';
import type { SettingsPlan, SettingsStore, StoredOverrides } from '#contracts/settings/settings.store.js';
import { CurrentSettings, type Diagnostics, type EventRouter } from '../ports.js';
import { staleSettings } from './setting-changes.js';

interface SettingsAuthor {
  readonly actorId: string;
  readonly requestId: string | null;
  /** The `If-Match` header; `null` where none was sent. */
  readonly ifMatch: string | null;
}

/** Checks that depend on the engine. */
interface SettingChecks {
  /** Rule id → why its pattern does not compile; empty when all do. */
  patternErrors(patterns: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
  /** Why these policies cannot be used; empty if they can. */
  policyErrors(policies: Policies): readonly string[];
  /** Why these exceptions cannot be put in force; empty if they can. An entry of `known` may have ended. */
  exceptionErrors(
    exceptions: readonly ScreeningException[],
    known: readonly ScreeningException[],
  ): readonly string[];
}

export interface SettingsUpdate {
  /** The settings that this update produced; a later update may have replaced them. */
  readonly settings: Settings;
  /** Keys of the change records, in their order. */
  readonly changed: readonly string[];
}

interface TriedSettings {
  readonly before: Settings;
  readonly after: Settings;
  readonly changes: readonly KeyedChange[];
}

/** The settings in force on this instance. Readers take a snapshot; only a committed change replaces it. */
export class LiveSettings extends CurrentSettings {
  private snapshot: Settings;

  constructor(
    private readonly store: SettingsStore,
    /** Values without overrides. */
    readonly configured: SettingValues,
    private readonly router: EventRouter,
    private readonly publisher: EventPublisher,
    private readonly clock: Clock,
    private readonly diagnostics: Diagnostics,
    private readonly checks: SettingChecks,
  ) {
    super();
    this.snapshot = effectiveSettings(configured, {
      values: new Map(),
      revision: 0,
      latestChange: null,
    }).settings;
  }

  override current(): Settings {
    return this.snapshot;
  }

  /**
   * A strong validator of what GET /settings shows; by default of the settings in force. It ends with the id of the
   * newest change, from which a refused update lists the changes since.
   */
  etag(settings: Settings = this.snapshot): string {
    const shown = JSON.stringify([settings.revision, settings.overridden, settings.shown()]);
    const digest = createHash('sha256').update(shown).digest('hex').slice(0, 32);
    return `"${digest}-${settings.latestChange?.id ?? 0}"`;
  }

  /** Loads changes of other instances. Where nothing changed it reads only the revision. */
  async refresh(): Promise<void> {
    if ((await this.store.revision()) === this.snapshot.revision) return;
    const stored = await this.store.read();
    // A lower revision is either a stale read, which began before a change made here, or a restored database. Only a
    // second read distinguishes the two.
    const latest = stored.revision < this.snapshot.revision ? await this.store.read() : stored;
    this.adopt(effectiveSettings(this.configured, latest));
  }

  /** Applies all values or none. They are in force on this instance when the promise resolves. */
  async update(input: Readonly<Record<string, unknown>>, author: SettingsAuthor): Promise<SettingsUpdate> {
    const values = this.validate(input);
    const planned: { isStale: boolean; event: SettingsChanged | null } = { isStale: false, event: null };
    const written = await this.store.apply((stored) => {
      const before = this.effective(stored);
      planned.isStale = !this.isMatch(author.ifMatch, before.settings);
      if (planned.isStale) return null;
      const after = effectiveSettings(this.configured, withOverrides(stored, values));
      const changes = settingsDiff(before.settings, after.settings, values.keys());
      const overrides = overridesToWrite(stored, values, changes);
      planned.event =
        changes.length === 0 ? null : this.changedEvent(after.settings.revision, changes, author);
      return overrides.size === 0 ? null : this.planOf(overrides, planned.event, author);
    });
    if (planned.isStale) throw await staleSettings(author.ifMatch, this.store);
    const result = this.effective(written);
    if (result.settings.revision >= this.snapshot.revision) this.adopt(result);
    return { settings: result.settings, changed: this.publish(planned.event) };
  }

  /** What `update` would change in the settings in force on this instance. Stores nothing. */
  tried(input: Readonly<Record<string, unknown>>): TriedSettings {
    const [before, values] = [this.snapshot, this.validate(input)];
    const after = this.withValues(values);
    return { before, after, changes: settingsDiff(before, after, values.keys()) };
  }

  /** The settings in force with these overrides, which are validated like those of `update`. Stores nothing. */
  candidate(input: Readonly<Record<string, unknown>>, isTried: (key: SettingKey) => boolean): Settings {
    const values = this.validate(input, (key) =>
      isTried(key) ? null : 'is not a setting that this request can try',
    );
    return this.withValues(values);
  }

  /** `null` stands for the configured value. */
  private withValues(values: ReadonlyMap<SettingKey, unknown>): Settings {
    return this.snapshot.with(
      new Map([...values].map(([key, value]) => [key, value === null ? this.configured[key] : value])),
    );
  }

  private effective(stored: StoredOverrides): EffectiveSettings {
    return stored.revision === this.snapshot.revision
      ? { settings: this.snapshot, ignored: [] }
      : effectiveSettings(this.configured, stored);
  }

  private isMatch(ifMatch: string | null, settings: Settings): boolean {
    if (ifMatch === null) return true;
    const tags = ifMatch.split(',').map((tag) => tag.trim());
    return tags.includes('*') || tags.includes(this.etag(settings));
  }

  private changedEvent(
    revision: number,
    diff: readonly KeyedChange[],
    { actorId, requestId }: SettingsAuthor,
  ): SettingsChanged {
    const changes = diff.map(({ key, before, after }) => ({ key, before, after }));
    return new SettingsChanged(randomUUID(), actorId, revision, changes, requestId, this.clock.now());
  }

  private planOf(
    overrides: SettingsPlan['overrides'],
    event: SettingsChanged | null,
    { actorId, requestId }: SettingsAuthor,
  ): SettingsPlan {
    return {
      overrides,
      changes: event?.changes ?? [],
      actorId,
      requestId,
      occurredAt: event?.occurredAt ?? this.clock.now(),
      outgoing: event === null ? [] : this.router.route(event),
    };
  }

  /** @param refusal why a key that can be overridden is refused; `null` if it is not */
  private validate(
    input: Readonly<Record<string, unknown>>,
    refusal: (key: SettingKey) => string | null = () => null,
  ): ReadonlyMap<SettingKey, unknown> {
    const read = readSettingsInput(input, false, unlockedKeys(this.configured));
    const { values, invalid } = read;
    const refused = [...values.keys()].flatMap((key) => {
      const reason = refusal(key);
      return reason === null ? [] : [[key, [reason]] as const];
    });
    const unknown: FieldErrors = { ...read.unknown, ...Object.fromEntries(refused) };
    const fields: FieldErrors = {
      ...unknown,
      ...invalid,
      ...this.missingRequirements(values),
      ...this.invalidPatterns(values.get('input_screen.patterns')),
      ...this.invalidPolicies(values.get('hitl.policies')),
      ...this.invalidExceptions(values.get('input_screen.exceptions')),
    };
    if (Object.keys(unknown).length > 0) {
      throw new GuardrailsError(
        'not_overridable',
        'Some keys cannot be overridden; nothing was changed. Remove the keys listed in `fields`.',
        { fields },
      );
    }
    if (Object.keys(fields).length > 0) {
      throw new GuardrailsError(
        'invalid_settings',
        'Some values are invalid; nothing was changed. Correct the keys listed in `fields`.',
        { fields },
      );
    }
    return values;
  }

  private missingRequirements(values: ReadonlyMap<SettingKey, unknown>): FieldErrors {
    return Object.fromEntries(
      [...values].flatMap(([key, value]) => {
        const reason = missingRequirement(key, value, this.configured);
        return reason === null ? [] : [[key, [reason]]];
      }),
    );
  }

  private invalidPatterns(patterns: unknown): FieldErrors {
    if (patterns === undefined || patterns === null) return {};
    const errors = Object.entries(this.checks.patternErrors(patterns as Readonly<Record<string, string>>));
    if (errors.length === 0) return {};
    return { 'input_screen.patterns': errors.map(([ruleId, reason]) => `rule ${ruleId} ${reason}`) };
  }

  private invalidPolicies(policies: unknown): FieldErrors {
    if (policies === undefined || policies === null) return {};
    const errors = this.checks.policyErrors(policies as Policies);
    return errors.length === 0 ? {} : { 'hitl.policies': errors };
  }

  private invalidExceptions(exceptions: unknown): FieldErrors {
    if (exceptions === undefined || exceptions === null) return {};
    const known = this.snapshot.get('input_screen.exceptions');
    const errors = this.checks.exceptionErrors(exceptions as readonly ScreeningException[], known);
    return errors.length === 0 ? {} : { 'input_screen.exceptions': errors };
  }

  private publish(event: SettingsChanged | null): readonly string[] {
    if (event === null) return [];
    this.publisher.publish(event);
    return event.changes.map(({ key }) => key);
  }

  private adopt({ settings, ignored }: EffectiveSettings): void {
    this.snapshot = settings;
    if (ignored.length > 0) {
      this.diagnostics.warn(
        'stored overrides are invalid and are ignored: set them again or remove them with null',
        { keys: ignored },
      );
    }
  }
}

/** The overrides after an update, at the next revision. */
function withOverrides(stored: StoredOverrides, values: ReadonlyMap<SettingKey, unknown>): StoredOverrides {
  const next = new Map(stored.values);
  for (const [key, value] of values) {
    if (value === null) next.delete(key);
    else next.set(key, value);
  }
  return { ...stored, values: next, revision: stored.revision + 1 };
}

/** Values that take effect, and `null` for every stored override that is removed, even where its value was in force anyway. */
function overridesToWrite(
  stored: StoredOverrides,
  values: ReadonlyMap<SettingKey, unknown>,
  changes: readonly KeyedChange[],
): ReadonlyMap<SettingKey, unknown> {
  const changed = new Set(changes.map(({ setting }) => setting));
  return new Map(
    [...values].filter(([key, value]) => changed.has(key) || (value === null && stored.values.has(key))),
  );
}

interface EffectiveSettings {
  readonly settings: Settings;
  /** Keys of stored overrides that no longer pass the schema and are ignored. */
  readonly ignored: readonly string[];
}

/** The configured values, replaced by every stored override that passes the schema. */
function effectiveSettings(configured: SettingValues, stored: StoredOverrides): EffectiveSettings {
  const values: Record<string, unknown> = { ...configured };
  const overridden: SettingKey[] = [];
  const ignored: string[] = [];
  const unlocked = unlockedKeys(configured);
  for (const [key, raw] of stored.values) {
    const definition = isSettingKey(key) ? definitionOf(key) : null;
    const isOpen = definition !== null && (!definition.locked || unlocked.has(key as SettingKey));
    const parsed = isOpen ? definition.kind.parse(raw) : null;
    if (parsed?.ok !== true || missingRequirement(key, parsed.value, configured) !== null) {
      ignored.push(key);
      continue;
    }
    values[key] = parsed.value;
    overridden.push(key as SettingKey);
  }
  overridden.sort();
  return {
    settings: new Settings(
      Object.freeze(values) as SettingValues,
      overridden,
      stored.revision,
      stored.latestChange,
    ),
    ignored,
  };
}

/** Why a value cannot be used without another, configuration-only setting; `null` where it can. */
function missingRequirement(key: string, value: unknown, configured: SettingValues): string | null {
  if (key === 'retention.days')
    return belowMinimumDays(value as number, configured['retention.minimum_days']);
  const needsHashKey = key === 'audit_hygiene.prompt_storage' && value === 'hash';
  if (!needsHashKey || configured['audit_hygiene.hash_key'] !== null) return null;
  return 'hash needs audit_hygiene.hash_key: set it in the configuration. Without a key, hashes of common prompts can be looked up';
}

/** Why this value of `retention.days` cannot be used; `null` if it can. */
export function belowMinimumDays(days: number | null, minimum: number): string | null {
  return days === null || days >= minimum
    ? null
    : `must be at least retention.minimum_days, which is ${minimum}`;
}

/** A change, and the setting that its key is part of. */
export type KeyedChange = SettingChange & { readonly setting: SettingKey };

/** Settings with one change record per entry. */
const KEYED_SETTINGS = ['input_screen.patterns', 'hitl.policies'] as const;

/** Effective changes among `keys`, in their order; one per rule for patterns, and one per tool for policies. */
function settingsDiff(before: Settings, after: Settings, keys: Iterable<SettingKey>): readonly KeyedChange[] {
  return [...keys].flatMap((key): KeyedChange[] => {
    const [old, current] = [before.get(key), after.get(key)];
    if (isDeepStrictEqual(old, current)) return [];
    const keyed = KEYED_SETTINGS.find((candidate) => candidate === key);
    if (keyed === undefined) return [{ setting: key, key, before: old, after: current }];
    return entryChanges(keyed, before.get(keyed), after.get(keyed));
  });
}

function entryChanges(
  setting: SettingKey,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): KeyedChange[] {
  const ownOf = (values: Readonly<Record<string, unknown>>, name: string): unknown =>
    Object.hasOwn(values, name) ? values[name] : null;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return names
    .map((name) => ({
      setting,
      key: `${setting}.${name}`,
      before: ownOf(before, name),
      after: ownOf(after, name),
    }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after));
}
