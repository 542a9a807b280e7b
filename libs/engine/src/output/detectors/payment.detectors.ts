import type { Span } from '#contracts/text.js';
import { isNumbered } from './number-labels.js';
import { BuiltInDetector } from './pattern-detector.js';

const DIGITS = /\d+/g;
const MIN_CARD_DIGITS = 13;
const MAX_CARD_DIGITS = 19;
const MAX_GROUPS = 7;
const MAX_SEPARATOR = 12;
const CONTEXT_BEFORE = 64;

const NARROW_SEPARATOR = /^[ \-\u00a0\u2007\u202f]$/;
/** A blank of any width, a hyphen, a dot, or a line break, also in a Markdown quote. */
const SEPARATOR =
  /^(?:[ \-.\u00a0\u2000-\u200a\u2010-\u2013\u202f\u3000]|[ \t\u00a0\-\\]{0,3}(?:\r\n?|\n)[ \t>]{0,8})$/;

/** The number ranges of the payment networks. */
const NETWORK =
  /^(?:4|5[0-5]|22(?:0[0-4]|2[1-9]|[3-9])|2[3-6]|27(?:[01]|20)|3(?:0[0-5]|[46789]|5(?:2[89]|[3-8]))|6(?:0|2|3|4[4-9]|5|7))/;
/** The lengths of the groups in which cards are printed. */
const PRINTED_GROUPS = /^(?:4 4 4 4(?: [1-3])?|4 6 [45])$/;
const CARD_LABEL =
  /(?<!\p{L})(?:cards?|visa|mastercard|maestro|amex|american express|discover|diners|jcb|unionpay|mir|credit|debit|cc|pan|karte|kreditkarte|carte|tarjeta|cart[aã]o|carta|kart[ay])(?!\p{L})[^\n]{0,24}\n?$/iu;

/** Digits that are adjacent. */
interface Group {
  readonly index: number;
  readonly end: number;
  /** The separator before it, or `null` if the group before it does not belong to the same number. */
  readonly separator: string | null;
  /** The number of digits in the text up to the end of the group. */
  readonly digitsUntil: number;
}

/**
 * Payment cards: 13 to 19 digits of a payment network with a correct check digit (Luhn). One number in forty passes
 * both checks by chance, so a number in unusual groups, of an unusual length, or after a label such as `order` is a
 * card only if a label such as `card` precedes it.
 */
class CardDetector extends BuiltInDetector {
  override readonly name = 'card';
  override readonly kind = 'pii_redaction';
  override readonly requires = 'thirteen_digits';

  override find(text: string): readonly Span[] {
    const groups = groupsIn(text);
    const spans: Span[] = [];
    let read = 0;
    let chainStart = 0;
    for (const [first, { index, end, separator, digitsUntil }] of groups.entries()) {
      if (separator === null) chainStart = index;
      if (index < read || text.charAt(index) < '2' || text.charAt(index) > '6') continue;
      const last = groups[Math.min(first + MAX_GROUPS, groups.length) - 1];
      if ((last?.digitsUntil ?? 0) - digitsUntil + end - index < MIN_CARD_DIGITS) continue;
      const cardEnd = endOfCard(text, groups, first, chainStart);
      if (cardEnd === undefined) continue;
      spans.push([index, cardEnd]);
      read = cardEnd;
    }
    return spans;
  }
}

function groupsIn(text: string): readonly Group[] {
  const groups: Group[] = [];
  let before = 0;
  let digitsUntil = 0;
  DIGITS.lastIndex = 0;
  for (let match = DIGITS.exec(text); match !== null; match = DIGITS.exec(text)) {
    const { index } = match;
    const end = DIGITS.lastIndex;
    digitsUntil += end - index;
    groups.push({ index, end, separator: separatorOf(text, before, index), digitsUntil });
    before = end;
  }
  return groups;
}

