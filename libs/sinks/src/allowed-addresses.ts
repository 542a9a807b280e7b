// Connections to receivers: which addresses they may have, and what is said of one that fails.
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { ConfigurationError } from '#contracts/common/errors.js';
import { DeliveryError } from '#contracts/events/event-sink.js';

/** Addresses that are not globally reachable or not unicast (RFC 6890 and successors). */
const NON_PUBLIC_V4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Non-public networks within 2000::/3: protocol assignments and tunnels, documentation, and 6to4, which embeds an IPv4 address. */
const NON_PUBLIC_V6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const nonPublic = new BlockList();
for (const [network, prefix] of NON_PUBLIC_V4) nonPublic.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of NON_PUBLIC_V6) nonPublic.addSubnet(network, prefix, 'ipv6');
const global = new BlockList();
global.addSubnet('2000::', 3, 'ipv6');
// A BlockList checks an IPv6 address that contains an IPv4 address against the IPv4 networks as well.
global.addSubnet('::ffff:0:0', 96, 'ipv6');

/** The addresses that a sink may connect to: public ones and those that the deployer allows. */
export class AllowedAddresses {
  private readonly named = new BlockList();

  /** `networks` are addresses and networks such as `10.20.0.0/16`, `fd12::/16` or `127.0.0.1`. */
  constructor(networks: readonly string[] = []) {
    const wrong = networks.filter((network) => !this.add(network));
    if (wrong.length > 0)
      throw new ConfigurationError(
        wrong.map(
          (network) => `allow of a sink: ${network} is neither an address nor a network such as 10.20.0.0/16`,
        ),
      );
  }

  /** Returns false for a text that is not an address in the usual notation. */
  allows(address: string): boolean {
    const version = isIP(address);
    if (version === 0) return false;
    const family = version === 4 ? 'ipv4' : 'ipv6';
    if (this.named.check(address, family)) return true;
    if (version === 6 && !global.check(address, family)) return false;
    return !nonPublic.check(address, family);
  }

  private add(network: string): boolean {
    const [address = '', prefix, ...more] = network.split('/');
    const version = isIP(address);
    const longest = version === 4 ? 32 : 128;
    const length = prefix === undefined ? longest : Number(/^\d{1,3}$/.test(prefix) ? prefix : Number.NaN);
    if (version === 0 || more.length > 0 || !(length <= longest)) return false;
    this.named.addSubnet(address, length, version === 4 ? 'ipv4' : 'ipv6');
    return true;
  }
}

export type Resolver = (
  host: string,
  options: LookupOptions & { readonly all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

class RefusedAddressError extends Error {
  readonly code = 'ADDRESS_REFUSED';
}

/**
 * Resolves and checks a host name for one connection, which uses exactly the checked addresses. So a name that resolves
 * differently afterwards (DNS rebinding) has no effect. One refused address refuses the connection.
 */
export function checkedLookup(allowed: AllowedAddresses, resolve: Resolver = systemLookup): LookupFunction {
  return (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, '', 0);
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => allowed.allows(address)))
        return done(new RefusedAddressError(host), '', 0);
      if (options.all === true) return done(null, addresses);
      done(null, first.address, first.family);
    });
  };
}

/** Checks a host that is an address, because addresses are not resolved. */
export function assertAllowedHost(host: string, allowed: AllowedAddresses): void {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare) !== 0 && !allowed.allows(bare)) throw new RefusedAddressError(host);
}

/** Messages per error code. They contain neither the address nor anything that the receiver sent. */
const MESSAGES: Readonly<Record<string, string>> = {
  ADDRESS_REFUSED: 'the address of the receiver is not public; add it to `allow` if this is intended',
  ECONNREFUSED: 'the receiver refused the connection',
  ECONNRESET: 'the receiver closed the connection',
  EPIPE: 'the receiver closed the connection',
  ENOTFOUND: 'the host name of the receiver does not exist',
  EAI_AGAIN: 'the host name of the receiver cannot be resolved at the moment',
  ETIMEDOUT: 'the receiver did not respond',
  ABORT_ERR: 'the receiver did not respond in time',
  EHOSTUNREACH: 'there is no route to the receiver',
  ENETUNREACH: 'there is no route to the receiver',
};

const UNTRUSTED = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_)/;

/** The error of a delivery whose connection failed. */
export function deliveryFailure(error: unknown): DeliveryError {
  if (error instanceof DeliveryError) return error;
  const { code } = error as { readonly code?: unknown };
  const name = typeof code === 'string' && /^[A-Z_0-9]{1,60}$/.test(code) ? code : 'unknown';
  if (UNTRUSTED.test(name))
    return new DeliveryError(`the certificate of the receiver is not trusted (${name})`);
  return new DeliveryError(MESSAGES[name] ?? `the receiver cannot be reached (${name})`);
}
