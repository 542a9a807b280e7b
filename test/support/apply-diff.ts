/**
 * Applies a `diff` block of a page: the path first, then parts that are separated by ` …`. The unchanged and removed lines
 * of each part must occur exactly once in the file, without a gap.
 */
export function applyDiff(block: string, file: string): string {
  const lines = block.trimEnd().split('\n').slice(1);
  return partsOf(lines).reduce((text, part) => {
    const before = part.filter((line) => !line.startsWith('+')).map(withoutMark);
    const after = part.filter((line) => !line.startsWith('-')).map(withoutMark);
    const pieces = text.split(`\n${before.join('\n')}\n`);
    if (pieces.length !== 2) {
      throw new Error(`these lines occur ${pieces.length - 1} times in the file:\n${before.join('\n')}`);
    }
    return pieces.join(`\n${after.join('\n')}\n`);
  }, file);
}

function partsOf(lines: readonly string[]): readonly (readonly string[])[] {
  const parts: string[][] = [[]];
  for (const line of lines) {
    if (line.trim() === '…') parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return parts;
}

const withoutMark = (line: string): string => line.slice(1);
