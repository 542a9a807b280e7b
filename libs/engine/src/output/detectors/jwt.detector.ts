import type { Span } from '../../../../contracts/src/text.js';
import { EndlessDetector } from './endless-detector.js';

/** Two parts of base64url that begin as JSON objects do, and a signature; a first part of this length says enough. */
const TOKEN =
  /(?<![A-Za-z0-9_-])eyJ(?:[A-Za-z0-9_-]{5,}\.eyJ[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)?|[A-Za-z0-9_-]{500,})/g;
const REST = /[A-Za-z0-9_.-]*/y;

class JwtDetector extends EndlessDetector {
  override readonly name = 'jwt';
  override readonly kind = 'secret_redaction';
  override readonly crossesBlankLines = false;

  override find(text: string): readonly Span[] {
    return Array.from(text.matchAll(TOKEN), ({ index, 0: token }) => [index, index + token.length]);
  }

  override rest(next: string): number {
    REST.lastIndex = 0;
    REST.test(next);
    return REST.lastIndex;
  }
}

export const jwtDetector: EndlessDetector = new JwtDetector();
