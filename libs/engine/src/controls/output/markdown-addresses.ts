/** Addresses without marks, which many renderers make links of. A part of the Markdown pass. */
import type { Utf16Span } from '#contracts/common/spans.js';
import { isAsciiPunctuation } from '../../text/characters.js';
import { type LinkPolicy, targetAt } from './link-policy.js';
import type { MarkdownText } from './markdown-text.js';
import { matchAt, NextMatch } from '../../text/next-match.js';

const LINK_REMOVED = '[link removed]';

const SCHEME_UNIT = /[A-Za-z0-9+.\-\u0080-\uffff]/;
const SCHEME_END = /[A-Za-z0-9+.\-\u0080-\uffff]*$/;
/** A plus, a hyphen or a digit of a scheme. References of letters and dots are broken everywhere. */
const SCHEME_REFERENCE = /&(?:#0{0,9}(?:4[3589]|5[0-7])|#[xX]0{0,9}(?:2[bBdD]|3\d)|plus);/g;
const ENDS_WITH_REFERENCE = new RegExp(`${SCHEME_REFERENCE.source}$`);
const MAX_REFERENCE = 16;
const ESCAPE = /\\(?=[!-/:-@[-`{-~]|$)/g;
const MAX_SCHEME = 40;
const WEB_SCHEME = /(?:^|[^A-Za-z])https?$/i;
/** Schemes that only programs read: no system opens anything for them. */
const INERT_SCHEME =
  /(?:^|[^\0-\x7f])(?:amqps?|arn|bolt|cassandra|clickhouse|cockroachdb|couchdb|docker|elasticsearch|gs|git\+(?:file|https?|ssh)|grpcs?|hdfs|http2|jdbc|kafka|mariadb|memcached?|mongodb|mqtts?|mssql|mysqlx?|nats|neo4js?|node|npm|oci|odbc|oracle|otlp|postgres(?:ql)?|rediss?|s3a?|sqlite3?|sqlserver|tcp|udp|unix|urn|wss?)(?:\+[a-z\d]{1,20})?$/i;
/** The user and the sign before the host of an address such as `git@git.example:team/app.git`. */
const ENDS_USER = /[A-Za-z0-9]@$/;
const ENDS_LABEL = /[\s.<>()[\]"'`]/g;
/** Domains may have letters of every script. */
const DOT_AND_LETTER = /^\.(?:[A-Za-z]|[^\0-\x7f])/;
/** The longest label of a domain that some renderer makes a link of. */
const MAX_DOMAIN_LABEL = 60;

/** Breaks addresses in text that renderers make links of. */
export class MarkdownAddresses {
  private readonly labelEnds: NextMatch;

  /** @param before the end of the text before */
  constructor(
    private readonly markdown: MarkdownText,
    private readonly before: string,
  ) {
    this.labelEnds = new NextMatch(ENDS_LABEL, markdown.text);
  }

  judge([start, end]: Utf16Span): void {
    const { markdown, before } = this;
    const { text, stretch, policy } = markdown;
    const goesOn = stretch.judged < text.length;
    let at = start;
    for (;;) {
      const address = bareAddress(policy, text, at, end, at === 0 ? before : '', goesOn);
      if (address === null) return;
      const { span, isAllowed, isExplicit, seenUntil } = address;
      at = Math.max(span[1], at + 1);
      markdown.see(span[0], seenUntil);
      if (isAllowed || markdown.overlapsEdit(span)) continue;
      markdown.replace(span, isExplicit ? LINK_REMOVED : text.slice(...span).replaceAll('.', '. '));
    }
  }

  /** Some renderers link every bare address with any scheme. A blank prevents that, and a reader sees it. */
  judgeScheme(at: number): void {
    const { markdown } = this;
    const start = this.startOfScheme(at);
    const scheme = this.schemeIn(start, at);
    const { text } = markdown;
    const user = (start < 2 ? this.before : '') + text.slice(Math.max(0, start - 2), start);
    markdown.see(start, at + 64);
    const isFollowed = /[/\\]/.test(text.charAt(at + 1));
    const isHarmless = isFollowed
      ? WEB_SCHEME.test(scheme)
      : ENDS_USER.test(user) || !this.isGuessed(scheme, at + 1);
    if (isHarmless || INERT_SCHEME.test(scheme)) return;
    markdown.replace([at, at + 1], ': ');
  }

  private startOfScheme(at: number) {
    const { text } = this.markdown;
    let start = at;
    while (start > 0 && at - start < MAX_SCHEME) {
      const unit = text.charAt(start - 1);
      const isUnit = SCHEME_UNIT.test(unit) || (unit === '\\' && isAsciiPunctuation(text.charCodeAt(start)));
      const length = isUnit ? 1 : unit === ';' ? this.referenceBefore(start) : 0;
      if (length === 0) break;
      start -= length;
    }
    return start;
  }

  private referenceBefore(end: number) {
    const [reference = ''] =
      ENDS_WITH_REFERENCE.exec(this.markdown.text.slice(Math.max(0, end - MAX_REFERENCE), end)) ?? [];
    return reference.length;
  }

  /** The text as rendered. A character reference counts as two units. */
  private schemeIn(start: number, end: number) {
    const [released = ''] = start > 0 ? [] : (SCHEME_END.exec(this.before) ?? []);
    const written = released + this.markdown.text.slice(start, end);
    // Most have neither.
    return /[&\\]/.test(written)
      ? written.replaceAll(SCHEME_REFERENCE, 'x.').replaceAll(ESCAPE, '')
      : written;
  }

  /** Some renderers make a link of any word, colon and domain. */
  private isGuessed(scheme: string, at: number) {
    if (/^(?:mailto|tel)$/i.test(scheme) || !/[A-Za-z]/.test(scheme)) return false;
    if (/^https?$/i.test(scheme) && !this.markdown.policy.namesHosts) return false;
    if (scheme.includes('.')) return true;
    const end = this.labelEnds.from(at);
    return (
      end > at && end - at <= MAX_DOMAIN_LABEL && DOT_AND_LETTER.test(this.markdown.text.slice(end, end + 2))
    );
  }
}

const EXPLICIT = String.raw`(?:https?|ftp)\\?:\\?\/\\?\/|(?<![A-Za-z0-9])www\\?\.|www\\?\.(?=[\p{L}\p{N}])|(?<![A-Za-z0-9:/])\/\/(?=[^\s/<>]{1,63}\.\p{L}|\[[\da-f:])`;
/** Some renderers accept symbols in a domain, except those that no address may contain. */
const SYMBOL = String.raw`(?![<>^|\x60])\p{S}`;
/** Renderers that guess addresses accept these domains of the top level, and those of countries. */
const GUESSED = String.raw`(?<![\p{L}\p{N}])(?<![\p{L}\p{N}][._-]{1,8})(?<![\p{L}\p{N}_.%+-]@)(?:(?:[\p{L}\p{N}]|${SYMBOL})(?:[\p{L}\p{N}_-]|${SYMBOL}){0,62}\.){1,8}(?:biz|com|edu|gov|net|org|pro|web|xxx|aero|asia|coop|info|museum|name|shop|рф|a[cdefgilmnoqrstuwxz]|b[abdefghijmnorstvwyz]|c[acdfghiklmnoruvwxyz]|d[ejkmoz]|e[cegrstu]|f[ijkmor]|g[abdefghilmnpqrstuwy]|h[kmnrtu]|i[delmnoqrst]|j[emop]|k[eghimnprwyz]|l[abcikrstuvy]|m[acdeghklmnopqrstuvwxyz]|n[acefgilopruz]|om|p[aefghklmnrstwy]|qa|r[eosuw]|s[abcdeghijklmnorstuvxyz]|t[cdfghjklmnortvwz]|u[agksyz]|v[aceginu]|w[fs]|y[et]|z[amw]|xn--[a-z0-9-]{1,59})(?![\p{L}\p{N}_-])`;
const BEGINS = new RegExp(`(${EXPLICIT})|${GUESSED}`, 'giu');
const ADDRESS = /[^\s<>"'`[\]]+/y;
/** Also the signs at which some renderers end an address. */
const READINGS = /(?:[^\s<]|\u00a0){1,1000}(?:<[^\s/]{0,300}@)?/y;
/** Up to the next address that some renderer could read. */
const ALLOWED =
  /(?:https?:\/\/|\/\/)?[\p{L}\p{N}\p{M}.-]*(?:[/?#:](?:[^\s<>"'`[\])({}|*,;^$\\\uff5c]|[({}|*,;^$\\\uff5c](?!https?:|ftp:|www\.|\/\/))*)?/iuy;
/** What every renderer takes for the label of a link, before an address in it or in the target. */
const LABEL_BEFORE = /(?<!\\)\[[^[\]`\\<>$|\n]{0,300}(\]\()?$/;
const MAX_LABEL = 304;
const IN_LABEL = /[^\s<>[\]`\\$|]{1,1000}(?=\]\([^\s()<>\\]*\))/y;
/** The path of an address without a scheme. */
const PATH = /[/:?#][^\s<]*/y;

interface BareAddress {
  readonly span: Utf16Span;
  readonly isAllowed: boolean;
  /** It has a scheme, `www.` or `//`. */
  readonly isExplicit: boolean;
  /** The end of the text that the host depends on. */
  readonly seenUntil: number;
}

/**
 * The first address in the text from `at` up to `end` that renderers make a link of. It may have begun in `before`,
 * the end of the preceding text.
 */
function bareAddress(
  policy: LinkPolicy,
  text: string,
  at: number,
  end: number,
  before: string,
  goesOn: boolean,
): BareAddress | null {
  const whole = before + text;
  const known = before.length;
  BEGINS.lastIndex = at + (at === 0 ? 0 : known);
  let found = BEGINS.exec(whole);
  while (found !== null && BEGINS.lastIndex <= known) found = BEGINS.exec(whole);
  if (found === null || found.index - known >= end) return null;
  const { index: start } = found;
  const isExplicit = found[1] !== undefined;
  const readings = isExplicit
    ? readingsAt(whole, start)
    : `http://${found[0]}${matchAt(PATH, whole, start + found[0].length)}`;
  const isAllowed = policy.allows(/^www\./i.test(readings) ? `http://${readings}` : readings);
  // Only up to where another address may begin.
  const pattern = isAllowed ? ALLOWED : ADDRESS;
  const written = isExplicit ? matchAt(pattern, whole, start) : found[0];
  const isCut = goesOn && start + written.length === whole.length;
  const address = isCut || isAllowed || !isExplicit ? written : withoutPunctuation(written);
  const stop = start + Math.max(address.length, found[0].length) - known;
  return {
    span: [Math.max(0, start - known), stop],
    isAllowed,
    isExplicit,
    seenUntil: start + readings.length + 1 - known,
  };
}

/** The longest address that some renderer reads. */
function readingsAt(text: string, start: number) {
  const label = LABEL_BEFORE.exec(text.slice(Math.max(0, start - MAX_LABEL), start));
  if (label?.[1] !== undefined) return targetAt(text, start);
  return (label === null ? '' : matchAt(IN_LABEL, text, start)) || matchAt(READINGS, text, start);
}

/** Without the punctuation that ends a sentence rather than an address. */
function withoutPunctuation(address: string) {
  return address.replace(address.includes('(') ? /[?!.,:;*_~]+$/ : /[?!.,:;*_~)]+$/, '');
}
