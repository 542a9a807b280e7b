import { CONTROL_KEYS, CONTROLS, type ControlKey, ControlMode } from '../common/control-mode.js';
import { CLASSIFIER_ID, type ScreenedOrigin } from '../screening/screening.js';
import { exceptionWarnings } from './exception-kind.js';
import type { Freeze } from '../freeze/freezes.api.js';
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

/** Code points up to which documents and results of tools are judged, unless a limit is set. */
const MAX_DOCUMENT_LENGTH = 1_000_000;

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
    /** The values without overrides. */
    private readonly configured: SettingValues = values,
    /** Freezes, in force and lifted, newest first. */
    readonly freezes: readonly Freeze[] = [],
  ) {}

  get<Key extends SettingKey>(key: Key): SettingValue<Key> {
    return this.values[key];
  }

  /** This snapshot with other values, which must be valid. */
  with(values: ReadonlyMap<SettingKey, unknown>): Settings {
    const changed = { ...this.values, ...Object.fromEntries(values) } as SettingValues;
    const { overridden, revision, latestChange, configured, freezes } = this;
    return new Settings(Object.freeze(changed), overridden, revision, latestChange, configured, freezes);
  }

  /**
   * Combines the master switch, the control's switch and its mode. Approvals in monitor mode need neither their
   * switch nor a secret.
   */
  mode(control: ControlKey): ControlMode {
    const mode = ControlMode.named(this.values[`modes.${control}`]);
    const isOn = this.values[`${control}.enabled`] || (control === 'hitl' && mode.observes());
    return this.values.enabled && isOn ? mode : ControlMode.off;
  }

  /** The weaker mode: that of input screening, or that of the origin. */
  modeForOrigin(origin: ScreenedOrigin): ControlMode {
    const weakened = this.values['input_screen.origin_modes'][origin] ?? 'enforce';
    return ControlMode.weakest(this.mode('input_screen'), ControlMode.named(weakened));
  }

  /** The length up to which a text is judged. Documents and results of tools may be longer, unless a limit is set. */
  maxLength(origin: ScreenedOrigin): number {
    const limit = this.values['normalization.max_prompt_length'];
    const isSet = limit !== DEFAULT_SETTINGS['normalization.max_prompt_length'];
    return isSet || origin === 'prompt' ? limit : MAX_DOCUMENT_LENGTH;
  }

  /** What the control does now, in a sentence. */
  does(control: ControlKey): string {
    const mode = this.mode(control);
    if (mode.isOff()) {
      const effect = control === 'hitl' ? WITHOUT_HITL[this.values['hitl.fallback']] : NOTHING;
      return `${control} is off: ${effect}.`;
    }
    const authorization = control === 'tool_firewall' ? `; ${this.authorization()}` : '';
    return mode.enforces()
      ? `${control} enforces: ${CONTROLS[control].enforces}${authorization}.`
      : `${control} is in monitor mode: it records findings and blocks nothing${authorization}.`;
  }

  /** The line of the log about a control: what it does, and which of its parts are switched off. */
  line(control: ControlKey): string {
    const off = SETTING_KEYS.filter(
      (key) => key.startsWith(`${control}.`) && DEFAULT_SETTINGS[key] === true && !this.values[key],
    );
    // An application that never set a mode of the classifier is told at boot that the classifier blocks by default.
    const hasMode = CLASSIFIER_ID in this.values['input_screen.rule_modes'];
    const rendering = `Rendering: ${this.values['output_handler.rendering']}.`;
    return [
      this.does(control),
      ...(control === 'output_handler' ? [rendering] : []),
      ...(control === 'input_screen' && this.mode(control).enforces() && !hasMode ? [CLASSIFIER_BLOCKS] : []),
      ...off.map((key) => `${key} is off.`),
    ].join(' ');
  }

  /** What the control does, if it protects less than it could. */
  weakness(control: ControlKey): string | null {
    const isWeak =
      !this.mode(control).enforces() || (control === 'tool_firewall' && this.isAuthorizerOverridden());
    return isWeak ? this.does(control) : null;
  }

  private authorization(): string {
    const isAsked = this.values['tool_authorization.enabled'];
    if (!this.isAuthorizerOverridden())
      return isAsked ? 'it asks the tool authorizer about every call' : 'there is no tool authorizer';
    return isAsked
      ? 'every call counts as denied, because tool_authorization.enabled is overridden with true and there is no tool authorizer'
      : 'the tool authorizer is not called, because tool_authorization.enabled is overridden with false';
  }

  /** Boot makes sure that the configured value says whether there is a tool authorizer. */
  isAuthorizerOverridden(): boolean {
    const key = 'tool_authorization.enabled';
    return this.values[key] !== this.configured[key];
  }

  /** What GET /settings shows, as a nested object. */
  shown(): Record<string, unknown> {
    return nest(this.shownKeys().map((key) => [key, this.values[key]]));
  }

  shownKeys(): readonly SettingKey[] {
    const unlocked = unlockedKeys(this.values);
    return SETTING_KEYS.filter((key) => definitionOf(key).shown || unlocked.has(key));
  }

  /** Warnings for operators: where controls protect less than they could, and exceptions. */
  warnings(now: Date): readonly string[] {
    const controls = CONTROL_KEYS.flatMap((control) => this.weakness(control) ?? []);
    return [
      ...(this.values.enabled ? [] : [UNGUARDED]),
      ...controls,
      ...exceptionWarnings(this.values['input_screen.exceptions'], now),
    ];
  }
}

export const UNGUARDED =
  'enabled is false: calls of tools run unguarded, and no freeze stops them. Set enabled to true.';

const CLASSIFIER_BLOCKS =
  'The classifier blocks prompts by default; input_screen.rule_modes: { "classifier": "monitor" } changes that.';

const NOTHING = 'it neither protects nor records';

const WITHOUT_HITL = {
  declared:
    'calls of a tool that declares itself destructive, or that a policy or a configured hitl.destructive_tools names, are refused; those that only its default names run, and are recorded',
  deny: 'destructive calls are refused',
  pass: 'destructive calls run, and are not recorded',
};

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
