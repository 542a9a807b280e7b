import { mixed } from './model.js';

/** Frequent words of English that are not frequent in the other languages below. */
const ENGLISH = wordList(`
  the and you your yours that this is are was were be been it its of to for with what which who how why when where do does
  did have has had will would can could should i my me we our us he she they them their not if but or from by at on about
  please tell give write make all any as there than then some these those into out up only just like know want get
  show list say use new now previous above instructions directions everything repeat answer question without first next before
  after word words`);

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

/** The hash of a word begins with it. */
export const WORD_SEED = 0x1b87_3593;

function wordList(list: string): readonly string[] {
  return list.trim().split(/\s+/);
}

/** Bits of the languages of a frequent word. */
const [IS_ENGLISH, IS_GERMAN, IS_OTHER] = [1, 2, 4];

const TABLE_BITS = 11;

/** A hash table of the frequent words; a hash of 0 is a free place. Linear probing. */
const frequentHashes = new Int32Array(1 << TABLE_BITS);
const frequentLanguages = new Uint8Array(1 << TABLE_BITS);
for (const [list, language] of [
  [ENGLISH, IS_ENGLISH],
  [GERMAN, IS_GERMAN],
  [OTHERS, IS_OTHER],
] as const) {
  for (const word of list) {
    let hash = WORD_SEED;
    for (let at = 0; at < word.length; at++) hash = mixed(hash, word.charCodeAt(at));
    const place = placeOf(hash);
    frequentHashes[place] = hash;
    frequentLanguages[place] = (frequentLanguages[place] ?? 0) | language;
  }
}

function placeOf(hash: number) {
  let place = hash >>> (32 - TABLE_BITS);
  while (frequentHashes[place] !== 0 && frequentHashes[place] !== hash)
    place = (place + 1) & ((1 << TABLE_BITS) - 1);
  return place;
}

/** How many words are compared; more do not change the result. */
const MAX_WORDS = 128;

/** How many words of a text are frequent in English, in German and in other languages. */
export class LanguageCounts {
  words = 0;
  english = 0;
  german = 0;
  others = 0;

  reset(): void {
    this.words = 0;
    this.english = 0;
    this.german = 0;
    this.others = 0;
  }

  /** @param hash FNV-1a of the units of a word, from `WORD_SEED` */
  add(hash: number): void {
    this.words += 1;
    if (this.words > MAX_WORDS) return;
    const languages = frequentLanguages[placeOf(hash)] ?? 0;
    this.english += languages & IS_ENGLISH;
    this.german += (languages & IS_GERMAN) / IS_GERMAN;
    this.others += (languages & IS_OTHER) / IS_OTHER;
  }
}

/** Nearly no text of the training has fewer words, so their scores mean nothing. */
const MIN_WORDS = 3;

/** Of the words of a text, one in this many must be frequent. Fewer are so in words with digits or other signs for letters. */
const MAX_WORDS_PER_FREQUENT = 16;

/** Of the letters of a text. Names and quotes may contain others. */
const MIN_LATIN_PERCENT = 80;

/** Whether the letters of a text are Latin; those of names and quotes may be others. */
export function isLatin(latin: number, others: number): boolean {
  return latin * 100 >= (latin + others) * MIN_LATIN_PERCENT;
}

/** Whether a Latin text is English or German, by its frequent words, and long enough to be judged. */
export function isJudged({ words, english, german, others }: LanguageCounts): boolean {
  const known = Math.max(english, german);
  return words >= MIN_WORDS && known > others && known * MAX_WORDS_PER_FREQUENT >= Math.min(words, MAX_WORDS);
}
