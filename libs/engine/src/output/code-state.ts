export interface Fence {
  readonly marker: string;
  readonly indent: number;
  readonly isCode: boolean;
}

/** What decides whether text is code, at one place of the text. */
export interface CodeState {
  atLineStart: boolean;
  isFirstLine: boolean;
  fence: Fence | null;
  /** From here on nothing is code. */
  isDistrusted: boolean;
  /** All renderers read this paragraph in the same way so far. */
  isClear: boolean;
  isParagraphEmpty: boolean;
  hasDollar: boolean;
  hasPipe: boolean;
  /** Lines, from this one on, in which the target or title of a definition may begin. */
  titleLines: number;
  definitionsInLine: number;
  /** The end of the word that the place is in. */
  word: string;
  isInAddress: boolean;
  listOffsets: readonly number[];
  frontMatter: string | null;
  displayMath: '$$' | '\\]' | null;
  hasDisplayMath: boolean;
  hasBracketMath: boolean;
  hasContainers: boolean;
  /** The cost of the text so far, without its length, in units. */
  debt: number;
}

export const BEGINNING: Readonly<CodeState> = {
  atLineStart: true,
  isFirstLine: true,
  fence: null,
  isDistrusted: false,
  isClear: true,
  isParagraphEmpty: true,
  hasDollar: false,
  hasPipe: false,
  titleLines: 0,
  definitionsInLine: 0,
  word: '',
  isInAddress: false,
  listOffsets: [],
  frontMatter: null,
  displayMath: null,
  hasDisplayMath: false,
  hasBracketMath: false,
  hasContainers: false,
  debt: 0,
};

export function endParagraph(state: CodeState): void {
  state.isClear = true;
  state.isParagraphEmpty = true;
  state.hasDollar = false;
  state.hasPipe = false;
  state.titleLines = 0;
}
