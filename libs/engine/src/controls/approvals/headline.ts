// What a tool says of a call that waits, for its approvers: shown above all arguments, never instead of them.
import { scrubText, takeCodePoints } from '#contracts/common/text.js';
import type { Said, Say, Tool, ToolArguments } from '#contracts/firewall/firewall.js';
import type { Diagnostics } from '../../shared/ports.js';
import { withinTime } from '../../shared/time-limit.js';

const TIME_LIMIT_MS = 50;
const MAX_LENGTH = 120;
const MAX_VALUE_LENGTH = 40;

/** Other objects of this shape could show a value of the call as text of the tool. */
class Sentence implements Said {
  constructor(readonly parts: readonly string[]) {}
}

const say: Say = (texts, ...values) =>
  new Sentence(texts.flatMap((text, place) => [text, shownValue(values[place])]).slice(0, -1));

/** What failed once is not reported again. */
const speechless = new WeakSet<object>();

/** `null`: the tool says nothing, or its code threw, was late or returned something else. */
export async function headlineOf(
  tool: Pick<Tool, 'name' | 'describe'>,
  args: ToolArguments,
  diagnostics: Diagnostics,
): Promise<readonly string[] | null> {
  if (tool.describe == null) return null;
  const started = performance.now();
  try {
    // The code gets a copy, so that it cannot change the arguments.
    const said: unknown = await withinTime(tool.describe(structuredClone(args), say), TIME_LIMIT_MS);
    const sentence = typeof said === 'string' ? say`${said}` : said;
    if (sentence instanceof Sentence && performance.now() - started <= TIME_LIMIT_MS)
      return shortenedParts(sentence.parts);
  } catch {
    // The approver still sees all arguments.
  }
  if (!speechless.has(tool.describe)) diagnostics.warn(FAILED, { tool: tool.name });
  speechless.add(tool.describe);
  return null;
}

const FAILED =
  'describe() of a tool threw, took longer than 50 ms, or returned neither a text nor say`…`; its calls wait without a headline';

function shownValue(value: unknown) {
  return shortened(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), MAX_VALUE_LENGTH);
}

function shortened(text: string, max: number) {
  return takeCodePoints(text, max).cut ? `${takeCodePoints(text, max - 1).head}…` : text;
}

function shortenedParts(parts: readonly string[]): readonly string[] {
  let left = MAX_LENGTH;
  return parts.flatMap((part) => {
    const shown = left > 0 ? [shortened(scrubText(part), left)] : [];
    left -= part.length;
    return shown;
  });
}
