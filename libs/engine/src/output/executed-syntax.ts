import type { LinkPolicy } from './link-policy.js';
import type { NextMatch } from './next-match.js';

/*
 * Syntax that other programs execute in a rendered text: KaTeX and MathJax (TeX), Mermaid (diagrams), and plug-ins that
 * turn directives into elements. Each rule reads only a few characters, so that no grammar can evade it.
 */

export interface Change {
  readonly from: number;
  readonly to: number;
  readonly replacement: string;
}

const TEX =
  /\\(?:(?:href|html(?:Class|Id|Style|Data|Extended)|includegraphics|bbox|mmlToken|cssId|require|unicode|url|style|class)(?![A-Za-z])|data\s*\{)/y;
const PLAIN_URL = /\\url\{https?:\/\/[A-Za-z0-9\-._~:/@=+]{1,400}\}/y;

/**
 * Letters and the marks of addresses and commands as character references. Harmless text has none, and they hide words from other rules.
 */
const DISGUISED =
  /&(?:#(?:0*(?:4[67]|58|6[5-9]|[78]\d|9[0279]|9[78]|1[01]\d|12[0-2])(?!\d)|[xX]0*(?:2[eEfF]|3[aA]|[46][1-9a-fA-F]|[57][0-9aA]|5[cC])(?![0-9a-fA-F]))|(?:bsol|colon|sol|period|Tab|NewLine);)/y;

const DIRECTIVE = /:([^\s\p{P}\p{S}](?:[^\s\p{P}\p{S}]|[-_])*)(?=([[{]|[ \t]*(?:\r?\n|$))?)/uy;
/** The end of a label with attributes. */
export const LABEL_END = /\]\{/g;
/** The longest label of a directive. */
const MAX_LABEL = 1010;
/** Elements that a plug-in could make of a directive and that run, load, or hide what follows. */
const ACTIVE_ELEMENT =
  /^(?:applet|area|audio|base|button|canvas|dialog|embed|fencedframe|form|frame|frameset|head|html|iframe|img|image|input|isindex|keygen|link|listing|map|marquee|math|meta|noembed|noframes|noscript|object|option|param|picture|plaintext|portal|script|select|source|style|svg|template|textarea|title|track|video|xmp)$/i;
/** The name of an emoji for which showdown loads an image. */
const IMAGE_EMOJI = 'octocat';
const SAFE_ATTRIBUTES =
  /\{(?:\s{0,4}(?:[.#][\w-]{1,60}|(?:class|id|title|lang|dir|open)(?:="[\w .-]{0,60}"|=[\w-]{1,60})?)){0,8}\s{0,4}\}/y;

/** The change for TeX, a directive or a character reference at `at`; `null` if none is needed. */
export function changeOfCommand(
  text: string,
  at: number,
  policy: LinkPolicy,
  labelEnds: NextMatch,
): Change | null {
  switch (text[at]) {
    case '\\':
      if (matches(PLAIN_URL, text, at) && !policy.forbidsLink(text, at + '\\url{'.length)) return null;
      return matches(TEX, text, at) ? { from: at, to: at + 1, replacement: '\\ ' } : null;
    case '&':
      return matches(DISGUISED, text, at) ? { from: at, to: at + 1, replacement: '&amp;' } : null;
    default:
      return changeOfDirective(text, at, labelEnds);
  }
}

function changeOfDirective(text: string, at: number, labelEnds: NextMatch): Change | null {
  DIRECTIVE.lastIndex = at;
  const found = DIRECTIVE.exec(text);
  if (found === null) return null;
  const [whole, name = '', next = ''] = found;
  const behind = at + whole.length;
  const isBlock = text[at - 1] === ':' && next !== '[' && next !== '{';
  const runs =
    (ACTIVE_ELEMENT.test(name) && (next !== '' || isBlock)) || (name === IMAGE_EMOJI && text[behind] === ':');
  const hasAttributes =
    (next === '{' && !matches(SAFE_ATTRIBUTES, text, behind)) ||
    (next === '[' && labelEnds.from(behind) < Math.min(behind + MAX_LABEL, text.length));
  if (!runs && !hasAttributes) return null;
  // Also separated from colons before it, which would begin a container.
  return { from: at, to: at + 1, replacement: text[at - 1] === ':' ? ' : ' : ': ' };
}

const MERMAID_TRIGGER =
  /%%\{|@\{|themeCSS|ticketBaseUrl|\\(?=[xuU][0-9a-fA-F]{2}|0{0,4}[4-7][0-9a-fA-F])|\b(?:url|src|image(?:-set)?)(?=\()|@import\b|&(?:lt|#0{0,9}60|#x0{0,9}3c);?(?=[a-z/!?])|\b(?:img|javascript|vbscript|data)(?=:)|(?<=^|[;\n\r\v\f\u0085\u2028\u2029])(?:[^\S\n\r\v\f\u0085\u2028\u2029]|>)*(?:click|callback|links?|properties|style|classDef|linkStyle)\b[^;\n\r]{0,400}/gi;
const UNSAFE_INIT = /css|url|import|image|secur|html|http|\/\/|[\\&<>;]/i;
const UNSAFE_SHAPE = /img|url|\/\/|\\/i;
const UNSAFE_STYLE = /url|image|import|expression|http|\/\/|\\/i;
const PROPERTIES = /^[\s>]*properties\b/i;
const SAFE_CLICK =
  /^[\s>]*click\s+[\w-]+\s+(?:href\s+)?"([^"\\\s]{1,300})"(?:\s+"[^"\\]{0,200}")?(?:\s+_(?:blank|self|parent|top))?\s*$/i;
const LINK_STATEMENT = /^[\s>]*(?:click|callback|links?|properties)\b/i;
const MERMAID_ATTRIBUTE = /[:"]/;

/** Changes for diagrams that would load or run something. Diagrams may begin at `from`, after the first `mermaid`. */
export function changesOfDiagrams(text: string, from: number, policy: LinkPolicy): readonly Change[] {
  const changes: Change[] = [];
  MERMAID_TRIGGER.lastIndex = from;
  for (let found = MERMAID_TRIGGER.exec(text); found !== null; found = MERMAID_TRIGGER.exec(text)) {
    const [token] = found;
    const end = found.index + token.length;
    const replacement = replacementIn(text, token, end, policy);
    if (replacement !== null) changes.push({ from: found.index, to: end, replacement });
  }
  return changes;
}

function replacementIn(text: string, token: string, end: number, policy: LinkPolicy): string | null {
  // Some renderers decode character references in code.
  if (token.startsWith('&')) return `${token} `;
  switch (token.toLowerCase()) {
    case '%%{':
      return isSafeUntil(text, end, '}%%', UNSAFE_INIT) ? null : '%% {';
    case '@{':
      return isSafeUntil(text, end, '}', UNSAFE_SHAPE) ? null : '@ {';
    case 'themecss':
      return 'theme CSS';
    case 'ticketbaseurl':
      return 'ticketBase Url';
    case '@import':
      return '@ import';
    case '\\':
    case 'url':
    case 'src':
    case 'image':
    case 'image-set':
    case 'img':
    case 'javascript':
    case 'vbscript':
    case 'data':
      return `${token} `;
    default:
      return isSafeStatement(token, policy) ? null : '%% removed';
  }
}

function isSafeUntil(text: string, at: number, closing: string, unsafe: RegExp): boolean {
  const part = text.slice(at, at + 400);
  const end = part.indexOf(closing);
  return (
    end >= 0 && !unsafe.test(part.slice(0, end)) && !(closing === '}' && part.slice(0, end).includes('{'))
  );
}

function isSafeStatement(statement: string, policy: LinkPolicy): boolean {
  if (!LINK_STATEMENT.test(statement)) return !UNSAFE_STYLE.test(statement);
  // A sentence of prose can begin with such a word too, but has none of the marks of a statement.
  if (
    !MERMAID_ATTRIBUTE.test(statement) &&
    !/\bcall\b|\(|^[\s>]*(?:click|callback)\s+\w+\s+\w+\s*$/i.test(statement)
  )
    return true;
  if (PROPERTIES.test(statement) && /\/\/|\\/.test(statement)) return false;
  const [, address = null] = SAFE_CLICK.exec(statement) ?? [];
  if (address !== null) return !policy.forbidsLink(address, 0);
  if (/^[\s>]*(?:click|callback)\b/i.test(statement)) return !/["(]|\bcall\b/i.test(statement);
  return !/[\\&]/.test(statement) && !/\b(?!https?:|mailto:|tel:)[a-z][a-z0-9+.-]*:(?=\S)/i.test(statement);
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
