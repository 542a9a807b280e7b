import {
  CONTROL_KEYS,
  CONTROL_LABELS as WIRE_LABELS,
  type ControlKey,
  type ModeName,
} from '#contracts/common/control-mode.js';

/** Words for values of the API. */

export { CONTROL_KEYS, type ControlKey, type ModeName };

export const CONTROL_LABELS = { ...WIRE_LABELS, hitl: 'Approvals' };

export const MODE_MEANING: Readonly<Record<ModeName, string>> = {
  enforce: 'blocks what it finds',
  monitor: 'records what it finds, and blocks nothing',
  off: 'does not run',
};
