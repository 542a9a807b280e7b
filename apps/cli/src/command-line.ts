// Finds the command in the words of a command line, parses its options, runs it and prints help and errors.
// docs/reference/cli.md is generated from COMMANDS.
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { ConfigurationError } from '#contracts/common/errors.js';
import {
  errorMessage,
  ParsedOptions,
  UsageError,
  type Command,
  type OptionDeclaration,
  type Surroundings,
} from './shared/command.js';
import { approvalListCommand, approveCommand, rejectCommand } from './commands/approvals.commands.js';
import { auditExportCommand, auditTailCommand } from './commands/audit.commands.js';
import { breachCommand } from './commands/breach.command.js';
import { doctorCommand } from './commands/doctor.command.js';
import { listCommand, replayCommand, testCommand } from './commands/events.command.js';
import { FREEZE_COMMANDS } from './commands/freeze.commands.js';
import { holdListCommand, holdReleaseCommand, holdSetCommand } from './commands/hold.command.js';
import { initCommand } from './commands/init.command.js';
import { purgeCommand } from './commands/purge.command.js';
import { reviewsExportCommand } from './commands/reviews.command.js';
import { backtestCommand } from './commands/rules.command.js';
import { settingsGetCommand, settingsSetCommand } from './commands/settings.commands.js';
import { grantsCommand, migrateCommand } from './commands/tables.commands.js';
import { sanitizeCommand, screenCommand } from './commands/try.commands.js';
import { checkpointCommand, verifyCommand } from './commands/verify.commands.js';

const PROGRAM = 'nest-guardrails';
const WRONG_USAGE = 2;
const FAILED = 3;
const LINE_WIDTH = 78;

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  initCommand,
  screenCommand,
  sanitizeCommand,
  approvalListCommand,
  approveCommand,
  rejectCommand,
  ...FREEZE_COMMANDS,
  settingsGetCommand,
  settingsSetCommand,
  auditTailCommand,
  migrateCommand,
  doctorCommand,
  grantsCommand,
  purgeCommand,
  auditExportCommand,
  holdListCommand,
  holdSetCommand,
  holdReleaseCommand,
  verifyCommand,
  checkpointCommand,
  reviewsExportCommand,
  listCommand,
  replayCommand,
  testCommand,
  backtestCommand,
  breachCommand,
];

/** Runs one command and prints its errors. Resolves with the exit code. */
export async function runCommandLine(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const { terminal } = surroundings;
  const [name, ...rest] = words;
  if (name === '--help' || name === '-h' || name === 'help') {
    terminal.print(overallHelp());
    return 0;
  }
  if (name === '--version') {
    terminal.print(packageVersion());
    return 0;
  }
  const command = findCommand(name);
  if (command !== undefined) return runCommand(command, rest, surroundings);
  const twoWordCommand = findCommand(`${name} ${rest[0]}`);
  if (twoWordCommand !== undefined) return runCommand(twoWordCommand, rest.slice(1), surroundings);
  const group = COMMANDS.filter((each) => singular(each.name).startsWith(`${singular(name)} `));
  if (group.length > 0 && ['--help', '-h'].includes(rest[0] ?? '')) {
    terminal.print(groupHelp(group));
    return 0;
  }
  terminal.printError(name === undefined ? overallHelp() : unknownCommand(group));
  return WRONG_USAGE;
}

/** Does not repeat the word, which may be a secret in a wrong place. */
function unknownCommand(group: readonly Command[]) {
  if (group.length === 0) return `Unknown command. Run ${PROGRAM} --help for the list of commands.`;
  return `The command needs one more word. The commands are:\n\n${groupHelp(group)}`;
}

const findCommand = (name: string | undefined) =>
  COMMANDS.find((command) => singular(command.name) === singular(name));

/** `hold list` is `holds list`. */
const singular = (name = '') => name.replace(/^(\w+)s(?= |$)/, '$1');

