import type { Span } from '../../../contracts/src/span.js';
import { endOfLinkTarget } from './link-target.js';

const LINE = /[^\r\n]*(?:\r\n|\r|\n|$)/y;
const FENCE = /^(?:(`{3,})[^`]*|(~{3,})[^]*)$/;
const CLOSING_FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;
/** Behind the marks of quotes and lists. */
const BEGINS_WITH_MARKUP = /^[ \t>*+\-\d.)]*<[A-Za-z/!?]/;
const BEGINS_WITH_BRACKET = /^[ \t>*+\-\d.)]*\[/;
const BLANK = /^[ \t]*$/;
const CODE_OR_MARKUP = /\\.|<[A-Za-z/!?]|\]\(|\]\[|`+/g;

interface Fence {
  readonly start: number;
  readonly mark: string;
}

/**
 * The parts of a markdown text that every renderer takes for code, ascending. Where renderers may differ — a fence
 * within a list or a quote, a span over two lines or over a table's cells, code among raw HTML — it is no code
 * here: treating code as live only spoils an example, treating live text as code lets it through.
 */
export function codeRegions(text: string): readonly Span[] {
  const regions: Span[] = [];
  let fence: Fence | null = null;
  let doubtful = false;
  LINE.lastIndex = 0;
  for (let start = 0; start < text.length; start = LINE.lastIndex) {
    const line = (LINE.exec(text)?.[0] ?? '').replace(/[\r\n]+$/, '');
    if (fence !== null) {
      if (!closes(fence, line)) continue;
      regions.push([fence.start, start + line.length]);
      fence = null;
      doubtful = false;
      continue;
    }
    const [, ticks, tildes] = FENCE.exec(line) ?? [];
    const mark = ticks ?? tildes;
    if (mark !== undefined) {
      fence = { start, mark };
    } else if (BEGINS_WITH_MARKUP.test(line)) {
      return regions;
    } else if (BLANK.test(line)) {
      doubtful = false;
    } else if (!doubtful) {
      doubtful = BEGINS_WITH_BRACKET.test(line) || !addSpans(line, start, regions);
    }
  }
  if (fence !== null) regions.push([fence.start, text.length]);
  return regions;
}

function closes(fence: Fence, line: string): boolean {
  const [, mark] = CLOSING_FENCE.exec(line) ?? [];
  return mark !== undefined && mark[0] === fence.mark[0] && mark.length >= fence.mark.length;
}

/** Adds the code spans of one line; `false` where something may reach into the next lines. */
function addSpans(line: string, offset: number, regions: Span[]): boolean {
  CODE_OR_MARKUP.lastIndex = 0;
  for (let found = CODE_OR_MARKUP.exec(line); found !== null; found = CODE_OR_MARKUP.exec(line)) {
    const [mark] = found;
    if (mark.startsWith('\\')) continue;
    const end = mark.startsWith('`') ? endOfSpan(line, found) : endOfTail(line, found);
    if (end === -1) return false;
    if (mark.startsWith('`')) regions.push([offset + found.index, offset + end]);
    CODE_OR_MARKUP.lastIndex = end;
  }
  return true;
}

/** Behind the next run of exactly as many ticks; -1 where there is none, or a table's cell may end before it. */
function endOfSpan(line: string, { index, 0: ticks }: RegExpExecArray): number {
  const run = /`+/g;
  run.lastIndex = index + ticks.length;
  for (let found = run.exec(line); found !== null; found = run.exec(line)) {
    if (found[0].length !== ticks.length) continue;
    return line.slice(index, run.lastIndex).includes('|') ? -1 : run.lastIndex;
  }
  return -1;
}

/** Behind the target or the label of a link; -1 where it does not end in this line, or ticks in it open no code. */
function endOfTail(line: string, { index, 0: mark }: RegExpExecArray): number {
  if (mark.startsWith('<')) return -1;
  const end = mark === '](' ? endOfLinkTarget(line, index + 2) : line.indexOf(']', index + 2) + 1;
  const tail = line.slice(index, end);
  return /^\](?:\(.*\)|\[.*\])$/s.test(tail) && !tail.includes('`') ? end : -1;
}
