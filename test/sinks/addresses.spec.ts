import { afterAll, describe, expect, it } from '@jest/globals';
import { AllowedAddresses, type Resolver } from '#sinks/allowed-addresses.js';
import { SlackSink, SyslogSink } from '#sinks/index.js';
import { answers, HERE, HttpReceiver } from '../support/receivers.js';
import { deliveredEvent } from '../support/delivered-event.js';

const NOT_PUBLIC = /the address of the receiver is not public/;

const receiver = await new HttpReceiver().start();

afterAll(() => receiver.stop());

async function deliverTo(
  url: string,
  more: { resolve?: Resolver; allow?: readonly string[] } = {},
): Promise<void> {
  const sink = new SlackSink({ url, allowPlainHttp: true, timeoutMs: 5000, ...more });
  try {
    await sink.deliver(deliveredEvent());
  } finally {
    await sink.close();
  }
}

const resolvesTo =
  (...answered: string[][]): Resolver =>
  (_host, _options, done) => {
    const addresses = answered.length > 1 ? answered.shift() : answered[0];
    done(
      null,
      (addresses ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };

describe('the addresses that a sink may connect to', () => {
  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '017700000001',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '0',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:a9fe:a9fe]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[2001::1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[fe80::1]',
    '[ff02::1]',
    '①②⑦.⓪.⓪.①',
  ])('refuses %s', async (host) => {
    await expect(deliverTo(`http://${host}:${receiver.port}/`)).rejects.toThrow(NOT_PUBLIC);
    expect(receiver.received).toEqual([]);
  });

  it.each(['localhost', 'localhost.', 'LOCALHOST'])('refuses the name %s', async (host) => {
    await expect(deliverTo(`http://${host}:${receiver.port}/`)).rejects.toThrow(/the receiver/);
    expect(receiver.received).toEqual([]);
  });

  it.each([
    ['a loopback address', ['127.0.0.1']],
    ['a mapped one', ['::ffff:127.0.0.1']],
    ['the metadata service', ['169.254.169.254']],
    ['an inner one behind a public one', ['93.184.216.34', '10.0.0.1']],
    ['nothing', []],
  ])('refuses a name that resolves to %s', async (_, addresses) => {
    const url = `http://receiver.example:${receiver.port}/`;
    await expect(deliverTo(url, { resolve: resolvesTo(addresses) })).rejects.toThrow(NOT_PUBLIC);
    expect(receiver.received).toEqual([]);
  });

  it('connects to the checked addresses, also if the name resolves differently afterwards', async () => {
    let asked = 0;
    const resolve: Resolver = (host, options, done) => {
      asked += 1;
      resolvesTo([asked === 1 ? '127.0.0.2' : '127.0.0.1'])(host, options, done);
    };
    // Only the first address is allowed, and it has no listener; the second address would receive the event.
    const url = `http://receiver.example:${receiver.port}/`;
    await expect(deliverTo(url, { resolve, allow: ['127.0.0.2'] })).rejects.toThrow(
      /^the receiver |^there is no way/,
    );
    expect([asked, receiver.received]).toEqual([1, []]);
  });

  it('checks each new connection, and refuses a name that starts to resolve to an inner address', async () => {
    const resolve = resolvesTo(['127.0.0.1'], ['127.0.0.3']);
    const url = `http://receiver.example:${receiver.port}/`;
    const options = { url, allowPlainHttp: true, allow: HERE, resolve };
    const sink = new SlackSink(options);
    receiver.answer = (_, response) => void response.writeHead(200, { connection: 'close' }).end();
    await sink.deliver(deliveredEvent());
    await expect(sink.deliver(deliveredEvent())).rejects.toThrow(NOT_PUBLIC);
    await sink.close();
    expect(receiver.received).toHaveLength(1);
    receiver.received.length = 0;
  });

  it.each([301, 302, 303, 307, 308])('follows no redirect (%s)', async (status) => {
    const inside = await new HttpReceiver().start();
    receiver.answer = answers(status, { location: inside.url });
    const delivered = deliverTo(receiver.url, { allow: HERE });
    await expect(delivered).rejects.toThrow(`the receiver answered ${status}: redirects are not followed`);
    expect(inside.received).toEqual([]);
    await inside.stop();
    receiver.received.length = 0;
  });

  it('refuses another scheme, and plain HTTP unless it is allowed', () => {
    for (const url of [
      'http://receiver.example/',
      'ftp://receiver.example/',
      'file:///etc/hosts',
      'receiver',
    ])
      expect(() => new SlackSink({ url })).toThrow(/begins with https/);
  });

  it('refuses inner addresses to syslog too', async () => {
    const sink = new SyslogSink({ host: '127.0.0.1', port: receiver.port, transport: 'tcp' });
    await expect(sink.deliver(deliveredEvent())).rejects.toThrow(NOT_PUBLIC);
    const named = new SyslogSink({
      host: 'receiver.example',
      port: receiver.port,
      transport: 'tcp',
      resolve: resolvesTo(['::1']),
    });
    await expect(named.deliver(deliveredEvent())).rejects.toThrow(NOT_PUBLIC);
  });
});

describe('addresses that the deployer allows', () => {
  it('are exactly the listed addresses and networks', () => {
    const allowed = new AllowedAddresses(['10.20.0.0/16', '127.0.0.1', 'fd12::/16', '::1']);
    for (const address of [
      '10.20.3.4',
      '127.0.0.1',
      '::ffff:10.20.0.1',
      '0:0:0:0:0:ffff:a14:1',
      '::ffff:93.184.216.34',
      'fd12::7',
      '::1',
      '93.184.216.34',
      '2606:2800:220:1::1',
    ])
      expect([address, allowed.allows(address)]).toEqual([address, true]);
    for (const address of [
      '10.21.0.1',
      '::ffff:10.21.0.1',
      '0:0:0:0:0:ffff:7f00:2',
      '127.0.0.2',
      'fd13::1',
      '::2',
      'fe80::1%eth0',
      'receiver.example',
      '127.1',
      '',
    ])
      expect([address, allowed.allows(address)]).toEqual([address, false]);
  });

  it.each(['10.0.0.0/33', '10.0.0', 'receiver.example', '10.0.0.0/8/8', 'fd00::/129', '10.0.0.0/'])(
    'cannot be given as %s',
    (network) => {
      expect(() => new AllowedAddresses([network])).toThrow(/neither an address nor a network/);
    },
  );
});
