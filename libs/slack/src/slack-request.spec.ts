import { describe, expect, it } from '@jest/globals';
import { signed } from '../../../test/support/slack-requests.mjs';
import { readInteraction, RefusedRequest, type SlackHeaders } from './slack-request.js';

const SECRET = '8f742231b10e8888abcd99yyyzzz85a5';
const DIGEST = 'a'.repeat(64);

/** The example of Slack's documentation. */
const DOCUMENTED = {
  body: 'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
  headers: {
    'x-slack-request-timestamp': '1531420618',
    'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
  },
};

const at = (seconds: number): Date => new Date(1000 * seconds);
const statusOf = (
  headers: SlackHeaders,
  { body = DOCUMENTED.body, secret = SECRET, now = at(1531420618) } = {},
): number | null => {
  const read = readInteraction(Buffer.from(body), headers, secret, now);
  return read instanceof RefusedRequest ? read.status : null;
};

describe('a request of Slack', () => {
  // The documented request is authentic (not 401), and is not an interaction (400).
  it('is authentic with the documented signature', () => {
    expect(statusOf(DOCUMENTED.headers)).toBe(400);
  });

  it.each<readonly [string, SlackHeaders, object]>([
    ['another secret', {}, { secret: `${SECRET}x` }],
    ['another body', {}, { body: `${DOCUMENTED.body}x` }],
    ['another timestamp', { 'x-slack-request-timestamp': '1531420619' }, {}],
    ['no timestamp', { 'x-slack-request-timestamp': undefined }, {}],
    ['a timestamp that is no number', { 'x-slack-request-timestamp': '1531420618 ' }, {}],
    ['no signature', { 'x-slack-signature': undefined }, {}],
    ['a short signature', { 'x-slack-signature': 'v0=a2114d57' }, {}],
    ['a repeated signature', { 'X-Slack-Signature': DOCUMENTED.headers['x-slack-signature'] }, {}],
    ['an age of more than five minutes', {}, { now: at(1531420618 + 301) }],
    ['a time more than five minutes ahead', {}, { now: at(1531420618 - 301) }],
  ])('is refused with %s', (_, headers, options) => {
    expect(statusOf({ ...DOCUMENTED.headers, ...headers }, options)).toBe(401);
  });

  it('is accepted for five minutes, and with header names in any case', () => {
    expect(statusOf(DOCUMENTED.headers, { now: at(1531420618 + 300) })).toBe(400);
    const headers = Object.entries(DOCUMENTED.headers).map(([name, value]) => [name.toUpperCase(), value]);
    expect(statusOf(Object.fromEntries(headers) as SlackHeaders)).toBe(400);
  });

  it('is refused above 64 KiB and without bytes, before anything is computed', () => {
    expect(statusOf({}, { body: 'x'.repeat(64 * 1024 + 1) })).toBe(413);
    for (const body of [undefined, 'payload=%7B%7D'])
      expect(readInteraction(body as never, DOCUMENTED.headers, SECRET, at(1531420618))).toEqual(
        new RefusedRequest(400),
      );
  });
});

describe('an authentic request', () => {
  it.each<readonly [string, unknown]>([
    ['is not an object', 7],
    ['has no actions', { type: 'block_actions' }],
    ['has actions that are no list', { type: 'block_actions', actions: { 0: {} } }],
    ['has two actions', click({ actions: [button(), button()] })],
    ['has no user', click({ user: {} })],
    ['has no trigger', click({ trigger_id: undefined })],
    ['has no message', click({ container: {} })],
    ['has a channel that is no id', click({ channel: { id: 'C 1' } })],
    ['has a button without a value', click({ actions: [button({ value: undefined })] })],
    ['has a value that is no number', click({ actions: [button({ value: `x.${DIGEST}` })] })],
    ['has a value with a short digest', click({ actions: [button({ value: '12.abc' })] })],
    ['is a dialog without context', submission('')],
    ['is a dialog with another verdict', submission(`maybe 12.${DIGEST} C1 1.1`)],
    ['is a dialog with more context', submission(`approved 12.${DIGEST} C1 1.1 x`)],
  ])('is refused if it %s', (_, payload) => {
    expect(reading(payload)).toEqual(new RefusedRequest(400));
  });

  it.each(['', 'payload=', 'payload=%7B', 'payload=%7B%7D&payload=%7B%7D', 'payload=null', '\xff\xfe'])(
    'is refused with the body %j',
    (body) => {
      expect(readBody(body)).toEqual(new RefusedRequest(400));
    },
  );

  it('is read as a click', () => {
    expect(reading(click({}))).toEqual({
      kind: 'click',
      action: 'guardrails_reject',
      call: { approvalId: 12, argumentsDigest: DIGEST },
      place: { channel: 'C1', ts: '1548426417.840180' },
      triggerId: 'trigger-1',
      teamId: 'T1',
      userId: 'U1',
    });
  });

  it('has no team where the user belongs to another workspace', () => {
    expect(reading(click({ user: { id: 'U1', team_id: 'T2' } }))).toMatchObject({ teamId: '' });
    expect(reading(click({ team: null }))).toMatchObject({ teamId: '' });
  });

  it('is read as a submission, also with an empty reason', () => {
    const read = { kind: 'submission', verdict: 'approved', teamId: 'T1', userId: 'U1', reason: 'checked' };
    expect(reading(submission(`approved 12.${DIGEST} C1 1.1`))).toMatchObject(read);
    expect(reading(submission(`approved 12.${DIGEST} C1 1.1`, null))).toMatchObject({ ...read, reason: '' });
  });

  it.each<readonly [string, unknown]>([
    ['a click on a link', click({ actions: [button({ action_id: 'guardrails_open' })] })],
    [
      'a click on a button with the name of a member of Object',
      click({ actions: [button({ action_id: 'toString' })] }),
    ],
    ['a dialog of another feature', { type: 'view_submission', view: { callback_id: 'other' } }],
    ['an object whose type is below __proto__', JSON.parse('{"__proto__":{"type":"block_actions"}}')],
    ['a closed dialog', { type: 'view_closed' }],
  ])('is acknowledged without effect if it is %s', (_, payload) => {
    expect(reading(payload)).toEqual({ kind: 'other' });
  });
});

function button(parts: object = {}): object {
  return { type: 'button', action_id: 'guardrails_reject', value: `12.${DIGEST}`, ...parts };
}

function click(parts: object): object {
  return {
    type: 'block_actions',
    team: { id: 'T1' },
    user: { id: 'U1' },
    trigger_id: 'trigger-1',
    container: { message_ts: '1548426417.840180' },
    channel: { id: 'C1' },
    actions: [button()],
    ...parts,
  };
}

function submission(metadata: string, reason: string | null = 'checked'): object {
  return {
    type: 'view_submission',
    team: { id: 'T1' },
    user: { id: 'U1', team_id: 'T1' },
    view: {
      callback_id: 'guardrails_decision',
      private_metadata: metadata,
      state: { values: { reason: { reason: { value: reason } } } },
    },
  };
}

function reading(payload: unknown) {
  return readBody(new URLSearchParams({ payload: JSON.stringify(payload) }).toString());
}

function readBody(text: string) {
  const { body, headers } = signed(text, { at: at(1531420618) });
  return readInteraction(body, headers, SECRET, at(1531420618));
}
