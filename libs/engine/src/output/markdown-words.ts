import type { MarkdownState } from './markdown-state.js';

const BEGINS_ADDRESS = /(?:https?|ftp):\/\/|www\./i;
const BLANK = /\s/;

/** What of a word may begin an address that the next stretch goes on with. */
const LONGEST_BEGINNING = 8;

/** Renderers that make a link of a bare address take what stands behind it for a part of it, up to a blank: ticks too. */
export function followWord(state: MarkdownState, run: string): void {
  let start = run.length;
  while (start > 0 && !BLANK.test(run.charAt(start - 1))) start--;
  const tail = run.slice(start);
  if (tail.length < run.length) endWord(state);
  const word = state.word + tail;
  state.inAddress ||= BEGINS_ADDRESS.test(word);
  state.word = word.slice(-LONGEST_BEGINNING);
}

export function endWord(state: MarkdownState): void {
  state.word = '';
  state.inAddress = false;
}
