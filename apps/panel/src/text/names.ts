/** The words of the panel for values of the API. */
import { CONTROLS, type ControlKey, type ModeName, type Outcome } from '#contracts/common/control-mode.js';

interface ControlWords {
  readonly label: string;
  /** What it judges. */
  readonly noun: string;
  /** The outcome `blocked`. */
  readonly blocked: string;
  /** What then became of what it judged. */
  readonly effect: string;
}

export const CONTROL_WORDS: Readonly<Record<ControlKey, ControlWords>> = {
  tool_firewall: { ...CONTROLS.tool_firewall, noun: 'calls', blocked: 'blocked', effect: 'refused' },
  input_screen: { ...CONTROLS.input_screen, noun: 'prompts', blocked: 'blocked', effect: 'refused' },
  output_handler: { ...CONTROLS.output_handler, noun: 'outputs', blocked: 'sanitized', effect: 'changed' },
  hitl: {
    label: 'Approvals',
    noun: 'calls',
    blocked: 'held',
    effect: 'held until an operator decides',
  },
};

export const MODE_MEANING: Readonly<Record<ModeName, string>> = {
  enforce: 'blocks what it finds',
  monitor: 'records what it finds, and blocks nothing',
  off: 'does not run',
};

export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  allowed: 'allowed',
  observed: 'monitored',
  blocked: 'blocked',
};

export function outcomeWord(control: ControlKey | undefined, outcome: Outcome): string {
  return outcome === 'blocked' ? CONTROL_WORDS[control ?? 'input_screen'].blocked : OUTCOME_WORDS[outcome];
}

/** `tool_result` → `tool result`. */
export function spaced(value: string): string {
  return value.replaceAll('_', ' ');
}

/** A caller without an id has one, too. */
export const UNKNOWN_CALLER = 'an unknown caller';
