/** The open fence of a code block. */
export interface Fence {
  readonly marker: string;
  /** The marks of quotes and the blanks with which each of its lines begins. */
  readonly prefix: string;
  /** Not executed by a renderer, such as a diagram or a formula. */
  readonly isCode: boolean;
}

/** The end of a text from its last blank on: a word that the next text may continue. */
export interface OpenWord {
  readonly text: string;
  /** The word contains the beginning of an address. */
  readonly isAddress: boolean;
}

interface ParagraphState {
  /** Renderers may differ in how they read it, so nothing in it is code from here on. */
  isContent: boolean;
  isEmpty: boolean;
  /** No line begins with a mark or a blank, so that a blank line behind it ends all lists and quotes. */
  isPlain: boolean;
  /** It has a quote, after which some renderers read a list in another way. */
  hasQuote: boolean;
  /** What its last line begins can end in the next one: it is plain, in no list, and no title. */
  goesOn: boolean;
  /** It contains a mark of TeX, so some renderers may read a formula. */
  hasMathMark: boolean;
  /** It contains a pipe or a delimiter row, so some renderers may read a table. */
  hasTableMark: boolean;
  /** Lines, from this one on, in which the target or title of a definition may begin. */
  definitionLines: number;
}

/** What decides whether text is code, at one place of the text. */
export interface CodeState {
  /** Nothing is code from here on. */
  isRestContent: boolean;
  isAtLineStart: boolean;
  isFirstLine: boolean;
  definitionsInLine: number;
  paragraph: ParagraphState;
  /** A container block began anywhere before. */
  hasContainers: boolean;
  fence: Fence | null;
  /** An indented line is code, here or at the start of the next line. */
  isIndented: boolean;
  /** The marker that ends the open front matter. */
  openFrontMatter: string | null;
  /** The mark that ends the open formula. */
  openMath: '$$' | '\\]' | null;
  /** Where the contents of the open list items begin. */
  listOffsets: readonly number[];
  word: OpenWord;
  /** The cost of the text so far, less its length, in units. */
  extraCost: number;
}

export const NO_OFFSETS: readonly number[] = [];

const NEW_PARAGRAPH: Readonly<ParagraphState> = {
  isContent: false,
  isEmpty: true,
  isPlain: true,
  hasQuote: false,
  goesOn: false,
  hasMathMark: false,
  hasTableMark: false,
  definitionLines: 0,
};

export const BEGINNING: Readonly<CodeState> = {
  isRestContent: false,
  isAtLineStart: true,
  isFirstLine: true,
  definitionsInLine: 0,
  paragraph: NEW_PARAGRAPH,
  hasContainers: false,
  fence: null,
  isIndented: false,
  openFrontMatter: null,
  openMath: null,
  listOffsets: NO_OFFSETS,
  word: { text: '', isAddress: false },
  extraCost: 0,
};

export function copyOf(state: Readonly<CodeState>): CodeState {
  return { ...state, paragraph: { ...state.paragraph } };
}

export function endParagraph(state: CodeState): void {
  state.paragraph = { ...NEW_PARAGRAPH };
}

/** Languages of fences that renderers execute. */
const EXECUTED = /^(?:mermaid|mmd|math|katex|latex|tex(?!t)|asciimath)/i;

