import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { Command } from '../shared/command.js';

const ROOT = 'src/app.module.ts';
const MODULE = 'src/guardrails.module.ts';

/** As in examples/nest-minimal. */
const MODULE_TEXT = `import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { ApiKeyGuard, GuardrailsApiModule } from 'nest-guardrails';
// import { EXAMPLE_POLICIES } from 'nest-guardrails/contracts';

const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {};
Object.assign(process.env, { ...file, ...process.env });
const key = process.env.OPS_KEY;

export const guardrails = GuardrailsApiModule.forRoot({
  isGlobal: true,
  // Without a key there is no API.
  api: key
    ? {
        enabled: true,
        middleware: [new ApiKeyGuard({ 'ops-1': { key, role: 'operator' } })],
      }
    : {},
  panel: { enabled: Boolean(key), auth: 'bearer' },
  // Records which calls would wait because nobody vouched for their arguments, and stops none. Rename the tools of the
  // examples to yours, set GUARDRAILS_HITL_TOKEN_SECRET (32 characters or more), and remove these slashes and those above.
  // settings: { modes: { hitl: 'monitor' }, hitl: { enabled: true, policies: EXAMPLE_POLICIES } },
  // Anonymous. Return { principalId, runId }: the id of the authenticated user, and that of the conversation.
  // Without a runId, a tool call that is repeated waits again, and runs twice if both are approved.
  principal: () => null,
});
`;

export const initCommand: Command = {
  name: 'init',
  summary: 'Puts guardrails into a Nest application.',
  details: [
    'Writes src/guardrails.module.ts, imports it in src/app.module.ts, and adds a random OPS_KEY to .env, which the module reads. It changes nothing else. Run it in the folder of the application, after npm install nest-guardrails.',
  ],
  options: { 'dry-run': { help: 'Prints the changed lines and writes nothing.' } },
  examples: ['nest-guardrails init --dry-run'],
  exits: [
    'The application has guardrails.',
    'src/app.module.ts has no list of imports that can be extended; the lines to add are printed.',
    'A file could not be read or written.',
  ],

  async run({ options, terminal }) {
    const isDry = options.has('dry-run');
    const [root, environment] = [textOf(ROOT), textOf('.env')];
    const isImported = root.includes('guardrails.module');
    const specifier = /from ['"]\..*\.js['"]/.test(root) ? './guardrails.module.js' : './guardrails.module';
    const line = `import { guardrails } from '${specifier}';\n`;
    if (!isImported && (!LIST.test(root) || root.split(/@Module\(|GuardrailsApiModule/).length > 2)) {
      terminal.printError(
        `src/app.module.ts is missing, imports guardrails already, or has no list in one @Module({ imports: […] }). Nothing was written. Add two lines there and run init again:\n  ${line}  imports: [guardrails],`,
      );
      return 1;
    }
    const key = isDry ? '(random)' : randomBytes(32).toString('hex');
    const files = {
      '.env': /^(?:export )?OPS_KEY=/m.test(environment)
        ? environment
        : `${environment.replace(/[^\n]$/, '$&\n')}OPS_KEY=${key}\n`,
      [MODULE]: textOf(MODULE) || MODULE_TEXT,
      [ROOT]: isImported
        ? root
        : line + root.replace(LIST, '$&$1guardrails, ').replace(/(guardrails)(?:, (?=])|(,) (?=\n))/, '$1$2'),
    };
    const changes = Object.entries(files).filter(([path, text]) => text !== textOf(path));
    for (const [path, text] of changes) {
      const before = textOf(path);
      terminal.print(
        isDry
          ? `${path}\n${linesOnlyIn(before, text, '-')}${linesOnlyIn(text, before, '+')}`
          : `Writing ${path}.`,
      );
      if (!isDry) await writeFile(path, text, { mode: path === '.env' ? 0o600 : 0o666 });
    }
    if (changes.length === 0) terminal.print('This application has guardrails. Nothing was changed.');
    if (spawnSync('git', ['check-ignore', '.env']).status !== 0)
      terminal.print('Add .env to .gitignore: it has secrets.');
    if (!isDry && changes.length > 0)
      terminal.print(
        `Next: ${textOf('package.json').includes('"class-validator"') ? '' : 'npm install class-validator class-transformer, '}start the application, and open /guardrails/panel with the OPS_KEY of .env.`,
      );
    return 0;
  },
};

/** The imports of the only module, if plain lists stand before it. The blank before its first entry is kept. */
const LIST = /@Module\(\{(?:\s*\w+: *\[[\w\s,]*\],)*\s*imports: *\[(?=(\s*))/;

const textOf = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

/** The lines of one text that another lacks. */
const linesOnlyIn = (text: string, other: string, mark: string) =>
  text.replaceAll(/.*\n?/g, (line) => (other.includes(line.trimEnd()) ? '' : mark + line));
