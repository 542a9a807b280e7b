import { generateKeyPairSync, verify } from 'node:crypto';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import parseSyslog from 'nsyslog-parser';
import { Webhook } from 'standardwebhooks';
import type { EventSink, DeliveredEvent } from '#contracts/events/event-sink.js';
import { EVENT_NAMES, severityOfEvent } from '#contracts/events/events.js';
import {
  NatsSink,
  PagerdutySink,
  SiemSink,
  SlackSink,
  StdoutSink,
  SyslogSink,
  WebhookSink,
  type SinkOptions,
} from '#sinks/index.js';
import { pagerdutyEvent } from '#sinks/pagerduty.sink.js';
import { slackMessage } from '#sinks/slack.sink.js';
import { CERTIFICATE, FrameReceiver, HERE, HttpReceiver, type Received } from '../support/receivers.js';
import { CONTENT, deliveredEvent } from '../support/delivered-event.js';

const SECRET = `whsec_${Buffer.from('a-shared-secret-of-thirty-bytes').toString('base64')}`;
const OLD_SECRET = `whsec_${Buffer.from('the-secret-before-that-was-used').toString('base64')}`;
const TOKEN = 'a-token-that-must-stay-secret';
const ROUTING_KEY = 'R0UT1NGKEY0000000000000000000001';
let lines: string[];
let published: { subject: string; body: string; id: string }[];

const http = await new HttpReceiver().start();
const tcp = await new FrameReceiver('tcp').start();
const tls = await new FrameReceiver('tls').start();

afterAll(() => Promise.all([http.stop(), tcp.stop(), tls.stop()]));

beforeEach(() => {
  http.received.length = tcp.frames.length = tls.frames.length = 0;
  [lines, published] = [[], []];
});

interface Kind {
  readonly secrets: readonly string[];
  make(options?: SinkOptions): EventSink;
  /** The received deliveries as text. */
  arrived(count: number): Promise<readonly string[]> | readonly string[];
}

const httpOptions = () => ({ url: http.url, allow: HERE, allowPlainHttp: true });
const overHttp = () => http.received.map(({ body }) => body);

