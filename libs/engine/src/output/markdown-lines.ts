import {
  beginsDoubt,
  closesFence,
  endOfLine,
  hidesItsBeginning,
  opensFence,
  sightOfLine,
} from './markdown-code.js';
import type { MarkdownEdits } from './markdown-edits.js';
import type { MarkdownState } from './markdown-state.js';

/** How a longer line ends may lie beyond what is seen. */
const LONGEST_FENCE_LINE = 1000;

/** Notes what the beginning of a line changes. Answers the end of a line that is done with, else where it begins. */
export function beginLine(
  text: string,
  at: number,
  state: MarkdownState,
  edits: MarkdownEdits,
  escapesHtml: boolean,
): number {
  state.atLineStart = false;
  const end = endOfLine(text, at);
  const line = text.slice(at, Math.min(end, at + LONGEST_FENCE_LINE + 1));
  edits.see(Math.min(at + sightOfLine(line, state.fence !== null), end + 1));
  const isWhole = line.length <= LONGEST_FENCE_LINE;
  if (state.fence !== null) {
    if (!closesFence(state.fence, line)) return at;
    state.fence = null;
    state.doubtful = false;
    state.nothingIsCode ||= !isWhole;
    return isWhole ? end : at;
  }
  if (line.trim() === '') {
    state.opener = null;
    state.deeper = 0;
    state.images = 0;
    state.doubtful = false;
    return at;
  }
  const mark = opensFence(line);
  if (mark === null) {
    const doubt = beginsDoubt(line, escapesHtml);
    state.doubtful ||= doubt === 'paragraph';
    state.nothingIsCode ||= doubt === 'text' || (!isWhole && hidesItsBeginning(line));
    return at;
  }
  state.nothingIsCode ||= !isWhole;
  if (state.nothingIsCode) return at;
  state.fence = mark;
  return end;
}
