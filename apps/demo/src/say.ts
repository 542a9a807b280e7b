/** A line for whoever started the demo. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
