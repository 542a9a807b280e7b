import type { ScreeningRule } from '../../../../../contracts/src/screening.js';
import { near, unnegated, words } from '../vocabulary.js';

/** The four ideas in one language. */
export function languagePack(language: Language): readonly ScreeningRule[] {
  const rule = (idea: string, pattern: string, description: string): ScreeningRule => ({
    id: `${idea}.${language.id}`,
    pattern,
    description: `${description} In ${language.name}.`,
    severity: 'high',
    tags: [idea, 'multilingual'],
  });
  return [
    rule('instruction_override', overriding(language), 'Asks to ignore instructions.'),
    rule('prompt_extraction', extracting(language), 'Asks for the instructions of the assistant.'),
    rule('role_override', unbinding(language), 'Asks for an assistant without rules.'),
    rule('secret_exfiltration', exfiltrating(language), 'Asks for a secret that the assistant keeps.'),
  ];
}

const SPACE = '[ "\'«»„“”:,،-]{1,3}';

function overriding(language: Language): string {
  const { gap, small } = spacing(language);
  const { ignore, earlier, orders, quantity, everything, negations } = language;
  const told = words(
    `${words(...earlier)}${gap}${small}${words(...orders)}`,
    `${words(...orders)}${gap}${small}${words(...earlier)}`,
    `${words(...quantity)}${gap}${words(...orders)}`,
    ...everything,
  );
  const unless = negations.length > 0 ? unnegated(...negations) : '';
  return `${unless}${words(...ignore)}${gap}${small}${told}|${told}${gap}${small}${words(...ignore)}`;
}

function extracting(language: Language): string {
  const { gap, few } = spacing(language);
  const { reveal, own, orders, systemPrompt } = language;
  const prompt = words(
    `${words(...own)}${gap}${few}${words(...orders)}`,
    `${words(...orders)}${gap}${few}${words(...own)}`,
    ...systemPrompt,
  );
  return `${words(...reveal)}${gap}${few}${prompt}|${prompt}${gap}${few}${words(...reveal)}`;
}

function unbinding({ persona, unbound, jailbreak }: Language): string {
  return `${near(words(...persona), words(...unbound), 1)}|${words(...jailbreak)}`;
}

function exfiltrating(language: Language): string {
  const { gap, few, end } = spacing(language);
  const { reveal, secret } = language;
  return `${words(...reveal)}${gap}${few}${words(...secret)}${end}|${words(...secret)}${gap}${few}${words(...reveal)}`;
}

/** What may stand between two words, a few words of any kind, and the end of a word. */
function spacing({ spaced, small }: Language) {
  return spaced
    ? {
        gap: SPACE,
        small: `(?:${words(...small)}${SPACE})*`,
        few: String.raw`(?:[^\s.!?؟]+ ){0,2}?`,
        end: String.raw`(?:[^\p{L}]|$)`,
      }
    : {
        gap: String.raw`[\s"'「」“”《》:,、]{0,2}`,
        small: `(?:${words(...small)})*`,
        few: '[^。.!?,、]{0,6}?',
        end: '',
      };
}

/**
 * How one language says the four ideas that every language is asked about: pieces of a pattern, in small letters.
 * Latin letters stand without their marks, since folding takes them away; other scripts stand as they are written.
 */
export interface Language {
  /** Ends the ids of its rules. */
  readonly id: string;
  readonly name: string;
  /** Whether a space parts its words. */
  readonly spaced: boolean;
  /** Words that turn an order round when they stand before it. */
  readonly negations: readonly string[];
  /** To stop heeding something, as an order. */
  readonly ignore: readonly string[];
  /** Small words that change nothing about what is asked. */
  readonly small: readonly string[];
  /** What came first. */
  readonly earlier: readonly string[];
  /** What an assistant was told. */
  readonly orders: readonly string[];
  /** All or each, before what an assistant was told. */
  readonly quantity: readonly string[];
  /** Everything that was said or learnt before. */
  readonly everything: readonly string[];
  /** To bring something to light, as an order or a question. */
  readonly reveal: readonly string[];
  /** Belonging to the assistant, or hidden. */
  readonly own: readonly string[];
  /** Whole names of what an assistant was told, that need no owner. */
  readonly systemPrompt: readonly string[];
  /** Speaks of a part to play, or of what answers. */
  readonly persona: readonly string[];
  /** Free of rules. */
  readonly unbound: readonly string[];
  /** Whole names of modes that an assistant does not have, and orders to do anything. */
  readonly jailbreak: readonly string[];
  /** A word that an assistant keeps to itself. */
  readonly secret: readonly string[];
}
