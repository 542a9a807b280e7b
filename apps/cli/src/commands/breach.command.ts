import { EXAMPLE_POLICIES } from '#contracts/policies/example-policies.js';
import { toolPolicies } from '#contracts/settings/policy-kind.js';
import type * as player from '../breach/play.js';
import { ATTACK_KINDS, attacks, honestRuns, type Attack, type AttackKind } from '../breach/scenes.js';
import { printResult, UsageError, type Command } from '../shared/command.js';
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
    const figures: Figures[] = [];
    for (const column of arrangements(file === null ? EXAMPLE_POLICIES : await policiesOf(file)))
      figures.push(await figuresOf(column, play));
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

interface Figures {
  readonly name: string;
  /** Calls of attacks that ran, by kind and together. */
  readonly harmful_by_kind: Readonly<Record<AttackKind, number>>;
  readonly harmful: number;
  readonly honest_waits: number;
}

async function figuresOf(column: player.Arrangement, play: typeof player.play): Promise<Figures> {
  const hasRun = await play(ATTACKS, column);
  const harmful = ATTACKS.filter((_, index) => hasRun[index]);
  return {
    name: column.name,
    harmful_by_kind: countsByKind(harmful),
    harmful: harmful.length,
    honest_waits: (await play(HONEST, column)).filter((ran) => !ran).length,
  };
}

function countsByKind(scenes: readonly Attack[]): Readonly<Record<AttackKind, number>> {
  const counts = ATTACK_KINDS.map((kind) => [kind, scenes.filter((scene) => scene.kind === kind).length]);
  return Object.fromEntries(counts) as Record<AttackKind, number>;
}

function tableOf(figures: readonly Figures[]): string {
  const all = countsByKind(ATTACKS);
  const row = (label: string, total: number | string, cells: readonly (number | string)[]) =>
    label.padEnd(32) +
    [String(total).padStart(6), ...cells.map((cell) => String(cell).padStart(27))].join('');
  return [
    row(
      '',
      'of',
      figures.map(({ name }) => name),
    ),
    'Harmful calls that ran',
    ...ATTACK_KINDS.map((kind) =>
      row(
        `  ${kind}`,
        all[kind],
        figures.map(({ harmful_by_kind: byKind }) => byKind[kind]),
      ),
    ),
    row(
      '  together',
      ATTACKS.length,
      figures.map(({ harmful }) => harmful),
    ),
    row(
      'Honest calls that wait',
      HONEST.length,
      figures.map(({ honest_waits: waits }) => waits),
    ),
  ].join('\n');
}

async function policiesOf(file: string) {
  const parsed = toolPolicies.parse(await jsonObjectFile('policies', file));
  if (!parsed.ok) throw new UsageError(`The file of --policies has errors: ${parsed.reasons.join('\n')}`);
  return parsed.value;
}
