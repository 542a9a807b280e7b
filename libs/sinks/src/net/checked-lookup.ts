import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { AllowedAddresses } from './addresses.js';

export type Resolver = (
  host: string,
  options: LookupOptions & { readonly all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

export class RefusedAddressError extends Error {
  readonly code = 'ADDRESS_REFUSED';
}

/**
 * Resolves a name for one connection, which then goes to exactly the addresses that were checked: a name that
 * resolves to something else a moment later gains nothing. One inner address among them refuses them all.
 */
export function checkedLookup(allowed: AllowedAddresses, resolve: Resolver = systemLookup): LookupFunction {
  return (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, '', 0);
      const [first] = found;
      if (first === undefined || !found.every(({ address }) => allowed.allows(address)))
        return done(new RefusedAddressError(host), '', 0);
      if (options.all === true) return done(null, found);
      done(null, first.address, first.family);
    });
  };
}

/** An address in place of a name is never looked up, and has to be checked by itself. */
export function assertAllowedHost(host: string, allowed: AllowedAddresses): void {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare) !== 0 && !allowed.allows(bare)) throw new RefusedAddressError(host);
}
