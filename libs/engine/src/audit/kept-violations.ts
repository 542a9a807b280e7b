import type { NewRejection } from '../../../contracts/src/firewall.js';
import { takeCodePoints } from '../../../contracts/src/text.js';

const MOST_VIOLATIONS = 50;
const LONGEST_NAME = 200;
const LONGEST_REASON = 500;

export type KeptViolations = Pick<NewRejection, 'violations' | 'violationCount'>;

/** Cleans and caps what a record says of a refused call: reasons are our own words, names are the model's. */
export function keptViolations(
  violations: Readonly<Record<string, string>>,
  cleanHead: (name: string, most: number) => string,
): KeptViolations {
  const names = Object.keys(violations);
  const kept = names
    .slice(0, MOST_VIOLATIONS)
    .map((name) => [
      takeCodePoints(cleanHead(name, LONGEST_NAME), LONGEST_NAME).head,
      takeCodePoints(violations[name] ?? '', LONGEST_REASON).head,
    ]);
  return { violations: Object.fromEntries(kept) as Record<string, string>, violationCount: names.length };
}
