import type { StandardIssue, StandardSchema, ToolArguments } from '#contracts/firewall.js';
import { isPlainObject } from '#contracts/text.js';
import { readArguments } from '../firewall/tool-arguments.js';
import { pathText } from '../json/plain-json.js';
import { withinTime } from '../time-limit.js';

interface OwnJudgement {
  /** The output of the schema, including defaults and transformations. */
  readonly args: ToolArguments;
  readonly violations: Record<string, string>;
  /** Arguments that the schema dropped, by path. */
  readonly dropped: readonly string[];
}

/** Runs a Standard Schema. Its messages may contain values and are not passed on. */
export async function validateWithStandardSchema(
  judge: StandardSchema['~standard'],
  args: ToolArguments,
  timeoutMs: number,
): Promise<OwnJudgement> {
  const refused = (violations: Record<string, string>): OwnJudgement => ({ args, violations, dropped: [] });
  try {
    const result = await withinTime(judge.validate(structuredClone(args)), timeoutMs);
    if (result.issues !== undefined) return refused(inWords(result.issues));
    const made = readArguments(result.value);
    if (made.ok) return { args: made.args, violations: {}, dropped: [...droppedFrom(args, made.args, [])] };
    return refused({
      '(schema)': 'the schema of the tool returned something that is not JSON',
    });
  } catch {
    return refused({ '(schema)': 'the schema of the tool cannot check these arguments' });
  }
}

function inWords(issues: readonly StandardIssue[]): Record<string, string> {
  const places = issues.map(({ path = [] }) => pathText(path.map(stepOf)));
  const found = places.length === 0 ? ['(arguments)'] : places;
  return Object.fromEntries(found.map((place) => [place, 'does not match the schema of the tool']));
}

function stepOf(step: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof step === 'object' ? step.key : step);
}

function* droppedFrom(given: unknown, made: unknown, path: readonly (string | number)[]): Generator<string> {
  if (Array.isArray(given) && Array.isArray(made)) {
    for (const [index, item] of given.entries()) yield* droppedFrom(item, made[index], [...path, index]);
  }
  if (!isPlainObject(given) || !isPlainObject(made)) return;
  for (const [key, value] of Object.entries(given)) {
    if (Object.hasOwn(made, key)) yield* droppedFrom(value, made[key], [...path, key]);
    else yield pathText([...path, key]);
  }
}
