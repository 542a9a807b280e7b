// What a text vouches for: windows of its words, and values that people write in many ways. Nothing here is a secret
// or stored; `run-memory.ts` hashes the marks with the key of a run.
import type { Utf16Span } from '#contracts/common/spans.js';
import { emailDetector } from '../controls/output/detectors/contact.detectors.js';
import { ibanDetector } from '../controls/output/detectors/payment.detectors.js';

/** A value of more words is vouched for by the values within it. */
export const MAX_WORDS = 8;
/** Nothing of a longer text vouches or is vouched for, so that a text costs little time. */
export const MAX_TEXT = 65_536;

/** Each mark names a kind and the canonical form of one value, or the words of one window. */
export function marksOf(text: string): ReadonlySet<string> {
  const plain = plainText(text);
  const words = wordsOf(plain);
  const marks = new Set<string>();
  for (let from = 0; from < words.length; from++) {
    let window = '';
    for (const word of words.slice(from, from + MAX_WORDS)) {
      window = window === '' ? word : `${window} ${word}`;
      marks.add(`words ${window}`);
    }
  }
  const { values, rest } = readValues(visibleText(plain));
  for (const value of values) {
    value.marks.forEach((mark) => marks.add(mark));
    if (value.host !== undefined) marks.add(`host ${value.host}`);
  }
  const groups = digitGroups(rest).flatMap((group) => [group, ...group.split(' ')]);
  for (const mark of [...groups.flatMap(readingsOf), ...unitsOf(rest)]) {
    marks.add(mark);
    // `0049…` is `+49…`.
    marks.add(mark.replace(/^digits 00/u, 'digits '));
  }
  return marks;
}

/**
 * Whether everything that somebody could misuse in a text is among the marks: the whole of a short text, each entry of a
 * list, or in a long text the values and every word that is not an ordinary one.
 */
export function isCovered(text: string, has: (mark: string) => boolean): boolean {
  if (text === '') return true;
  if (text.length > MAX_TEXT) return false;
  const plain = plainText(text);
  const words = wordsOf(plain);
  if (words.length <= MAX_WORDS && has(`words ${words.join(' ')}`)) return true;
  const entries = plain.split(/,\s|[;\n]/u).map((entry) => entry.trim());
  if (entries.length > 1 && entries.every((entry) => wordsOf(entry).length <= MAX_ENTRY_WORDS))
    return entries.every((entry) => isCovered(entry, has));
  const visible = visibleText(plain);
  const { values, rest } = readValues(visible);
  const demands = [
    ...values.flatMap(({ marks }) => marks),
    ...digitGroups(rest).flatMap(readingsOf),
    ...unitsOf(rest),
  ];
  // Signs do not make a text long.
  if (words.filter((word) => /[\p{L}\p{N}]/u.test(word)).length > MAX_WORDS)
    return wordsOf(rest.replaceAll(/<\s+>/gu, ' '))
      .filter((word) => !ORDINARY.test(withoutNumbers(word)))
      .map((word) => `words ${word}`)
      .concat(demands)
      .every(has);
  // Nothing vouches for what stands around the values of a short text, so there must be nothing.
  return demands.length > 0 && visible === plain && BARE.test(withoutNumbers(rest)) && demands.every(has);
}

