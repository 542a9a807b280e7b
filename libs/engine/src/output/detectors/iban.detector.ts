import { Detector } from '../../../../contracts/src/output.js';
import type { Span } from '../../../../contracts/src/text.js';

/** How long an account number is, by country (ISO 13616). */
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

const BEGINS = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}/g;

/** International bank account numbers, with or without spaces: of the length of their country, and right modulo 97. */
class IbanDetector extends Detector {
  override readonly name = 'iban';
  override readonly kind = 'pii_redaction';

  override find(text: string): readonly Span[] {
    const spans: Span[] = [];
    for (const { index, 0: begin } of text.matchAll(BEGINS)) {
      const end = endOfIban(text, index, LENGTHS.get(begin.slice(0, 2).toUpperCase()) ?? 0);
      if (end !== undefined && index >= (spans.at(-1)?.[1] ?? 0)) spans.push([index, end]);
    }
    return spans;
  }
}

function endOfIban(text: string, start: number, length: number): number | undefined {
  let number = '';
  let end = start;
  while (number.length < length) {
    const separated = number !== '' && /[ -]/.test(text.charAt(end)) ? 1 : 0;
    const character = text.charAt(end + separated);
    if (!/[A-Za-z0-9]/.test(character)) return undefined;
    number += character.toUpperCase();
    end += separated + 1;
  }
  if (length === 0 || /[A-Za-z0-9]/.test(text.charAt(end))) return undefined;
  return isRightModulo97(number) ? end : undefined;
}

/** The country and the check digits go to the end, letters count from ten, and the whole leaves one. */
function isRightModulo97(number: string): boolean {
  let remainder = 0;
  for (const character of number.slice(4) + number.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

export const ibanDetector: Detector = new IbanDetector();