/** Tests every run of groups from `first`, because another number can follow the card. The longest run wins. */
function endOfCard(
  text: string,
  groups: readonly Group[],
  first: number,
  chainStart: number,
): number | undefined {
  let digits = '';
  let found: number | undefined;
  const separators: string[] = [];
  const lengths: number[] = [];
  const start = groups[first]?.index ?? 0;
  for (let next = first; next < groups.length; next++) {
    const group = groups[next];
    if (group === undefined || digits.length + group.end - group.index > MAX_CARD_DIGITS) break;
    if (lengths.length === MAX_GROUPS) break;
    if (next > first) {
      if (group.separator === null) break;
      separators.push(group.separator);
    }
    digits += text.slice(group.index, group.end);
    lengths.push(group.end - group.index);
    if (digits.length < MIN_CARD_DIGITS || !NETWORK.test(digits) || !passesLuhn(digits)) continue;
    if (isPlausible(digits, lengths.join(' '), separators, text, start, chainStart)) found = group.end;
  }
  return found;
}

/** `null` if the groups before and after it do not belong to one number. */
function separatorOf(text: string, start: number, end: number): string | null {
  if (end - start > MAX_SEPARATOR || end === start) return null;
  const separator = text.slice(start, end);
  return separator === ' ' || SEPARATOR.test(separator) ? separator : null;
}

function isPlausible(
  digits: string,
  lengths: string,
  separators: readonly string[],
  text: string,
  start: number,
  chainStart: number,
): boolean {
  const isPrinted = PRINTED_GROUPS.test(lengths);
  if (isPrinted && separators.every((separator) => NARROW_SEPARATOR.test(separator))) return true;
  if (CARD_LABEL.test(text.slice(Math.max(0, start - CONTEXT_BEFORE), start))) return true;
  if (isNumbered(text.slice(Math.max(0, chainStart - CONTEXT_BEFORE), chainStart))) return false;
  // One group per line is a list of numbers.
  if (isPrinted) return !separators.every((separator) => /[\r\n]/.test(separator));
  if (separators.length > 0 || /[\w#/]/.test(text.charAt(start - 1))) return false;
  return digits.length === 16 || (digits.length === 15 && /^3[47]/.test(digits));
}

export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = digits.charCodeAt(digits.length - 1 - place) - 48;
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

export const cardDetector: BuiltInDetector = new CardDetector();

/** The length of an account number by country (ISO 13616). */
const LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ' +
    'ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 ' +
    'LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 ' +
    'QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

const BEGINNING = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}/g;
const IBAN_SEPARATOR = /[ \-\u00a0\u2000-\u200a\u202f]|\r?\n[ \t>]{0,8}/y;

/** International bank account numbers with or without separators: the length of their country, and valid modulo 97. */
class IbanDetector extends BuiltInDetector {
  override readonly name = 'iban';
  override readonly kind = 'pii_redaction';
  override readonly requires = 'two_digits';

  override find(text: string): readonly Span[] {
    const spans: Span[] = [];
    for (const { index, 0: beginning } of text.matchAll(BEGINNING)) {
      const end = endOfIban(text, index, LENGTHS.get(beginning.slice(0, 2).toUpperCase()) ?? 0);
      if (end !== undefined && index >= (spans.at(-1)?.[1] ?? 0)) spans.push([index, end]);
    }
    return spans;
  }
}

function endOfIban(text: string, start: number, length: number): number | undefined {
  if (length === 0) return undefined;
  let number = '';
  let end = start;
  while (number.length < length) {
    if (number !== '' && !isLetterOrDigit(text, end)) {
      IBAN_SEPARATOR.lastIndex = end;
      if (IBAN_SEPARATOR.test(text)) end = IBAN_SEPARATOR.lastIndex;
    }
    if (!isLetterOrDigit(text, end)) return undefined;
    number += text.charAt(end);
    end++;
  }
  if (isLetterOrDigit(text, end)) return undefined;
  return isValidModulo97(number) ? end : undefined;
}

function isLetterOrDigit(text: string, place: number): boolean {
  const code = text.charCodeAt(place);
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/** ISO 7064: the country and the check digits move to the end, letters count from ten, and the remainder is one. */
function isValidModulo97(number: string): boolean {
  let remainder = 0;
  for (const character of number.slice(4) + number.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

export const ibanDetector: BuiltInDetector = new IbanDetector();
