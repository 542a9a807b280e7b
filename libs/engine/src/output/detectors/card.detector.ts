import { Detector } from '../../../../contracts/src/output.js';
import type { Span } from '../../../../contracts/src/text.js';
import { hasManyDigits } from './many-digits.js';

const DIGITS = /\d+/g;
const MOST = 19;
/** How the numbers of the payment networks begin, by their length. */
const OF_A_NETWORK = /^(?:4\d{12}|3[068]\d{12}|3[47]\d{13}|(?:[2456]\d|35)\d{14}|[456]\d{16,18})$/;

/** Payment cards: 13 to 19 digits, in groups parted by single spaces or hyphens, whose check digit (Luhn) is right. */
class CardDetector extends Detector {
  override readonly name = 'card';
  override readonly kind = 'pii_redaction';

  override find(text: string): readonly Span[] {
    if (!hasManyDigits(text)) return [];
    const groups = Array.from(text.matchAll(DIGITS), ({ index, 0: digits }) => ({ index, digits }));
    const spans: Span[] = [];
    for (let first = 0; first < groups.length; first++) {
      const end = endOfCard(text, groups, first);
      if (end === undefined) continue;
      spans.push([groups[first]?.index ?? 0, end]);
      while ((groups[first + 1]?.index ?? Infinity) < end) first++;
    }
    return spans;
  }
}

interface Group {
  readonly index: number;
  readonly digits: string;
}

/** A number may stand right before or behind the card, so every run of groups is tried: at most nineteen. */
function endOfCard(text: string, groups: readonly Group[], first: number): number | undefined {
  let digits = '';
  let end = groups[first]?.index ?? 0;
  let found: number | undefined;
  for (let next = first; next < groups.length; next++) {
    const group = groups[next];
    if (group === undefined || digits.length + group.digits.length > MOST) break;
    if (next > first && !/^[ -]$/.test(text.slice(end, group.index))) break;
    digits += group.digits;
    end = group.index + group.digits.length;
    if (OF_A_NETWORK.test(digits) && passesLuhn(digits)) found = end;
  }
  return found;
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = digits.charCodeAt(digits.length - 1 - place) - 48;
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

export const cardDetector: Detector = new CardDetector();
