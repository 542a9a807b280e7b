import { hostAt, isLocalTarget, leadsElsewhere, schemeAt } from './link-target.js';

const RUNS_CODE = /^(?:javascript|data|vbscript):/;
const ORDINARY = /^(?:https?|mailto|tel):/;

/** Which targets may stay. */
export class LinkPolicy {
  private readonly hosts: ReadonlySet<string>;
  private readonly domains: readonly string[];

  /** Hosts, or `*.` and a domain for all below it. With none, every ordinary link stays, and no image from elsewhere. */
  constructor(allowed: readonly string[]) {
    const names = allowed.map((name) => name.trim().toLowerCase());
    this.hosts = new Set(names.filter((name) => !name.startsWith('*.')));
    this.domains = names.filter((name) => name.startsWith('*.')).map((name) => name.slice(1));
  }

  /** Whether bare addresses are looked at as well. */
  get namesHosts(): boolean {
    return this.hosts.size > 0 || this.domains.length > 0;
  }

  /** Of a target that begins behind `](`, and is a link only where it is closed. */
  forbidsLink(text: string, at: number, mayBeClosed: boolean): boolean {
    const scheme = schemeAt(text, at);
    if (scheme === null || RUNS_CODE.test(scheme)) return true;
    const isOrdinary = scheme === '' || ORDINARY.test(scheme);
    return (!isOrdinary || this.leadsAstray(text, at)) && mayBeClosed;
  }

  /** Of a target that begins behind `]:`. */
  forbidsDefinition(text: string, at: number): boolean {
    const scheme = schemeAt(text, at);
    return scheme === null || RUNS_CODE.test(scheme) || this.leadsAstray(text, at);
  }

  /** Of a target that would be fetched as soon as it is shown. */
  forbidsImage(text: string, at: number): boolean {
    return !isLocalTarget(text, at) && !(this.namesHosts && this.knows(hostAt(text, at)));
  }

  knows(host: string | null): boolean {
    if (host === null) return false;
    return this.hosts.has(host) || this.domains.some((domain) => host.endsWith(domain));
  }

  private leadsAstray(text: string, at: number): boolean {
    return this.namesHosts && leadsElsewhere(text, at) && !this.knows(hostAt(text, at));
  }
}
