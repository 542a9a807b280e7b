import { beginsDoubt, closesFence, endOfLine, opensFence } from './markdown-code.js';
import type { MarkdownState } from './markdown-state.js';

/** How a longer line ends may lie beyond what is seen. */
const LONGEST_FENCE_LINE = 1000;

/** Notes what the beginning of a line changes. Answers the end of a line that is done with, else where it begins. */
export function beginLine(text: string, at: number, state: MarkdownState, escapesHtml: boolean): number {
  state.atLineStart = false;
  const end = endOfLine(text, at);
  const line = text.slice(at, end);
  const isWhole = line.length <= LONGEST_FENCE_LINE;
  if (state.fence !== null) {
    if (!closesFence(state.fence, line)) return at;
    state.fence = null;
    state.doubtful = false;
    state.nothingIsCode ||= !isWhole;
    return end;
  }
  if (line.trim() === '') {
    state.opener = null;
    state.images = 0;
    state.doubtful = false;
    return at;
  }
  const mark = opensFence(line);
  if (mark === null) {
    const doubt = beginsDoubt(line, escapesHtml);
    state.doubtful ||= doubt === 'paragraph';
    state.nothingIsCode ||= doubt === 'text';
    return at;
  }
  state.nothingIsCode ||= !isWhole;
  if (state.nothingIsCode) return at;
  state.fence = mark;
  return end;
}
