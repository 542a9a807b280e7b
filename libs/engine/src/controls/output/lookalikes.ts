/** Characters that look like ASCII ones or like nothing, so that a finding written with them is still found. */
import { endOf } from '../../text/next-match.js';

/** Characters that can begin markup, an escape or a character reference. */
const MARKUP = '\\\\&<*`~_[\\]^$';
/** Characters that can begin markup where two of them follow each other. */
const DOUBLED = '=+';
/** Characters that look like another character or like nothing. */
const LOOKALIKES =
  '\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f' +
  '\\u2800\\u3000\\u3164\\ufe00-\\ufe0f\\ufeff\\uff04-\\uff06\\uff0b-\\uff3a\\uff3f\\uff41-\\uff5a\\uffa0';
/** Lookalikes of two units: mathematical digits and invisible tags. */
const PAIRS = '\\ud835[\\udfce-\\udfff]|\\udb40[\\udc00-\\udfff]';

const DISGUISE = new RegExp(`[${MARKUP}${LOOKALIKES}]|==|\\+\\+|${PAIRS}`);
const PAIR = new RegExp(PAIRS, 'y');

const IS_MARKUP = 1;
const IS_LOOKALIKE = 2;
const CAN_BEGIN_PAIR = 3;
const KINDS = kindsOfUnits();
/** What lookalikes of one unit are shown as, by their code. */
const SHOWN: (string | undefined)[] = [];

/** Whether a text contains anything that can be shown as something else. */
export function couldChange(source: string): boolean {
  return DISGUISE.test(source);
}

/** The next place of markup or of a lookalike; `end` if there is none. */
export function nextDisguise(source: string, start: number, end: number): number {
  for (let place = start; place < end; place++) {
    const kind = KINDS[source.charCodeAt(place)];
    if (kind !== 0 && (kind !== CAN_BEGIN_PAIR || lookalikeLength(source, place) > 0)) return place;
  }
  return end;
}

/** The number of units of the lookalike at a place; 0 if there is none. */
export function lookalikeLength(source: string, place: number): number {
  const kind = KINDS[source.charCodeAt(place)];
  if (kind === IS_LOOKALIKE) return 1;
  if (kind !== CAN_BEGIN_PAIR) return 0;
  return endOf(PAIR, source, place) > 0 ? 2 : 0;
}

/** The ASCII character that a lookalike of some units looks like, or nothing if it is invisible. */
export function lookalikeAt(source: string, place: number, length: number): string {
  if (length > 1) return shownAs(source.slice(place, place + length));
  const code = source.charCodeAt(place);
  return (SHOWN[code] ??= shownAs(String.fromCharCode(code)));
}

/** The ASCII character that a character looks like, or nothing if it is invisible. Others stay as they are. */
export function shownAs(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0xa0) return character;
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0);
  if (code >= 0x1d7ce && code <= 0x1d7ff) return String((code - 0x1d7ce) % 10);
  if (/[\u2010-\u2015\u2212]/.test(character)) return '-';
  if (/[\u200b-\u200f\u2060-\u206f\ufeff]/.test(character)) return '';
  return /[\s\u2028-\u2029\u2800\u3164]/.test(character)
    ? ' '
    : /\p{L}|\p{N}|\p{P}|\p{S}/u.test(character)
      ? character
      : '';
}

function kindsOfUnits(): Uint8Array {
  const kinds = new Uint8Array(0x10000);
  const [markup, lookalike] = [new RegExp(`[${MARKUP}${DOUBLED}]`), new RegExp(`[${LOOKALIKES}]`)];
  for (let code = 0; code < kinds.length; code++) {
    // No lookalike is among the ideographs and syllables in between.
    if (code === 0x3200) code = 0xfe00;
    const unit = String.fromCharCode(code);
    if (markup.test(unit)) kinds[code] = IS_MARKUP;
    else if (lookalike.test(unit)) kinds[code] = IS_LOOKALIKE;
  }
  kinds[0xd835] = CAN_BEGIN_PAIR;
  kinds[0xdb40] = CAN_BEGIN_PAIR;
  return kinds;
}