const PLAIN = /^(?:[\p{L}#]|\*\*)/u;
/** A line that may continue a paragraph. */
export const CONTINUES = /^ {0,3}(?:[\p{L}"'(/.]|--?[a-z])/u;
const QUOTE = /^[\s\d.)*+-]*>/;

/** The content of a line after marks of quotes and lists. */
const CONTENT = /[^\s>*+\-\d.)]|$/;
/** The mark of a container block, such as `:::note`. */
const CONTAINER = ':::';
const FENCE_LIKE = /^(?:`{3}|~{3})/;
/** A fence, also in quotes, with a language, and attributes that all renderers ignore. */
const FENCE =
  /^(( *)(?:> {0,4})*)(`{3,}|~{3,})[ \t]*([A-Za-z0-9+#._-]*)(?:[ \t]+[A-Za-z0-9+#._:=,/" \t-]*)?$/;
/** With more, some renderers read indented code. */
const MAX_INDENT = 3;
/** A label that its line does not close. */
const OPEN_LABEL = /^\[(?:[^[\]\\]|\\.)*\\?$/;
/** The mark of a list item, with the number of an ordered one. */
const LIST_ITEM = /^ *(?:([-*+])|(\d{1,9})[.)]) {1,4}(?=\S)/;
/** A rule, which looks like an item. */
const RULE = /^ *([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const FRONT_MATTER = /^(---|\+\+\+)[ \t]*$/;
/** What begins a formula, after marks and the label of a footnote. */
const BEGINS_MATH = /^(?:[\s>*+\-\d.)]|\[\^(?:[^\]\\]|\\.)*\]:)*(\$\$|\\f?\[|\\begin\s*\{)/;
const ENDS_MATH = /\$\$|\\f?\]/;
/** A line that every renderer takes as a whole formula, or that ends one of each other kind. */
const CLOSED_MATH =
  /^(?=.{0,390}$)[^$\\]*(?:\$\$[^$]+\$\$$|\\(f?)\[.+?\\\1\]|\\begin\s*\{([^{}]+)\}.*\\end\{\2\})/;
const BEGIN = /\\begin\s*\{[^{}]+\}/;
const END = /\\end\s*\{[^{}]+\}/;
const TITLE_STARTS = /^["'(]/;
const HASH = 0x23;

/** The row below the header of a table. */
export const DELIMITER_ROW = /^[\s>]*[|:-][|:\s-]*$/;

/** Whether no block construct begins or continues in a line with this first character. */
export function isOrdinaryLine(state: CodeState, first: number): boolean {
  const isLetter = (first >= 0x61 && first <= 0x7a) || (first >= 0x41 && first <= 0x5a);
  const isOpen = state.openFrontMatter !== null || state.openMath !== null;
  return (isLetter || first === HASH) && !isOpen && state.paragraph.definitionLines === 0;
}

/**
 * Follows what the start of a line decides: front matter, titles, math, lists, containers and fences.
 *
 * @param isWhole the line is not cut
 */
export function beginLine(state: CodeState, line: string, isWhole: boolean, isFirst: boolean): void {
  if (passesFrontMatter(state, line, isFirst)) return;
  followTitle(state, line);
  followMath(state, line);
  const content = contentOf(line);
  state.paragraph.isPlain &&= PLAIN.test(line);
  if (DELIMITER_ROW.test(line)) state.paragraph.hasTableMark = true;
  followList(state, line);
  state.paragraph.goesOn = state.paragraph.isPlain && state.listOffsets.length === 0 && !line.startsWith('#');
  switch (content[0]) {
    case ':':
      if (content.startsWith(CONTAINER)) state.hasContainers = true;
      break;
    case '[':
      if (OPEN_LABEL.test(content)) state.isRestContent = true;
      break;
    case '`':
    case '~':
      if (FENCE_LIKE.test(content)) openFence(state, line, isWhole);
      break;
  }
  state.paragraph.isEmpty = false;
  state.paragraph.hasQuote ||= QUOTE.test(line);
}

/** A title that is not closed in its line may reach over blank lines. It follows the target, in the same line or the next. */
function followTitle(state: CodeState, line: string) {
  if (state.paragraph.definitionLines === 0) return;
  const content = trimBlanks(line);
  if (isOpenTitle(content) || isOpenTitle(content.replace(/^\S+\s*/, ''))) state.isRestContent = true;
  state.paragraph.definitionLines--;
}

export function isContainer(line: string): boolean {
  return contentOf(line).startsWith(CONTAINER);
}

/** The line without the marks of quotes and lists. */
function contentOf(line: string) {
  return line.slice(line.search(CONTENT));
}

/** Opens the fence of this line if all renderers agree on it; otherwise nothing is code from here on. */
function openFence(state: CodeState, line: string, isWhole: boolean): void {
  const [, prefix = '', indent = '', marker = '', language = ''] = FENCE.exec(line) ?? [];
  const isAgreed =
    marker !== '' &&
    isWhole &&
    !state.paragraph.isContent &&
    !state.paragraph.hasTableMark &&
    state.openFrontMatter === null &&
    state.openMath === null &&
    indent.length - (state.listOffsets.at(-1) ?? 0) <= MAX_INDENT &&
    !(state.paragraph.hasQuote && indent.length > MAX_INDENT) &&
    !(marker[0] === '`' && line.slice(prefix.length + marker.length).includes('`'));
  if (isAgreed) state.fence = { marker, prefix, isCode: !EXECUTED.test(language) };
  else state.isRestContent = true;
}

function passesFrontMatter(state: CodeState, line: string, isFirst: boolean) {
  if (!isFirst && state.openFrontMatter === null) return false;
  const [, marker] = FRONT_MATTER.exec(line) ?? [];
  if (isFirst && marker !== undefined) {
    state.openFrontMatter = marker;
    return true;
  }
  if (state.openFrontMatter === null || marker !== state.openFrontMatter) return false;
  state.openFrontMatter = null;
  return true;
}

/** A formula that continues in the next lines begins at the start of a line. */
function followMath(state: CodeState, line: string): void {
  const [, mark] = BEGINS_MATH.exec(line) ?? [];
  if (state.openMath !== null) {
    if (trimBlanks(line) === state.openMath) state.openMath = null;
    else if (mark?.endsWith('{') === false || ENDS_MATH.test(line)) state.isRestContent = true;
  } else if (mark !== undefined) {
    const isAlone = trimBlanks(line) === mark && /^ {0,3}\S/.test(line) && state.listOffsets.length === 0;
    if (isAlone && mark === '$$') state.openMath = '$$';
    else if (isAlone && mark === '\\[') state.openMath = '\\]';
    else if (!CLOSED_MATH.test(line) || line.split(BEGIN).length !== line.split(END).length)
      state.isRestContent = true;
  }
}

function followList(state: CodeState, line: string): void {
  const indent = line.search(/[^ \t]|$/);
  if (indent > 0 && line.slice(0, indent).includes('\t')) state.paragraph.isContent = true;
  if (state.openFrontMatter !== null || state.openMath !== null || state.paragraph.isContent) {
    state.listOffsets = NO_OFFSETS;
    return;
  }
  const offsets = state.listOffsets.filter((offset) => offset <= indent);
  const item = RULE.test(line) ? null : LIST_ITEM.exec(line);
  // In a paragraph, an ordered item with another number than 1 is text, unless it goes on with a list.
  const opensList =
    item !== null &&
    indent - (offsets.at(-1) ?? 0) <= MAX_INDENT &&
    (item[1] !== undefined || item[2] === '1' || offsets.length < state.listOffsets.length);
  state.listOffsets = opensList ? [...offsets, item[0].length].slice(-8) : offsets;
}

/** A title that its line does not close. */
export function isOpenTitle(text: string): boolean {
  if (!TITLE_STARTS.test(text)) return false;
  const closing = text[0] === '(' ? ')' : text.charAt(0);
  return !text.slice(1).includes(closing);
}

/** Without spaces, tabs and a carriage return at the ends. Other white space is text to CommonMark. */
export function trimBlanks(line: string): string {
  return line.replace(/^[ \t]+|[ \t\r]+$/g, '');
}
