import type { AgentOutputItem, Model, ModelResponse } from '@openai/agents-core';
import type { OutputContext } from '#contracts/output.js';
import type { Guardrails } from '#engine/guardrails.js';
import { PartSession } from '#adapters/shared/part-session.js';

type StreamEvent =
  ReturnType<Model['getStreamedResponse']> extends AsyncIterable<infer Event> ? Event : never;
type Done = Extract<StreamEvent, { type: 'response_done' }>;

/**
 * A model whose texts are sanitized, also while they stream. Raw events of the provider (`type: 'model'`) are left out of
 * streams, because they contain the texts before sanitization.
 */
export function guardedModel(model: Model, guardrails: Guardrails, context: OutputContext): Model {
  const sanitized = async (text: string): Promise<string> => (await guardrails.sanitize(text, context)).text;

  return {
    ...(model.supportsPromptModelSelection === true && { supportsPromptModelSelection: true }),
    ...(model.getRetryAdvice !== undefined && { getRetryAdvice: model.getRetryAdvice.bind(model) }),
    getResponse: async (request): Promise<ModelResponse> => {
      const { providerData: _raw, ...response } = await model.getResponse(request);
      return { ...response, output: await mapTexts(response.output, sanitized) };
    },
    getStreamedResponse: (request) => sanitizedEvents(model.getStreamedResponse(request)),
  };

  async function* sanitizedEvents(events: AsyncIterable<StreamEvent>): AsyncGenerator<StreamEvent> {
    let session: PartSession | null = null;
    let [given, shown] = ['', ''];
    try {
      for await (const event of events) {
        switch (event.type) {
          case 'output_text_delta':
            session ??= new PartSession(guardrails.sanitizeStream(context));
            given += event.delta;
            for (const delta of await session.write(event.delta)) {
              shown += delta;
              yield { ...event, delta };
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
            const text = async (own: string): Promise<string> => (own === given ? shown : sanitized(own));
            yield await done(event, text);
            [given, shown] = ['', ''];
            break;
          }
          case 'model':
            break;
          default:
            yield event;
        }
      }
    } finally {
      // A stream that was cut off: what was held back is not shown.
      await session?.abort();
    }
  }
}

async function done(event: Done, change: (text: string) => Promise<string>): Promise<Done> {
  const { providerData: _raw, ...response } = event.response;
  const output = await mapTexts(response.output, change);
  return { type: 'response_done', response: { ...response, output } as Done['response'] };
}

/** Changes the texts of messages and of reasoning. Calls of tools stay: the firewall checks them. */
async function mapTexts(
  items: readonly AgentOutputItem[],
  change: (text: string) => Promise<string>,
): Promise<AgentOutputItem[]> {
  const changed: AgentOutputItem[] = [];
  for (const item of items) {
    if (item.type !== 'message' && item.type !== 'reasoning') {
      changed.push(item);
      continue;
    }
    const copy: Record<string, unknown> = { ...item };
    for (const name of ['content', 'rawContent']) {
      if (Array.isArray(copy[name])) copy[name] = await mapParts(copy[name], change);
      else if (typeof copy[name] === 'string') copy[name] = await change(copy[name]);
    }
    changed.push(copy as unknown as AgentOutputItem);
  }
  return changed;
}

async function mapParts(
  parts: readonly Readonly<Record<string, unknown>>[],
  change: (text: string) => Promise<string>,
): Promise<unknown[]> {
  const changed: unknown[] = [];
  for (const part of parts) {
    const copy = { ...part };
    for (const name of ['text', 'refusal', 'transcript']) {
      if (typeof copy[name] === 'string') copy[name] = await change(copy[name]);
    }
    changed.push(copy);
  }
  return changed;
}
