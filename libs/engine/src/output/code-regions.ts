import type { Span } from '../../../contracts/src/span.js';

const LINE = /[^\r\n]*(?:\r\n|\r|\n|$)/y;
const FENCE = /^(?:(`{3,})[^`]*|(~{3,})[^]*)$/;
const CLOSING_FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;
/** Behind the marks of quotes and lists. */
const BEGINS_WITH_MARKUP = /^[ \t>*+\-\d.)]*<[A-Za-z/!?]/;
const BEGINS_WITH_BRACKET = /^[ \t>*+\-\d.)]*\[/;
const BLANK = /^[ \t]*$/;
const CODE_OR_MARKUP = /\\.|<[A-Za-z/!?]|`+/g;

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
    const [ticks] = found;
    if (ticks.startsWith('\\')) continue;
    const start = found.index;
    const end = ticks.startsWith('`') ? endOfSpan(line, start + ticks.length, ticks.length) : -1;
    if (end === -1 || line.slice(start, end).includes('|')) return false;
    regions.push([offset + start, offset + end]);
    CODE_OR_MARKUP.lastIndex = end;
  }
  return true;
}

/** Behind the next run of exactly as many ticks. */
function endOfSpan(line: string, from: number, count: number): number {
  const run = /`+/g;
  run.lastIndex = from;
  for (let found = run.exec(line); found !== null; found = run.exec(line)) {
    if (found[0].length === count) return run.lastIndex;
  }
  return -1;
}
