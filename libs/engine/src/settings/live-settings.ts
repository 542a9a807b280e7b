import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '#contracts/common/clock.js';
import { CONTROL_KEYS } from '#contracts/common/control-mode.js';
import type { EventPublisher } from '#contracts/events/guardrails-event.js';
import { SettingsChanged } from '#contracts/events/operation-events.js';
import type { SettingsInput } from '#contracts/settings/settings-input.js';
import type { Settings } from '#contracts/settings/settings.js';
import type { SettingKey, SettingValues } from '#contracts/settings/settings.schema.js';
import type { SettingsPlan, SettingsStore, StoredOverrides } from '#contracts/stores/settings.store.js';
import { CurrentSettings, type Diagnostics, type EventRouter } from '../shared/ports.js';
import { type KeyedChange, settingsDiff, staleSettings } from './setting-changes.js';
import { type SettingChecks, SettingsValidator } from './settings-validation.js';
import {
  type EffectiveSettings,
  effectiveSettings,
  overridesToWrite,
  withOverrides,
} from './stored-overrides.js';

interface SettingsAuthor {
  readonly actorId: string;
  readonly requestId: string | null;
  /** The `If-Match` header; `null` where none was sent. */
  readonly ifMatch: string | null;
}

interface SettingsUpdate {
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

interface LiveSettingsOptions {
  readonly store: SettingsStore;
  readonly configured: SettingValues;
  readonly router: EventRouter;
  readonly publisher: EventPublisher;
  readonly clock: Clock;
  readonly diagnostics: Diagnostics;
  readonly checks: SettingChecks;
}

/** The settings in force on this instance. Readers take a snapshot; only a committed change replaces it. */
export class LiveSettings extends CurrentSettings {
  /** Values without overrides. */
  readonly configured: SettingValues;
  private snapshot: Settings;
  /** When the store last answered with the present revision. */
  private readAt = 0;
  /** A revision that this instance wrote, and prepares to put in force. */
  private written: number | null = null;
  private readonly validator: SettingsValidator;

  constructor(private readonly options: LiveSettingsOptions) {
    super();
    this.configured = options.configured;
    this.validator = new SettingsValidator(options.configured, options.checks);
    this.snapshot = effectiveSettings(options.configured, {
      values: new Map(),
      revision: 0,
      latestChange: null,
    }).settings;
  }

