// Texts and JSON that commands read from arguments, files and standard input, and recorded texts that they print.
import { readFile } from 'node:fs/promises';
import { isRecord, parsedJson } from '#contracts/common/text.js';
import { errorMessage, UsageError, type Session } from './command.js';

/** Larger inputs are refused before they are sent. The API has its own limit for a text. */
const MAX_INPUT_BYTES = 16 * 1024 * 1024;

export const TEXT_OPTION = {
  text: { value: 'TEXT', help: 'The text. Without it, standard input is read to its end.' },
};

const NO_TEXT = 'No text given. Pass it as an argument or through standard input.';

/** The argument of a command, or standard input. */
export async function inputText({ options, input }: Session): Promise<string> {
  const text = options.text('text');
  if (text !== null) return text;
  if (input.isTTY === true) throw new UsageError(NO_TEXT);
  const piped = await readInput(input);
  // An empty input is a mistake in the pipeline. It must not pass as a checked text.
  if (piped === '') throw new UsageError(NO_TEXT);
  return piped.replace(LINE_END, '');
}

const LINE_END = /\r?\n$/;

async function readInput(input: Session['input']) {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of input) {
    const bytes = Buffer.from(part as Buffer | string);
    size += bytes.length;
    if (size > MAX_INPUT_BYTES) throw new UsageError('Standard input has more than 16 MiB.');
    parts.push(bytes);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** The name of `--principal`, where `-` stands for standard input; `null` if the option is absent. */
export async function principalOf({ options, input }: Session): Promise<string | null> {
  const option = options.text('principal');
  const name = option === '-' ? (await readInput(input)).replace(LINE_END, '') : option;
  if (name === '')
    throw new UsageError('--principal - reads the name from standard input, but standard input is empty.');
  return name;
}

/** JSON of a recorded text in one line, without the control sequences of terminals. */
export function printable(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /\p{C}/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** The JSON object in a text. `name` is the source of the text in the error. */
export function jsonObject(name: string, text: string): Readonly<Record<string, unknown>> {
  const value = parsedJson(text);
  if (isRecord(value)) return value;
  throw new UsageError(`${name} must contain a JSON object.`);
}

/** The JSON object in the file of an option. */
export async function jsonObjectFile(
  option: string,
  file: string,
): Promise<Readonly<Record<string, unknown>>> {
  const content = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`The file of --${option} cannot be read: ${errorMessage(error)}`);
  });
  return jsonObject(`The file of --${option}`, content);
}
