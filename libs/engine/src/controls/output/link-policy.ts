/** Which addresses may stay. HTML, Markdown, TeX and diagrams ask the same policy. */
import { endOf, matchAt } from '../../text/next-match.js';

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

/** The address of another site, or one that is read as such after decoding. */
const FOREIGN = /^(?:https?:|[\\&]|\/[/\\&\t])/i;
/** What precedes the host, the host, and the path. No user, and nothing that renderers decode in the host. */
const PARTS = /^((?:https?:)?\/\/)([^/?#\\&@]{1,300})(?=[/?#]|$)([^?#]*)/i;
/** What no name of a host contains, and what no path of one entry contains. Some renderers end the address there. */
const ENDS_HOST = /[^\p{L}\p{N}\p{M}.-]/gu;
const ENDS_PATH = /[^\p{L}\p{N}\p{M}\-./_~%+=&@:]/gu;
/** Behind a character that ends the host for some renderer, what can be a domain for another one. */
const DOMAIN = /[.%\u3002]\S/;
/** Renderers and servers differ in whether they decode these before they look at the path. */
const CLOSED_PATH = /[\\&]|%(?:25)*(?:2e|2f|5c)/i;
const MAX_ADDRESS = 1000;
const LINE = /[^\r\n]{0,1000}/y;
const WORD = /\S{0,1000}/y;
const IN_BRACKETS = /[^>\r\n]{0,1000}>\S{0,1000}/y;
const MAX_READINGS = 64;

/** Decides which targets may stay. A target is accepted only in a form that every reader understands alike. */
export class LinkPolicy {
  /** Host and beginning of the path, with a dot before if all hosts below are allowed, and whether images keep their queries. */
  private readonly entries: readonly (readonly [beginning: string, isSigned: boolean])[];
  /** Whether links are limited to named hosts; bare addresses are judged then, too. */
  readonly namesHosts: boolean;

  /**
   * @param allowed hosts, or `*.` and a domain for all below it, each with the beginning of a path or without. With none,
   *   every ordinary link stays, and no foreign image.
   */
  constructor(allowed: readonly string[]) {
    this.namesHosts = allowed.length > 0;
    this.entries = allowed.map((entry) => {
      const [, below = '', address = '', mark] = /^\*?(\.?)(.*?)(\??)$/.exec(entry.trim()) ?? [];
      const { hostname = '', pathname = '' } = parsed(`https://${address}`) ?? {};
      return [below + hostname + pathname.replace(/\/?$/, '/'), mark === '?'];
    });
  }

  /** Whether the target that begins at `at` must not be followed. Only http, https, mailto, tel and relative ones may. */
  forbidsLink(text: string, at: number): boolean {
    const start = endOf(LEADING, text, at);
    // More of it hides the target.
    if (LEADS_ON.test(text.charAt(start))) return true;
    const head = matchAt(SCHEME_OR_DISGUISE, text, start).replace(FROM_BLANK_LINE, '');
    if (head.length >= MAX_HEAD) return true;
    if (text[start + head.length] === ':') {
      if (!ORDINARY.test(head)) return true;
      // A blank or a line end after a path hides nothing.
    } else if (DISGUISE.test(head)) return !/^[A-Za-z0-9+.\-%]*\s+$/.test(head);
    return this.namesHosts && FOREIGN.test(text.slice(start, start + 8)) && !this.allows(targetAt(text, at));
  }

  /**
   * Whether the target that begins at `at` would be fetched from another site as soon as it is shown.
   *
   * @param hasQuery its query is sent, too
   */
  forbidsImage(text: string, at: number, hasQuery = true): boolean {
    return endOf(LOCAL, text, at) < 0 && !(this.namesHosts && this.allows(targetAt(text, at), hasQuery));
  }

  /** The end of the text that the decision about the target at `at` depends on. */
  reach(text: string, at: number): number {
    return this.namesHosts ? endOf(LEADING, text, at) + targetAt(text, at).length + 1 : at;
  }

  /**
   * Whether the address of another site may stay, wherever a renderer ends it.
   *
   * @param isImage its query and its fragment carry data out without a click
   */
  allows(address: string, isImage = false): boolean {
    const [, before = '', name = '', path = ''] = PARTS.exec(address) ?? [];
    if (name === '') return false;
    const behind = before.length + name.length;
    const hasPaths = this.entries.some(([beginning]) => /\/./.test(beginning));
    const ends = [...endsIn(ENDS_HOST, name, before.length), hasPaths ? address.length : behind];
    // No domain of the top level has such a character, so every renderer ends the address before it.
    if (path === '' && !DOMAIN.test(address.slice(ends[0], behind).normalize('NFKC'))) ends.length = 1;
    if (hasPaths) ends.push(...endsIn(ENDS_PATH, path, behind));
    if (ends.length > MAX_READINGS) return false;
    const isClosed = CLOSED_PATH.test(path) || address.length >= MAX_ADDRESS;
    const needsSignature = isImage && /^[^\s<>"]*[?#]/.test(address);
    return ends.every((end) => {
      const { hostname = '', pathname = '' } = parsed(address.slice(0, end)) ?? {};
      const host = path === '' ? hostname.replace(/\.$/, '') : hostname;
      return this.entries.some(([beginning, isSigned]) => {
        const place = `${host}${pathname}/`.indexOf(beginning);
        const isHost = place < host.length && (place === 0 || (place > 0 && beginning.startsWith('.')));
        return isHost && (isSigned || !needsSignature) && !(isClosed && /\/./.test(beginning));
      });
    });
  }
}

function parsed(address: string): URL | null {
  const absolute = address.startsWith('//') ? `https:${address}` : address;
  return URL.canParse(absolute) ? new URL(absolute) : null;
}

function endsIn(pattern: RegExp, part: string, offset: number) {
  return Array.from(part.matchAll(pattern), ({ index }) => offset + index);
}

/** The longest target that a renderer reads at `at`: in parentheses, in a definition, or a word. */
export function targetAt(text: string, at: number): string {
  const opener = text[at - 1];
  const start = endOf(LEADING, text, at);
  const bracketed = text[start - 1] === '<' ? matchAt(IN_BRACKETS, text, start) : '';
  if (bracketed !== '') return bracketed;
  const line = matchAt(opener === '(' || opener === ':' ? LINE : WORD, text, start);
  let depth = opener === '(' ? 1 : Infinity;
  for (let end = 0; end < line.length; end++) {
    depth += line[end] === '(' ? 1 : line[end] === ')' ? -1 : 0;
    if (depth === 0) return line.slice(0, end);
  }
  return line;
}
