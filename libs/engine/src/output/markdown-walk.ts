import type { Finding } from '../../../contracts/src/output.js';
import type { Span } from '../../../contracts/src/span.js';
import type { LinkPolicy } from './link-policy.js';
import { endOfAddress, endOfLinkTarget, hostAt, LONGEST_TARGET } from './link-target.js';
import { beginsDoubt, closesFence, endOfCodeSpan, endOfLine, opensFence } from './markdown-code.js';
import type { MarkdownState, Opener } from './markdown-state.js';
import type { PassResult, Rest, Stretch } from './pass.js';
import type { Edit } from './traced-text.js';

const PUNCTUATION = /[!-/:-@[-`{-~]/;
const PLAIN = /[^\\\r\n![\]<`]+/y;
const TICKS = /`+/y;
const LABEL = /\[[^[\]]{0,999}\]/y;
const AUTOLINK = /<[^\s<>]{0,900}>/y;
const BARE_TAG = /<\/?[A-Za-z][A-Za-z0-9]{0,15} ?\/?>/y;
/** An autolink that even a browser could make nothing of: the name of the one attribute that it may have is none that is known. */
const PLAIN_AUTOLINK =
  /<(?:https?:\/\/|mailto:)[^\s<>"'`=?#]{1,400}(?:[?#][^\s<>"'`=/]{0,200}(?:=[^\s<>"'`]{0,400})?)?>/y;
const ADDRESS = /https?:\/\/|(?<![A-Za-z0-9])www\./gi;
const DEFINED_ADDRESS = /[\s>]{0,256}\S{0,256}/y;
/** What may hide a bracket from us, or from another reader. */
const MAY_HIDE = /[`<(]/;
const REST_OF_ADDRESS = /[^\s)]*\)?/y;
const BARE_ADDRESS = /[^\s<>"'`[\]]+/y;

const IMAGE_REMOVED = '[image removed]';
const LINK_REMOVED = '[link removed]';

/** With its scheme, and what may stand behind it. */
const LONGEST_HOST = 300;

const LONGEST_FENCE_LINE = 1000;

/** Brackets within brackets; what is deeper stands for itself. */
const DEEPEST_BRACKETS = 1000;

/** Places where the text may be parted, each the last of its sort. */
interface Places {
  line: number;
  blank: number;
  any: number;
}

/**
 * One walk through a stretch of markdown, from left to right, in the way of CommonMark: brackets pair inside out.
 * Where a renderer might see it otherwise, the doubt counts against the text.
 */
export class MarkdownWalk {
  readonly places: Places = { line: 0, blank: 0, any: 0 };
  private readonly text: string;
  private readonly judged: number;
  private readonly edits: Edit[] = [];
  private readonly findings: Finding[] = [];
  private rest: Rest | undefined;
  private at = 0;
  private endOfTarget = 0;

  constructor(
    stretch: Stretch,
    readonly state: MarkdownState,
    private readonly policy: LinkPolicy,
    private readonly alsoHtml: boolean,
  ) {
    this.text = stretch.text;
    this.judged = stretch.judged;
  }

  get result(): PassResult {
    const edits = this.edits.toSorted((one, other) => one.span[0] - other.span[0]);
    return { edits, findings: this.findings, rest: this.rest };
  }

  /** Ends where the next step would lead beyond `until`, which the walk looks beyond all the same. */
  walk(until: number): this {
    const goesOn = until < this.text.length;
    while (this.at < until) {
      const start = this.at;
      const before = goesOn ? { ...this.state } : this.state;
      this.step(until);
      if (this.at > until) {
        Object.assign(this.state, before, { escaped: this.text[start] === '\\' });
        break;
      }
      if (goesOn) this.notePlace();
    }
    return this;
  }

  private notePlace(): void {
    // What was judged by its target is not parted from it.
    if (this.at < this.endOfTarget) return;
    this.places.any = this.at;
    if (this.state.atLineStart) this.places.line = this.at;
    if (/\s/.test(this.text.charAt(this.at - 1))) this.places.blank = this.at;
  }

  private step(until: number): void {
    const { text, state, at } = this;
    if (state.escaped) {
      state.escaped = false;
      this.at++;
      return;
    }
    if (state.atLineStart) {
      state.atLineStart = false;
      if (this.beginLine()) return;
    }
    if (state.fence !== null) return this.stepInFence(until);
    switch (text[at]) {
      case '\\':
        this.at += PUNCTUATION.test(text.charAt(at + 1)) ? 2 : 1;
        break;
      case '\n':
      case '\r':
        this.at += text.startsWith('\r\n', at) ? 2 : 1;
        state.atLineStart = true;
        break;
      case '!':
        if (text[at + 1] === '[') this.open(true);
        else this.at++;
        break;
      case '[':
        this.open(false);
        break;
      case ']':
        this.close();
        break;
      case '<':
        this.bracket();
        break;
      case '`':
        this.ticks();
        break;
      default:
        this.plain(until);
    }
  }

  /** Answers whether the whole line is done with. */
  private beginLine(): boolean {
    const { text, state, at } = this;
    const end = endOfLine(text, at);
    const line = text.slice(at, end);
    // How a longer line ends may lie beyond what is seen.
    const isWhole = line.length <= LONGEST_FENCE_LINE;
    if (state.fence !== null) {
      if (closesFence(state.fence, line)) {
        state.fence = null;
        state.doubtful = false;
        state.nothingIsCode ||= !isWhole;
        this.at = end;
      }
      return this.at > at;
    }
    if (line.trim() === '') {
      state.opener = null;
      state.images = 0;
      state.doubtful = false;
      return false;
    }
    const mark = opensFence(line);
    if (mark !== null) {
      state.nothingIsCode ||= !isWhole;
      if (state.nothingIsCode) return false;
      state.fence = mark;
      this.at = end;
      return true;
    }
    const doubt = beginsDoubt(line, this.alsoHtml);
    state.doubtful ||= doubt === 'paragraph';
    state.nothingIsCode ||= doubt === 'text';
    return false;
  }

  private stepInFence(until: number): void {
    const { text, at } = this;
    const end = endOfLine(text, at);
    if (end > at) {
      // Within code every place is as good as any other.
      this.at = at < until ? Math.min(end, until) : end;
      return;
    }
    this.at += text.startsWith('\r\n', at) ? 2 : 1;
    this.state.atLineStart = true;
  }

  private plain(until: number): void {
    const { text, at } = this;
    PLAIN.lastIndex = at;
    PLAIN.test(text);
    const end = PLAIN.lastIndex;
    if (this.policy.namesHosts && this.bareAddress(end)) return;
    this.at = end > until ? placeInPlain(text, at, until) : end;
  }

  /** Renderers make links of addresses that stand in the text. */
  private bareAddress(end: number): boolean {
    const { text, at } = this;
    ADDRESS.lastIndex = at;
    const found = ADDRESS.exec(text);
    if (found === null || found.index >= end) return false;
    const { index: start } = found;
    const head = withoutPunctuation(addressAt(text.slice(start, start + LONGEST_HOST), 0));
    const host = hostAt(found[0].endsWith('/') ? head : `http://${head}`, 0);
    if (this.policy.knows(host)) {
      this.at = Math.min(end, found.index + found[0].length);
      return true;
    }
    const written = addressAt(text, start);
    const address = start + written.length < text.length ? withoutPunctuation(written) : written;
    this.at = start;
    this.removeTarget(LINK_REMOVED, start + address.length);
    return true;
  }

  private ticks(): void {
    const { text, state, at } = this;
    TICKS.lastIndex = at;
    const [ticks = ''] = TICKS.exec(text) ?? [];
    const end = state.doubtful || state.nothingIsCode ? -1 : endOfCodeSpan(text, at, ticks);
    state.doubtful ||= end === -1;
    this.at = end === -1 ? at + ticks.length : end;
  }

  private open(isImage: boolean): void {
    const { state } = this;
    const depth = (state.opener?.depth ?? 0) + 1;
    if (depth <= DEEPEST_BRACKETS) {
      state.opener = { at: state.settled + this.at, isImage, around: state.opener, depth };
    }
    if (isImage) state.images++;
    this.at += isImage ? 2 : 1;
  }

  private close(): void {
    const { opener } = this.state;
    this.state.opener = opener?.around ?? null;
    switch (this.text[this.at + 1]) {
      case '(':
        return this.closeWithTarget(opener);
      case '[':
        return this.closeWithLabel(opener);
      case ':':
        return this.closeDefinition(opener);
      default:
        return this.closeAlone(opener);
    }
  }

  /** Where an opener stands in this stretch; -1 where it is settled. */
  private placeOf(opener: Opener | null): number {
    return opener === null ? -1 : Math.max(-1, opener.at - this.state.settled);
  }

  private closeWithTarget(opener: Opener | null): void {
    const { text, state, policy } = this;
    const target = this.at + 2;
    const end = endOfLinkTarget(text, target);
    this.doubtTail(end, ')');
    this.endOfTarget = Math.max(this.endOfTarget, end);
    if (opener?.isImage === true) {
      if (policy.forbidsImage(text, target)) return this.removeImage(opener, end);
      state.images--;
      this.at++;
    } else if (policy.forbidsLink(text, target)) {
      this.removeLink(opener, end);
    } else if (state.images > 0 && policy.forbidsImage(text, target)) {
      this.removeTarget(`] ${IMAGE_REMOVED}`, end);
    } else this.at++;
  }

  private closeWithLabel(opener: Opener | null): void {
    const { text, state } = this;
    LABEL.lastIndex = this.at + 1;
    const end = LABEL.test(text) ? LABEL.lastIndex : 0;
    this.doubtTail(end, ']');
    if (opener?.isImage === true && state.hasDefinitions && end > 0) return this.removeImage(opener, end);
    if (state.images > 0 && state.hasDefinitions) return this.removeTarget('] ', this.at + 1);
    state.hasImageReferences ||= state.images > 0;
    this.forget(opener);
    this.at++;
  }

  /** Of an image without a target: none that follows can be its own, unless the bracket that closed it is in doubt. */
  private forget(opener: Opener | null): void {
    const start = this.placeOf(opener);
    if (opener?.isImage !== true || start < 0 || MAY_HIDE.test(this.text.slice(start, this.at))) return;
    this.state.images--;
  }

  /** `![alt]` alone is an image only where its label is defined. */
  private closeAlone(opener: Opener | null): void {
    const { state } = this;
    const mayBeImage = opener?.isImage ?? state.images > 0;
    if (mayBeImage && state.hasDefinitions) {
      if (this.placeOf(opener) >= 0) return this.removeImage(opener, this.at + 1);
      return this.removeTarget(String.raw`\]`, this.at + 1);
    }
    state.hasImageReferences ||= mayBeImage;
    this.forget(opener);
    this.at++;
  }

  private closeDefinition(opener: Opener | null): void {
    if (opener?.isImage === true) return this.closeAlone(opener);
    const { text, state, policy } = this;
    const target = this.at + 2;
    DEFINED_ADDRESS.lastIndex = target;
    if (DEFINED_ADDRESS.test(text)) this.endOfTarget = Math.max(this.endOfTarget, DEFINED_ADDRESS.lastIndex);
    if (policy.forbidsDefinition(text, target)) {
      return this.removeLink(opener, endOfAddress(text, target));
    }
    if (policy.forbidsImage(text, target)) {
      if (state.hasImageReferences) return this.removeLink(opener, this.at + 1);
      state.hasDefinitions = true;
    }
    this.at++;
  }

  private bracket(): void {
    const { text, at, state, policy } = this;
    const begins = /[A-Za-z/!?]/.test(text.charAt(at + 1));
    state.doubtful ||= begins;
    AUTOLINK.lastIndex = at;
    if (begins && policy.forbidsDefinition(text, at) && AUTOLINK.test(text)) {
      const end = AUTOLINK.lastIndex;
      this.change(
        [at, end],
        [
          { span: [at, at + 1], replacement: '' },
          { span: [end - 1, end], replacement: '' },
        ],
      );
      this.at = end;
    } else if (this.alsoHtml && begins && !isHarmlessTag(text, at)) {
      // A blank behind the bracket is enough for a browser, and leaves it a bracket for everything else that reads it.
      this.removeTarget('< ', at + 1);
    } else this.at++;
  }

  /** Ticks within a target or a label open no code, and one that does not end in its line may end anywhere. */
  private doubtTail(end: number, closing: string): void {
    const tail = this.text.slice(this.at, end);
    this.state.doubtful ||= tail.length > LONGEST_TARGET || !tail.endsWith(closing) || /[`\r\n]/.test(tail);
  }

  /** `![alt](target)` → `alt [image removed]` */
  private removeImage(opener: Opener | null, end: number): void {
    const start = this.placeOf(opener);
    if (start < 0) return this.removeTarget(`] ${IMAGE_REMOVED}`, end);
    this.state.images--;
    this.change(
      [start, end],
      [
        { span: [start, start + 2], replacement: '' },
        { span: [this.at, end], replacement: start + 2 === this.at ? IMAGE_REMOVED : ` ${IMAGE_REMOVED}` },
      ],
    );
    this.at = end;
  }

  /** `[text](target)` → `text` */
  private removeLink(opener: Opener | null, end: number): void {
    const start = this.placeOf(opener);
    if (start < 0) return this.removeTarget('] ', end);
    const isImage = opener?.isImage === true;
    if (isImage) this.state.images--;
    this.change(
      [start, end],
      [
        { span: [start, start + (isImage ? 2 : 1)], replacement: '' },
        { span: [this.at, end], replacement: '' },
      ],
    );
    this.at = end;
  }

  private removeTarget(replacement: string, end: number): void {
    this.change([this.at, end], [{ span: [this.at, end], replacement }]);
    this.at = end;
  }

  private change(span: Span, edits: readonly Edit[]): void {
    if (span[0] >= this.judged) return;
    this.edits.push(...edits);
    this.findings.push({ kind: 'markdown_sanitized', detector: 'markdown', span });
    if (span[1] === this.text.length && this.judged < this.text.length) this.rest = restOfAddress;
  }
}

function isHarmlessTag(text: string, at: number): boolean {
  BARE_TAG.lastIndex = at;
  PLAIN_AUTOLINK.lastIndex = at;
  return BARE_TAG.test(text) || PLAIN_AUTOLINK.test(text);
}

function addressAt(text: string, start: number): string {
  BARE_ADDRESS.lastIndex = start;
  return BARE_ADDRESS.exec(text)?.[0] ?? '';
}

/** What stands behind an address rather than in it. */
function withoutPunctuation(address: string): string {
  let surplus = 0;
  for (const unit of address) surplus += unit === ')' ? 1 : unit === '(' ? -1 : 0;
  let end = address.length;
  for (; end > 0; end--) {
    const last = address.charAt(end - 1);
    if (last === ')' && surplus-- > 0) continue;
    if (!/[?!.,:;*_~]/.test(last)) break;
  }
  return address.slice(0, end);
}

function restOfAddress(next: string): number {
  REST_OF_ADDRESS.lastIndex = 0;
  REST_OF_ADDRESS.test(next);
  return REST_OF_ADDRESS.lastIndex;
}

/** Behind the last blank before `until`, where there is one. */
function placeInPlain(text: string, start: number, until: number): number {
  for (let at = until; at > start && until - at < 256; at--) {
    if (/\s/.test(text.charAt(at - 1))) return at;
  }
  return until;
}
