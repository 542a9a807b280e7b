import type { DeliveredEvent } from '#contracts/events/event-sink.js';
import { escapeSlackMarkup } from '#contracts/common/text.js';
import { factsOf, sentenceOf, shortened } from './event-format.js';
import type { SinkOptions } from './filtered-sink.js';
import { HttpSink, type HttpEndpointOptions } from './http.sink.js';

/** The options of `SlackSink`. */
export interface SlackOptions extends SinkOptions, HttpEndpointOptions {
  /** The URL of an incoming webhook. It is a secret: it is the only authentication. */
  readonly url: string;
}

/** Limits of Block Kit. */
const MAX_TEXT_LENGTH = 3000;
const MAX_FIELD_LENGTH = 2000;
const MAX_FIELDS = 10;

const SIGNS = { low: '⚪', medium: '🟡', high: '🟠', critical: '🔴' } as const;

/** Posts a message to a channel by an incoming webhook. Slack accepts about one message per second and returns 429 above. */
export class SlackSink extends HttpSink {
  constructor(options: SlackOptions) {
    super(options, { name: 'slack', minimumSeverity: 'high', concurrency: 1 });
  }

  override deliver(event: DeliveredEvent) {
    const body = JSON.stringify(slackMessage(event));
    return this.post(body, { 'content-type': 'application/json; charset=utf-8' });
  }
}

export function slackMessage(event: DeliveredEvent) {
  const title = `${SIGNS[event.severity]} *${escapeSlackMarkup(event.name)}*\n${escapeSlackMarkup(sentenceOf(event))}`;
  const link = event.link === null ? '' : `\n<${escapeSlackMarkup(event.link)}|Open in the panel>`;
  const fields = factsOf(event).map(([name, text]) =>
    markdown(`*${name}*\n${cutEscaped(text, MAX_FIELD_LENGTH - name.length - 3)}`),
  );
  const content = event.content === null ? [] : [section(cutEscaped(event.content.prompt, MAX_TEXT_LENGTH))];
  return {
    text: shortened(`${event.name}: ${sentenceOf(event)}`, MAX_TEXT_LENGTH),
    blocks: [
      section(`${title}${link}`),
      ...(fields.length === 0 ? [] : [{ type: 'section', fields: fields.slice(0, MAX_FIELDS) }]),
      ...content,
      { type: 'context', elements: [markdown(`${event.occurredAt.toISOString()} · ${event.id}`)] },
    ],
  };
}

function section(text: string) {
  return { type: 'section', text: markdown(text) };
}

/** `verbatim` stops Slack from turning URLs and names in the text into links. */
function markdown(text: string) {
  return { type: 'mrkdwn', text, verbatim: true };
}

/** Cuts the text before escaping, so that no escape is cut, to a length that fits even if every character is escaped. */
function cutEscaped(text: string, most: number): string {
  const whole = escapeSlackMarkup(text);
  return whole.length <= most ? whole : escapeSlackMarkup(shortened(text, Math.floor(most / 5)));
}
