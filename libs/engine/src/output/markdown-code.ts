/** A code span that is longer, or reaches into another line, is none in our eyes. */
const LONGEST_SPAN = 500;

const LINE_END = /[\r\n]/g;
const FENCE = /^(?:(`{3,})[^`]*|(~{3,}).*)$/s;
const CLOSING_FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;
/** Behind the marks of quotes and lists, and whatever is not seen: a byte order mark is dropped by some. */
const BEFORE = String.raw`^[\s\p{Cc}\p{Cf}>*+\-\d.)]*`;
const BEGINS_WITH_MARKUP = new RegExp(String.raw`${BEFORE}<[A-Za-z/!?]`, 'u');
const BEGINS_WITH_ESCAPED_MARKUP = new RegExp(String.raw`${BEFORE}< [A-Za-z/!?]`, 'u');
const ONLY_BEFORE = new RegExp(`${BEFORE}$`, 'u');
const BEGINS_WITH_FENCE = new RegExp(`${BEFORE}(?:\`{3}|~{3})`, 'u');
/** It may define a label, behind which a title may reach over several lines. */
const BEGINS_WITH_LABEL = new RegExp(String.raw`${BEFORE}\[(?:[^[\]\\]|\\.){0,999}(?:\]:|\\?$)`, 'su');
const LINE_MARKS = {
  inside: /^ {0,3}(?:`+|~+)?[ \t]*/,
  outside: new RegExp(String.raw`${BEFORE}(?:\x60{3}[^\x60]*|~{3,}|\[(?:[^[\]\\]|\\.){0,999})?`, 'su'),
};

/*
 * Code is what every renderer takes for code. Where they may differ — a fence within a list or a quote, a span over
 * two lines or over a table's cells, code among raw HTML — it is no code here: treating code as live only spoils an
 * example, treating live text as code lets it through.
 */

export function endOfLine(text: string, at: number): number {
  LINE_END.lastIndex = at;
  return LINE_END.exec(text)?.index ?? text.length;
}

/** The mark of a fence that this line opens. */
export function opensFence(line: string): string | null {
  const [, ticks, tildes] = FENCE.exec(line) ?? [];
  return ticks ?? tildes ?? null;
}

export function closesFence(opened: string, line: string): boolean {
  const [, mark] = CLOSING_FENCE.exec(line) ?? [];
  return mark !== undefined && mark[0] === opened[0] && mark.length >= opened.length;
}

/** Behind what says of a line what it is. */
export function sightOfLine(line: string, inFence: boolean): number {
  return (LINE_MARKS[inFence ? 'inside' : 'outside'].exec(line)?.[0].length ?? 0) + 3;
}

/** Whether so much of a line says nothing of what stands in it. */
export function hidesItsBeginning(line: string): boolean {
  return ONLY_BEFORE.test(line);
}

/** How far a line makes it doubtful what is code. Where the walk itself escapes markup, escaping must not end the doubt. */
export function beginsDoubt(line: string, escapes: boolean): 'text' | 'paragraph' | null {
  if (escapes && BEGINS_WITH_ESCAPED_MARKUP.test(line)) return 'text';
  if (BEGINS_WITH_MARKUP.test(line) || BEGINS_WITH_FENCE.test(line)) return 'text';
  return BEGINS_WITH_LABEL.test(line) ? 'paragraph' : null;
}

/** Behind the next run of exactly as many ticks; -1 where there is none in the line, or a table's cell may end before it. */
export function endOfCodeSpan(text: string, at: number, ticks: string): number {
  const line = text.slice(at, sightOfCodeSpan(text, at));
  const run = /`+/g;
  run.lastIndex = ticks.length;
  for (let found = run.exec(line); found !== null; found = run.exec(line)) {
    if (found[0].length !== ticks.length) continue;
    // A run at the very end of what is looked at may be longer than it looks.
    if (run.lastIndex === LONGEST_SPAN) return -1;
    return line.slice(0, run.lastIndex).includes('|') ? -1 : at + run.lastIndex;
  }
  return -1;
}

export function sightOfCodeSpan(text: string, at: number): number {
  return Math.min(endOfLine(text, at), at + LONGEST_SPAN);
}
