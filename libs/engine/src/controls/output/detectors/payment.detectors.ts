import type { Utf16Span } from '#contracts/common/spans.js';
import { matchAt } from '../../../text/next-match.js';
import { BuiltInDetector, isNumbered } from './pattern-detector.js';

const MIN_CARD_DIGITS = 13;
const MAX_CARD_DIGITS = 19;
const MAX_GROUPS = 7;
const CONTEXT_BEFORE = 64;

const NARROW_SEPARATOR = /^[ \-\u00a0\u2007\u202f]$/;
/**
 * Groups of digits with separators that can be inside one number: a blank of any width, a hyphen, a dot, or a line break,
 * also in a Markdown quote.
 */
const CHAIN =
  /\d+(?:(?:[ \-.\u00a0\u2000-\u200a\u2010-\u2013\u202f\u3000]|(?=\D{1,12}\d)[ \t\u00a0\-\\]{0,3}(?:\r\n?|\n)[ \t>]{0,8})\d+)*/g;
/** The first digit of a group that can begin a card. */
const BEGINS_CARD = /(?<!\d)[2-6]/g;

/** The number ranges of the payment networks. */
const NETWORK =
  /^(?:4|5[0-5]|22(?:0[0-4]|2[1-9]|[3-9])|2[3-6]|27(?:[01]|20)|3(?:0[0-5]|[46789]|5(?:2[89]|[3-8]))|6(?:0|2|3|4[4-9]|5|7))/;
/** The lengths of the groups in which cards are printed. */
const PRINTED_GROUPS = /^(?:4 4 4 4(?: [1-3])?|4 6 [45])$/;
const CARD_LABEL =
  /(?<!\p{L})(?:cards?|visa|mastercard|maestro|amex|american express|discover|diners|jcb|unionpay|mir|credit|debit|cc|pan|karte|kreditkarte|carte|tarjeta|cart[aã]o|carta|kart[ay])(?!\p{L})[^\n]{0,24}\n?$/iu;

/**
 * Payment cards: 13 to 19 digits of a payment network with a correct check digit (Luhn). One number in forty passes
 * both checks by chance, so a number in unusual groups, of an unusual length, or after a label such as `order` is a
 * card only if a label such as `card` precedes it.
 */
class CardDetector extends BuiltInDetector {
  override readonly name = 'card';
  override readonly kind = 'pii_redaction';
  override readonly requires = 'thirteen_digits';

  override find(text: string) {
    const spans: Utf16Span[] = [];
    for (const { index, 0: chain } of text.matchAll(CHAIN)) {
      if (chain.length < MIN_CARD_DIGITS) continue;
      BEGINS_CARD.lastIndex = 0;
      while (BEGINS_CARD.test(chain)) {
        const start = BEGINS_CARD.lastIndex - 1;
        const end = endOfCard(chain, start, text, index);
        if (end === undefined) continue;
        spans.push([index + start, index + end]);
        BEGINS_CARD.lastIndex = end;
      }
    }
    return spans;
  }
}

/** Tests every run of groups from `start`, because another number can follow the card. The longest run is used. */
function endOfCard(chain: string, start: number, text: string, chainStart: number): number | undefined {
  let found: number | undefined;
  let count = 0;
  let groups = 0;
  for (let end = start + 1; end <= chain.length && groups < MAX_GROUPS; end++) {
    if (!isDigitAt(chain, end - 1)) continue;
    if (++count > MAX_CARD_DIGITS) break;
    if (isDigitAt(chain, end)) continue;
    groups++;
    if (count < MIN_CARD_DIGITS) continue;
    const candidate = chain.slice(start, end);
    if (!passesLuhn(candidate)) continue;
    if (!NETWORK.test(candidate.replaceAll(/\D/g, ''))) break;
    if (isPlausible(candidate, text, chainStart + start, chainStart)) found = end;
  }
  return found;
}

function isDigitAt(text: string, place: number) {
  const code = text.charCodeAt(place);
  return code >= 48 && code <= 57;
}

