import type { ScreeningRule } from '#contracts/screening.js';
import { near, unnegated, words } from '../vocabulary.js';

/** The four rules of a language. */
export function languagePack(language: Language): readonly ScreeningRule[] {
  const rule = (idea: string, pattern: string, description: string): ScreeningRule => ({
    id: `${idea}.${language.id}`,
    pattern,
    description: `${description} Language: ${language.name}.`,
    severity: 'high',
    tags: [idea, 'multilingual'],
  });
  return [
    rule('instruction_override', overriding(language), 'Asks the assistant to ignore its instructions.'),
    rule('prompt_extraction', extracting(language), 'Asks for the instructions of the assistant.'),
    rule('role_override', unbinding(language), 'Asks for an assistant without rules.'),
    rule('secret_exfiltration', exfiltrating(language), 'Asks for a secret of the assistant.'),
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

/** Patterns for the gap between words, for filler words, for a few words of any kind, and for the end of a word. */
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
 * The vocabulary of the four rules in one language, as parts of patterns in lower case. Latin letters are written without
 * diacritics, because normalization removes them.
 */
export interface Language {
  /** The suffix of the rule ids. */
  readonly id: string;
  readonly name: string;
  /** Words are separated by spaces. */
  readonly spaced: boolean;
  /** Words that negate an order when they precede it. */
  readonly negations: readonly string[];
  /** Imperatives of "ignore". */
  readonly ignore: readonly string[];
  /** Filler words that do not change the meaning. */
  readonly small: readonly string[];
  /** Words for "previous". */
  readonly earlier: readonly string[];
  /** Words for the instructions of an assistant. */
  readonly orders: readonly string[];
  /** "All" or "each" before `orders`. */
  readonly quantity: readonly string[];
  /** Phrases for "everything before". */
  readonly everything: readonly string[];
  /** Requests to reveal something. */
  readonly reveal: readonly string[];
  /** "Your" or "hidden". */
  readonly own: readonly string[];
  /** Names of the system prompt, which need no possessive. */
  readonly systemPrompt: readonly string[];
  /** Words for a role or for the assistant. */
  readonly persona: readonly string[];
  /** Phrases for "without rules". */
  readonly unbound: readonly string[];
  /** Names of jailbreak modes and requests to do anything. */
  readonly jailbreak: readonly string[];
  /** Words for a secret of the assistant. */
  readonly secret: readonly string[];
}
