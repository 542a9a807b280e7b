import { endOfAddress, endOfLinkTarget, seenTarget, sightOfDefinition } from './link-target.js';
import type { LinkPolicy } from './link-policy.js';
import type { MarkdownEdits } from './markdown-edits.js';
import type { MarkdownState, Opener } from './markdown-state.js';

const LABEL_OR_PART = /\[[^[\]]{0,999}\]?/y;

/** Brackets within brackets; what is deeper stands for itself. */
const DEEPEST = 1000;

const IMAGE_REMOVED = '[image removed]';

/** Pairs brackets inside out, and judges each pair when it closes. Its methods answer where the walk goes on. */
export class MarkdownBrackets {
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
    else state.deeper++;
    if (isImage) state.images++;
    return at + (isImage ? 2 : 1);
  }

  close(at: number): number {
    const opener = this.innermost();
    this.at = at;
    this.edits.see(at + 2);
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
    const seen = seenTarget(text, target);
    this.doubtTail(seen.end, ')');
    this.edits.see(seen.seenUntil);
    const end = endOfLinkTarget(text, target);
    if (opener?.isImage === true) {
      if (policy.forbidsImage(text, target)) return this.removeImage(opener, end);
      state.images--;
      return at + 1;
    }
    if (policy.forbidsLink(text, target, seen.mayBeClosed)) return this.removeLink(opener, end);
    if (state.images === 0 || !policy.forbidsImage(text, target)) return at + 1;
    return this.replaceUpTo(end, `] ${IMAGE_REMOVED}`);
  }

  private closeWithLabel(opener: Opener | null): number {
    const { text, state, at } = this;
    LABEL_OR_PART.lastIndex = at + 1;
    LABEL_OR_PART.test(text);
    const isWhole = text[LABEL_OR_PART.lastIndex - 1] === ']';
    const end = isWhole ? LABEL_OR_PART.lastIndex : 0;
    this.edits.see(LABEL_OR_PART.lastIndex + (isWhole ? 0 : 1));
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
    this.edits.see(sightOfDefinition(text, target));
    if (policy.forbidsDefinition(text, target)) return this.removeLink(opener, endOfAddress(text, target));
    if (policy.forbidsImage(text, target)) {
      if (state.hasImageReferences) return this.removeLink(opener, at + 1);
      state.hasDefinitions = true;
    }
    return at + 1;
  }

  private innermost(): Opener | null {
    const { state } = this;
    if (state.deeper > 0) {
      state.deeper--;
      return null;
    }
    const { opener } = state;
    state.opener = opener?.around ?? null;
    return opener;
  }

  /** Of an image without a target: none that follows can be its own, unless the bracket that closed it is in doubt. */
  private forget(opener: Opener | null): void {
    if (opener?.isImage === true && opener.at > this.state.mayHide) this.state.images--;
  }

  /** Ticks within a target or a label open no code, and one that does not end in its line may end anywhere. */
  private doubtTail(end: number, closing: string): void {
    const tail = this.text.slice(this.at, end);
    this.state.doubtful ||= !tail.endsWith(closing) || /[`\r\n]/.test(tail);
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
