import type { Span } from '#contracts/text.js';
import { BuiltInDetector, PatternDetector, TokenDetector } from './pattern-detector.js';
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

/** Macaroons of Fly, one or more separated by commas, of any length. */
export const flyTokenDetector = new TokenDetector(
  'fly_token',
  'secret_redaction',
  /(?<![A-Za-z0-9])(?:FlyV1 )?fm[12][ar]?_[A-Za-z0-9+/=_-]{20,}(?:,fm[12][ar]?_[A-Za-z0-9+/=_-]{20,})*/,
  /[A-Za-z0-9+/=_,-]*/,
  'fly_token',
);

/** The signature of a shared access link. */
export const sharedAccessDetector = new PatternDetector(
  'azure_shared_access',
  'secret_redaction',
  /[?&]sig=(?<value>[A-Za-z0-9%+/=]{40,120})/,
  { requires: 'shared_access' },
);
