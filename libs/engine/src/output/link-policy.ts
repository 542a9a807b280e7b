/** A longer scheme, host or path is refused: no renderer needs one, and a bound keeps every test linear. */
const MAX_HEAD = 300;

/** U+2424 is a line end to some renderers. */
const LEADING = /[\s>\u2424]{0,64}<?[ \t]{0,64}/y;
const LEADS_ON = /[\s>\u2424]/;
/** Letters of a scheme, and all characters that some reader decodes or ignores inside it. */
const SCHEME_OR_DISGUISE = /[A-Za-z0-9+.\-%\\&;\p{Cc}\p{Cf}]{0,300}/uy;
/** No address continues after a blank line, and the text after it may not have arrived. */
const FROM_BLANK_LINE = /(?:\n|\r(?!\n))\t*[\r\n][^]*$/;
const DISGUISE = /[\\&\p{Cc}\p{Cf}]/u;
const ORDINARY = /^(?:https?|mailto|tel)$/i;

/** A path on the same site. It has no query, so it cannot carry data. */
const LOCAL = /[ \t\n]{0,64}\.{0,2}\/?[A-Za-z0-9_\-.][A-Za-z0-9_\-./]{0,300}(?=[\s)]|$)/y;

/** No user, no escapes, letters of ASCII. */
const PLAIN_HOST = /https?:\/\/([a-z0-9.-]{1,253})(?::\d{1,5})?(?=[/?#)>\s]|$)/iy;
const NAMES_HOST = /^(?:https?:|[/\\]{2}|[/\\&])/i;

/** Decides which targets may stay. A target is accepted only in a form that every reader understands alike. */
export class LinkPolicy {
  private readonly hosts: ReadonlySet<string>;
  private readonly domains: readonly string[];

  /** Hosts, or `*.` and a domain for all below it. With none, every ordinary link stays, and no foreign image. */
  constructor(allowed: readonly string[]) {
    const names = allowed.map((name) => name.trim().toLowerCase());
    this.hosts = new Set(names.filter((name) => !name.startsWith('*.')));
    this.domains = names.filter((name) => name.startsWith('*.')).map((name) => name.slice(1));
  }

  /** Whether links are limited to named hosts; bare addresses are judged then, too. */
  get namesHosts(): boolean {
    return this.hosts.size > 0 || this.domains.length > 0;
  }

  /** Whether the target that begins at `at` must not be followed. Only http, https, mailto, tel and relative ones may. */
  forbidsLink(text: string, at: number): boolean {
    const start = at + lengthAt(LEADING, text, at);
    // More of it hides the target.
    if (LEADS_ON.test(text.charAt(start))) return true;
    const head = matchAt(SCHEME_OR_DISGUISE, text, start).replace(FROM_BLANK_LINE, '');
    if (head.length >= MAX_HEAD) return true;
    if (text[start + head.length] === ':') {
      if (!ORDINARY.test(head)) return true;
    } else if (DISGUISE.test(head)) return !isPlainQuery(head);
    if (!this.namesHosts) return false;
    const isForeign =
      NAMES_HOST.test(text.slice(start, start + 8)) && !/^\/[^/\\&]/.test(text.slice(start, start + 2));
    return isForeign && !this.allows(hostAt(text, start));
  }

  /** Whether the target that begins at `at` would be fetched from another site as soon as it is shown. */
  forbidsImage(text: string, at: number): boolean {
    if (matches(LOCAL, text, at)) return false;
    return !this.namesHosts || !this.allows(hostAt(text, at + lengthAt(LEADING, text, at)));
  }

  /** Whether a host is on the list; `null`: the host could not be read. */
  allows(host: string | null): boolean {
    if (host === null) return false;
    return this.hosts.has(host) || this.domains.some((domain) => host.endsWith(domain));
  }
}

/** The host of an address with a scheme; `null` where it can be read in more than one way. */
export function hostAt(text: string, at: number): string | null {
  PLAIN_HOST.lastIndex = at;
  return PLAIN_HOST.exec(text)?.[1]?.toLowerCase() ?? null;
}

/** `a&b` is not an entity, and a blank or a line end after a path hides nothing. */
function isPlainQuery(head: string): boolean {
  return /^[A-Za-z0-9+.\-%]*\s+$/.test(head) || head === '';
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

function lengthAt(pattern: RegExp, text: string, at: number): number {
  return matchAt(pattern, text, at).length;
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
