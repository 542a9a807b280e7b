import type { DeliveredEvent } from '../../contracts/src/event-sink.js';
import { factsOf, sentenceOf, shortened } from './event-sentence.js';
import { FilteredSink, type SinkOptions } from './filtered-sink.js';
import { HttpEndpoint, type HttpEndpointOptions } from './net/http-endpoint.js';

export interface SlackOptions extends SinkOptions, HttpEndpointOptions {
  /** The address of an incoming webhook; whoever has it may post. */
  readonly url: string;
}

/** Limits of Block Kit. */
const LONGEST_TEXT = 3000;
const LONGEST_FIELD = 2000;
const MOST_FIELDS = 10;

const SIGNS = { low: '⚪', medium: '🟡', high: '🟠', critical: '🔴' } as const;

/** A message in a channel, by an incoming webhook. Slack takes about one a second, and says when it had enough. */
export class SlackSink extends FilteredSink {
  readonly #endpoint: HttpEndpoint;

  constructor(options: SlackOptions) {
    super(options, { name: 'slack', minimumSeverity: 'high', concurrency: 1 });
    this.#endpoint = new HttpEndpoint(this.name, options, this.concurrency);
  }

  override deliver(event: DeliveredEvent): Promise<void> {
    const body = JSON.stringify(slackMessage(event));
    return this.#endpoint.post(body, { 'content-type': 'application/json; charset=utf-8' }, this.timeoutMs);
  }

  override async close(): Promise<void> {
    this.#endpoint.close();
  }
}

export function slackMessage(event: DeliveredEvent) {
  const title = `${SIGNS[event.severity]} *${escaped(event.name)}*\n${escaped(sentenceOf(event))}`;
  const link = event.link === null ? '' : `\n<${escaped(event.link)}|Look at it>`;
  const fields = factsOf(event).map(([name, text]) =>
    markdown(`*${name}*\n${cutEscaped(text, LONGEST_FIELD - name.length - 3)}`),
  );
  const content = event.content === null ? [] : [section(cutEscaped(event.content.prompt, LONGEST_TEXT))];
  return {
    text: shortened(`${event.name}: ${sentenceOf(event)}`, LONGEST_TEXT),
    blocks: [
      section(`${title}${link}`),
      ...(fields.length === 0 ? [] : [{ type: 'section', fields: fields.slice(0, MOST_FIELDS) }]),
      ...content,
      { type: 'context', elements: [markdown(`${event.occurredAt.toISOString()} · ${event.id}`)] },
    ],
  };
}

function section(text: string) {
  return { type: 'section', text: markdown(text) };
}

/** Verbatim: nothing in an id or a prompt becomes a link by itself. */
function markdown(text: string) {
  return { type: 'mrkdwn', text, verbatim: true };
}

/** Slack reads nothing but these three: no mention, no link comes out of an id. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Cut before it is escaped, so that no half of an escape is left; short enough even if all of it is escaped. */
function cutEscaped(text: string, most: number): string {
  const whole = escaped(text);
  return whole.length <= most ? whole : escaped(shortened(text, Math.floor(most / 5)));
}
