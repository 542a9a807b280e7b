import type { Command } from './command.js';

const PROGRAM = 'nest-guardrails';
const WIDTH = 78;

export function overallHelp(commands: readonly Command[]): string {
  return [
    `Usage: ${PROGRAM} <command> [options]`,
    '',
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    '',
    `${PROGRAM} <command> --help says what a command does and takes.`,
  ].join('\n');
}

export function helpOf({ name, summary, details, options, exits }: Command): string {
  return [
    `Usage: ${PROGRAM} ${name} [options]`,
    '',
    ...wrapped(summary, 0),
    ...details.flatMap((paragraph) => ['', ...wrapped(paragraph, 0)]),
    '',
    ...columns(Object.entries(options).map(([option, { value, help }]) => [optionText(option, value), help])),
    '',
    'Exit codes:',
    ...columns([
      ['0', exits[0]],
      ['1', exits[1]],
      ['2', 'The command line is wrong.'],
    ]),
  ].join('\n');
}

export const optionText = (option: string, value: string | undefined): string =>
  value === undefined ? `--${option}` : `--${option} ${value}`;

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const left = Math.max(...rows.map(([name]) => name.length)) + 4;
  return rows.flatMap(([name, text]) => {
    const lines = wrapped(text, left);
    return [`  ${name}`.padEnd(left) + (lines[0] ?? '').trimStart(), ...lines.slice(1)];
  });
}

function wrapped(text: string, indent: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each) => ' '.repeat(indent) + each);
}
