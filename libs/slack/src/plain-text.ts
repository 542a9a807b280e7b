import { escapeSlackMarkup } from '#contracts/common/text.js';

/** A text object of Block Kit. */
interface PlainText {
  readonly type: 'plain_text';
  readonly text: string;
  readonly emoji: false;
  readonly [member: string]: unknown;
}

/** Slack interprets neither markup nor emoji names in it. */
export function plain(text: string, maxLength: number): PlainText {
  return { type: 'plain_text', text: shortened(text, maxLength), emoji: false };
}

/** Whether `shortened` keeps the whole text. */
export function fits(text: string, maxLength: number): boolean {
  return lengthOf(visible(text)) <= maxLength;
}

/** Slack may count the control characters of its markup as escapes. */
function lengthOf(text: string): number {
  return escapeSlackMarkup(text).length;
}

/** Cuts the text to this length, as Slack may count it; the last character is then an ellipsis. */
export function shortened(text: string, maxLength: number): string {
  const shown = visible(text);
  if (lengthOf(shown) <= maxLength) return shown;
  let end = 0;
  let length = lengthOf('…');
  for (const character of shown) {
    length += lengthOf(character);
    if (length > maxLength) break;
    end += character.length;
  }
  return `${shown.slice(0, end)}…`;
}

/** Characters that are not visible, except spaces and ends of lines. */
const HIDDEN = /(?![ \n])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;

/** Shows hidden characters, and those that change the direction of the text, as escapes. */
function visible(text: string): string {
  return text.replaceAll(HIDDEN, (hidden) => `\\u{${(hidden.codePointAt(0) ?? 0).toString(16)}}`);
}

/** A value on one line, so that it cannot imitate the lines after it. */
export function line(value: string): string {
  return visible(value).replaceAll('\n', '\\n');
}
