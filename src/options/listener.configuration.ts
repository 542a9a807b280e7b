import { isIPv6 } from 'node:net';
import type { ListenOptions } from './guardrails-api.options.js';

/** The own listener of the API, as configured in `api.listen`. */
export interface ListenerConfiguration {
  readonly port: number;
  readonly host: string;
  /** The values of a `Host` header, without a port, that are served. */
  readonly hosts: readonly string[];
}

/** Checks `api.listen`, and returns the reasons why it cannot be used. */
export function configureListener(options: ListenOptions): {
  readonly listener: ListenerConfiguration;
  readonly reasons: readonly string[];
} {
  const { port, host = '127.0.0.1', hosts } = options;
  const reasons: string[] = [];
  if (hosts !== undefined && !Array.isArray(hosts)) {
    reasons.push("api.listen.hosts must be a list: write hosts: ['guardrails.internal']");
  }
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    reasons.push(`api.listen.port is ${JSON.stringify(port)}: write a whole number from 0 to 65535`);
  }
  if (hosts === undefined && isWildcard(host)) {
    reasons.push(
      `api.listen.host ${JSON.stringify(host)} means every address of the machine: also write hosts: ['guardrails.internal'], the names under which clients reach it`,
    );
  }
  const given = Array.isArray(hosts) ? (hosts as readonly unknown[]) : [host, 'localhost'];
  const names = given.map((name) => [name, hostnameOf(bracketed(name))] as const);
  for (const [name, parsed] of names) {
    if (parsed !== null) continue;
    reasons.push(
      `api.listen ${JSON.stringify(name)} is not the name or address of a host: write one without scheme and path, such as 'guardrails.internal'`,
    );
  }
  return { listener: { port, host, hosts: names.flatMap(([, name]) => name ?? []) }, reasons };
}

/** The host of a `Host` header in lower case, without its port; `null` if it is not valid. */
export function hostnameOf(header: string): string | null {
  const address = `http://${header}`;
  return /^[^\s/?#@\\]+$/.test(header) && URL.canParse(address) ? new URL(address).hostname : null;
}

export function bracketed(host: unknown): string {
  const text = typeof host === 'string' ? host : '';
  return isIPv6(text) ? `[${text}]` : text;
}

function isWildcard(host: string) {
  return host === '0.0.0.0' || (isIPv6(host) && hostnameOf(`[${host}]`) === '[::]');
}