const KINDS: Readonly<Record<string, Kind>> = {
  webhook: {
    secrets: [SECRET, SECRET.slice(6)],
    make: (options) => new WebhookSink({ ...options, ...httpOptions(), keys: [SECRET] }),
    arrived: overHttp,
  },
  slack: {
    secrets: ['/hook'],
    make: (options) => new SlackSink({ minimumSeverity: 'low', ...options, ...httpOptions() }),
    arrived: overHttp,
  },
  pagerduty: {
    secrets: [ROUTING_KEY],
    make: (options) =>
      new PagerdutySink({ minimumSeverity: 'low', ...options, ...httpOptions(), routingKey: ROUTING_KEY }),
    arrived: overHttp,
  },
  siem: {
    secrets: [TOKEN],
    make: (options) => new SiemSink({ ...options, ...httpOptions(), access: { splunk: TOKEN } }),
    arrived: overHttp,
  },
  'syslog over TCP': {
    secrets: [],
    make: (options) =>
      new SyslogSink({ ...options, host: '127.0.0.1', port: tcp.port, transport: 'tcp', allow: HERE }),
    arrived: (count) => tcp.arrived(count),
  },
  'syslog over TLS': {
    secrets: [],
    make: (options) =>
      new SyslogSink({
        ...options,
        host: 'receiver.example',
        port: tls.port,
        allow: HERE,
        ca: CERTIFICATE,
        resolve: (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
      }),
    arrived: (count) => tls.arrived(count),
  },
  nats: {
    secrets: [],
    make: (options) =>
      new NatsSink({
        ...options,
        subjectPrefix: 'audit',
        jetstream: {
          publish: async (subject, payload, { msgID }) => {
            published.push({ subject, body: new TextDecoder().decode(payload), id: msgID });
          },
        },
      }),
    arrived: () => published.map(({ body }) => body),
  },
  stdout: {
    secrets: [],
    make: (options) =>
      new StdoutSink({
        ...options,
        stream: {
          write: (line, done) => {
            lines.push(line);
            done();
          },
        },
      }),
    arrived: () => lines,
  },
};

describe.each(Object.entries(KINDS))('sink %s', (_, kind) => {
  let sink: EventSink | undefined;

  afterEach(async () => {
    await sink?.close();
    sink = undefined;
  });

  it('delivers every event in order with its id and with special characters', async () => {
    sink = kind.make();
    const events = EVENT_NAMES.map((name, at) =>
      deliveredEvent({
        name,
        id: `event-${at}`,
        severity: severityOfEvent(name),
        payload: { ...deliveredEvent().payload, rule_id: 'r"]\\\n<@U1> \u{1F600}', application: null },
      }),
    );
    for (const event of events) await sink.deliver(event);
    const arrived = await kind.arrived(events.length);
    expect(arrived).toHaveLength(events.length);
    for (const [at, text] of arrived.entries()) expect(text).toContain(`event-${at}`);
  });

  it('repeats a delivery with an identical body', async () => {
    sink = kind.make();
    await sink.deliver(deliveredEvent());
    await sink.deliver(deliveredEvent({ attempts: 3 }));
    const [first, second] = await kind.arrived(2);
    expect(second).toBe(first);
  });

  it('sends content only if the event has content', async () => {
    sink = kind.make({ content: 'stored' });
    expect([sink.includesContent, kind.make().includesContent]).toEqual([true, false]);
    await sink.deliver(deliveredEvent());
    await sink.deliver(deliveredEvent({ content: CONTENT }));
    const [without, within] = await kind.arrived(2);
    expect(without).not.toContain('previous instructions');
    expect(within).toContain('previous instructions');
  });

  it('links to the page of the approval', async () => {
    sink = kind.make();
    const link = 'https://admin.example/guardrails/approvals/12';
    const payload = { ...deliveredEvent().payload, tool: 'refund', approval_id: 12 };
    for (const name of ['guardrails.tool.parked', 'guardrails.approval.escalated'] as const)
      await sink.deliver(deliveredEvent({ name, payload, link }));
    for (const text of await kind.arrived(2)) expect(text).toContain(link);
  });

  it('selects events by name, prefix and severity', () => {
    sink = kind.make({
      events: ['guardrails.approval.*', 'guardrails.settings.changed'],
      minimumSeverity: 'medium',
    });
    const selected = EVENT_NAMES.filter((name) => sink?.selects(name, severityOfEvent(name)));
    expect(selected).toEqual([
      'guardrails.approval.voted',
      'guardrails.approval.proposed',
      'guardrails.approval.reminded',
      'guardrails.approval.escalated',
      'guardrails.approval.decided',
      'guardrails.approval.failed',
      'guardrails.approval.outcome_unknown',
      'guardrails.approval.expired',
      'guardrails.approval.superseded',
      'guardrails.settings.changed',
    ]);
    expect(() => kind.make({ events: ['guardrails.aproval.*', 'guardrails.no.such' as never] })).toThrow(
      /selects guardrails\.no\.such, which is not an event/,
    );
  });

  it('hides its secrets from inspect and JSON', () => {
    sink = kind.make();
    const shown = `${inspect(sink, { depth: 9, showHidden: true })}${JSON.stringify(sink)}`;
    for (const secret of kind.secrets) expect(shown).not.toContain(secret);
  });
});

describe('webhook', () => {
  it('signs with each of two keys, verified by the standardwebhooks package', async () => {
    const sink = new WebhookSink({ ...httpOptions(), keys: [SECRET, OLD_SECRET] });
    await sink.deliver({ ...deliveredEvent(), occurredAt: new Date() });
    await sink.close();
    const { headers, body } = firstReceived();
    for (const key of [SECRET, OLD_SECRET]) {
      const verified = new Webhook(key).verify(body, headers as Record<string, string>);
      expect(verified).toMatchObject({
        specversion: '1.0',
        id: deliveredEvent().id,
        type: deliveredEvent().name,
      });
    }
    const other = `whsec_${Buffer.from('a-third-secret-that-signs-nothing').toString('base64')}`;
    expect(() => new Webhook(other).verify(body, headers as Record<string, string>)).toThrow();
    expect(headers['webhook-id']).toBe(deliveredEvent().id);
    expect(headers['content-type']).toBe('application/cloudevents+json');
  });

  it('signs with Ed25519', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
    const sink = new WebhookSink({ ...httpOptions(), keys: [`whsk_${seed.toString('base64')}`] });
    await sink.deliver(deliveredEvent());
    await sink.close();
    const { headers, body } = firstReceived();
    const [, signature = ''] = String(headers['webhook-signature']).split('v1a,');
    const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
    expect(verify(null, Buffer.from(content), publicKey, Buffer.from(signature, 'base64'))).toBe(true);
  });

  it.each([[[]], [['whsec_c2hvcnQ=']], [['secret']], [['whsk_c2hvcnQ=']]])('refuses the keys %j', (keys) => {
    const make = (): EventSink => new WebhookSink({ ...httpOptions(), keys });
    expect(make).toThrow(/the sink webhook/);
    expect(make).not.toThrow(/c2hvcnQ/);
  });
});

