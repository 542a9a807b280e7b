/** Texts that a rule finds in a language, and similar harmless ones. */
export interface Cases {
  readonly examples: readonly string[];
  readonly nearMisses: readonly string[];
}

/** Stands for a few words in a pattern. */
const FEW_WORDS = String.raw`(?:\S+ ){0,4}?`;
const FEW_CHARACTERS = '[^。.!?,、]{0,9}?';

/**
 * The words of one language by concept, from a text. `concept: word, other word` lists the words of a concept; a line that is
 * indented goes on with the list. In a word, `*` stands for more letters, `{a|b}` for one of several, `..` for a few words
 * between, and a question mark makes a letter optional; `/…/` is a pattern. `+ rule: text` is a text that a rule finds in this
 * language, and `- rule: text` one that it does not find. Letters of prompts are written without diacritics, because
 * normalization removes them.
 */
export class Lexicon {
  readonly name: string;
  readonly id: string;
  /** Whether words are separated by spaces. */
  readonly isSpaced: boolean;
  /** The lists as they are written, which take less memory than all words. */
  private readonly entries = new Map<string, string>();

  constructor(text: string) {
    for (const entry of text.trim().split(/\n(?=\S)/)) {
      const [, key = '', list = ''] = /^([+-]? ?\w+):\s+(.+)$/s.exec(entry.trim()) ?? [];
      if (key === '') throw new Error(`A lexicon has entries such as "concept: word, word", not "${entry}".`);
      const before = this.entries.get(key);
      this.entries.set(key, before === undefined ? list : `${before}\n${list}`);
    }
    this.name = this.entries.get('name') ?? '';
    this.id = this.name.toLowerCase();
    this.isSpaced = this.entries.get('spaced') !== 'no';
  }

  words(concept: string): readonly string[] {
    return this.entries.get(concept)?.split(/,\s+/) ?? [];
  }

  /** `null`: the language does not have this rule. */
  cases(rule: string): Cases | null {
    const [examples, nearMisses] = ['+', '-'].map(
      (sign) => this.entries.get(`${sign} ${rule}`)?.split('\n') ?? [],
    );
    return examples === undefined || nearMisses === undefined || examples.length === 0
      ? null
      : { examples, nearMisses };
  }

  /** One of the words of a concept, as a part of a pattern; empty without one. */
  patternOf(concept: string): string {
    const words = this.words(concept).map((word) => this.patternOfWord(word));
    return (words.length < 2 ? words.join('') : `(?:${words.join('|')})`).normalize('NFKC');
  }

  patternOfWord(word: string, letter = this.entries.get('letter') ?? String.raw`\w`): string {
    if (word.startsWith('/')) return word.slice(1, -1);
    return word
      .replaceAll(/\{([^{}|](?:\|[^{}|])+)(\|?)\}/g, (_, letters: string, none: string) => {
        return `[${letters.replaceAll('|', '')}]${none === '' ? '' : '?'}`;
      })
      .replaceAll(/\{(?!\d)/g, '(?:')
      .replaceAll('|}', ')?')
      .replaceAll(/(?<!\d)\}/g, ')')
      .replaceAll(/ \.\.$|\.\. ?/g, this.isSpaced ? FEW_WORDS : FEW_CHARACTERS)
      .replaceAll('*', `${letter}*`);
  }
}

/** The first innermost group of an entry. */
const GROUP = /\{([^{}]*)\}/;

/** All words for which an entry of a list stands: `{a|b} {c|d}` is four phrases. */
export function alternatives(entry: string): readonly string[] {
  const group = GROUP.exec(entry);
  if (group === null) return [entry];
  const [before, after] = [entry.slice(0, group.index), entry.slice(group.index + group[0].length)];
  const rest = alternatives(after);
  const texts = (group[1] ?? '').split('|').flatMap((word) => rest.map((end) => before + word + end));
  return before.includes('{') ? texts.flatMap(alternatives) : texts;
}
