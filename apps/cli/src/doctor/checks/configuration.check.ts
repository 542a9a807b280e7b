import {
  environmentName,
  SETTING_KEYS,
  settingFromEnvironment,
  type Environment,
} from '../../../../../libs/contracts/src/index.js';
import { findingsOf, type Finding } from '../finding.js';

const { ok, warning, error } = findingsOf('configuration');

const NAMES: ReadonlySet<string> = new Set(SETTING_KEYS.map(environmentName));

/** Settings as this environment gives them. What stands in the code of an application is not seen from here. */
export function checkConfiguration(environment: Environment): readonly Finding[] {
  const given = Object.keys(environment).filter((name) => name.startsWith('GUARDRAILS_'));
  const findings = [
    ...SETTING_KEYS.flatMap((key) => {
      const { reason } = settingFromEnvironment(key, environment);
      return reason === null
        ? []
        : [error(reason, 'Mend or unset it: an application that reads it does not start.')];
    }),
    ...given
      .filter((name) => !NAMES.has(name))
      .map((name) => warning(`No setting is called ${name}.`, 'Look for a misspelling, or unset it.')),
  ];
  if (findings.length > 0) return findings;
  return [
    ok(
      given.length === 0
        ? 'This environment gives no setting: defaults and code decide.'
        : `${given.length} settings of this environment can be used.`,
    ),
  ];
}