/** Of an entry in a list. A sentence has longer parts between its commas. */
const MAX_ENTRY_WORDS = 3;
/** What may stand around numbers, which are written as `0`, and around values. */
const BARE = /^(?:[\s<>()"'“”„‘’.,:0]|(?<!\S)[+#])*$/u;
/** A word, a number or a sign of prose. Paths, options, encoded texts, and addresses of unknown kinds are none. */
const ORDINARY =
  /^(?:[\p{L}\p{M}]+(?:['’.–—-][\p{L}\p{M}]+)*|[+#]?0(?:[:–-]0)*|[()–—•,:!?…。、「」《》\p{Extended_Pictographic}-]*)$/u;
const UNIT = /[\p{Sc}%‰]/gu;

const withoutNumbers = (rest: string) => rest.replaceAll(DIGIT_GROUP, '0').replaceAll(UNIT, '');

const unitsOf = (rest: string): readonly string[] => (rest.match(UNIT) ?? []).map((unit) => `words ${unit}`);

/** Without case, and with one form for characters that are written in several ways. Look-alikes stay different. */
function plainText(text: string) {
  return text.normalize('NFKC').toLowerCase();
}

/** Without characters that mail programs and browsers ignore, such as soft hyphens. */
const visibleText = (plain: string) => plain.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');

/** Punctuation of sentences around a word. Signs such as `/`, `-`, `#` and `*` belong to the value. */
const BEFORE_WORD = new Set('("\'`«»“”„‘’‚‹›[{<¿¡');
const AFTER_WORD = new Set(')"\'`«»“”‘’‹›]}>.,;:!?…、。');

/** The token without the punctuation around it; a token of punctuation only stays. */
function trimmed(token: string) {
  // The parent of a folder.
  if (/[/\\]\.\.$/u.test(token)) return token;
  let start = 0;
  let end = token.length;
  while (start < end && BEFORE_WORD.has(token.charAt(start))) start++;
  while (end > start && AFTER_WORD.has(token.charAt(end - 1))) end--;
  return start === end ? token : token.slice(start, end);
}

/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
/** Its tables take megabytes, which most hosts never need. */
let segmenter: Intl.Segmenter | undefined;

function wordsOf(plain: string): readonly string[] {
  return plain.split(/\s+/u).flatMap((token) => {
    if (token === '') return [];
    const word = trimmed(token);
    if (!UNSPACED.test(word)) return [word];
    segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
    return Array.from(segmenter.segment(word), ({ segment }) => segment);
  });
}

/** A value of a kind with a canonical form. All marks must be vouched for. */
interface Value {
  readonly marks: readonly string[];
  /** Of an address. */
  readonly host?: string;
}

const URL_TEXT = /(?<![\p{L}\p{N}])[a-z][a-z0-9+.-]{0,20}:\/\/[^\s<>"`]+/gu;
const HOST_TEXT =
  /(?<![\p{L}\p{N}.@-])(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}[\p{L}\p{N}-]{1,62}(?![\p{L}\p{N}@])/gu;

const IPV4_TEXT =
  /(?<![\p{L}\p{N}.])(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}(?!\.?[\p{L}\p{N}])/gu;

/** URLs, e-mail addresses, account numbers and hosts, in this order, and the text without them. */
function readValues(plain: string): { readonly values: readonly Value[]; readonly rest: string } {
  const values: Value[] = [];
  let rest = plain;
  const take = (spans: readonly Utf16Span[], read: (found: string) => Value) => {
    values.push(...spans.map(([start, end]) => read(rest.slice(start, end))));
    rest = withBlanks(rest, spans);
  };
  take(spansOf(URL_TEXT, rest), (found) => urlValue(trimmed(found)));
  take(emailDetector.find(rest), (found) => {
    const [local = '', host = ''] = found.split('@');
    return { marks: [`email ${local}@${asciiHost(host)}`], host: asciiHost(host) };
  });
  take(ibanDetector.find(rest), (found) => ({ marks: [`iban ${found.replaceAll(/[^a-z0-9]/gu, '')}`] }));
  for (const pattern of [HOST_TEXT, IPV4_TEXT])
    take(spansOf(pattern, rest), (found) => ({ marks: [`host ${asciiHost(found)}`] }));
  return { values, rest };
}

function urlValue(written: string): Value {
  if (!URL.canParse(written)) return { marks: [`url ${written}`] };
  const { href, hostname } = new URL(written);
  return { marks: [`url ${href}`], host: hostname };
}

/** With `xn--` where it has letters of other scripts. */
function asciiHost(host: string) {
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname : host;
}

function spansOf(pattern: RegExp, text: string): readonly Utf16Span[] {
  return Array.from(text.matchAll(pattern), ({ 0: { length }, index }) => [index, index + length] as const);
}

function withBlanks(text: string, spans: readonly Utf16Span[]) {
  let read = 0;
  const parts = spans.map(([start, end]) => {
    const before = text.slice(read, start);
    read = end;
    return before;
  });
  return [...parts, text.slice(read)].join(' ');
}

/** Digits with the separators of amounts, phones and cards. */
const DIGIT_GROUP =
  /(?:(?<![\p{L}\p{N}])|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]))(?:(?<!\S)-)?\d(?:(?:[ .,'’/-]| [/-] |[ /-]?\(|\)[ /-]?)?\d)*/gu;
/** A group of as many digits can name an account, a card or a phone. */
const MIN_CODE_DIGITS = 7;

function digitGroups(text: string): readonly string[] {
  return Array.from(text.matchAll(DIGIT_GROUP), ([group]) => group);
}

/**
 * A group that is no number is a code. The digits of a number with a fraction must not vouch for an amount without its
 * separators.
 */
function readingsOf(group: string): readonly string[] {
  const numbers = numberReadings(group);
  const digits = group.replaceAll(/\D/gu, '');
  return numbers.length > 0 ? numbers : [`digits ${digits.length < MIN_CODE_DIGITS ? group : digits}`];
}

/** The numbers that a text of digits can mean, as canonical decimals: `1.000` is 1 or 1000, `1.000,00` is 1000. */
function numberReadings(written: string): readonly string[] {
  const readings: string[] = [];
  const [, sign = '', integer = '', fraction = ''] = DECIMAL.exec(written) ?? [];
  if (integer !== '') readings.push(decimal(sign, integer, fraction));
  const [, minus = '', grouped = '', , part = ''] = GROUPED.exec(written) ?? [];
  if (grouped !== '') readings.push(decimal(minus, grouped.replaceAll(/\D/gu, ''), part));
  return readings.map(markOfNumber);
}

const DECIMAL = /^(-?)(0|[1-9]\d*)(?:[.,](\d+))?$/u;
/** Thousands, and at most one other separator before the fraction. */
const GROUPED = /^(-?)([1-9]\d{0,2}(?:([ .,'’])\d{3})(?:\3\d{3})*)(?:(?!\3)[.,](\d+))?$/u;

function decimal(sign: string, integer: string, fraction: string) {
  const digits = fraction.replace(/0+$/u, '');
  return `${sign}${integer}${digits === '' ? '' : `.${digits}`}`;
}

/** The mark of a canonical number. A long integer can also be a code that is written with separators. */
export function markOfNumber(number: number | string): string {
  const digits = String(number);
  return /^\d+$/u.test(digits) && digits.length >= MIN_CODE_DIGITS ? `digits ${digits}` : `number ${digits}`;
}