  override current() {
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

  /** Warnings for operators; by default about the settings in force. */
  warnings(settings: Settings = this.snapshot): readonly string[] {
    return [...settings.warnings(this.options.clock.now()), ...this.options.checks.warnings(settings)];
  }

  /**
   * Loads changes of other instances. Where nothing changed it reads only the revision. The log of the boot has its own
   * lines about the controls.
   */
  async refresh(isBoot = false): Promise<void> {
    const startedAt = this.options.clock.now().getTime();
    await this.loadChanges(isBoot);
    this.readAt = startedAt;
  }

  /** Reads now if the last successful read is older. @throws if that fails */
  async readWithin(maxAgeMs: number): Promise<void> {
    if (this.options.clock.now().getTime() - this.readAt > maxAgeMs) await this.refresh();
  }

  private async loadChanges(isBoot: boolean) {
    const revision = await this.options.store.revision();
    if (revision === this.snapshot.revision || revision === this.written) return;
    const stored = await this.options.store.read();
    // A lower revision is either a stale read, which began before a change made here, or a restored database. Only a
    // second read distinguishes the two.
    const before = this.snapshot;
    const latest = stored.revision < before.revision ? await this.options.store.read() : stored;
    const read = effectiveSettings(this.configured, latest);
    await this.options.checks.prepare(read.settings);
    // A change that was made here in the meantime stays in force. The next refresh compares again.
    if (this.snapshot === before) this.adopt(read, !isBoot);
  }

  /** Compiles the patterns of an input in slices. Call it before the input is validated. */
  compile(input: Readonly<Record<string, unknown>>): Promise<void> {
    return this.compileRead(this.validator.read(input));
  }

  /** Applies all values or none. They are in force on this instance when the promise resolves. */
  async update(input: Readonly<Record<string, unknown>>, author: SettingsAuthor): Promise<SettingsUpdate> {
    const read = this.validator.read(input);
    await this.compileRead(read);
    const values = this.validate(read);
    const planned: { isStale: boolean; event: SettingsChanged | null; stored: StoredOverrides | null } = {
      isStale: false,
      event: null,
      stored: null,
    };
    const written = await this.options.store.apply((stored) => {
      const before = this.effective(stored);
      planned.isStale = !this.isMatch(author.ifMatch, before.settings);
      if (planned.isStale) return null;
      const after = effectiveSettings(this.configured, withOverrides(stored, values));
      const changes = settingsDiff(before.settings, after.settings, values.keys());
      const overrides = overridesToWrite(stored, values, changes);
      planned.event =
        changes.length === 0 ? null : this.changedEvent(after.settings.revision, changes, author);
      planned.stored = overrides.size === 0 ? null : withOverrides(stored, overrides);
      return overrides.size === 0 ? null : this.planOf(overrides, planned.event, author);
    });
    if (planned.isStale) throw await staleSettings(author.ifMatch, this.options.store);
    // The values of the plan equal the written ones, and are parsed already.
    const result = this.effective({ ...written, values: planned.stored?.values ?? written.values });
    await this.putInForce(result);
    return { settings: result.settings, changed: this.publish(planned.event) };
  }

  /** Writes what is no setting, such as a freeze. In force on this instance when the promise resolves. */
  async write(plan: (stored: StoredOverrides) => SettingsPlan | null): Promise<void> {
    await this.putInForce(this.effective(await this.options.store.apply(plan)));
  }

  private async putInForce(written: EffectiveSettings) {
    this.written = written.settings.revision;
    try {
      if (written.settings !== this.snapshot) await this.options.checks.prepare(written.settings);
    } finally {
      this.written = null;
    }
    if (written.settings.revision >= this.snapshot.revision) this.adopt(written);
  }

  /** What `update` would change in the settings in force on this instance. Stores nothing. */
  tried(input: Readonly<Record<string, unknown>>): TriedSettings {
    const [before, values] = [this.snapshot, this.validate(this.validator.read(input))];
    const after = this.withValues(values);
    return { before, after, changes: settingsDiff(before, after, values.keys()) };
  }

  /** The settings in force with these overrides, which are validated like those of `update`. Stores nothing. */
  candidate(input: Readonly<Record<string, unknown>>, isTried: (key: SettingKey) => boolean): Settings {
    const values = this.validate(this.validator.read(input), (key) =>
      isTried(key) ? null : 'is not a setting that this request can try',
    );
    return this.withValues(values);
  }

  private async compileRead({ values }: SettingsInput) {
    const patterns = values.get('input_screen.patterns');
    if (patterns !== undefined && patterns !== null)
      await this.options.checks.compilePatterns(patterns as Readonly<Record<string, string>>);
  }

  private validate(
    read: SettingsInput,
    refusal?: (key: SettingKey) => string | null,
  ): ReadonlyMap<SettingKey, unknown> {
    return this.validator.validate(read, this.snapshot.get('input_screen.exceptions'), refusal);
  }

  /** `null` stands for the configured value. */
  private withValues(values: ReadonlyMap<SettingKey, unknown>) {
    return this.snapshot.with(
      new Map([...values].map(([key, value]) => [key, value === null ? this.configured[key] : value])),
    );
  }

  private effective(stored: StoredOverrides) {
    return stored.revision === this.snapshot.revision
      ? { settings: this.snapshot, ignored: [] }
      : effectiveSettings(this.configured, stored);
  }

  private isMatch(ifMatch: string | null, settings: Settings) {
    if (ifMatch === null) return true;
    const tags = ifMatch.split(',').map((tag) => tag.trim());
    return tags.includes('*') || tags.includes(this.etag(settings));
  }

  private changedEvent(
    revision: number,
    diff: readonly KeyedChange[],
    { actorId, requestId }: SettingsAuthor,
  ) {
    const changes = diff.map(({ key, before, after }) => ({ key, before, after }));
    return new SettingsChanged(randomUUID(), actorId, revision, changes, requestId, this.options.clock.now());
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
      occurredAt: event?.occurredAt ?? this.options.clock.now(),
      outgoing: event === null ? [] : this.options.router.route(event),
    };
  }

  private publish(event: SettingsChanged | null): readonly string[] {
    if (event === null) return [];
    this.options.publisher.publish(event);
    return event.changes.map(({ key }) => key);
  }

  private adopt({ settings, ignored }: EffectiveSettings, isLogged = true) {
    const before = this.snapshot;
    this.snapshot = settings;
    for (const control of CONTROL_KEYS) {
      const line = settings.line(control);
      if (isLogged && line !== before.line(control))
        this.options.diagnostics.warn(`Settings changed: ${line}`);
    }
    if (ignored.length > 0) {
      this.options.diagnostics.warn(
        'stored overrides are invalid and are ignored: set them again or remove them with null',
        { keys: ignored },
      );
    }
  }
}
