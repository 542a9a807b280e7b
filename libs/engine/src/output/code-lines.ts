import type { CodeState } from './code-state.js';

/** Languages of fences that renderers execute. */
const EXECUTED = /^(?:mermaid|math|katex|latex|tex(?!t)|asciimath)/i;

/** Marks of quotes and lists before the content of a line. */
const MARKS = /^[\s>*+\-\d.)]*/;
const CONTAINER = ':::';
const FENCE_LIKE = /^(?:`{3}|~{3})/;
const FENCE = /^( *)(`{3,}|~{3,})[ \t]*([A-Za-z0-9+#._-]*)(?:[ \t]+[A-Za-z0-9+#._:=,/" \t-]*)?$/;
const OPEN_LABEL = /^\[(?:[^[\]\\]|\\.)*\\?$/;
const LIST_ITEM = /^ *(?:([-*+])|(\d{1,9})[.)]) {1,4}(?=\S)/;
const FRONT_MATTER = /^(---|\+\+\+)[ \t]*$/;
const BALANCED_MATH = /^[^$]*(?:\$[^$]+\$[^$]*)*(?:\$\$[^$]+\$\$[^$]*(?:\$[^$]+\$[^$]*)*)+$/;
const TITLE_STARTS = /^["'(]/;
const HASH = 0x23;

export const DELIMITER_ROW = /^[\s>]*[|:-][|:\s-]*$/;

export const NO_OFFSETS: readonly number[] = [];

/** Whether no block construct begins or continues in a line with this first character. */
export function isOrdinaryLine(state: CodeState, first: number): boolean {
  const isLetter = (first >= 0x61 && first <= 0x7a) || (first >= 0x41 && first <= 0x5a);
  return (isLetter || first === HASH) && state.frontMatter === null && state.titleLines === 0;
}

/**
 * Follows what the start of a line decides: front matter, titles, math, lists, containers and fences.
 *
 * @param isWhole the line is not cut
 */
export function beginLine(state: CodeState, line: string, isWhole: boolean, isFirst: boolean): void {
  if (isFirst && line.startsWith('\uFEFF')) state.isDistrusted = true;
  if (passesFrontMatter(state, line, isFirst)) return;
  followTitle(state, trimBlanks(line));
  followMath(state, line);
  const content = contentOf(line);
  if (DELIMITER_ROW.test(line)) state.hasPipe = true;
  followList(state, line);
  switch (content[0]) {
    case ':':
      if (content.startsWith(CONTAINER)) state.hasContainers = true;
      break;
    case '[':
      if (OPEN_LABEL.test(content)) state.isDistrusted = true;
      break;
    case '`':
    case '~':
      if (FENCE_LIKE.test(content)) openFence(state, line, isWhole);
      break;
  }
  state.isParagraphEmpty = false;
}

/** A title that is not closed in its line may reach over blank lines. It follows the target, in the same line or the next. */
function followTitle(state: CodeState, line: string): void {
  if (state.titleLines === 0) return;
  if (isOpenTitle(line) || isOpenTitle(line.replace(/^\S+\s*/, ''))) state.isDistrusted = true;
  state.titleLines--;
}

export function isContainer(line: string): boolean {
  return contentOf(line).startsWith(CONTAINER);
}

/** The line without the marks of quotes and lists. */
function contentOf(line: string): string {
  return line.slice(MARKS.exec(line)?.[0].length ?? 0);
}

/** Opens the fence of this line if all renderers agree on it; otherwise nothing is code from here on. */
function openFence(state: CodeState, line: string, isWhole: boolean): void {
  const [, indent = '', marker = '', language = ''] = FENCE.exec(line) ?? [];
  const isAgreed =
    marker !== '' &&
    isWhole &&
    state.isClear &&
    !state.hasPipe &&
    state.frontMatter === null &&
    state.displayMath === null &&
    indent.length === (state.listOffsets.at(-1) ?? 0) &&
    !(marker[0] === '`' && line.slice(indent.length + marker.length).includes('`'));
  if (isAgreed) state.fence = { marker, indent: indent.length, isCode: !EXECUTED.test(language) };
  else state.isDistrusted = true;
}

function passesFrontMatter(state: CodeState, line: string, isFirst: boolean): boolean {
  if (!isFirst && state.frontMatter === null) return false;
  const [, marker] = FRONT_MATTER.exec(line) ?? [];
  if (isFirst && marker !== undefined) {
    state.frontMatter = marker;
    return true;
  }
  if (state.frontMatter === null || marker !== state.frontMatter) return false;
  state.frontMatter = null;
  return true;
}

function followMath(state: CodeState, line: string): void {
  const hasBackslash = line.includes('\\');
  const hasDollars = line.includes('$$');
  if (!hasBackslash && !hasDollars) return;
  const trimmed = trimBlanks(line);
  if (hasDollars) {
    state.hasDisplayMath = true;
    if (
      trimmed === '$$' &&
      state.displayMath !== '\\]' &&
      /^ {0,3}\$/.test(line) &&
      state.listOffsets.length === 0
    ) {
      state.displayMath = state.displayMath === null ? '$$' : null;
    } else if (state.displayMath !== null || !BALANCED_MATH.test(line)) state.isDistrusted = true;
  }
  if (!hasBackslash) return;
  if (/\\[[\]]/.test(line)) {
    state.hasBracketMath = true;
    if (trimmed === '\\[' && state.displayMath === null) state.displayMath = '\\]';
    else if (trimmed === '\\]' && state.displayMath === '\\]') {
      state.displayMath = null;
    } else if (line.split('\\[').length !== line.split('\\]').length) state.isDistrusted = true;
  }
  if (state.displayMath === null && line.includes('\\begin{') && !line.includes('\\end{'))
    state.isDistrusted = true;
}

function followList(state: CodeState, line: string): void {
  const indent = line.length - line.trimStart().length;
  if (indent > 0 && line.slice(0, indent).includes('\t')) state.isClear = false;
  const offsets = state.listOffsets.filter((offset) => offset <= indent);
  const item = LIST_ITEM.exec(line);
  const opensList =
    item !== null &&
    (item[1] !== undefined ||
      item[2] === '1' ||
      offsets.length > 0 ||
      state.listOffsets.length > 0 ||
      state.isParagraphEmpty);
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
