import type { RuleGroup } from '../rule-group.js';
import { sentences } from '../vocabulary.js';

/** What the rules of every language look for, by the name of the rule. */
const IDEAS = {
  instruction_override: {
    description: 'Asks the assistant to ignore its instructions.',
    rationale:
      'The instructions before a prompt come from the developer, and legitimate requests do not ask to ignore them.',
    rules: {
      ignore_previous: 'Asks to ignore the previous instructions; "previous" precedes "instructions".',
      ignore_orders: 'Asks to ignore the earlier instructions; "previous" follows "instructions".',
      ignore_all: 'Asks to ignore all instructions, or those of the assistant.',
      ignore_everything: 'Asks to ignore everything that was said before.',
      previous_ignored: 'Asks that the previous instructions be ignored; the verb comes last.',
      all_ignored: 'Asks that all instructions, or those of the assistant, be ignored; the verb comes last.',
      everything_ignored: 'Asks that everything before be forgotten; the verb comes last.',
    },
  },
  prompt_extraction: {
    description: 'Asks for the instructions of the assistant.',
    rationale: 'The system prompt shows how the assistant is protected, and often contains internal facts.',
    rules: {
      reveal_own: 'Asks to show the instructions of the assistant.',
      reveal_orders: 'Asks to show the instructions of the assistant; "your" follows "instructions".',
      reveal_system_prompt: 'Asks to show the system prompt.',
      own_revealed: 'Asks for the instructions of the assistant; the verb comes last.',
      system_prompt_revealed: 'Asks for the system prompt; the verb comes last.',
    },
  },
  role_override: {
    description: 'Asks for an assistant without rules.',
    rationale:
      'A role without rules is used to request what the assistant must refuse. A role alone does not match.',
    rules: {
      without_rules: 'Gives a role, and says that it has no rules, filters or morals.',
      rules_gone: 'Says that there are no rules, filters or morals, and gives a role.',
      special_mode: 'Asks for a developer mode or a similar one, which the assistant does not have.',
    },
  },
  secret_exfiltration: {
    description: 'Asks for a secret of the assistant.',
    rationale: 'A secret in the instructions is disclosed by a single answer that contains it.',
    rules: {
      reveal_secret: 'Asks to say the password or the secret.',
      secret_revealed: 'Asks for the password or the secret; the verb comes last.',
    },
  },
} as const;

type Ideas = typeof IDEAS;
type Idea = keyof Ideas;
type RuleName = { [Key in Idea]: keyof Ideas[Key]['rules'] }[Idea];

/** Texts that a rule finds, and similar harmless ones. */
interface Cases {
  readonly examples: readonly string[];
  readonly nearMisses: readonly string[];
}

/**
 * The words of the rules in one language, as parts of patterns in lower case. Latin letters are written without
 * diacritics, because normalization removes them.
 */
interface Words {
  /** Imperatives of "ignore" and "do not follow". */
  readonly ignore: readonly string[];
  /** Words for "previous". */
  readonly earlier: readonly string[];
  /** Words for the instructions of an assistant. */
  readonly orders: readonly string[];
  /** "All" or "your" before `orders`. */
  readonly all: readonly string[];
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
  /** Names of modes that the assistant does not have. */
  readonly modes: readonly string[];
  /** Words for a secret of the assistant. */
  readonly secret: readonly string[];
}

export interface Language {
  /** The last part of the ids of the groups. */
  readonly id: string;
  readonly name: string;
  /** Words are separated by spaces. */
  readonly spaced: boolean;
  /** The context of an order that is not negated, where negation precedes the verb. */
  readonly unnegated?: string;
  readonly words: Words;
  /** The rules that the grammar of the language needs. */
  readonly rules: Readonly<Partial<Record<RuleName, Cases>>>;
}

/** The four groups of a language. */
export function languagePack(language: Language): readonly RuleGroup[] {
  const patterns = patternsOf(language);
  return (Object.keys(IDEAS) as Idea[]).flatMap((idea): RuleGroup[] => {
    const { description, rationale, rules } = IDEAS[idea];
    const names = Object.keys(rules) as RuleName[];
    const about = rules as Readonly<Partial<Record<RuleName, string>>>;
    const found = names.flatMap((name) => {
      const cases = language.rules[name];
      if (cases === undefined) return [];
      const pattern = patterns[name].normalize('NFKC');
      return [{ name, description: `${about[name]} Language: ${language.name}.`, pattern, ...cases }];
    });
    if (found.length === 0) return [];
    return [
      {
        id: `${idea}.${language.id}`,
        description: `${description} Language: ${language.name}.`,
        rationale,
        severity: 'high',
        tags: [idea, 'multilingual'],
        rules: found,
      },
    ];
  });
}

function patternsOf({ words, spaced, unnegated = '' }: Language): Readonly<Record<RuleName, string>> {
  const gap = spaced ? String.raw`\P{L}{1,3}` : String.raw`[\s"'「」“”《》:,、的]{0,2}`;
  const few = (most: number): string =>
    spaced ? String.raw`(?:\S+ ){0,${most}}?` : `[^。.!?,、]{0,${most * 3}}?`;
  const end = spaced ? String.raw`(?:\P{L}|$)` : '';
  const [ignore, earlier, orders, all] = [words.ignore, words.earlier, words.orders, words.all].map(anyOf);
  const [everything, reveal, own, prompt] = [
    words.everything,
    words.reveal,
    words.own,
    words.systemPrompt,
  ].map(anyOf);
  const [persona, unbound, secret] = [words.persona, words.unbound, words.secret].map(anyOf);
  return {
    ignore_previous: `${unnegated}${ignore}${gap}${few(4)}${earlier}${gap}${few(1)}${orders}`,
    ignore_orders: `${unnegated}${ignore}${gap}${few(3)}${orders}${gap}${few(2)}${earlier}`,
    ignore_all: `${unnegated}${ignore}${gap}${few(1)}${all}${gap}${few(1)}${orders}`,
    ignore_everything: `${unnegated}${ignore}${gap}${few(1)}${everything}`,
    previous_ignored: `${earlier}${gap}${few(2)}${orders}${gap}${few(3)}${ignore}`,
    all_ignored: `${all}${gap}${few(1)}${orders}${gap}${few(2)}${ignore}`,
    everything_ignored: `${everything}${gap}${few(2)}${ignore}`,
    reveal_own: `${reveal}${gap}${few(2)}${own}${gap}${few(2)}${orders}`,
    reveal_orders: `${reveal}${gap}${few(2)}${orders}${gap}${few(1)}${own}`,
    reveal_system_prompt: `${reveal}${gap}${few(3)}${prompt}`,
    own_revealed: `${own}${gap}${few(2)}${orders}${gap}${few(2)}${reveal}`,
    system_prompt_revealed: `${prompt}${gap}${few(3)}${reveal}`,
    without_rules: `${persona}${sentences(1)}${unbound}`,
    rules_gone: `${unbound}${sentences(1)}${persona}`,
    special_mode: anyOf(words.modes),
    reveal_secret: `${reveal}${gap}${few(2)}${secret}${end}`,
    secret_revealed: `${secret}${gap}${few(2)}${reveal}`,
  };
}

function anyOf(alternatives: readonly string[]): string {
  return `(?:${alternatives.join('|')})`;
}
