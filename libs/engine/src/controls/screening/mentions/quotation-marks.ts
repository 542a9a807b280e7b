import type { Utf16Span } from '#contracts/common/spans.js';

/** Distance to an opening or closing mark. Limits the cost of each match. */
const REACH = 400;

/** Pairs of marks that differ. `„` also opens what `“` closes. */
const CLOSERS: Readonly<Record<string, string>> = {
  '“': '”',
  '„': '“”',
  '«': '»',
  '‹': '›',
  '‘': '’',
  '「': '」',
  '『': '』',
  '《': '》',
};

/** Marks that open and close. */
const STRAIGHT = '"\'`';

const LETTER = /[\p{L}\p{N}]/u;

/** The innermost pair of marks around the match. */
export function quotationAround(text: string, start: number, end: number): Utf16Span | null {
  for (let open = start - 1; open >= Math.max(0, start - REACH); open--) {
    const mark = text.charAt(open);
    if (mark === '\n' && text.charAt(open - 1) === '\n') return null;
    const closers = CLOSERS[mark] ?? (opens(text, open) ? mark : null);
    if (closers === null) {
      if (closes(text, open) || isCloser(mark)) return null;
      continue;
    }
    const close = closing(text, closers, start);
    return close !== null && close >= end ? [open, close + 1] : null;
  }
  return null;
}

function closing(text: string, closers: string, from: number) {
  for (let at = from; at < Math.min(text.length, from + REACH); at++) {
    const mark = text.charAt(at);
    if (mark === '\n' && text.charAt(at + 1) === '\n') return null;
    if (closers.includes(mark) && (!STRAIGHT.includes(mark) || closes(text, at))) return at;
  }
  return null;
}

/** A straight mark opens before a letter and not behind one. */
function opens(text: string, at: number) {
  if (!STRAIGHT.includes(text.charAt(at))) return false;
  const [behind, next] = [unescaped(text, at - 1), text.charAt(at + 1)];
  return !LETTER.test(behind) && !/[.!?…]/.test(behind) && /\S/.test(next);
}

function closes(text: string, at: number) {
  if (!STRAIGHT.includes(text.charAt(at))) return false;
  return !LETTER.test(text.charAt(at + 1)) && /\S/.test(unescaped(text, at - 1));
}

/** The character at this place, or the one before a backslash there. */
function unescaped(text: string, at: number) {
  return text.charAt(text.charAt(at) === '\\' ? at - 1 : at);
}

function isCloser(mark: string) {
  return '”»›」』》'.includes(mark) && mark !== '';
}
