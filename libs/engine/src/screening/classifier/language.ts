/** Frequent words of English that are not frequent in the other languages below. */
const ENGLISH = wordList(`
  the and you your yours that this is are was were be been it its of to for with what which who how why when where do does
  did have has had will would can could should i my me we our us he she they them their not if but or from by at on about
  please tell give write make all any as there than then some these those into out up only just like know want get`);

/** Frequent words of German, without accents, which normalization removes. */
const GERMAN = wordList(`
  der das und ist nicht ein eine einen einem einer eines dem den des ich du sie wir ihr wie wer mit auf fur von vom zu zum zur im
  auch sind wird werden wurde wurden bitte alle oder aber wenn dass daß ihre ihren dein deine deinen deiner mein meine meinen
  meinem mir mich dir dich sich uns kann kannst konnen soll sollst muss darf darfst habe haben gibt gib es er nach bei uber unter
  vor aus als wo wann warum welche welcher welches welchen nur noch jetzt hier kein keine keinen nichts alles etwas
  diese dieser dieses diesen sag sage schreib schreibe zeig zeige nenne erklare vergiss ohne heute morgen viele lange`);

/** Frequent words of other languages in Latin script. Where German has the word, too, it counts for neither. */
const OTHERS = wordList(`
  le la les des un une et est que qui dans pour pas vous nous je tu il elle sur avec ce cette sont votre vos tes mes ses au aux mais
  ou moi sans aucune
  el los las una y en por para con se su sus del lo como pero todo todas todos es eres mi tus
  gli della delle di che e per sono nel non questo come anche tutte tutti tutto
  o os um uma da dos em nao mais voce seu sua suas seus ao acima quais sao antes
  het een van niet dat voor met zijn aan jij ook maar wat kan je jouw mijn hoe waar heeft alle als hier
  den mit hvordan hvad blev kort du och att det som ett inte pa jag med av til og ikke jeg er har
  na jest sie jak ze wszystkie oraz
  ve bir bu icin ne degil mi ile butun tum
  dan yang untuk tidak ini itu dengan dari semua adalah
  si nu este cu pentru toate din care
  sve za koji sto nisu kako svi ali
  khong cua mot cac va nhung
  ja ei etta mutta ovat kaikki
  nem egy az hogy minden vagy`);

function wordList(list: string): readonly string[] {
  return list.trim().split(/\s+/);
}

/** Bits of the languages of a frequent word. */
const [IS_ENGLISH, IS_GERMAN, IS_OTHER] = [1, 2, 4];

const FREQUENT = new Map<string, number>();
for (const [list, bit] of [
  [ENGLISH, IS_ENGLISH],
  [GERMAN, IS_GERMAN],
  [OTHERS, IS_OTHER],
] as const) {
  for (const word of list) FREQUENT.set(word, (FREQUENT.get(word) ?? 0) | bit);
}

/** Letters `a` to `z` and the space at the ends of words. */
const SYMBOLS = 27;

/** Number of sequences of three symbols. */
export const TRIGRAMS = SYMBOLS ** 3;

/** Nearly no text of the training has fewer words, so their scores mean nothing, unless words are written without spaces. */
const MIN_WORDS = 3;
const MIN_LENGTH = 40;

/** How many words are compared; more do not change the result. */
const MAX_WORDS = 128;

const LONGEST_FREQUENT_WORD = 9;

/** Of the letters of a text. Names and quotes may contain others. */
const MIN_LATIN_PERCENT = 80;

/** Minimum mean level of the trigrams of a text without any frequent word, in hundredths. */
const MIN_MEAN_LEVEL = 680;

/**
 * Whether a plain text is English or German and long enough to be judged. Its letters have to be Latin; then frequent words
 * decide, and without any the trigrams.
 *
 * @param levels for every trigram how often it occurs in the training, which is mostly English (`frequencyLevel`)
 */
export function isJudged(text: string, levels: Uint8Array): boolean {
  if (!isLatin(text)) return false;
  let english = 0;
  let german = 0;
  let others = 0;
  let start = 1;
  let words = 0;
  for (; words < MAX_WORDS; words++) {
    const end = text.indexOf(' ', start);
    if (end < 0) break;
    if (end - start <= LONGEST_FREQUENT_WORD && mayBeFrequent(text, start, end)) {
      const languages = FREQUENT.get(text.slice(start, end)) ?? 0;
      english += languages & IS_ENGLISH;
      german += (languages & IS_GERMAN) / IS_GERMAN;
      others += (languages & IS_OTHER) / IS_OTHER;
    }
    start = end + 1;
  }
  if (words < MIN_WORDS && text.length < MIN_LENGTH) return false;
  const known = Math.max(english, german);
  return known === others ? hasKnownTrigrams(text, levels) : known > others;
}

/** A filter without strings: most words have another length or other first and last letters than every frequent word. */
const FREQUENT_SHAPES = new Uint8Array(1 << 14);
for (const word of FREQUENT.keys()) FREQUENT_SHAPES[shapeOf(word, 0, word.length)] = 1;

function mayBeFrequent(text: string, start: number, end: number): boolean {
  return FREQUENT_SHAPES[shapeOf(text, start, end)] === 1;
}

/** Of the length, the first and the last letter. */
function shapeOf(text: string, start: number, end: number): number {
  return ((end - start) << 10) | ((text.charCodeAt(start) & 31) << 5) | (text.charCodeAt(end - 1) & 31);
}

function isLatin(text: string): boolean {
  let latin = 0;
  let others = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x61 && unit <= 0x7a) latin += 1;
    else if (unit >= 0xc0) others += 1;
  }
  return latin * 100 >= (latin + others) * MIN_LATIN_PERCENT;
}

/** A text without any trigram is not judged. */
function hasKnownTrigrams(text: string, levels: Uint8Array): boolean {
  let sum = 0;
  let count = 0;
  visitTrigrams(text, (trigram) => {
    sum += levels[trigram] ?? 0;
    count += 1;
  });
  return count > 0 && sum * 100 >= count * MIN_MEAN_LEVEL;
}

/** Calls `visit` for the trigrams of the words, the space at both ends included. */
export function visitTrigrams(text: string, visit: (trigram: number) => void): void {
  let known = 0;
  let trigram = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const symbol = unit === 0x20 ? 0 : unit >= 0x61 && unit <= 0x7a ? unit - 0x60 : -1;
    if (symbol < 0) {
      known = 0;
      trigram = 0;
      continue;
    }
    trigram = (trigram * SYMBOLS + symbol) % TRIGRAMS;
    known += 1;
    if (known >= 3 && (symbol !== 0 || at > 0)) visit(trigram);
  }
}

/** 0 to 15, twice as often for each level; 0 for trigrams that occur less than twice. */
export function frequencyLevel(occurrences: number): number {
  return Math.min(15, 31 - Math.clz32(occurrences | 1));
}
