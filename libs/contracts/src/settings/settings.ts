import { CONTROL_KEYS, type ControlKey, ControlMode } from '../control-mode.js';
import { exceptionWarnings } from './exception-kind.js';
import {
  definitionOf,
  SETTING_KEYS,
  unlockedKeys,
  type SettingKey,
  defaultsOf,
  SETTINGS_SCHEMA,
  type SettingValue,
  type SettingValues,
} from './settings.schema.js';

/** The default of every setting. */
export const DEFAULT_SETTINGS: SettingValues = defaultsOf(SETTINGS_SCHEMA) as SettingValues;

/** A frozen snapshot of all effective settings. A decision uses one snapshot throughout. */
export class Settings {
  constructor(
    private readonly values: SettingValues,
    /** Keys with a valid stored override. */
    readonly overridden: readonly SettingKey[] = [],
    readonly revision = 0,
    readonly latestChange: LatestChange | null = null,
  ) {}

  get<Key extends SettingKey>(key: Key): SettingValue<Key> {
    return this.values[key];
  }

  /** This snapshot with other values, which must be valid. */
  with(values: ReadonlyMap<SettingKey, unknown>): Settings {
    const changed = { ...this.values, ...Object.fromEntries(values) } as SettingValues;
    return new Settings(Object.freeze(changed), this.overridden, this.revision, this.latestChange);
  }

  /** Combines the master switch, the control's switch and its mode. */
  mode(control: ControlKey): ControlMode {
    const switchedOn = this.values.enabled && this.values[`${control}.enabled`];
    return switchedOn ? ControlMode.named(this.values[`modes.${control}`]) : ControlMode.off;
  }

  /** What the control does now, in a sentence. */
  does(control: ControlKey): string {
    const mode = this.mode(control);
    if (mode.isOff()) return `${control} is off: it neither protects nor records.`;
    return mode.enforces()
      ? `${control} enforces.`
      : `${control} is observing: it records findings and blocks nothing.`;
  }

  /** What GET /settings shows, as a nested object. */
  shown(): Record<string, unknown> {
    return nest(this.shownKeys().map((key) => [key, this.values[key]]));
  }

  shownKeys(): readonly SettingKey[] {
    const unlocked = unlockedKeys(this.values);
    return SETTING_KEYS.filter((key) => definitionOf(key).shown || unlocked.has(key));
  }

  /** Warnings for operators: controls that are off or only observing, and exceptions. */
  warnings(now: Date): readonly string[] {
    const controls = CONTROL_KEYS.flatMap((control) => {
      return this.mode(control).enforces() ? [] : [this.does(control)];
    });
    return [...controls, ...exceptionWarnings(this.values['input_screen.exceptions'], now)];
  }
}

/** Converts dotted keys to nested objects, in their order. */
export function nest(entries: readonly (readonly [key: string, value: unknown])[]): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [key, value] of entries) {
    const path = key.split('.');
    const last = path.pop() ?? key;
    let node = root;
    for (const name of path) node = (node[name] ??= {}) as Record<string, unknown>;
    node[last] = value;
  }
  return root;
}

/** The newest change record. */
export interface LatestChange {
  readonly id: number;
  readonly actorId: string;
  readonly occurredAt: Date;
}

/** One effective change: `before` and `after` are effective values and differ. */
export interface SettingChange {
  /** A dotted key; for a pattern `input_screen.patterns.<rule id>`, for a policy `hitl.policies.<tool>`. */
  readonly key: string;
  readonly before: unknown;
  readonly after: unknown;
}