function firstReceived(): Received {
  const [received] = http.received;
  if (received === undefined) throw new Error('no request was received');
  return received;
}

const LONG = 'x<&>'.repeat(5000);

function oversizedEvent(): DeliveredEvent {
  const payload = {
    ...deliveredEvent().payload,
    rule_id: LONG,
    tool: LONG,
    application: LONG,
    principal_id: LONG,
    keys: [LONG],
  };
  return deliveredEvent({ payload, content: { ...CONTENT, prompt: LONG } });
}

describe('Slack', () => {
  it('stays within the limits of Block Kit and does not turn an id into a mention', () => {
    const { text, blocks } = slackMessage(oversizedEvent());
    expect(text.length).toBeLessThanOrEqual(3000);
    expect(blocks.length).toBeLessThanOrEqual(50);
    for (const block of blocks as { text?: { text: string }; fields?: { text: string }[] }[]) {
      expect(block.text?.text.length ?? 0).toBeLessThanOrEqual(3000);
      expect(block.fields?.length ?? 0).toBeLessThanOrEqual(10);
      for (const field of block.fields ?? []) expect(field.text.length).toBeLessThanOrEqual(2000);
    }
    const mention = slackMessage(deliveredEvent({ payload: { tool: '<!channel>' } }));
    expect(JSON.stringify(mention)).toContain('&lt;!channel&gt;');
    const texts = [...JSON.stringify(mention).matchAll(/"type":"mrkdwn"[^}]*}/g)];
    expect(texts.length).toBeGreaterThan(2);
    for (const [each] of texts) expect(each).toContain('"verbatim":true');
  });
});

describe('PagerDuty', () => {
  it('stays within the limits of Events v2', () => {
    const { payload, dedup_key: key } = pagerdutyEvent(oversizedEvent(), 'shop');
    expect(payload.summary.length).toBeLessThanOrEqual(1024);
    expect(key.length).toBeLessThanOrEqual(255);
    expect(JSON.stringify(pagerdutyEvent(oversizedEvent(), 'shop')).length).toBeLessThan(512 * 1024);
    expect(['critical', 'error', 'warning', 'info']).toContain(payload.severity);
    const lists = {
      rule_ids: Array.from({ length: 100_000 }, () => 'a-rule'),
      changes: [{ after: 'ü'.repeat(2 ** 20) }],
    };
    const long = Buffer.byteLength(
      JSON.stringify(pagerdutyEvent(deliveredEvent({ payload: lists }), 'shop')),
    );
    expect(long).toBeLessThan(512 * 1024);
  });

  it('groups events of the same rule and application into one incident', () => {
    const keyOf = (payload: object) =>
      pagerdutyEvent(
        deliveredEvent({ id: crypto.randomUUID(), payload: { ...deliveredEvent().payload, ...payload } }),
        'shop',
      ).dedup_key;
    expect(keyOf({ principal_id: 'customer-1' })).toBe(keyOf({ principal_id: 'customer-2' }));
    expect(keyOf({})).not.toBe(keyOf({ rule_id: 'another' }));
    expect(keyOf({})).not.toBe(keyOf({ application: 'another' }));
  });
});

