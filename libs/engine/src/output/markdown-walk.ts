import type { Finding } from '#contracts/output.js';
import type { Span } from '#contracts/text.js';
import { bareAddress } from './bare-address.js';
import { isAsciiPunctuation } from './characters.js';
import type { CodeRegions } from './code-regions.js';
import { changeOfCommand, changesOfDiagrams } from './executed-syntax.js';
import type { LinkPolicy } from './link-policy.js';
import { NextMatch } from './next-match.js';
import type { PassResult, Rest, Stretch } from './pass.js';
import { ReferenceLabels } from './reference-labels.js';
import type { Edit } from './traced-text.js';

const TRIGGER =
  /!\[|\](?=[(:]|[ \t]+\(|[ \t]{64})|\\(?=href|html|includeg|bbox|mmlT|cssId|requ|unicode|data|url|style|class)|&(?=#|bsol;|colon;|sol;|period;|Tab;|NewLine;)|:(?=[A-Za-z\u0080-\u205f\u2061-\uffff]|\\?\/\\?\/)|[`~](?=[`~]{2}[^`~\n]{0,200}["'])/g;
const TRIGGER_WITH_HTML = new RegExp(`${TRIGGER.source}|<(?=[A-Za-z/!?])`, 'g');
/** A handler. After a quote in one cell it runs: showdown copies the header of a table into an attribute. */
const HANDLER = /(?<=[\s/"'])(?:[oO][nN][A-Za-z]{3,25}\s{0,8}[=|]|[sS][tT][yY][lL][eE]\s{0,8}=)/g;
const CELL_END = /[|\n\r]/;

const QUOTED_LINE = /(?<=^|[\r\n])[ \t]*(?=["|'(][^\r\n]*["|')][ \t]*(?:[\r\n]|$))/g;
export const MAX_LAST_LINES = 600;

const IMAGE_REMOVED = '[image removed]';
const LINK_REMOVED = '[link removed]';

/** Text between brackets that every renderer takes as a label. */
const ALT =
  /!\[([^[\]`\\<>$|]{0,300})\](\(|[\s>\u2424]{0,64}\[([^[\]`\\<>$|]{0,200})\]|(?![\s>\u2424]{0,64}[[(]|[\s>\u2424]{64}))/y;
const LOCAL_IMAGE =
  /\([ \t]?[A-Za-z0-9_\-./]{1,300}(?:[ \t\n](?:"[^"'`\\<>\n$()]{0,200}"|'[^"'`\\<>\n$()]{0,200}'))?[ \t]?\)/y;
const HOSTED_IMAGE =
  /\([ \t]?https?:\/\/[A-Za-z0-9_\-./?=&%:,+~#@;]{1,800}(?:[ \t]"[^"'`\\<>\n$()]{0,200}")?[ \t]?\)/iy;
const TARGET =
  /\([ \t\n]{0,16}(?:<[^<>\n]{0,600}>|(?:[^\s()[\]<>]|\([^\s()[\]<>]{0,200}\)){0,2000})(?:\s{1,16}(?:"[^"[\]]{0,200}"|'[^'[\]]{0,200}'))?\s{0,16}\)/y;
const OPEN_TARGET = /\([ \t\n]{0,16}[^\s()[\]<>]*$/y;
const REST_OF_TARGET = /^[^\s)]*\)?/;
const BEFORE_TARGET = /[ \t\n]{0,64}<?/y;
const ENDS_ADDRESS = /[\s)"'`$]/g;
const CLOSING_PARENTHESIS = /\)/g;
const OPENING_PARENTHESIS = /\(/g;
const QUOTE = /["'`$]/;
const ENDS_WORD = /[\s"'`$]/g;
const COPIES_TEXT = /\$[`'&$]/g;
/** A definition with its end, as the renderers of `rendering: markdown` read it. */
const DEFINITION =
  /[ \t]*\r?\n?[ \t>]*(?:<|[^ \t\n\r]{100}|[^ \t\n\r]+[ \t]*(?:[\r\n]|$|["'(])|[^\s\u0085\u2424]+[ \t]*[\v\f\u0085\u2028\u2029\u2424])/y;
const DEFINED_TARGET = /[ \t]*\r?\n?[ \t>]*(?:<[^<>\n]{0,400}>|[^\s[\]<>]{0,600})/y;

/** The end of a line, and a blank line. */
const LINE_WITHOUT_ADDRESS = /[^\S\r\n]*(?:\r\n|\r|\n)[ \t]*[\r\n]/y;
const BLANK_LINE = /(?:\r\n|\r|\n)[ \t]*[\r\n]/g;
/** How far a target is followed to a blank line. */
const MAX_OPEN_TARGET = 600;
const BLANKS = /[ \t]+/y;
/** Blanks between a label and its target; with more, they hide the target. */
const MAX_BLANKS = 64;

/** Without attributes only these two load or run anything. */
const BARE_TAG = /<\/?(?!(?:script|style)\b)[a-z][a-z0-9]{0,15} ?\/?>/iy;
const PLAIN_AUTOLINK = /<(?:https?:\/\/|mailto:)[A-Za-z0-9\-._~:/@%+]{1,400}>/iy;

const SCHEME_UNIT = /[A-Za-z0-9+.\-\u0080-\uffff]/;
const SCHEME_PART = /[A-Za-z/\\]/;
const SCHEME_END = /[A-Za-z0-9+.\-\u0080-\uffff]*$/;
/** A plus, a hyphen or a digit of a scheme. References of letters and dots are broken everywhere. */
const SCHEME_REFERENCE = /&(?:#0{0,9}(?:4[3589]|5[0-7])|#[xX]0{0,9}(?:2[bBdD]|3\d)|plus);/g;
const ENDS_WITH_REFERENCE = new RegExp(`${SCHEME_REFERENCE.source}$`);
const MAX_REFERENCE = 16;
const ESCAPE = /\\(?=[!-/:-@[-`{-~]|$)/g;
const MAX_SCHEME = 40;
const WEB_SCHEME = /(?:^|[^A-Za-z])https?$/i;
const ENDS_LABEL = /[\s.<>()[\]"'`]/g;
/** The longest label of a domain that some renderer makes a link of. */
const MAX_DOMAIN_LABEL = 60;
const WORD_JOINER = '\u2060';

/** Maximum look-back for the label before a target. */
const MAX_LOOK_BACK = 300;
/** How far a handler may be from the quote before it, and its own length. */
const MAX_QUOTE_DISTANCE = 200;
const MAX_HANDLER = 40;

/** Labels of images so far, and of definitions that lead to another site. */
export interface Labels {
  readonly images: ReferenceLabels;
  readonly foreign: ReferenceLabels;
}

export interface MarkdownState extends Labels {
  /** The text contains the word `mermaid`, so diagrams may follow. */
  readonly hasDiagrams: boolean;
  readonly tail: string;
  /** The end of the text before, if it is a definition. */
  readonly lastLines: string;
}

/** Finds the changes of one stretch, from left to right. */
export class MarkdownWalk {
  /** Pairs: where something begins, and how far it was looked at. One list of numbers, because a text can have many. */
  readonly judged: number[] = [];
  private readonly labels: (Labels & { readonly at: number })[] = [];
  private readonly text: string;
  private readonly edits: Edit[] = [];
  private readonly findings: Finding[] = [];
  private images: ReferenceLabels;
  private foreign: ReferenceLabels;
  private rest: Rest | undefined;
  private readonly addressEnds: NextMatch;
  private readonly blankLines: NextMatch;
  private readonly parentheses: NextMatch;
  private readonly labelEnds: NextMatch;
  private readonly openings: NextMatch;
  private readonly wordEnds: NextMatch;
  private readonly copies: NextMatch;
  private diagrams: number | undefined;
  /** The end of the last edit. */
  private edited = 0;
  /** The units that edits replace, once a rule needs them. */
  private taken: Uint8Array | null = null;

  constructor(
    readonly stretch: Stretch,
    private readonly before: MarkdownState,
    private readonly policy: LinkPolicy,
    private readonly code: CodeRegions | null,
    private readonly escapesTags: boolean,
  ) {
    this.text = stretch.text;
    this.images = before.images;
    this.foreign = before.foreign;
    this.addressEnds = new NextMatch(ENDS_ADDRESS, this.text);
    this.blankLines = new NextMatch(BLANK_LINE, this.text);
    this.openings = new NextMatch(OPENING_PARENTHESIS, this.text);
    this.wordEnds = new NextMatch(ENDS_WORD, this.text);
    this.copies = new NextMatch(COPIES_TEXT, this.text);
    this.labelEnds = new NextMatch(ENDS_LABEL, this.text);
    this.parentheses = new NextMatch(CLOSING_PARENTHESIS, this.text);
  }

  /** The labels that precede a place. */
  labelsBefore(end: number): Labels {
    return this.labels.findLast(({ at }) => at < end) ?? this.before;
  }

  get result(): PassResult {
    const edits = this.edits.toSorted((one, other) => one.span[0] - other.span[0]);
    return { edits, findings: this.findings, rest: this.rest };
  }

  walk(): this {
    const regions = this.code?.of(this.text) ?? [];
    this.walkContent(regions);
    for (const span of gaps(regions, this.stretch.judged)) {
      this.judgeDiagrams(span);
      if (this.policy.namesHosts) this.judgeAddresses(span);
    }
    if (this.code === null) {
      this.judgeQuotes();
      this.judgeTitles();
    }
    return this;
  }

  /** Judges every trigger outside of code. */
  private walkContent(regions: readonly Span[]): void {
    const { text, stretch } = this;
    const trigger = this.escapesTags ? TRIGGER_WITH_HTML : TRIGGER;
    let region = 0;
    trigger.lastIndex = 0;
    for (let found = trigger.exec(text); found !== null; found = trigger.exec(text)) {
      const { index } = found;
      if (index >= stretch.judged) return;
      while ((regions[region]?.[1] ?? Infinity) <= index) region++;
      const inCode = (regions[region]?.[0] ?? Infinity) <= index;
      if (!inCode && index >= this.edited) this.judgeAt(index);
      trigger.lastIndex = Math.max(index + 1, inCode ? (regions[region]?.[1] ?? 0) : this.edited);
    }
  }

  private judgeAt(at: number): void {
    const { text } = this;
    switch (text[at]) {
      case '!':
        this.judgeImage(at);
        return;
      case ']':
        if (text[at + 1] === '(') this.judgeLink(at);
        else if (text[at + 1] === ':') this.judgeDefinition(at);
        else this.judgeDetachedTarget(at);
        return;
      case '<':
        this.judgeTag(at);
        return;
      case '`':
      case '~':
        this.judgeFence(at);
        return;
      default: {
        if (text[at] === ':' && SCHEME_PART.test(text.charAt(at + 1))) this.judgeScheme(at);
        if (text[at + 1] === '/') return;
        const change = changeOfCommand(text, at, this.policy);
        this.see(at, at + 32);
        if (change !== null)
          this.change([at, change.to], [{ span: [change.from, change.to], replacement: change.replacement }]);
      }
    }
  }

  private judgeImage(at: number): void {
    const { text, policy } = this;
    ALT.lastIndex = at;
    const found = ALT.exec(text);
    if (found === null) {
      this.see(at, at + 2);
      this.breakImage(at);
      return;
    }
    const [, alt = '', opening = '', label = ''] = found;
    const target = at + alt.length + 3;
    if (opening === '(') {
      const isKept =
        policy.namesHosts && !policy.forbidsImage(text, target + 1)
          ? [LOCAL_IMAGE, HOSTED_IMAGE]
          : [LOCAL_IMAGE];
      const end = Math.max(...isKept.map((pattern) => endOf(pattern, text, target)));
      if (end > 0 && !policy.forbidsImage(text, target + 1) && !this.foreign.has(alt)) {
        this.see(at, end);
        this.addImage(at, alt);
        return;
      }
      const removed = this.endOfTarget(target);
      this.see(at, Math.max(removed, target + 1));
      if (removed < 0) this.breakImage(at);
      else {
        this.change(
          [at, removed],
          [
            { span: [at, at + 2], replacement: '' },
            { span: [target - 1, removed], replacement: alt === '' ? IMAGE_REMOVED : ` ${IMAGE_REMOVED}` },
          ],
        );
      }
      return;
    }
    const end = ALT.lastIndex;
    this.see(at, end + 1);
    if (this.foreign.has(alt) || (opening !== '' && this.foreign.has(label === '' ? alt : label))) {
      this.change(
        [at, end],
        [
          { span: [at, at + 2], replacement: '' },
          { span: [target - 1, end], replacement: ` ${IMAGE_REMOVED}` },
        ],
      );
      return;
    }
    this.addImage(at, alt);
    if (label !== '') this.addImage(at, label);
  }

  private addImage(at: number, label: string): void {
    const images = this.images.with(label);
    if (images === this.images) return;
    this.images = images;
    this.noteLabels(at);
  }

  private noteLabels(at: number): void {
    this.labels.push({ at, images: this.images, foreign: this.foreign });
  }

  /** With a space between the two characters, no renderer reads an image. */
  private breakImage(at: number): void {
    this.change([at, at + 2], [{ span: [at, at + 2], replacement: '! [' }]);
  }

  private judgeLink(at: number): void {
    const { text } = this;
    const isForbidden =
      (this.code === null && (this.isOverBlankLine(at + 2) || this.isOverLines(at + 2))) ||
      this.policy.forbidsLink(text, at + 2) ||
      this.isQuoted(at + 2);
    if (!isForbidden) {
      this.see(at, at + 64);
      return;
    }
    this.removeTarget(at, this.endOfTarget(at + 1), '&#40;');
  }

  /** showdown accepts blanks between a label and its target. An invisible joiner prevents that. */
  private judgeDetachedTarget(at: number): void {
    const { text, policy } = this;
    if (this.code !== null) return;
    const target = endOf(BLANKS, text, at + 1);
    const label = this.labelBefore(at);
    const isImage = label === null || text[at - label.length - 2] === '!';
    const isForbidden =
      target - at > MAX_BLANKS ||
      (text[target] === '(' &&
        (policy.forbidsLink(text, target + 1) ||
          this.isQuoted(target + 1) ||
          (isImage && policy.forbidsImage(text, target + 1))));
    this.see(at, target + (isForbidden ? 1 : 64));
    if (isForbidden) this.change([at, at + 1], [{ span: [at, at + 1], replacement: `]${WORD_JOINER}` }]);
  }

  private judgeDefinition(at: number): void {
    const { text, policy, code } = this;
    const target = at + 2;
    if (code !== null && endOf(DEFINITION, text, target) < 0) {
      this.see(at, target + 1);
      return;
    }
    // snarkdown finds the address of a definition even after blank lines.
    if (code === null && endOf(LINE_WITHOUT_ADDRESS, text, target) > 0) {
      this.removeTarget(at, -1, `${WORD_JOINER}:`);
      return;
    }
    const isQuoted = this.isQuoted(target);
    if (isQuoted || policy.forbidsLink(text, target)) {
      // A quote can be the end of a code span, which must stay.
      this.removeTarget(at, isQuoted ? -1 : endOf(DEFINED_TARGET, text, target), `${WORD_JOINER}:`);
      return;
    }
    this.see(at, target + 64);
    if (!policy.forbidsImage(text, target)) return;
    const label = this.labelBefore(at);
    if (this.images.has(label)) this.removeTarget(at, at + 1, `${WORD_JOINER}:`);
    else {
      this.foreign = this.foreign.with(label);
      this.noteLabels(at);
    }
  }

  /** `[text](target)` becomes `text`. In any other form the character after the bracket is replaced. */
  private removeTarget(at: number, end: number, replacement: string): void {
    const label = this.labelBefore(at);
    const start = label === null ? -1 : at - label.length - 1;
    if (end < 0 || start < this.edited || this.text[start - 1] === '!') {
      this.see(at, at + 2);
      this.change([at, at + 2], [{ span: [at + 1, at + 2], replacement }]);
      return;
    }
    this.see(start, end);
    this.change(
      [start, end],
      [
        { span: [start, start + 1], replacement: '' },
        { span: [at, end], replacement: '' },
      ],
    );
  }

  /** A quote within an address ends an attribute, and `$` copies text into one, in renderers that do not escape. */
  private isQuoted(at: number): boolean {
    if (this.code !== null) return false;
    const start = endOf(BEFORE_TARGET, this.text, at);
    const end = this.addressEnds.from(start);
    if (QUOTE.test(this.text.charAt(end))) return true;
    // A parenthesis within an address does not end it.
    return this.openings.from(start) < end && QUOTE.test(this.text.charAt(this.wordEnds.from(start)));
  }

  /** snarkdown copies what follows `$` in a target, and continues an address in the next line of a quote. */
  private isOverLines(at: number): boolean {
    const start = endOf(BEFORE_TARGET, this.text, at);
    const isCut = /[\r\n]/.test(this.text.charAt(this.addressEnds.from(start)));
    return isCut || this.copies.from(at) < this.parentheses.from(at);
  }

  /** snarkdown continues a target after a blank line. */
  private isOverBlankLine(at: number): boolean {
    const blankLine = this.blankLines.from(at);
    return (
      blankLine - at <= MAX_OPEN_TARGET && blankLine < Math.min(this.parentheses.from(at), this.text.length)
    );
  }

  private labelBefore(at: number): string | null {
    const closed = at === 0 ? -1 : this.text.lastIndexOf(']', at - 1);
    const before = this.text.slice(Math.max(0, at - MAX_LOOK_BACK, closed + 1), at);
    const start = before.lastIndexOf('[');
    return start < 0 ? null : before.slice(start + 1);
  }

  /** The end of a target in parentheses; the end of the stretch if the target continues after it; otherwise -1. */
  private endOfTarget(at: number): number {
    const end = endOf(TARGET, this.text, at);
    if (end > 0) return end;
    OPEN_TARGET.lastIndex = at;
    const isOpen = this.stretch.judged < this.text.length && OPEN_TARGET.test(this.text);
    return isOpen ? this.text.length : -1;
  }

  /** Some renderers link every bare address with any scheme. An invisible joiner prevents that. */
  private judgeScheme(at: number): void {
    const start = this.startOfScheme(at);
    const scheme = this.schemeIn(start, at);
    this.see(start, at + 64);
    const isFollowed = /[/\\]/.test(this.text.charAt(at + 1));
    const isHarmless = isFollowed ? WEB_SCHEME.test(scheme) : !this.isGuessed(scheme, at + 1);
    if (isHarmless) return;
    this.change([at, at + 1], [{ span: [at, at + 1], replacement: `:${WORD_JOINER}` }]);
  }

  private startOfScheme(at: number): number {
    const { text } = this;
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

  private referenceBefore(end: number): number {
    const [reference = ''] = ENDS_WITH_REFERENCE.exec(this.text.slice(Math.max(0, end - MAX_REFERENCE), end)) ?? [];
    return reference.length;
  }

  /** As it is shown. A reference counts as a letter and a mark. */
  private schemeIn(start: number, end: number): string {
    const [released = ''] = start > 0 ? [] : (SCHEME_END.exec(this.before.tail) ?? []);
    return (released + this.text.slice(start, end)).replaceAll(SCHEME_REFERENCE, 'x.').replaceAll(ESCAPE, '');
  }

  /** Some renderers make a link of any word, colon and domain. */
  private isGuessed(scheme: string, at: number): boolean {
    if (/^(?:mailto|tel)$/i.test(scheme) || !/[A-Za-z]/.test(scheme)) return false;
    if (/^https?$/i.test(scheme) && !this.policy.namesHosts) return false;
    if (scheme.includes('.')) return true;
    const end = this.labelEnds.from(at);
    return end > at && end - at <= MAX_DOMAIN_LABEL && /^\.[A-Za-z]/.test(this.text.slice(end, end + 2));
  }

  private judgeQuotes(): void {
    const { text } = this;
    const end = this.stretch.judged;
    if (!text.includes('"')) return;
    let seen = 0;
    HANDLER.lastIndex = 0;
    for (let found = HANDLER.exec(text); found !== null && seen < end; found = HANDLER.exec(text)) {
      const first = Math.max(seen, found.index - MAX_QUOTE_DISTANCE);
      seen = found.index;
      const quotes: Span[] = [];
      for (let at = seen - 1; at >= first && !CELL_END.test(text.charAt(at)); at--) {
        if (text[at] !== '"' || at >= end || this.overlapsEdit(at, at + 1)) continue;
        const next = quotes.at(-1);
        if (next?.[0] === at + 1) quotes[quotes.length - 1] = [at, next[1]];
        else quotes.push([at, at + 1]);
      }
      for (const span of quotes.toReversed()) {
        this.see(span[0], span[1] + MAX_QUOTE_DISTANCE + MAX_HANDLER);
        this.change(span, [{ span, replacement: '&quot;'.repeat(span[1] - span[0]) }]);
      }
    }
  }

  /**
   * After a definition and a blank line, showdown takes a quoted line for a title: it removes the quotes and the end of
   * the line. An invisible joiner before the quote prevents that.
   */
  private judgeTitles(): void {
    const { text, stretch, before } = this;
    if (before.lastLines === '' && !text.includes(']:')) return;
    QUOTED_LINE.lastIndex = 0;
    for (let found = QUOTED_LINE.exec(text); found !== null; found = QUOTED_LINE.exec(text)) {
      const { index } = found;
      const at = index + found[0].length;
      if (at >= stretch.judged) return;
      QUOTED_LINE.lastIndex = at + 1;
      const above = before.lastLines + text.slice(Math.max(0, index - MAX_LAST_LINES), index);
      if (!endsWithDefinition(above)) continue;
      this.see(at, at + 1);
      if (!this.overlapsEdit(at, at + 1))
        this.change([at, at + 1], [{ span: [at, at + 1], replacement: `${WORD_JOINER}${text.charAt(at)}` }]);
    }
  }

  private judgeTag(at: number): void {
    const tag = endOf(BARE_TAG, this.text, at);
    const autolink = endOf(PLAIN_AUTOLINK, this.text, at);
    const isHarmless = tag > 0 || (autolink > 0 && !this.policy.forbidsLink(this.text, at));
    this.see(at, Math.max(at + 2, tag, autolink));
    // With a space after `<`, a browser reads no tag, and other readers keep the bracket.
    if (!isHarmless) this.change([at, at + 1], [{ span: [at, at + 1], replacement: '< ' }]);
  }

  /** Some renderers copy the language of a fence into an attribute without escaping its quotes. */
  private judgeFence(at: number): void {
    if (this.code !== null) return;
    const end = this.text.slice(at, at + 240).search(/["']/) + at;
    this.see(at, end + 1);
    if (end < at) return;
    this.change(
      [end, end + 1],
      [{ span: [end, end + 1], replacement: this.text[end] === '"' ? '&quot;' : '&#39;' }],
    );
  }

  private judgeDiagrams([start, end]: Span): void {
    const { text } = this;
    const first = this.firstDiagram();
    if (first >= end) return;
    for (const { from, to, replacement } of changesOfDiagrams(text, Math.max(start, first), this.policy)) {
      if (from >= end) break;
      this.see(from, to);
      if (!this.overlapsEdit(from, to)) this.change([from, to], [{ span: [from, to], replacement }]);
    }
  }

  /** Where diagrams may begin: after the first `mermaid`. */
  private firstDiagram(): number {
    const { text, before } = this;
    if (before.hasDiagrams) return 0;
    this.diagrams ??= (before.tail + text).search(/mermaid/i) - before.tail.length;
    return this.diagrams < -before.tail.length ? Infinity : this.diagrams;
  }

  private judgeAddresses([start, end]: Span): void {
    const { text, policy, stretch } = this;
    const goesOn = stretch.judged < text.length;
    let at = start;
    for (;;) {
      const address = bareAddress(text, at, end, at === 0 ? this.before.tail : '', goesOn);
      if (address === null) return;
      const { span, host, isExplicit, seenUntil, resumeAt } = address;
      const isAllowed = policy.allows(host);
      at = Math.max(isAllowed ? resumeAt : span[1], at + 1);
      this.see(span[0], seenUntil);
      if (isAllowed || this.overlapsEdit(span[0], span[1])) continue;
      if (isExplicit) this.change(span, [{ span, replacement: LINK_REMOVED }]);
      else
        this.change(span, [
          { span: [span[0], span[1]], replacement: text.slice(...span).replaceAll('.', `.${WORD_JOINER}`) },
        ]);
    }
  }

  private overlapsEdit(from: number, to: number): boolean {
    if (this.edits.length === 0) return false;
    if (this.taken === null) {
      this.taken = new Uint8Array(this.text.length);
      for (const { span } of this.edits) this.taken.fill(1, ...span);
    }
    return this.taken.subarray(from, to).includes(1);
  }

  private see(from: number, until: number): void {
    this.judged.push(from, Math.min(until, this.text.length));
  }

  private change(span: Span, edits: readonly Edit[]): void {
    const { text, judged } = this.stretch;
    if (span[0] >= judged) return;
    this.edits.push(...edits);
    if (this.taken !== null) for (const edit of edits) this.taken.fill(1, ...edit.span);
    this.findings.push({ kind: 'markdown_sanitized', detector: 'markdown', span });
    this.edited = Math.max(this.edited, span[1]);
    if (span[1] === text.length && judged < text.length)
      this.rest = (next) => REST_OF_TARGET.exec(next)?.[0].length ?? 0;
  }
}

/** The spans between the regions, up to `end`. */
function gaps(regions: readonly Span[], end: number): readonly Span[] {
  const spans: Span[] = [];
  let read = 0;
  for (const [start, stop] of regions) {
    if (start > read) spans.push([read, Math.min(start, end)]);
    read = stop;
  }
  if (read < end) spans.push([read, end]);
  return spans.filter(([start, stop]) => start < stop);
}

/** The end of a match at `at`; -1 where there is none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** Whether the last content, before a blank line or at the end of a stretch, is a definition. */
export function endsWithDefinition(text: string): boolean {
  if (!text.includes(']:')) return false;
  const content = text.trimEnd();
  const isFollowed = /(?:\r\n|\r|\n)[ \t]*(?:\r|\n)/.test(text.slice(content.length));
  const lines = content.slice(-MAX_LAST_LINES).split(/\r\n?|\n/);
  return isFollowed && lines.slice(-2).some((line) => line.includes(']:'));
}
