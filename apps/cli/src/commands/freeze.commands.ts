import type { Freeze } from '#contracts/freeze/freezes.api.js';
import { API_OPTIONS, apiClient } from '../shared/api.js';
import { printResult, type Command } from '../shared/command.js';
import { DATABASE_OPTIONS, databaseAddress, loadEngine, withMaintenance } from '../shared/database.js';
import { printable } from '../shared/text-input.js';

const REASON = { value: 'TEXT', help: 'Why; recorded and never erased.' };

const freezeListCommand: Command = {
  name: 'freeze list',
  summary: 'Lists the freezes of tools that are in force, newest first.',
  details: [],
  options: { ...API_OPTIONS, all: { help: 'Lists lifted freezes as well.' } },
  examples: ['nest-guardrails freeze list --all'],
  exits: ['The freezes were listed.', null, 'The request failed.'],

  async run(session) {
    const freezes: Freeze[] = [];
    const query = { limit: 200, active: session.options.has('all') ? null : true };
    for await (const page of apiClient(session).pages('freeze.index', { query }))
      freezes.push(...page.freezes);
    const lines = freezes.length === 0 ? 'Nothing is frozen.' : freezes.map(freezeLine).join('\n');
    printResult(session, { freezes }, lines);
    return 0;
  },
};

/** `freeze all`, `freeze tool NAME` and `freeze application NAME`. */
function freezeCommand(scope: Freeze['scope'], covered: string): Command {
  const hasName = scope !== 'all';
  return {
    name: `freeze ${scope}`,
    summary: `Stops ${covered} on all instances until somebody lifts the freeze.`,
    ...(hasName && { positionals: ['name'] }),
    details: ['Approved calls that have not started wait. Calls that run end by themselves.'],
    options: {
      ...API_OPTIONS,
      ...(hasName && { name: { value: 'NAME', help: `The name of the ${scope}.` } }),
      reason: REASON,
    },
    examples: [`nest-guardrails freeze ${scope}${hasName ? ' refund' : ''} --reason 'Case 17'`],
    exits: [
      'The freeze is in force.',
      null,
      'The request failed. The freeze may be in force if the connection was lost: list the freezes.',
    ],

    async run(session) {
      const body = {
        scope,
        reason: session.options.required('reason'),
        ...(hasName && { name: session.options.required('name') }),
      };
      const { data } = await apiClient(session).call('freeze.create', { body });
      const running = data.running.map((call) => `Still runs: ${call.tool} (approval ${call.approval_id})`);
      const warnings = data.warnings.map((warning) => `warning: ${warning}`);
      printResult(session, data, [freezeLine(data.freeze), ...running, ...warnings].join('\n'));
      return 0;
    },
  };
}

const freezeLiftCommand: Command = {
  name: 'freeze lift',
  summary: 'Lifts a freeze: its tools run again.',
  positionals: ['id'],
  details: [
    'With hitl.four_eyes, another person than the one who froze has to lift.',
    '--force lifts it in the database, without the API and without a second person. It is recorded as break_glass, and the next instance that reads the settings sends it to every sink.',
  ],
  options: {
    ...API_OPTIONS,
    id: { value: 'ID', help: 'The id of the freeze.' },
    reason: REASON,
    force: { help: 'Breaks the glass: needs the credentials of the database instead of the API.' },
    ...DATABASE_OPTIONS,
  },
  examples: ["nest-guardrails freeze lift 12 --reason 'Case 17 is closed'"],
  exits: ['The freeze is lifted.', null, 'The request failed, or the freeze was lifted before.'],

  async run(session) {
    const id = session.options.requiredId('id');
    const reason = session.options.required('reason');
    if (session.options.has('force')) {
      const { liftByForce, SystemClock } = await loadEngine();
      const freeze = await withMaintenance(databaseAddress(session), (maintenance) =>
        liftByForce(maintenance.settings(), id, reason, new SystemClock().now()),
      );
      printResult(session, { freeze }, freezeLine(freeze));
      return 0;
    }
    const { data } = await apiClient(session).call('freeze.lift', {
      params: { id },
      body: { reason },
    });
    printResult(session, data, freezeLine(data.freeze));
    return 0;
  },
};

export const FREEZE_COMMANDS: readonly Command[] = [
  freezeListCommand,
  freezeCommand('all', 'all tools'),
  freezeCommand('tool', 'one tool'),
  freezeCommand('application', 'the calls of one application'),
  freezeLiftCommand,
];

function freezeLine(freeze: Freeze) {
  const covered = freeze.name === null ? 'all tools' : `${freeze.scope} ${printable(freeze.name)}`;
  const lifted =
    freeze.lifted_by === null
      ? ''
      : `; lifted by ${freeze.lifted_by} at ${freeze.lifted_at}: ${printable(freeze.lift_reason)}`;
  return `Freeze ${freeze.id} of ${covered}: ${printable(freeze.reason)} (by ${freeze.frozen_by} at ${freeze.frozen_at}${lifted})`;
}
