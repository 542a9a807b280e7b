import { printResult, type Command } from '../shared/command.js';
import { DATABASE_OPTIONS, findDatabase } from '../shared/database.js';
import { runChecks, type Finding, type FindingLevel } from './doctor-checks.js';

const LABELS: Readonly<Record<FindingLevel, string>> = {
  ok: 'ok     ',
  warning: 'warning',
  error: 'ERROR  ',
};

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Checks the environment and the database, and prints how to fix each problem.',
  details: [
    'Checks the settings in the environment and the stored overrides. In the database it checks the connection, the version, the clock, the migrations, the rights of the role, and the triggers that protect records. It changes nothing.',
    'It cannot check settings that the code of an application sets, such as retention.schedule. Run it in the environment of the application.',
    'Without a database, it checks everything that needs none.',
    'Use the database URL of the application: the rights are checked for the role of that URL.',
  ],
  options: {
    ...DATABASE_OPTIONS,
    json: { help: 'Prints { ok, findings: [{ check, level, message, remedy }] }.' },
  },
  examples: ['nest-guardrails doctor', 'nest-guardrails doctor --json | jq .'],
  exits: ['No errors; warnings are possible.', 'At least one error.', 'The checks could not be completed.'],

  async run(options, session) {
    const findings = await runChecks(findDatabase(options, session), session.environment);
    const ok = findings.every(({ level }) => level !== 'error');
    printResult(options, session, { ok, findings }, report(findings));
    return ok ? 0 : 1;
  },
};

function report(findings: readonly Finding[]): string {
  const count = (wanted: FindingLevel): number => findings.filter(({ level }) => level === wanted).length;
  return [...findings.map(lineOf), '', `Errors: ${count('error')}. Warnings: ${count('warning')}.`].join(
    '\n',
  );
}

function lineOf({ check, level, message, remedy }: Finding): string {
  const line = `${LABELS[level]}  ${check}: ${message}`;
  return remedy === null ? line : `${line}\n         → ${remedy}`;
}
