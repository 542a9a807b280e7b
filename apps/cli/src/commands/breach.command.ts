import { EXAMPLE_POLICIES } from '#contracts/policies/example-policies.js';
import { toolPolicies } from '#contracts/settings/policy-kind.js';
import { ATTACK_KINDS, attacks, honestRuns, type Attack, type AttackKind } from '../breach/scenes.js';
import { printResult, UsageError, type Command } from '../shared/command.js';
import { ProgressBar } from '../shared/terminal.js';
import { jsonObjectFile } from '../shared/text-input.js';

export const breachCommand: Command = {
  name: 'breach',
  summary: 'Shows which calls an obedient model makes for an attacker.',
  details: [
    'Plays attacks and honest runs with a scripted model that obeys every text, in memory. It calls no real tool and no network. Three columns: nothing configured, approvals for every call, and policies that ask who vouches for an argument.',
    'The tools are pay, send_mail, delete_file and share. --policies tries other policies for them.',
  ],
  options: {
    policies: { value: 'FILE', help: 'JSON of hitl.policies, instead of the example policies.' },
    json: { help: 'Prints the figures as JSON.' },
  },
  examples: ['nest-guardrails breach', 'nest-guardrails breach --policies policies.json'],
  exits: [
    'With the policies no harmful call ran.',
    'With the policies a harmful call ran.',
    'The scenes could not be played.',
  ],

  async run(session) {
    const file = session.options.text('policies');
    // The engine loads only for this command.
    const { arrangements, play } = await import('../breach/play.js');
    const columns = arrangements(file === null ? EXAMPLE_POLICIES : await policiesOf(file));
    const figures: Figures[] = [];
    const bar = new ProgressBar(session.terminal, 'playing');
    let played = 0;
    for (const column of columns) {
      const show = () => bar.show(played++, columns.length * SCENES.length);
      figures.push(figuresOf(column.name, await play(SCENES, column, show)));
    }
    bar.end();
    printResult(
      session,
      { attacks: ATTACKS.length, honest_runs: HONEST.length, columns: figures },
      tableOf(figures),
    );
    return figures.at(-1)?.harmful === 0 ? 0 : 1;
  },
};

const ATTACKS = attacks();
const HONEST = honestRuns();
const SCENES = [...ATTACKS, ...HONEST];

interface Figures {
  readonly name: string;
  /** Calls of attacks that ran, by kind and together. */
  readonly harmful_by_kind: Readonly<Record<AttackKind, number>>;
  readonly harmful: number;
  readonly honest_waits: number;
}

/** @param hasRun whether the call of each scene ran */
function figuresOf(name: string, hasRun: readonly boolean[]): Figures {
  const harmful = ATTACKS.filter((_, index) => hasRun[index]);
  return {
    name,
    harmful_by_kind: countsByKind(harmful),
    harmful: harmful.length,
    honest_waits: hasRun.slice(ATTACKS.length).filter((ran) => !ran).length,
  };
}

function countsByKind(scenes: readonly Attack[]): Readonly<Record<AttackKind, number>> {
  const counts = ATTACK_KINDS.map((kind) => [kind, scenes.filter((scene) => scene.kind === kind).length]);
  return Object.fromEntries(counts) as Record<AttackKind, number>;
}

function tableOf(figures: readonly Figures[]) {
  const all = countsByKind(ATTACKS);
  const row = (label: string, total: number | string, cell: (column: Figures) => number | string) =>
    label.padEnd(32) +
    [String(total).padStart(6), ...figures.map((column) => String(cell(column)).padStart(27))].join('');
  return [
    row('', 'of', ({ name }) => name),
    'Harmful calls that ran',
    ...ATTACK_KINDS.map((kind) => row(`  ${kind}`, all[kind], ({ harmful_by_kind: byKind }) => byKind[kind])),
    row('  together', ATTACKS.length, ({ harmful }) => harmful),
    row('Honest calls that wait', HONEST.length, ({ honest_waits: waits }) => waits),
  ].join('\n');
}

async function policiesOf(file: string) {
  const parsed = toolPolicies.parse(await jsonObjectFile('policies', file));
  if (!parsed.ok) throw new UsageError(`The file of --policies has errors: ${parsed.reasons.join('\n')}`);
  return parsed.value;
}