async function runCommand(
  command: Command,
  words: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const { terminal } = surroundings;
  try {
    const options = parseOptions(command, words);
    if (!options.has('help')) return await command.run({ ...surroundings, options });
    terminal.print(commandHelp(command));
    return 0;
  } catch (error) {
    terminal.printError(error instanceof ConfigurationError ? error.reasons.join('\n') : errorMessage(error));
    if (!(error instanceof UsageError || error instanceof ConfigurationError)) return FAILED;
    terminal.printError(`Run ${PROGRAM} ${command.name} --help for usage.`);
    return WRONG_USAGE;
  }
}

/** Error messages never repeat a value from the command line, because it may be an address with a password. */
function parseOptions(
  { name, options, positionals: places = [] }: Command,
  words: readonly string[],
): ParsedOptions {
  const declared = Object.fromEntries([
    ...Object.entries(options).map(([option, { value, short }]) => [
      option,
      { type: value === undefined ? 'boolean' : 'string', ...(short !== undefined && { short }) },
    ]),
    ['help', { type: 'boolean', short: 'h' }],
  ]) as Record<string, { type: 'string' | 'boolean' }>;
  const { values, tokens, positionals } = parseStrictly(name, words, declared, places.length > 0);
  if (positionals.length > places.length)
    throw new UsageError(
      `${name} takes one ${places.map((place) => options[place]?.value).join(' and one ')}. Write it in quotation marks.`,
    );
  const placed = positionals.map((text, index) => [places[index] ?? '', text] as const);
  const named = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
  const names = [...named, ...placed.map(([place]) => place)];
  const twice = names.find((each, index) => names.indexOf(each) < index);
  if (twice !== undefined) throw new UsageError(`--${twice} is written twice. Write it once.`);
  return new ParsedOptions({ ...values, ...Object.fromEntries(placed) });
}

function parseStrictly(
  name: string,
  words: readonly string[],
  options: Record<string, { type: 'string' | 'boolean' }>,
  allowPositionals: boolean,
) {
  try {
    return parseArgs({ args: [...words], options, strict: true, allowPositionals, tokens: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL')
      throw new UsageError(`${name} takes options only. Write every value after the name of its option.`);
    throw new UsageError(`${message.split(/\. |\n/)[0]}.`);
  }
}

const overallHelp = () => `Usage: ${PROGRAM} <command> [options]\n\n${groupHelp(COMMANDS)}`;

function groupHelp(commands: readonly Command[]) {
  return [
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    '',
    `Run ${PROGRAM} <command> --help for the options of a command.`,
  ].join('\n');
}

/** As in `-n, --lines NUMBER`. */
export function optionLabel(option: string, { short, value }: OptionDeclaration): string {
  const name = short === undefined ? `--${option}` : `-${short}, --${option}`;
  return value === undefined ? name : `${name} ${value}`;
}

/** The command with the values that may stand without the names of their options. */
export function usageOf({ name, positionals = [], options }: Command): string {
  return [PROGRAM, name, ...positionals.map((place) => `[${options[place]?.value}]`), '[options]'].join(' ');
}

function commandHelp(command: Command): string {
  const { summary, details = [], options, examples, exits } = command;
  const [success, negative, failure] = exits;
  return [
    `Usage: ${usageOf(command)}`,
    '',
    ...wrapText(summary, 0),
    ...details.flatMap((paragraph) => ['', ...wrapText(paragraph, 0)]),
    '',
    ...columns(Object.entries(options).map(([option, its]) => [optionLabel(option, its), its.help] as const)),
    '',
    'Examples:',
    ...examples.map((line) => `  ${line}`),
    '',
    'Exit codes:',
    ...columns([
      ['0', success],
      ...(negative === null ? [] : [['1', negative] as const]),
      ['2', 'The command line is wrong.'],
      ['3', failure],
    ]),
  ].join('\n');
}

function columns(rows: readonly (readonly [name: string, text: string])[]) {
  const indent = Math.max(...rows.map(([name]) => name.length)) + 4;
  return rows.flatMap(([name, text]) => {
    const [first = '', ...others] = wrapText(text, indent);
    return [`  ${name}`.padEnd(indent) + first.trimStart(), ...others];
  });
}

function wrapText(text: string, indent: number) {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > LINE_WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each) => ' '.repeat(indent) + each);
}

function packageVersion() {
  const { version } = createRequire(import.meta.url)('nest-guardrails/package.json') as { version: string };
  return version;
}
