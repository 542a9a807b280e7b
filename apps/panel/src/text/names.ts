/** The words of the panel for values of the API. */
import {
  CONTROL_LABELS as WIRE_LABELS,
  type ControlKey,
  type ModeName,
  type Outcome,
} from '#contracts/common/control-mode.js';

export const CONTROL_LABELS = { ...WIRE_LABELS, hitl: 'Approvals' };

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

/** What the outcome `blocked` means where nothing was refused. */
const BLOCKED_WORDS: Readonly<Partial<Record<ControlKey, string>>> = {
  output_handler: 'sanitized',
  hitl: 'not run',
};

export function outcomeWord(control: ControlKey, outcome: Outcome): string {
  return (outcome === 'blocked' && BLOCKED_WORDS[control]) || OUTCOME_WORDS[outcome];
}

/** `tool_result` → `tool result`. */
export function spaced(value: string): string {
  return value.replaceAll('_', ' ');
}

/** A caller without an id has one, too. */
export const UNKNOWN_CALLER = 'an unknown caller';
