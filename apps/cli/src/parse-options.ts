import { parseArgs } from 'node:util';
import { Given, UsageError, type Command } from './command.js';

/** What is written is never repeated in an error: it may be an address with a password in it. */
export function parseOptions({ name, options }: Command, words: readonly string[]): Given {
  const declared = Object.fromEntries([
    ...Object.entries(options).map(([option, { value }]) => [option, { type: typeOf(value) }]),
    ['help', { type: 'boolean' as const, short: 'h' }],
  ]) as Record<string, { type: 'string' | 'boolean' }>;
  const { values, tokens } = parsed(name, words, declared);
  const seen = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (seen.has(token.name)) throw new UsageError(`--${token.name} is given twice.`);
    seen.add(token.name);
  }
  return new Given(values);
}

function parsed(
  name: string,
  words: readonly string[],
  options: Record<string, { type: 'string' | 'boolean' }>,
) {
  try {
    return parseArgs({ args: [...words], options, strict: true, allowPositionals: false, tokens: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL')
      throw new UsageError(`${name} takes options only, each with its name in front.`);
    throw new UsageError(`${message.split(/\. |\n/)[0]}.`);
  }
}

const typeOf = (value: string | undefined): 'string' | 'boolean' =>
  value === undefined ? 'boolean' : 'string';
