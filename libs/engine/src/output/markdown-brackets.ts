import { endOfAddress, endOfLinkTarget, LONGEST_TARGET } from './link-target.js';
import type { LinkPolicy } from './link-policy.js';
import type { MarkdownEdits } from './markdown-edits.js';
import type { MarkdownState, Opener } from './markdown-state.js';

const LABEL = /\[[^[\]]{0,999}\]/y;
const DEFINED_ADDRESS = /[\s>]{0,256}\S{0,256}/y;
/** What may hide a bracket from us, or from another reader. */
const MAY_HIDE = /[`<(]/;

/** Brackets within brackets; what is deeper stands for itself. */
const DEEPEST = 1000;

const IMAGE_REMOVED = '[image removed]';

/** Pairs brackets inside out, and judges each pair when it closes. Its methods answer where the walk goes on. */
export class MarkdownBrackets {
  /** Up to here stands a target by which something was judged. */
  endOfTarget = 0;
  /** Where the bracket stands that closes. */
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly state: MarkdownState,
    private readonly edits: MarkdownEdits,
    private readonly policy: LinkPolicy,
  ) {}

  open(at: number, isImage: boolean): number {
    const { state } = this;
    const depth = (state.opener?.depth ?? 0) + 1;
    if (depth <= DEEPEST) state.opener = { at: state.settled + at, isImage, around: state.opener, depth };
    if (isImage) state.images++;
    return at + (isImage ? 2 : 1);
  }

  close(at: number): number {
    const { opener } = this.state;
    this.state.opener = opener?.around ?? null;
    this.at = at;
    switch (this.text[at + 1]) {
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

  private closeWithTarget(opener: Opener | null): number {
    const { text, state, policy, at } = this;
    const target = at + 2;
    const end = endOfLinkTarget(text, target);
    this.doubtTail(end, ')');
    this.endOfTarget = Math.max(this.endOfTarget, end);
    if (opener?.isImage === true) {
      if (policy.forbidsImage(text, target)) return this.removeImage(opener, end);
      state.images--;
      return at + 1;
    }
    if (policy.forbidsLink(text, target)) return this.removeLink(opener, end);
    if (state.images === 0 || !policy.forbidsImage(text, target)) return at + 1;
    return this.replaceUpTo(end, `] ${IMAGE_REMOVED}`);
  }

  private closeWithLabel(opener: Opener | null): number {
    const { text, state, at } = this;
    LABEL.lastIndex = at + 1;
    const end = LABEL.test(text) ? LABEL.lastIndex : 0;
    this.doubtTail(end, ']');
    if (opener?.isImage === true && state.hasDefinitions && end > 0) return this.removeImage(opener, end);
    if (state.images > 0 && state.hasDefinitions) return this.replaceUpTo(at + 1, '] ');
    state.hasImageReferences ||= state.images > 0;
    this.forget(opener);
    return at + 1;
  }

  /** `![alt]` alone is an image only where its label is defined. */
  private closeAlone(opener: Opener | null): number {
    const { state, at } = this;
    const mayBeImage = opener?.isImage ?? state.images > 0;
    if (mayBeImage && state.hasDefinitions) {
      if (this.placeOf(opener) >= 0) return this.removeImage(opener, at + 1);
      return this.replaceUpTo(at + 1, String.raw`\]`);
    }
    state.hasImageReferences ||= mayBeImage;
    this.forget(opener);
    return at + 1;
  }

  private closeDefinition(opener: Opener | null): number {
    if (opener?.isImage === true) return this.closeAlone(opener);
    const { text, state, policy, at } = this;
    const target = at + 2;
    DEFINED_ADDRESS.lastIndex = target;
    if (DEFINED_ADDRESS.test(text)) this.endOfTarget = Math.max(this.endOfTarget, DEFINED_ADDRESS.lastIndex);
    if (policy.forbidsDefinition(text, target)) return this.removeLink(opener, endOfAddress(text, target));
    if (policy.forbidsImage(text, target)) {
      if (state.hasImageReferences) return this.removeLink(opener, at + 1);
      state.hasDefinitions = true;
    }
    return at + 1;
  }

  /** Of an image without a target: none that follows can be its own, unless the bracket that closed it is in doubt. */
  private forget(opener: Opener | null): void {
    const start = this.placeOf(opener);
    if (opener?.isImage !== true || start < 0 || MAY_HIDE.test(this.text.slice(start, this.at))) return;
    this.state.images--;
  }

  /** Ticks within a target or a label open no code, and one that does not end in its line may end anywhere. */
  private doubtTail(end: number, closing: string): void {
    const tail = this.text.slice(this.at, end);
    this.state.doubtful ||= tail.length > LONGEST_TARGET || !tail.endsWith(closing) || /[`\r\n]/.test(tail);
  }

  /** Where an opener stands in this stretch; -1 where it is settled. */
  private placeOf(opener: Opener | null): number {
    return opener === null ? -1 : Math.max(-1, opener.at - this.state.settled);
  }

  /** `![alt](target)` → `alt [image removed]` */
  private removeImage(opener: Opener | null, end: number): number {
    const start = this.placeOf(opener);
    if (start < 0) return this.replaceUpTo(end, `] ${IMAGE_REMOVED}`);
    this.state.images--;
    const isWithoutText = start + 2 === this.at;
    this.edits.change(
      [start, end],
      [
        { span: [start, start + 2], replacement: '' },
        { span: [this.at, end], replacement: isWithoutText ? IMAGE_REMOVED : ` ${IMAGE_REMOVED}` },
      ],
    );
    return end;
  }

  /** `[text](target)` → `text` */
  private removeLink(opener: Opener | null, end: number): number {
    const start = this.placeOf(opener);
    if (start < 0) return this.replaceUpTo(end, '] ');
    const isImage = opener?.isImage === true;
    if (isImage) this.state.images--;
    this.edits.change(
      [start, end],
      [
        { span: [start, start + (isImage ? 2 : 1)], replacement: '' },
        { span: [this.at, end], replacement: '' },
      ],
    );
    return end;
  }

  private replaceUpTo(end: number, replacement: string): number {
    this.edits.replace([this.at, end], replacement);
    return end;
  }
}
