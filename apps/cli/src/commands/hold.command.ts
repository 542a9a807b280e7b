import type { HoldData } from '#client/index.js';
import { API_OPTIONS, apiClient } from '../shared/api.js';
import { printResult, UsageError, type Command, type Session } from '../shared/command.js';
import { principalOf } from '../shared/text-input.js';

type Hold = HoldData['hold'];

export const holdListCommand: Command = {
  name: 'holds list',
  summary: 'Lists the active holds, newest first.',
  details: ['Records under an active hold are neither erased nor deleted.'],
  options: { ...API_OPTIONS, all: { help: 'Lists released holds as well.' } },
  examples: ['nest-guardrails holds list --all'],
  exits: ['The holds were listed.', null, 'The request failed.'],

  async run(session) {
    const holds: Hold[] = [];
    const query = { limit: 200, active: session.options.has('all') ? null : true };
    for await (const page of apiClient(session).pages('holds.index', { query })) holds.push(...page.holds);
    const lines = holds.length === 0 ? 'No holds.' : holds.map(holdLine).join('\n');
    printResult(session, { holds }, lines);
    return 0;
  },
};

export const holdSetCommand: Command = {
  name: 'holds set',
  summary: 'Sets a hold: retention no longer erases or deletes the covered records.',
  details: [
    'Pass exactly one of --principal, --run, --application, --entries, or --from with --to. The authenticated user is recorded as the one who set the hold.',
  ],
  options: {
    ...API_OPTIONS,
    principal: {
      value: 'NAME',
      help: 'All records of one principal. Write - to read the name from standard input, because other users of this machine can read command lines.',
    },
    run: { value: 'ID', help: 'All records of one run of the model.' },
    application: { value: 'NAME', help: 'All records of one application.' },
    entries: { value: 'FIRST-LAST', help: 'Audit entries by id, both inclusive.' },
    from: { value: 'TIME', help: 'Start of a period, inclusive, such as 2026-03-01.' },
    to: { value: 'TIME', help: 'End of the period, inclusive. A date includes the whole UTC day.' },
    reason: { value: 'TEXT', help: 'Why; recorded with the hold and never erased.' },
  },
  examples: ["nest-guardrails holds set --principal customer-42 --reason 'Case 17'"],
  exits: [
    'The hold is set.',
    null,
    'The request failed. The hold may be set if the connection was lost: list the holds.',
  ],

  async run(session) {
    const reason = session.options.required('reason');
    const body = { ...(await readScope(session)), reason };
    const { data } = await apiClient(session).call('holds.set', { body });
    return printHold(data, session);
  },
};

export const holdReleaseCommand: Command = {
  name: 'holds release',
  summary: 'Releases a hold: retention applies to its records again.',
  positionals: ['id'],
  details: ['A hold can be released once. The user who released it is recorded.'],
  options: { ...API_OPTIONS, id: { value: 'ID', help: 'The id of the hold.' } },
  examples: ['nest-guardrails holds release 3'],
  exits: ['The hold is released.', null, 'The request failed, or the hold was released before.'],

  async run(session) {
    const id = session.options.requiredId('id');
    const { data } = await apiClient(session).call('holds.release', { params: { id } });
    return printHold(data, session);
  },
};

async function readScope(session: Session): Promise<object> {
  const { options } = session;
  const scopes = ['principal', 'run', 'application', 'entries'].filter((name) => options.text(name) !== null);
  const isPeriod = options.text('from') !== null || options.text('to') !== null;
  if (scopes.length + Number(isPeriod) !== 1)
    throw new UsageError(
      'Pass exactly one of --principal, --run, --application, --entries, and --from with --to.',
    );
  if (isPeriod) return { from: options.text('from'), to: options.text('to') };
  const [name = ''] = scopes;
  const value = options.text(name) ?? '';
  if (name === 'principal') return { principal_id: await principalOf(session) };
  if (name === 'run') return { run_id: value };
  if (name === 'application') return { application: value };
  const range = /^([1-9][0-9]{0,15})-([1-9][0-9]{0,15})$/.exec(value);
  if (range === null) throw new UsageError('--entries must be two ids, such as 4700-4800.');
  return { first_id: Number(range[1]), last_id: Number(range[2]) };
}

function printHold(data: HoldData, session: Session) {
  printResult(session, data, holdLine(data.hold));
  return 0;
}

function holdLine(hold: Hold) {
  const released =
    hold.released_by === null ? '' : `, released by ${hold.released_by} at ${hold.released_at}`;
  return `Hold ${hold.id} on ${coverage(hold)}: ${hold.reason} (set by ${hold.set_by} at ${hold.set_at}${released})`;
}

function coverage(hold: Hold) {
  switch (hold.kind) {
    case 'principal':
      return hold.principal_id === null ? 'an erased principal' : `principal ${hold.principal_id}`;
    case 'run':
      return `run ${hold.run_id}`;
    case 'application':
      return `application ${hold.application}`;
    case 'entries':
      return `entries ${hold.first_id} to ${hold.last_id}`;
    case 'period':
      return `the period from ${hold.from} to ${hold.to}`;
  }
  return hold.kind satisfies never;
}
