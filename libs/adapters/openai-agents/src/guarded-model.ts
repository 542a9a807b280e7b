import type { AgentOutputItem, Model, ModelResponse } from '@openai/agents-core';
import type { NotText } from '#contracts/firewall/firewall.js';
import type { OutputContext } from '#contracts/output/output.js';
import type { Guardrails } from '#engine/guardrails.js';
import { AnswerSanitizer, type PartSession } from '#adapters/shared/sanitized-answer.js';

type StreamEvent =
  ReturnType<Model['getStreamedResponse']> extends AsyncIterable<infer Event> ? Event : never;
type Done = Extract<StreamEvent, { type: 'response_done' }>;

/** The options of `guardedModel`. */
export interface GuardedModelOptions {
  /** Images, audio and files in answers: `refuse` leaves them out. Default `record`. */
  readonly notText?: NotText;
}

/**
 * A model whose texts are sanitized, also while they stream. Raw events of the provider (`type: 'model'`) are left out of
 * streams, because they contain the texts before sanitization.
 */
export function guardedModel(
  model: Model,
  guardrails: Guardrails,
  context: OutputContext,
  { notText = 'record' }: GuardedModelOptions = {},
): Model {
  const newAnswer = () => new AnswerSanitizer(guardrails, context, notText);
  return {
    ...(model.supportsPromptModelSelection === true && { supportsPromptModelSelection: true }),
    ...(model.getRetryAdvice !== undefined && { getRetryAdvice: model.getRetryAdvice.bind(model) }),
    getResponse: async (request): Promise<ModelResponse> => {
      const { providerData: _raw, ...response } = await model.getResponse(request);
      const answer = newAnswer();
      const output = await mapTexts(response.output, (text) => answer.text(text), answer);
      return { ...response, output };
    },
    getStreamedResponse: (request) => sanitizedEvents(model.getStreamedResponse(request), newAnswer()),
  };
}

async function* sanitizedEvents(
  events: AsyncIterable<StreamEvent>,
  answer: AnswerSanitizer,
): AsyncGenerator<StreamEvent> {
  let session: PartSession | null = null;
  let [written, shown] = ['', ''];
  try {
    for await (const event of events) {
      switch (event.type) {
        case 'output_text_delta':
          session ??= answer.stream();
          written += event.delta;
          for (const delta of await session.write(event.delta)) {
            shown += delta;
            yield { type: event.type, delta };
          }
          break;
        case 'response_done': {
          const rest: readonly string[] = session === null ? [] : await session.close();
          session = null;
          for (const delta of rest) {
            shown += delta;
            yield { type: 'output_text_delta', delta };
          }
          // A text that was streamed whole is not sanitized, and recorded, again.
          const text = async (own: string) => (own === written ? shown : answer.text(own));
          yield await done(event, text, answer);
          [written, shown] = ['', ''];
          break;
        }
        case 'response_started':
          yield { type: event.type };
          break;
        default:
          // Raw events.
          break;
      }
    }
  } finally {
    // A stream that was cut off: what was held back is not shown.
    await session?.abort();
  }
}

async function done(
  event: Done,
  change: (text: string) => Promise<string>,
  answer: AnswerSanitizer,
): Promise<Done> {
  const { providerData: _raw, ...response } = event.response;
  const output = await mapTexts(response.output, change, answer);
  return { type: 'response_done', response: { ...response, output } as Done['response'] };
}

type Members = Readonly<Record<string, unknown>>;

/** Members of an item with texts that the model, or a tool of the provider, wrote. Calls stay: the firewall checks them. */
const ITEM_TEXTS = ['providerData', 'output', 'results', 'summary'];

/** Changes the texts of messages and reasoning, and sanitizes the other texts in each item. */
async function mapTexts(
  items: readonly AgentOutputItem[],
  change: (text: string) => Promise<string>,
  answer: AnswerSanitizer,
): Promise<AgentOutputItem[]> {
  const changed: AgentOutputItem[] = [];
  for (const item of items) {
    const copy: Record<string, unknown> = { ...item };
    if (item.type === 'message' || item.type === 'reasoning') {
      for (const name of ['content', 'rawContent']) {
        if (Array.isArray(copy[name])) copy[name] = await mapParts(copy[name], change, answer);
        else if (typeof copy[name] === 'string') copy[name] = await change(copy[name]);
      }
    }
    Object.assign(copy, await answer.metadata(members(copy, (name) => ITEM_TEXTS.includes(name))));
    changed.push(copy as unknown as AgentOutputItem);
  }
  return changed;
}

const NOT_TEXT = 'The answer was left out because it contains parts that are not text.';

const PART_TEXTS = ['text', 'refusal', 'transcript'];
const PART_DATA = ['audio', 'image', 'file'];

async function mapParts(
  parts: readonly Members[],
  change: (text: string) => Promise<string>,
  answer: AnswerSanitizer,
): Promise<unknown[]> {
  const changed: unknown[] = [];
  for (const part of parts) {
    const copy = { ...part };
    for (const name of PART_TEXTS) {
      if (typeof copy[name] === 'string') copy[name] = await change(copy[name]);
    }
    const data = PART_DATA.filter((name) => copy[name] !== undefined);
    const dropped: boolean[] = [];
    for (const name of data) dropped.push(await answer.isMediaDropped(name));
    if (dropped.includes(true)) continue;
    const isOther = (name: string) => ![...PART_TEXTS, ...PART_DATA].includes(name);
    changed.push({ ...copy, ...(await answer.metadata(members(copy, isOther))) });
  }
  // The SDK calls the model again after an answer without a text.
  return changed.length === 0 && parts.length > 0 ? [{ type: 'output_text', text: NOT_TEXT }] : changed;
}

function members(of: Members, isWanted: (name: string) => boolean): Members {
  return Object.fromEntries(
    Object.entries(of).filter(([name, value]) => value !== undefined && isWanted(name)),
  );
}
