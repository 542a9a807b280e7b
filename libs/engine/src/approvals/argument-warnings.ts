import type { NewApproval } from '../../../contracts/src/approvals.js';
import type { ToolArguments } from '../../../contracts/src/firewall.js';
import { pathText } from '../json/plain-json.js';
import { shownName, troublesOf } from './deceptive-text.js';

const MOST_WARNINGS = 50;

/**
 * What an approver should know before trusting their eyes: one sentence for each argument and each trouble with it.
 * Names the argument, never its value, and a name that holds a secret never whole.
 */
export function warningsFor(args: ToolArguments, redact: (name: string) => string): string[] {
  const warnings = new Set<string>();
  for (const { path, text, isName } of textsIn(args)) {
    for (const words of troublesOf(text)) {
      warnings.add(`${isName ? 'The name of ' : ''}${shownName(redact(pathText(path)))} ${words}.`);
      if (warnings.size === MOST_WARNINGS) return [...warnings];
    }
  }
  return [...warnings];
}

/**
 * The same about who asks, and for which tool: names that a host may have from elsewhere, as the tools of an MCP server.
 * The sentences repeat none of them.
 */
export function warningsAbout(
  call: Pick<NewApproval, 'tool' | 'stepName' | 'principalId' | 'application'>,
): string[] {
  const { tool, stepName, principalId, application } = call;
  const names = [
    ['The name of the tool', tool],
    ['The name of the step', stepName === tool ? '' : stepName],
    ['The id of the requester', principalId ?? ''],
    ['The name of the application', application ?? ''],
  ] as const;
  return names.flatMap(([what, name]) => troublesOf(name).map((words) => `${what} ${words}.`));
}

interface FoundText {
  readonly path: readonly (string | number)[];
  readonly text: string;
  readonly isName: boolean;
}

function* textsIn(args: ToolArguments): Generator<FoundText> {
  const waiting: { readonly path: FoundText['path']; readonly value: unknown }[] = [
    { path: [], value: args },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, value } = next;
    if (typeof value === 'string') yield { path, text: value, isName: false };
    if (typeof value !== 'object' || value === null) continue;
    const isList = Array.isArray(value);
    for (const [key, inner] of Object.entries(value).toReversed()) {
      const inside = [...path, key];
      if (!isList) yield { path: inside, text: key, isName: true };
      waiting.push({ path: inside, value: inner });
    }
  }
}
