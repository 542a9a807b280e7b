import { isMark } from './code-point-classes.js';

/**
 * Letters of other scripts that look like an ASCII letter, each row an ASCII letter and its look-alikes.
 * Never ASCII to ASCII: folding `rn` to `m` would break honest words. Full-width and mathematical letters are
 * not here, since NFKC folds them.
 */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'аɑα⍺ӑӓ',
  b: 'ЬƅɓᏏᖯ',
  c: 'сϲᴄⲥ',
  d: 'ԁɗɖᏧᑯ',
  e: 'еҽєɛ℮εё',
  f: 'ƒϝꞙẝ',
  g: 'ɡց',
  h: 'һհᏂ',
  i: 'іιıɩɪꙇ',
  j: 'јϳʝ',
  k: 'кκᴋⲕ',
  l: 'ɭⅼƖӏ',
  m: 'мᴍʍ',
  n: 'ոռηпɴ',
  o: 'оοօσᴏⲟ०০੦ഠං',
  p: 'рρϱⲣ',
  q: 'ԛգզ',
  r: 'гᴦɾʀⲅ',
  s: 'ѕꜱʂ',
  t: 'тτᴛⲧ',
  u: 'υսᴜʋц',
  v: 'νѵᴠ',
  w: 'ѡԝաɯᴡω',
  x: 'хχ⨯᙮',
  y: 'уγүყʏ',
  z: 'ᴢʐⲍ',
  A: 'АΑᎪᗅ',
  B: 'ВΒᏴᗷ',
  C: 'СϹᏟⲤ',
  D: 'ᎠᗞÐĐ',
  E: 'ЕΕᎬЁ',
  F: 'Ϝᖴ',
  G: 'ԌᏀ',
  H: 'НΗᎻᕼ',
  I: 'ΙІӀ',
  J: 'ЈᎫᒍ',
  K: 'КΚᏦⲔ',
  L: 'Ꮮᒪ',
  M: 'МΜᎷϺ',
  N: 'ΝⲚ',
  O: 'ОΟՕⲞ',
  P: 'РΡᏢᑭ',
  Q: 'Ԛ',
  R: 'ᎡᏒᖇ',
  S: 'ЅՏᏚ',
  T: 'ТΤᎢ',
  U: 'Սᑌ',
  V: 'ѴᏙᐯ',
  W: 'ԜᎳ',
  X: 'ХΧ᙭',
  Y: 'УΥҮ',
  Z: 'ΖᏃ',
};

const ASCII_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([letter, alike]) =>
    Array.from(alike, (character): [string, string] => [character, letter]),
  ),
);

const ASCII_LETTER = /^[A-Za-z]$/;

/** The ASCII letter that a reader takes this character for, if there is one: `а` and `á` are both taken for `a`. */
export function asciiLookAlike(character: string): string | undefined {
  const known = ASCII_OF.get(character);
  if (known !== undefined) return known;
  const [base = '', ...marks] = Array.from(character.normalize('NFD'));
  if (marks.length === 0 || !marks.every(isMark)) return undefined;
  return ASCII_LETTER.test(base) ? base : ASCII_OF.get(base);
}
