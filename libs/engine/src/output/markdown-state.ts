/** A bracket that is open, and those around it. */
export interface Opener {
  /** Counted from the beginning of the text. */
  readonly at: number;
  readonly isImage: boolean;
  readonly around: Opener | null;
  readonly depth: number;
}

/** What the walk through a markdown text knows of what lies behind it. */
export interface MarkdownState {
  /** The mark that opened the fence in which the walk stands. */
  fence: string | null;
  /** From here on nothing is taken for code: renderers may disagree about what is. */
  nothingIsCode: boolean;
  /** The same, up to the end of the paragraph. */
  doubtful: boolean;
  atLineStart: boolean;
  /** The text was parted behind a backslash. */
  escaped: boolean;
  /** The end of what stands since the last blank, and whether an address begins in it. */
  word: string;
  inAddress: boolean;
  /** The end of what is settled: an address may have begun there. */
  tail: string;
  /** The text was parted within the address of an allowed host. */
  inAllowedAddress: boolean;
  /** Units that are settled: what was opened before is still closed, but no longer edited. */
  settled: number;
  opener: Opener | null;
  /** Brackets that are open within so many others that they stand for themselves. */
  deeper: number;
  /** Where the last unit stands, counted from the beginning, that may hide a bracket from us or from another reader. */
  mayHide: number;
  /** Images of this paragraph that are open, or closed without a target: a later target might still be theirs. */
  images: number;
  /** A label was defined that leads elsewhere. */
  hasDefinitions: boolean;
  /** An image was let through that only a definition would make one. */
  hasImageReferences: boolean;
}

export function atTheBeginning(): MarkdownState {
  return {
    fence: null,
    nothingIsCode: false,
    doubtful: false,
    atLineStart: true,
    escaped: false,
    word: '',
    inAddress: false,
    tail: '',
    inAllowedAddress: false,
    settled: 0,
    opener: null,
    deeper: 0,
    mayHide: -1,
    images: 0,
    hasDefinitions: false,
    hasImageReferences: false,
  };
}