describe('SIEM', () => {
  it('gets its token in the configured header', async () => {
    const accesses = [{ splunk: TOKEN }, { bearer: TOKEN }, { header: 'X-Api-Key', value: TOKEN }] as const;
    for (const access of accesses) {
      const sink = new SiemSink({ ...httpOptions(), access });
      await sink.deliver(deliveredEvent());
      await sink.close();
    }
    const [splunk, bearer, header] = http.received;
    expect(splunk?.headers.authorization).toBe(`Splunk ${TOKEN}`);
    expect(JSON.parse(splunk?.body ?? '')).toMatchObject({
      sourcetype: 'ocsf:json',
      event: { class_uid: 2004 },
    });
    expect(bearer?.headers.authorization).toBe(`Bearer ${TOKEN}`);
    expect(JSON.parse(bearer?.body ?? '')).toMatchObject({
      class_uid: 2004,
      type_uid: 200401,
      severity_id: 4,
    });
    expect(header?.headers['x-api-key']).toBe(TOKEN);
  });

  it('gets settings changes as API activity', async () => {
    const sink = new SiemSink({ ...httpOptions(), access: { bearer: TOKEN } });
    const payload = { actor_id: 'ops-1', revision: 3, request_id: 'req-1', keys: ['modes.hitl'] };
    await sink.deliver(deliveredEvent({ name: 'guardrails.settings.changed', severity: 'medium', payload }));
    await sink.close();
    expect(JSON.parse(http.received[0]?.body ?? '')).toMatchObject({
      class_uid: 6003,
      activity_id: 3,
      actor: { user: { uid: 'ops-1' } },
      api: { operation: 'guardrails.settings.changed', request: { uid: 'req-1' } },
      resources: [{ type: 'setting', name: 'modes.hitl' }],
    });
  });
});

