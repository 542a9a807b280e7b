import type { Command } from '../command.js';
import { DATABASE_OPTIONS, databaseAddress } from '../database.js';
import { examine } from './examine.js';
import type { Finding } from './finding.js';

const MARKS = { ok: 'ok     ', warning: 'warning', error: 'MEND   ' } as const;

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Looks whether everything is as it must be, and says what to do where it is not.',
  details: [
    'Checks the settings in the environment, whether the database answers, its version and clock, the migrations, what the role may do, the triggers that keep records from being changed, and the stored overrides of settings. It changes nothing.',
    'Settings that stand in the code of an application are not seen from here: run it in the environment of the application, and keep in mind what its code says, retention.schedule among it.',
    'Give it the address that the application uses: what it says of rights is said of that role.',
  ],
  options: {
    ...DATABASE_OPTIONS,
    json: { help: 'Prints { ok, findings: [{ check, level, message, remedy }] }.' },
  },
  exits: ['All is well, or there is something to know.', 'Something must be mended.'],

  async run(given, session) {
    const { terminal, environment } = session;
    const findings = await examine(databaseAddress(given, session), environment);
    const well = findings.every(({ level }) => level !== 'error');
    if (given.has('json')) terminal.print(JSON.stringify({ ok: well, findings }, null, 2));
    else terminal.print([...findings.map(lineOf), '', closing(findings)].join('\n'));
    return well ? 0 : 1;
  },
};

function lineOf({ check, level, message, remedy }: Finding): string {
  const line = `${MARKS[level]}  ${check}: ${message}`;
  return remedy === null ? line : `${line}\n         → ${remedy}`;
}

function closing(findings: readonly Finding[]): string {
  const count = (wanted: string): number => findings.filter(({ level }) => level === wanted).length;
  const [errors, warnings] = [count('error'), count('warning')];
  if (errors + warnings === 0) return 'All is well.';
  return `To mend: ${errors}. To know: ${warnings}.`;
}
