import type { Span } from '#contracts/common/text.js';
import { BuiltInDetector } from './pattern-detector.js';
import { contentsOf } from './text-traits.js';
import { tokenAt, type VendorTokenMatch } from './vendor-tokens.js';
import { VENDOR_TOKENS } from './vendor-tokens.data.js';

/** The forms of one name in the table of tokens. */
export class VendorTokenDetector extends BuiltInDetector {
  override readonly kind = 'secret_redaction';

  constructor(override readonly name: string) {
    super();
  }

  override find(text: string, until?: number): readonly Span[] {
    return vendorTokens(text, contentsOf(text).tokens, until)
      .filter(({ name }) => name === this.name)
      .map(({ span }) => span);
  }
}

/** The tokens of all names that begin before a place, given where tokens could begin. */
export function vendorTokens(
  text: string,
  places: readonly number[],
  until = text.length,
): readonly VendorTokenMatch[] {
  const found: VendorTokenMatch[] = [];
  let read = 0;
  for (const [index, place] of places.entries()) {
    if (place < read) continue;
    const token = tokenAt(text, place, places[index + 1] ?? Infinity);
    if (token === null || token.span[0] < read || token.span[0] >= until) continue;
    found.push(token);
    read = token.span[1];
  }
  return found;
}

export const vendorTokenDetectors = Array.from(
  new Set(VENDOR_TOKENS.map(([name]) => name)),
  (name) => new VendorTokenDetector(name),
);