describe('syslog', () => {
  it('writes frames that an independent parser accepts', async () => {
    const sink = KINDS['syslog over TCP']?.make();
    await sink?.deliver(deliveredEvent());
    await sink?.close();
    const [frame = ''] = await tcp.arrived(1);
    expect(frame).toMatch(/^<107>1 2026-03-10T12:00:00\.123Z \S+ nest-guardrails \d+ injection\.blocked \[/);
    const parsed = parseSyslog(frame);
    expect(parsed).toMatchObject({
      prival: 107,
      level: 'error',
      appName: 'nest-guardrails',
      messageid: 'injection.blocked',
    });
    expect(JSON.stringify(parsed.structuredData)).toContain(deliveredEvent().id);
    const json = frame.slice(frame.indexOf('\uFEFF') + 1);
    expect(JSON.parse(json)).toMatchObject({ specversion: '1.0', subject: 'principal:customer-42' });
  });

  it('escapes characters that end a parameter', async () => {
    const sink = KINDS['syslog over TCP']?.make();
    await sink?.deliver(deliveredEvent({ subject: 'principal:a"]\\b' }));
    await sink?.close();
    const [frame] = await tcp.arrived(1);
    expect(frame).toContain(String.raw`subject="principal:a\"\]\\b"] `);
  });

  it('replaces control characters of ids, which could forge log lines', async () => {
    const sink = KINDS['syslog over TCP']?.make();
    await sink?.deliver(deliveredEvent({ subject: 'principal:a\n<13>1 forged\u001b[2J\u2028\u009b' }));
    const [frame = ''] = await tcp.arrived(1);
    expect(frame).toContain('subject="principal:a_<13>1 forged_[2J__"');
    expect(frame.split('\uFEFF')[0]).not.toMatch(/[\p{Cc}\u2028]/u);
  });

  it('sends concurrent deliveries over one connection and fails all of them if the receiver did not read everything', async () => {
    const seen: string[] = [];
    let connections = 0;
    // Resets the first connection within a frame, with the rest unread.
    const receiver = createServer((socket) => {
      connections += 1;
      if (connections === 1) socket.once('data', () => socket.resetAndDestroy());
      else socket.setEncoding('utf8').on('data', (text: string) => seen.push(text));
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const { port } = receiver.address() as AddressInfo;
    const sink = new SyslogSink({ host: '127.0.0.1', port, transport: 'tcp', allow: HERE });
    const ids = Array.from({ length: 20 }, (_, at) => `event-${at}`);
    const deliverAll = () => Promise.allSettled(ids.map((id) => sink.deliver(deliveredEvent({ id }))));
    expect((await deliverAll()).map(({ status }) => status)).toEqual(ids.map(() => 'rejected'));
    expect((await deliverAll()).map(({ status }) => status)).toEqual(ids.map(() => 'fulfilled'));
    expect([...seen.join('').matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)).toEqual(ids);
    expect(connections).toBe(2);
    receiver.close();
  });

  it('fails if the receiver closes too early or never closes', async () => {
    for (const answer of [(socket: Socket) => socket.end(), (socket: Socket) => void socket.resume()]) {
      const receiver = createServer({ allowHalfOpen: true }, answer);
      await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
      const { port } = receiver.address() as AddressInfo;
      const sink = new SyslogSink({
        host: '127.0.0.1',
        port,
        transport: 'tcp',
        allow: HERE,
        timeoutMs: 200,
      });
      const big = deliveredEvent({ payload: { rule_ids: ['x'.repeat(20_000_000)] } });
      await expect(sink.deliver(big)).rejects.toThrow(/the receiver/);
      await sink.close();
      receiver.close();
    }
  });

  it('rejects deliveries after the receiver stopped', async () => {
    const receiver = await new FrameReceiver('tcp').start();
    const { port } = receiver;
    const sink = new SyslogSink({ host: '127.0.0.1', port, transport: 'tcp', allow: HERE });
    await sink.deliver(deliveredEvent({ id: 'one' }));
    await receiver.arrived(1);
    await receiver.stop();
    const failures = async (): Promise<string> => {
      for (;;) {
        try {
          await sink.deliver(deliveredEvent({ id: 'two' }));
        } catch (error) {
          return (error as Error).message;
        }
      }
    };
    expect(await failures()).toMatch(/the receiver/);
    await sink.close();
  });
});

describe('NATS', () => {
  it('publishes on a subject with the name of the event and with its id for deduplication', async () => {
    await KINDS['nats']?.make().deliver(deliveredEvent());
    expect(published).toMatchObject([
      { subject: 'audit.guardrails.injection.blocked', id: deliveredEvent().id },
    ]);
  });

  it('rejects a prefix that is not part of a valid subject', () => {
    const jetstream = { publish: () => Promise.resolve() };
    for (const subjectPrefix of ['', 'a b', '*', 'a..b', '.a', 'a.', '>', 'a.\n'])
      expect(() => new NatsSink({ jetstream, subjectPrefix })).toThrow(/subjectPrefix/);
  });

  it('rejects with its own message if the stream did not accept the event', async () => {
    const sink = new NatsSink({ jetstream: { publish: () => Promise.reject(new Error(`no ${TOKEN}`)) } });
    await expect(sink.deliver(deliveredEvent())).rejects.toThrow(/^JetStream did not accept the message/);
  });
});
