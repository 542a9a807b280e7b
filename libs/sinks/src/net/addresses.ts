import { BlockList, isIP } from 'node:net';
import { ConfigurationError } from '../../../contracts/src/errors.js';

/** Not reachable from everywhere, or not a host at all: RFC 6890 and its successors. */
const INNER_V4: readonly (readonly [network: string, prefix: number])[] = [
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

/** Within what is global: protocol assignments and tunnels, documentation, 6to4, which hides an address of version 4. */
const INNER_V6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const inner = new BlockList();
for (const [network, prefix] of INNER_V4) inner.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of INNER_V6) inner.addSubnet(network, prefix, 'ipv6');
const global = new BlockList();
global.addSubnet('2000::', 3, 'ipv6');

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const MAPPED_IN_HEX = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i;

/** Which addresses a sink may speak to: those of the public internet, and what the deployer names beside them. */
export class AllowedAddresses {
  private readonly named = new BlockList();

  /** Addresses and networks, such as `10.20.0.0/16`, `fd12::/16` or `127.0.0.1`. */
  constructor(networks: readonly string[] = []) {
    const wrong = networks.filter((network) => !this.add(network));
    if (wrong.length > 0)
      throw new ConfigurationError(
        wrong.map(
          (network) => `a sink's allow: ${network} is no address and no network such as 10.20.0.0/16`,
        ),
      );
  }

  /** What is no address in the usual notation is not allowed. */
  allows(address: string): boolean {
    const plain = unmapped(address);
    const version = isIP(plain);
    if (version === 0) return false;
    const family = version === 4 ? 'ipv4' : 'ipv6';
    if (this.named.check(plain, family)) return true;
    if (version === 6 && !global.check(plain, family)) return false;
    return !inner.check(plain, family);
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

/** An address of version 4 in the clothes of version 6 is judged as what it is. */
function unmapped(address: string): string {
  const [, dotted] = MAPPED.exec(address) ?? [];
  if (dotted !== undefined) return dotted;
  const [, high, low] = MAPPED_IN_HEX.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  const bytes = [high, low].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
  return bytes.join('.');
}
