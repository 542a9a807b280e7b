// What adapters screen before the model runs: new messages of the user, and results of tools that a client sent.
import type { NotText, ReadResult, ToolContext } from '#contracts/firewall/firewall.js';
import type { OutputContext } from '#contracts/output/output.js';
import { type Guardrails, NOT_TEXT_RESULT } from '#engine/guardrails.js';
import { digestOf } from '#engine/json/plain-json.js';
import { markedText } from '#engine/tools/read-parts.js';
import { inherited, isSubAgent } from './call-scope.js';

/** A part of a message of the user. */
type PromptPart = { readonly text: string } | { readonly notText: string };

type Part = Readonly<Record<string, unknown>>;

const ANSWERS = new Set<unknown>(['assistant', 'ai']);
const USERS = new Set<unknown>(['user', 'human']);
const TEXTS = new Set<unknown>(['text', 'input_text']);

/**
 * The parts that the user added since the last answer, in the messages of any framework. Earlier ones were screened when
 * they were new.
 */
export function newParts(messages: readonly object[]): PromptPart[] {
  const all = messages as readonly Part[];
  const roleOf = ({ role, type }: Part) => role ?? type;
  const answered = all.findLastIndex((message) => ANSWERS.has(roleOf(message)));
  return all.slice(answered + 1).flatMap((message): PromptPart[] => {
    if (!USERS.has(roleOf(message))) return [];
    const { content } = message;
    if (!Array.isArray(content)) return [{ text: String(content) }];
    return (content as readonly Part[]).map(({ type, text, mediaType }) =>
      TEXTS.has(type) ? { text: String(text) } : { notText: String(mediaType ?? type) },
    );
  });
}

/** Why a message is refused. `message` is text for the user; `ruleId` is `null` where no rule decided. */
export interface PromptRefusal {
  readonly message: string;
  readonly ruleId: string | null;
}

/**
 * Screens the parts of a prompt until one is refused. Parts that are not text are recorded as not screened. What
 * `userText` returns vouches after all other parts passed; without it, each text of the user.
 */
export async function screenedPrompt(
  guardrails: Guardrails,
  parts: readonly PromptPart[],
  given: OutputContext,
  notText: NotText,
  userText?: () => string,
): Promise<PromptRefusal | null> {
  const context = inherited(given);
  for (const [index, part] of parts.entries()) {
    const isText = 'text' in part;
    const text = isText ? part.text : `[not screened: ${part.notText}]`;
    const isOfUser = isText && !isSubAgent() && !isScreened(guardrails, context, OUTCOME, text);
    let typed = isOfUser ? text : '';
    if (userText !== undefined) typed = index === parts.length - 1 ? checkedText(userText()) : '';
    const verdict = await guardrails.screen(text, { ...context, userText: typed });
    const { blocked, refusalMessage, ruleId } = verdict;
    if (!isText && notText === 'refuse') return { message: NOT_TEXT, ruleId: null };
    if (blocked) return { message: refusalMessage ?? 'The message was refused.', ruleId };
  }
  return null;
}

/** Otherwise the whole prompt would vouch. */
function checkedText(text: unknown) {
  if (typeof text === 'string') return text;
  throw new TypeError(
    `\`userText\` returned ${text === null ? 'null' : typeof text}. Return what the user typed as a string, or '' for nothing.`,
  );
}

const NOT_TEXT = 'The message was refused because it contains parts that are not text.';

const MAX_KNOWN = 10_000;

/** Digests of the results that this process screened, or wrote itself, so that a model call screens only others. */
const screened = new WeakMap<Guardrails, Set<string>>();

/** In place of a tool: the message of the user that contains the outcome of a call, which the user did not write. */
export const OUTCOME = null;

/** Marks a result of a tool as screened, so that a later model call does not screen it again. */
export function markScreened(
  guardrails: Guardrails,
  { application }: ToolContext,
  tool: string | typeof OUTCOME,
  text: string,
): void {
  const digests = screened.get(guardrails) ?? new Set();
  screened.set(guardrails, digests);
  const digest = keyOf(application, tool, text);
  digests.delete(digest);
  digests.add(digest);
  for (const oldest of digests) {
    if (digests.size <= MAX_KNOWN) break;
    digests.delete(oldest);
  }
}

/**
 * Screens a result of a tool that arrives with the messages, as a client can write it. Returns the refusal message;
 * `null`: the model may read it.
 */
export async function refusedResult(
  guardrails: Guardrails,
  given: OutputContext,
  tool: string,
  read: ReadResult,
  notText: NotText,
): Promise<string | null> {
  const context = inherited(given);
  const text = markedText(read);
  if (text !== '' && !isScreened(guardrails, context, tool, text)) {
    const verdict = await guardrails.screen(text, { ...context, origin: 'tool_result', tool });
    if (verdict.blocked) return verdict.refusalMessage ?? 'The result of the tool was blocked.';
    markScreened(guardrails, context, tool, text);
  }
  return notText === 'refuse' && read.notText.length > 0 ? NOT_TEXT_RESULT : null;
}

function isScreened(
  guardrails: Guardrails,
  { application }: ToolContext,
  tool: string | typeof OUTCOME,
  text: string,
) {
  return screened.get(guardrails)?.has(keyOf(application, tool, text)) === true;
}

function keyOf(application: string | undefined, tool: string | null, text: string) {
  return digestOf([application ?? null, tool, text]);
}
