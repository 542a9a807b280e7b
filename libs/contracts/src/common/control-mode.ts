/** The controls, in the order of every list: each with its label, and what it does under `enforce`. */
export const CONTROLS = {
  tool_firewall: { label: 'Tool Firewall', enforces: 'it refuses calls with invalid arguments' },
  input_screen: { label: 'Input Screening', enforces: 'it blocks texts that a rule matches' },
  output_handler: {
    label: 'Output Handler',
    enforces: 'it neutralizes or redacts what it finds in answers',
  },
  hitl: { label: 'HITL Bridge', enforces: 'destructive calls wait for approval' },
} as const satisfies Record<string, { readonly label: string; readonly enforces: string }>;

/** The key of a control, such as `input_screen`. */
export type ControlKey = keyof typeof CONTROLS;

export const CONTROL_KEYS = Object.keys(CONTROLS) as readonly ControlKey[];

/** Controls whose recorded texts a backtest judges. */
export const BACKTEST_CONTROLS = ['input_screen', 'output_handler'] as const;

/** A control whose recorded texts can be judged again. */
export type BacktestControl = (typeof BACKTEST_CONTROLS)[number];

/** Settings that can change a verdict of the control. */
export const TRIED_SETTINGS: Readonly<Record<BacktestControl, RegExp>> = {
  input_screen: /^(?:modes\.input_screen$|input_screen\.|normalization\.|pattern_safety\.)/,
  output_handler: /^(?:modes\.output_handler$|output_handler\.)/,
};

export const MODE_NAMES = ['enforce', 'monitor', 'off'] as const;

/** The name of a mode: `enforce`, `monitor` or `off`. */
export type ModeName = (typeof MODE_NAMES)[number];

/**
 * The outcome of a decision. Pending, rejected and expired calls count as blocked; approved and executed ones as
 * allowed.
 */
export const OUTCOMES = ['allowed', 'observed', 'blocked'] as const;

/** What a control did with a text or a call. */
export type Outcome = (typeof OUTCOMES)[number];

/** How a control handles findings. Use the predicates; do not compare names. */
export class ControlMode {
  static readonly enforce = new ControlMode('enforce');
  static readonly monitor = new ControlMode('monitor');
  static readonly off = new ControlMode('off');

  private constructor(readonly name: ModeName) {}

  static named(name: ModeName): ControlMode {
    return ControlMode[name];
  }

  /** The weakest of several modes, which must not be empty. */
  static weakest(...modes: readonly ControlMode[]): ControlMode {
    if (modes.some((mode) => mode.isOff())) return ControlMode.off;
    return modes.every((mode) => mode.enforces()) ? ControlMode.enforce : ControlMode.monitor;
  }

  /** Blocks findings. */
  enforces(): boolean {
    return this.name === 'enforce';
  }

  /** Records findings and blocks nothing. */
  observes(): boolean {
    return this.name === 'monitor';
  }

  isOff(): boolean {
    return this.name === 'off';
  }

  /** A mode is its name in JSON. */
  toJSON(): ModeName {
    return this.name;
  }

  /** The outcome of a decision in this mode. */
  outcomeOf(isMatch: boolean): Outcome {
    if (!isMatch) return 'allowed';
    return this.enforces() ? 'blocked' : 'observed';
  }
}
