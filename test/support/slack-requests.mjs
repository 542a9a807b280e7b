// Plain JavaScript, so that scripts can use it against the built package.
import { createHmac } from 'node:crypto';

export const SIGNING_SECRET = '8f742231b10e8888abcd99yyyzzz85a5';
export const TEAM = 'T1DC2JH3J';

/**
 * The body and headers of a request that Slack signed.
 *
 * @param {string} body
 * @param {{ secret?: string, at?: Date }} [options]
 */
export function signed(body, { secret = SIGNING_SECRET, at = new Date() } = {}) {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  return {
    body: Buffer.from(body),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${digest}`,
    },
  };
}

/**
 * @param {unknown} payload
 * @returns {string}
 */
export function formOf(payload) {
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
}

/**
 * The payload of a click on a button of a message.
 *
 * @param {{ channel: string, ts: string, blocks: readonly any[] }} message
 * @param {string} label the text of the button
 * @param {{ user?: string, team?: string, home?: string }} [by] `home`: the user's own workspace
 */
export function clickOn(message, label, { user = 'U-OPS-1', team = TEAM, home = team } = {}) {
  const button = buttonsOf(message).find(({ text }) => text.text === label);
  if (button === undefined) throw new Error(`The message has no button ${label}.`);
  return {
    type: 'block_actions',
    team: { id: team, domain: 'shop' },
    user: { id: user, username: 'ops', team_id: home },
    api_app_id: 'A0TEST',
    trigger_id: `trigger-${user}`,
    container: { type: 'message', message_ts: message.ts, channel_id: message.channel, is_ephemeral: false },
    channel: { id: message.channel, name: 'approvals' },
    message: { type: 'message', ts: message.ts, blocks: message.blocks },
    actions: [{ ...button, block_id: 'b1', action_ts: '1548426417.840180' }],
  };
}

/**
 * The payload of a submitted dialog.
 *
 * @param {any} view as it was opened
 * @param {string | null} reason
 * @param {{ user?: string, team?: string, home?: string }} [by]
 */
export function submitted(view, reason, { user = 'U-OPS-1', team = TEAM, home = team } = {}) {
  return {
    type: 'view_submission',
    team: { id: team, domain: 'shop' },
    user: { id: user, username: 'ops', team_id: home },
    api_app_id: 'A0TEST',
    trigger_id: `trigger-${user}`,
    view: {
      ...view,
      id: 'V0TEST',
      state: { values: { reason: { reason: { type: 'plain_text_input', value: reason } } } },
    },
  };
}

/**
 * @param {{ blocks: readonly any[] } | undefined} message
 * @returns {any[]}
 */
export function buttonsOf({ blocks } = { blocks: [] }) {
  return blocks.flatMap(({ type, elements }) => (type === 'actions' ? elements : []));
}

/**
 * All texts of a message, one per line.
 *
 * @param {{ blocks: readonly any[] } | undefined} message
 * @returns {string}
 */
export function textsOf({ blocks } = { blocks: [] }) {
  const texts = blocks.flatMap(({ text, fields = [], elements = [] }) => [
    ...(text === undefined ? [] : [text.text]),
    ...fields.map((field) => field.text),
    ...elements.map((element) => element.text.text),
  ]);
  return texts.join('\n');
}
