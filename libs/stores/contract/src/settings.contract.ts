import type { Runner, Stage } from './harness.js';
import { settingsApplyContract } from './settings.apply.contract.js';
import { settingsChangesContract } from './settings.changes.contract.js';
import { settingsValuesContract } from './settings.values.contract.js';

export function settingsContract(runner: Runner, stage: Stage): void {
  runner.describe('settings', () => {
    settingsApplyContract(runner, stage);
    settingsValuesContract(runner, stage);
    settingsChangesContract(runner, stage);
  });
}
