import type { Finding } from '../../../contracts/src/output.js';
import type { Span } from '../../../contracts/src/span.js';
import { codeRegions } from './code-regions.js';
import { endOfAddress, endOfLinkTarget, isDangerousTarget, isLocalTarget } from './link-target.js';
import type { Pass, PassResult } from './pass.js';
import type { Edit } from './traced-text.js';

const PUNCTUATION = /[!-/:-@[-`{-~]/;
const BLANK_AHEAD = /[ \t]*(?:[\r\n]|$)/y;
const LABEL = /\[[^[\]]{0,999}\]/y;
const AUTOLINK = /<[^\s<>]*>/y;

const IMAGE_REMOVED = '[image removed]';

/**
 * Takes the danger out of markdown: images that would be fetched from elsewhere (each one can carry data out, without
 * a click), links and definitions that run code. Ordinary links stay. One walk, in the way of CommonMark: brackets
 * pair inside out. Where a renderer might pair them otherwise, the doubt counts against the text.
 */
export const neutraliseMarkdown: Pass = (text) => new MarkdownWalk(text).walk();

interface Opener {
  readonly at: number;
  readonly isImage: boolean;
}

class MarkdownWalk {
  private readonly edits: Edit[] = [];
  private readonly findings: Finding[] = [];
  private readonly code: readonly Span[];
  private readonly hasDefinitions: boolean;
  private openers: Opener[] = [];
  /** Images of this paragraph that are open, or closed without a target: a later target might still be theirs. */
  private images = 0;
  private at = 0;

  constructor(private readonly text: string) {
    this.code = codeRegions(text);
    this.hasDefinitions = text.includes(']:');
  }

  walk(): PassResult {
    let region = 0;
    while (this.at < this.text.length) {
      while ((this.code[region]?.[0] ?? Infinity) < this.at) region++;
      const code = this.code[region];
      if (code?.[0] === this.at) this.at = code[1];
      else this.step();
    }
    this.edits.sort((one, other) => one.span[0] - other.span[0]);
    return { edits: this.edits, findings: this.findings };
  }

  private step(): void {
    const { text, at } = this;
    switch (text[at]) {
      case '\\':
        this.at += PUNCTUATION.test(text.charAt(at + 1)) ? 2 : 1;
        break;
      case '\n':
      case '\r':
        this.at += text.startsWith('\r\n', at) ? 2 : 1;
        BLANK_AHEAD.lastIndex = this.at;
        if (BLANK_AHEAD.test(text)) this.endParagraph();
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
        this.autolink();
        break;
      default:
        this.at++;
    }
  }

  private endParagraph(): void {
    this.openers = [];
    this.images = 0;
  }

  private open(isImage: boolean): void {
    this.openers.push({ at: this.at, isImage });
    if (isImage) this.images++;
    this.at += isImage ? 2 : 1;
  }

  private close(): void {
    const opener = this.openers.pop();
    switch (this.text[this.at + 1]) {
      case '(':
        return this.closeWithTarget(opener);
      case '[':
        return this.closeWithLabel(opener);
      case ':':
        return this.closeDefinition(opener);
      default:
        // `![alt]` alone is an image only where its label is defined.
        if (opener?.isImage === true && this.hasDefinitions) this.removeImage(opener, this.at + 1);
        else this.at++;
    }
  }

  private closeWithTarget(opener: Opener | undefined): void {
    const target = this.at + 2;
    const isRemote = !isLocalTarget(this.text, target);
    if (opener?.isImage === true) {
      if (isRemote) return this.removeImage(opener, endOfLinkTarget(this.text, target));
      this.images--;
      this.at++;
    } else if (isDangerousTarget(this.text, target)) {
      this.removeLink(opener, endOfLinkTarget(this.text, target));
    } else if (this.images > 0 && isRemote) {
      this.removeTarget(`] ${IMAGE_REMOVED}`, endOfLinkTarget(this.text, target));
    } else this.at++;
  }

  private closeWithLabel(opener: Opener | undefined): void {
    LABEL.lastIndex = this.at + 1;
    if (!this.hasDefinitions) this.at++;
    else if (opener?.isImage === true && LABEL.test(this.text)) this.removeImage(opener, LABEL.lastIndex);
    else if (this.images > 0) this.removeTarget('] ', this.at + 1);
    else this.at++;
  }

  private closeDefinition(opener: Opener | undefined): void {
    const target = this.at + 2;
    if (isDangerousTarget(this.text, target)) this.removeLink(opener, endOfAddress(this.text, target));
    else this.at++;
  }

  private autolink(): void {
    AUTOLINK.lastIndex = this.at;
    const end = isDangerousTarget(this.text, this.at) && AUTOLINK.test(this.text) ? AUTOLINK.lastIndex : 0;
    if (end === 0) {
      this.at++;
      return;
    }
    this.edit([this.at, this.at + 1], '');
    this.edit([end - 1, end], '');
    this.find([this.at, end]);
    this.at = end;
  }

  /** `![alt](target)` → `alt [image removed]` */
  private removeImage({ at }: Opener, end: number): void {
    this.images--;
    this.edit([at, at + 2], '');
    this.edit([this.at, end], at + 2 === this.at ? IMAGE_REMOVED : ` ${IMAGE_REMOVED}`);
    this.find([at, end]);
    this.at = end;
  }

  /** `[text](target)` → `text` */
  private removeLink(opener: Opener | undefined, end: number): void {
    if (opener?.isImage === true) this.images--;
    if (opener === undefined) return this.removeTarget(']', end);
    this.edit([opener.at, opener.at + (opener.isImage ? 2 : 1)], '');
    this.edit([this.at, end], '');
    this.find([opener.at, end]);
    this.at = end;
  }

  private removeTarget(replacement: string, end: number): void {
    this.edit([this.at, end], replacement);
    this.find([this.at, end]);
    this.at = end;
  }

  private edit(span: Span, replacement: string): void {
    this.edits.push({ span, replacement });
  }

  private find(span: Span): void {
    this.findings.push({ kind: 'markdown_sanitized', detector: 'markdown', span });
  }
}
