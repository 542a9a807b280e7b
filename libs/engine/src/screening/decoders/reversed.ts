import { MappedTextBuilder, type MappedText } from '../mapped-text.js';

/** The whole text from its end, code point by code point. */
export function reversedView(text: string): MappedText {
  const builder = new MappedTextBuilder(text.length);
  let end = text.length;
  while (end > 0) {
    const pair = end > 1 && (text.codePointAt(end - 2) ?? 0) > 0xffff;
    const start = end - (pair ? 2 : 1);
    builder.push(text.slice(start, end), start, end);
    end = start;
  }
  return builder.build();
}
