import { readFileSync } from 'node:fs';
import { EXAMPLE_POLICIES } from '#contracts/policies/example-policies.js';
import { toolPolicies } from '#contracts/settings/policy-kind.js';
import { arrangements, play } from '../breach/play.js';
import { ATTACK_KINDS, attacks, honestRuns } from '../breach/scenes.js';
import { UsageError, type Command } from '../shared/command.js';

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
    'The file could not be read.',
  ],

  async run({ options, terminal }) {
    const file = options.text('policies');
    const columns = arrangements(file === null ? EXAMPLE_POLICIES : policiesOf(file));
    const [hostile, honest] = [attacks(), honestRuns()];
    const figures = [];
    for (const column of columns) {
      const ran = await play(hostile, column);
      const worked = await play(honest, column);
      const harmfulOf = (kind: string): number =>
        hostile.filter((attack, index) => attack.kind === kind && ran[index] === true).length;
      figures.push({
        name: column.name,
        harmful: Object.fromEntries(ATTACK_KINDS.map((kind) => [kind, harmfulOf(kind)])),
        harmful_total: ran.filter(Boolean).length,
        honest_waits: worked.filter((didRun) => !didRun).length,
      });
    }
    const countOf = (kind: string): number => hostile.filter((attack) => attack.kind === kind).length;
    const row = (label: string, total: number, cells: readonly number[]): string =>
      label.padEnd(34) + String(total).padStart(5) + cells.map((cell) => String(cell).padStart(28)).join('');
    if (options.has('json'))
      terminal.print(
        JSON.stringify({ attacks: hostile.length, honest: honest.length, columns: figures }, null, 2),
      );
    else
      terminal.print(
        [
          `${''.padEnd(39)}${figures.map(({ name }) => name.padStart(28)).join('')}`,
          'Harmful calls that ran',
          ...ATTACK_KINDS.map((kind) =>
            row(
              `  ${kind}`,
              countOf(kind),
              figures.map(({ harmful }) => harmful[kind] ?? 0),
            ),
          ),
          row(
            '  all',
            hostile.length,
            figures.map(({ harmful_total: total }) => total),
          ),
          row(
            'Honest calls that wait',
            honest.length,
            figures.map(({ honest_waits: waits }) => waits),
          ),
        ].join('\n'),
      );
    return figures.at(-1)?.harmful_total === 0 ? 0 : 1;
  },
};

function policiesOf(file: string) {
  const parsed = toolPolicies.parseText(readFileSync(file, 'utf8'));
  if (!parsed.ok) throw new UsageError(parsed.reasons.join('\n'));
  return parsed.value;
}
