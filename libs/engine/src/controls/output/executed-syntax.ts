import type { Utf16Span } from '#contracts/common/spans.js';
import type { LinkPolicy } from './link-policy.js';
import { endOf, matchAt, type NextMatch } from '../../text/next-match.js';
import type { Edit } from '../../text/mapped-text.js';

/*
 * Syntax that other programs execute in a rendered text: KaTeX and MathJax (TeX), Mermaid (diagrams), and plug-ins that
 * turn directives into elements. Each rule reads only a few characters, so that no grammar can evade it.
 */

const TEX =
  /\\(?:(?:href|html(?:Class|Id|Style|Data|Extended)|includegraphics|bbox|mmlToken|cssId|require|unicode|url|style|class)(?![A-Za-z])|data\s*\{)/y;
/** Commands whose values MathJax copies into a style. */
const STYLED = /\\(?:[a-z]*color[a-z]*|enclose|[bx]?cancel(?:to)?)(?![a-z])/iy;
/** The characters of colours. Without `;`, `:` and `(` they can neither begin a second declaration nor load anything. */
const VALUE = String.raw`\s*\{[\w\s,.#!-]{0,80}\}`;
const OPTION = String.raw`\s*\[[\w\s,.#!="-]{0,80}\]`;
/** Such a command directly before its values. After another use of its name the values could follow anywhere. */
const PLAIN_STYLED = new RegExp(
  String.raw`\\(?:definecolor${VALUE}${VALUE}${VALUE}|fcolorbox(?:${OPTION})?${VALUE}${VALUE}|(?!definec|fcolor)[a-z]*color[a-z]*(?:${OPTION})?${VALUE}|(?:enclose${VALUE}|[bx]?cancel(?:to)?)(?:${OPTION}|(?!\s*\[)))`,
  'iy',
);
/** What gives a name to other commands, or passes them on. */
export const MACRO =
  /\\(?:let|futurelet|[egx]?def|(?:re|provide)?(?:new)?(?:command|environment))(?![a-z])/iy;
/** Any of them, anywhere. */
export const COMMAND = new RegExp([TEX, STYLED, MACRO].map(({ source }) => source).join('|'), 'i');
const PLAIN_URL = /\\url\{https?:\/\/[A-Za-z0-9\-._~:/@=+]{1,400}\}/y;

/**
 * Letters and the marks of addresses and commands as character references. Harmless text has none, and they hide words from other rules.
 */
const DISGUISED =
  /&(?:#(?:0*(?:4[67]|58|6[5-9]|[78]\d|9[0279]|9[78]|1[01]\d|12[0-2])(?!\d)|[xX]0*(?:2[eEfF]|3[aA]|[46][1-9a-fA-F]|[57][0-9aA]|5[cC])(?![0-9a-fA-F]))|(?:bsol|colon|sol|period|Tab|NewLine);)/y;

const DIRECTIVE = /:([^\s\p{P}\p{S}](?:[^\s\p{P}\p{S}]|[-_])*)(?=([[{]|[ \t]*(?:\r?\n|$))?)/uy;
/** The longest label of a directive. */
const MAX_LABEL = 1010;
/** Elements that a plug-in could make of a directive and that run, load, or hide what follows. */
const ACTIVE_ELEMENT =
  /^(?:applet|area|audio|base|button|canvas|dialog|embed|fencedframe|form|frame|frameset|head|html|iframe|img|image|input|isindex|keygen|link|listing|map|marquee|math|meta|noembed|noframes|noscript|object|option|param|picture|plaintext|portal|script|select|source|style|svg|template|textarea|title|track|video|xmp)$/i;
/** The name of an emoji for which showdown loads an image. */
const IMAGE_EMOJI = 'octocat';
const SAFE_ATTRIBUTES =
  /\{(?:\s{0,4}(?:[.#][\w-]{1,60}|(?:class|id|title|lang|dir|open)(?:="[\w .-]{0,60}"|=[\w-]{1,60})?)){0,8}\s{0,4}\}/y;

/**
 * The change for TeX, a directive or a character reference at `at`; `null` if none is needed.
 *
 * @param labelEnds the next end of a label with attributes
 */
export function changeOfCommand(
  text: string,
  at: number,
  policy: LinkPolicy,
  labelEnds: NextMatch,
  hasMacros: boolean,
): Edit | null {
  switch (text[at]) {
    case '\\': {
      if (endOf(PLAIN_URL, text, at) > 0 && !policy.forbidsLink(text, at + '\\url{'.length)) return null;
      const isStyled = endOf(STYLED, text, at) > 0 && (hasMacros || endOf(PLAIN_STYLED, text, at) < 0);
      return isStyled || endOf(TEX, text, at) > 0 ? { span: [at, at + 1], replacement: '\\ ' } : null;
    }
    case '&':
      return endOf(DISGUISED, text, at) > 0 ? { span: [at, at + 1], replacement: '&amp;' } : null;
    default:
      return changeOfDirective(text, at, labelEnds);
  }
}

function changeOfDirective(text: string, at: number, labelEnds: NextMatch): Edit | null {
  DIRECTIVE.lastIndex = at;
  const found = DIRECTIVE.exec(text);
  if (found === null) return null;
  const [whole, name = '', next = ''] = found;
  const behind = at + whole.length;
  const isBlock = text[at - 1] === ':' && next !== '[' && next !== '{';
  const runs =
    (ACTIVE_ELEMENT.test(name) && (next !== '' || isBlock)) || (name === IMAGE_EMOJI && text[behind] === ':');
  const hasAttributes =
    (next === '{' && endOf(SAFE_ATTRIBUTES, text, behind) < 0) ||
    (next === '[' && labelEnds.from(behind) < Math.min(behind + MAX_LABEL, text.length));
  if (!runs && !hasAttributes) return null;
  // Also separated from colons before it, which would begin a container.
  return { span: [at, at + 1], replacement: text[at - 1] === ':' ? ' : ' : ': ' };
}

/** The line of a fence or of a container, with a language that Mermaid draws. */
const OPENS_DIAGRAM =
  /^(?:((?:[ \t>]|(?:[-*+]|\d{1,9}[.)])[ \t])*)|[^\n]*?)(?<![`~:])(([`~:])\3{2,})(?!\3)[^\n]{0,60}?(?:mermaid|\bmmd\b)[^\n]*?(\r?\n)/gim;
/** Ends no diagram: renderers may disagree where it ends. */
const ENDLESS = '\n\n';

/**
 * What draws a diagram could load, call or open, with as little of the grammar of Mermaid as possible: two slashes; a
 * scheme after a quote or another sign; escapes and references that hide them; markup; a style sheet; a call.
 */
export const DIAGRAM_SIGN = new RegExp(
  [
    String.raw`\b(?:https?|ftp|wss?|file):(?:[/\\]+|(?=\S|\s*\n))`,
    String.raw`[/\\](?=(?:[^\S ]|(?<=\n[ \t>]{0,64})[ >])*[/\\]|[^\S\n]*\n[^\S\n]*\n)`,
    String.raw`(?:^|["'\x60@=(:\n])[\t >]*(?!(?:https?|mailto|tel|fa[a-z]?):)[a-z][a-z0-9+.-]{0,60}(?=:[^\s:\d])`,
    String.raw`\\(?=[xu][0-9a-f]{2}|0{0,4}[2-7][0-9a-f]|\s*\n)`,
    String.raw`&(?:lt|#0{0,9}60|#x0{0,9}3c);?(?=[a-z/!?])(?!br ?/?>)|#(?=(?:lt|sol|colon|bsol|0{0,9}(?:47|58|60|92));)`,
    String.raw`\btheme(?=CSS)|\S\t+(?=\S)`,
    String.raw`(?<=^|[;\n\r\v\f\u0085\u2028\u2029])(?:[^\S\n\r\v\f\u0085\u2028\u2029]|>)*(?:click|callback|(?:links?|properties)(?=\b[^;\n]*[@{"]))\b(?:[ \t]+[\w-]+[ \t]+(?:href[ \t]+)?"(?=https?://[^"\\#&\s]*"[^(;\n]*(?:[;\n]|$)))?`,
  ].join('|'),
  'gi',
);
/** The statements of links and calls. */
const LINK = /^[\s>]*(?:click|callback|links?|properties)\b/i;

/** The parts of a text that can be diagrams, and the line that ends the last one; nothing where none is open. */
export function diagramsOf(
  text: string,
  open: string,
): { readonly spans: readonly Utf16Span[]; readonly open: string } {
  const spans: Utf16Span[] = [];
  let closing = open;
  OPENS_DIAGRAM.lastIndex = 0;
  let next = OPENS_DIAGRAM.exec(text);
  for (let at = 0; at < text.length;) {
    if (next !== null && next.index < at) {
      OPENS_DIAGRAM.lastIndex = at;
      next = OPENS_DIAGRAM.exec(text);
    }
    if (closing === '') {
      if (next === null) break;
      const [, before, marker, , lineEnd] = next;
      closing = before === undefined ? ENDLESS : before.replace(/[^\s>]/g, ' ') + marker + lineEnd;
      at = next.index + next[0].length;
      continue;
    }
    const start = at;
    const line = text.startsWith(closing, at) ? at : text.indexOf(`\n${closing}`, at) + 1 || Infinity;
    at = line + closing.length;
    if (next !== null && next.index < line) closing = ENDLESS;
    if (closing === ENDLESS) at = Infinity;
    spans.push([start, Math.min(at, text.length)]);
    if (at < Infinity) closing = '';
  }
  return { spans, open: closing };
}

/**
 * Changes of the diagram from `start` to `end`: no address stays unless an image may have it.
 *
 * @param signs the next match of `DIAGRAM_SIGN`
 */
export function changesOfDiagram(
  text: string,
  [start, end]: Utf16Span,
  policy: LinkPolicy,
  signs: NextMatch,
): readonly Edit[] {
  const edits: Edit[] = [];
  let token = '';
  for (let index = signs.from(start); index < end; index = signs.from(index + token.length)) {
    token = matchAt(DIAGRAM_SIGN, text, index);
    const isLink = LINK.test(token);
    const address = /^https?:\/\/$/i.test(token) ? index : token.endsWith('"') ? index + token.length : -1;
    if (address >= 0 && !policy.forbidsImage(text, address)) continue;
    // YAML takes no notice of a blank before the end of a line.
    const gap = /[\r\n]/.test(text.charAt(index + token.length)) ? '.' : ' ';
    const replacement = isLink ? `%% ${token.trimStart()}` : token.replace(/:[/\\]*$/, '') + gap;
    edits.push({ span: [index, index + token.length], replacement });
  }
  return edits;
}
