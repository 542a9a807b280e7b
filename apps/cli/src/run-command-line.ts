import { createRequire } from 'node:module';
import { ConfigurationError } from '../../../libs/contracts/src/index.js';
import { UsageError, type Command, type Session } from './command.js';
import { COMMANDS } from './commands.js';
import { helpOf, overallHelp } from './help.js';
import { parseOptions } from './parse-options.js';
import { whyNot } from './why-not.js';

const WRONG_USE = 2;

/** Resolves with the exit code; what went wrong is told in words. */
export async function runCommandLine(words: readonly string[], session: Session): Promise<number> {
  const { terminal } = session;
  const [name, ...rest] = words;
  if (name === '--help' || name === '-h' || name === 'help') {
    terminal.print(overallHelp(COMMANDS));
    return 0;
  }
  if (name === '--version') {
    terminal.print(packageVersion());
    return 0;
  }
  const command = COMMANDS.find((each) => each.name === name);
  if (command !== undefined) return runCommand(command, rest, session);
  const ofTwoWords = COMMANDS.find((each) => each.name === `${name} ${rest[0]}`);
  if (ofTwoWords !== undefined) return runCommand(ofTwoWords, rest.slice(1), session);
  terminal.tell(name === undefined ? overallHelp(COMMANDS) : 'There is no such command.');
  if (name !== undefined) terminal.tell('nest-guardrails --help lists them.');
  return WRONG_USE;
}

async function runCommand(command: Command, words: readonly string[], session: Session): Promise<number> {
  const { terminal } = session;
  try {
    const given = parseOptions(command, words);
    if (!given.has('help')) return await command.run(given, session);
    terminal.print(helpOf(command));
    return 0;
  } catch (error) {
    terminal.tell(error instanceof ConfigurationError ? error.reasons.join('\n') : whyNot(error));
    if (!(error instanceof UsageError || error instanceof ConfigurationError)) return 1;
    terminal.tell(`nest-guardrails ${command.name} --help says how it is used.`);
    return WRONG_USE;
  }
}

function packageVersion(): string {
  const { version } = createRequire(import.meta.url)('nest-guardrails/package.json') as { version: string };
  return version;
}