function isPlausible(candidate: string, text: string, start: number, chainStart: number) {
  const lengths = candidate.split(/\D+/).map(({ length }) => length);
  const separators = candidate.split(/\d+/).slice(1, -1);
  const isPrinted = PRINTED_GROUPS.test(lengths.join(' '));
  if (isPrinted && separators.every((separator) => NARROW_SEPARATOR.test(separator))) return true;
  if (CARD_LABEL.test(text.slice(Math.max(0, start - CONTEXT_BEFORE), start))) return true;
  if (isNumbered(text.slice(Math.max(0, chainStart - CONTEXT_BEFORE), chainStart))) return false;
  // One group per line is a list of numbers.
  if (isPrinted) return !separators.every((separator) => /[\r\n]/.test(separator));
  if (separators.length > 0 || /[\w#/]/.test(text.charAt(start - 1))) return false;
  return candidate.length === 16 || (candidate.length === 15 && /^3[47]/.test(candidate));
}

/** Whether the digits of a text have a correct check digit; other characters do not count. */
export function passesLuhn(text: string): boolean {
  let sum = 0;
  let isDoubled = false;
  for (let place = text.length - 1; place >= 0; place--) {
    if (!isDigitAt(text, place)) continue;
    const digit = text.charCodeAt(place) - 48;
    const value = isDoubled ? digit * 2 : digit;
    sum += value > 9 ? value - 9 : value;
    isDoubled = !isDoubled;
  }
  return sum % 10 === 0;
}

export const cardDetector: BuiltInDetector = new CardDetector();

const COUNTRIES =
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ' +
  'ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 ' +
  'LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 ' +
  'QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30';

/** The lengths of account numbers by country (ISO 13616), by the first two letters. */
const LENGTHS: ReadonlyMap<number, number> = new Map(
  COUNTRIES.split(' ').map((entry) => [countryAt(entry, 0), Number(entry.slice(2))]),
);

/** The country and the check digits. */
const MOVED = 4;
const BEGINNING = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}/g;
const IBAN_SEPARATOR = /[ \-\u00a0\u2000-\u200a\u202f]|\r?\n[ \t>]{0,8}/y;

/** International bank account numbers with or without separators: the length of their country, and valid modulo 97. */
class IbanDetector extends BuiltInDetector {
  override readonly name = 'iban';
  override readonly kind = 'pii_redaction';
  override readonly requires = 'two_digits';

  override find(text: string, until = text.length) {
    const spans: Utf16Span[] = [];
    let read = 0;
    BEGINNING.lastIndex = 0;
    while (BEGINNING.test(text)) {
      const start = BEGINNING.lastIndex - MOVED;
      if (start >= until) break;
      if (start < read) continue;
      const end = endOfIban(text, start, LENGTHS.get(countryAt(text, start)) ?? 0);
      if (end === undefined) continue;
      spans.push([start, end]);
      read = end;
    }
    return spans;
  }
}

/** A number for two letters, without regard to case. */
function countryAt(text: string, place: number) {
  return valueAt(text, place) * 36 + valueAt(text, place + 1);
}

/** ISO 7064: the country and the check digits move to the end, letters count from ten, and the remainder is one. */
function endOfIban(text: string, start: number, length: number): number | undefined {
  if (length === 0) return undefined;
  let remainder = 0;
  let end = start + MOVED;
  for (let read = MOVED; read < length; read++) {
    if (valueAt(text, end) < 0) end += matchAt(IBAN_SEPARATOR, text, end).length;
    const value = valueAt(text, end);
    if (value < 0) return undefined;
    remainder = appended(remainder, value);
    end++;
  }
  if (valueAt(text, end) >= 0) return undefined;
  for (let place = start; place < start + MOVED; place++)
    remainder = appended(remainder, valueAt(text, place));
  return remainder === 1 ? end : undefined;
}

/** The remainder modulo 97 of a number with one more digit or letter. */
function appended(remainder: number, value: number) {
  return (remainder * (value > 9 ? 100 : 10) + value) % 97;
}

/** The value of a digit or a letter; -1 for other characters. */
function valueAt(text: string, place: number) {
  const code = text.charCodeAt(place);
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 65 && code <= 90) return code - 55;
  return code >= 97 && code <= 122 ? code - 87 : -1;
}

export const ibanDetector: BuiltInDetector = new IbanDetector();
