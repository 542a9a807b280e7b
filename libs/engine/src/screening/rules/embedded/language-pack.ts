import type { GroupedRule, RuleGroup } from '../rule-group.js';

/** What the rules of every language look for, by the name of the rule. */
const IDEAS = {
  order: {
    order: 'Addresses the model by a name that no person has, and gives an order.',
    action: 'Addresses the model by a name that no person has, and orders to change or open something.',
    reader_must: 'Says what a model that reads or summarizes the text must do.',
    model_must: 'Says that a reader is a model, or is read by one, and what it must do.',
    rules_lifted: 'Says that the rules of a model are lifted.',
  },
  duty: {
    duty: 'Says that an assistant or a model must say, send or change something.',
    controls_lifted: 'Says that the rules for "you" or an assistant are lifted.',
    order_to_assistant: 'Addresses an assistant or agent, and gives an order.',
    action_of_assistant: 'Addresses an assistant or agent, and orders to change or open something.',
    consent: 'Says that the user wants or allows an action of the assistant.',
    authority: 'Claims to be the system or the developer, and mentions the assistant.',
  },
} as const;

type RuleName = keyof (typeof IDEAS)['order'] | keyof (typeof IDEAS)['duty'];

/** Texts that a rule finds, and similar harmless ones. */
interface Cases {
  readonly examples: readonly string[];
  readonly nearMisses: readonly string[];
}

/**
 * How one language addresses the model that reads a text. Parts of patterns in lower case, without diacritics, which
 * normalization removes.
 */
export interface EmbeddedLanguage {
  /** The beginning of the last part of the ids of the groups. */
  readonly id: string;
  readonly name: string;
  /** What may precede the name of the model in an address. */
  readonly articles: readonly string[];
  /** Names that only a model has. */
  readonly clearModel: readonly string[];
  /** Names that people have, too. */
  readonly model: readonly string[];
  /** Orders that follow the address. */
  readonly orders: readonly string[];
  /** Orders to change, open or pass on something, which follow the address, too. */
  readonly actions: readonly string[];
  /** "Must", "should" and the future. */
  readonly duty: readonly string[];
  /** What attacks want an assistant to do, after its duty. An address is a goal, too. */
  readonly goals: readonly string[];
  /** "You", as friends and machines are addressed. */
  readonly you: readonly string[];
  /** "Reads", "summarizes", "processes". */
  readonly reads: readonly string[];
  /** Rules, limits and checks of an assistant. */
  readonly controls: readonly string[];
  /** "Lifted", "no longer valid". */
  readonly lifted: readonly string[];
  /** "The user wants you to", "has allowed you, the AI". */
  readonly consent: readonly string[];
  /** "System instruction for the model", "your developer writes". */
  readonly authority: readonly string[];
  readonly rules: Readonly<Record<RuleName, Cases>>;
}

const DOCUMENTS = {
  origins: ['document', 'tool_result'],
  severity: 'high',
  tags: ['embedded', 'multilingual'],
} as const;

/** What the groups of orders have in common, in all languages. */
export const ORDER = {
  ...DOCUMENTS,
  rationale:
    'Documents and results of tools are data. An order in them does not come from the user or the developer.',
  confidence: 'medium',
} as const;

/** What the groups of duties have in common, in all languages. */
export const DUTY = {
  ...DOCUMENTS,
  rationale:
    'Texts about assistants also describe what assistants have to do, so the rule does not block in the default profile.',
  confidence: 'low',
} as const;

/** The two groups of a language. */
export function embeddedLanguagePack(language: EmbeddedLanguage): readonly RuleGroup[] {
  const { id, name } = language;
  const patterns = patternsOf(language);
  const rules = (ideas: Readonly<Partial<Record<RuleName, string>>>) =>
    (Object.keys(ideas) as RuleName[]).map((rule) => ({
      name: rule,
      description: `${ideas[rule]} Language: ${name}.`,
      pattern: patterns[rule],
      ...language.rules[rule],
    }));
  return [
    {
      ...ORDER,
      id: `embedded.${id}_order`,
      description: `Addresses the model and gives an order. Language: ${name}.`,
      rules: rules(IDEAS.order),
    },
    {
      ...DUTY,
      id: `embedded.${id}_duty`,
      description: `Says what an assistant has to do, or may do for its user. Language: ${name}.`,
      rules: rules(IDEAS.duty),
    },
  ];
}

function patternsOf(language: EmbeddedLanguage): Readonly<Record<RuleName, string>> {
  const clear = anyOf(language.clearModel);
  const people = anyOf(language.model);
  const model = anyOf([...language.clearModel, ...language.model]);
  const [orders, actions] = [language.orders, language.actions].map(anyOf);
  const [duty, reads] = [language.duty, language.reads].map(anyOf);
  const [controls, lifted, you] = [language.controls, language.lifted, language.you].map(anyOf);
  const goals = String.raw`(?:@|https?:|\w_\w|\b${anyOf(language.goals)}\b)`;
  const begin = String.raw`(?:^|[^\p{L}\p{N}\s]\s{0,3}|\n\s{0,3}|\b${anyOf(language.articles)} )`;
  return {
    order: String.raw`${begin}${clear}[^.:!?]{0,60}?[:,!] ?${orders}`,
    action: String.raw`${begin}${clear}[^.:!?]{0,60}?[:,!] ?${actions}\b`,
    reader_must: String.raw`\b${clear}\b[^.!?\n]{0,40}\b${reads}\b[^.!?\n]{0,60}\b${duty}\b`,
    model_must: String.raw`\b${reads}\b[^.!?\n]{0,40}\b${clear}\b[^.!?\n]{0,40}\b${duty}\b`,
    rules_lifted: String.raw`\b${controls}\b[^.!?\n]{0,50}\b${clear}[^.!?\n]{0,40}\b${lifted}\b`,
    duty: String.raw`\b${model} (?:[^\s.!?]+ ){0,3}?${duty}\b[^.!?\n]{0,80}?${goals}`,
    controls_lifted: String.raw`\b${controls}\b[^.!?\n]{0,30}\b(?:${you}|${people})\b[^.!?\n]{0,30}\b${lifted}\b`,
    order_to_assistant: String.raw`${begin}${model}(?:[^.:!?,]{0,60}[:!]|,) ?${orders}`,
    action_of_assistant: String.raw`${begin}${model}(?:[^.:!?,]{0,60}[:!]|,) ?${actions}\b`,
    consent: String.raw`\b${anyOf(language.consent)}`,
    authority: String.raw`\b${anyOf(language.authority)}\b`,
  };
}

function anyOf(alternatives: readonly string[]): string {
  return `(?:${alternatives.join('|')})`;
}

/** What is said about the task of the reader, by the name of the rule. */
const TASK_IDEAS = [
  ['task', 'Speaks of the task that the reader was given, and replaces it, or addresses "you, the model".'],
  ['answer', 'Speaks of the summary or answer of the reader about the document.'],
  ['conceal', 'Orders to act without telling or asking the user.'],
  ['send', 'Says to look up private data, and to send it to an address.'],
  ['letter', 'Is addressed to models, like a letter or a note.'],
  ['if_model', 'Addresses the reader if it is a model.'],
  ['reader', 'Says what models that read this text do.'],
  ['when', 'Says what the reader has to write or leave out when it summarizes or translates the text.'],
  ['from_here', 'Says that a model follows other rules from this place of the text on.'],
  ['lifted', 'Says that the rules of this model were lifted.'],
  ['append', 'Says to append something to an address with an empty parameter.'],
  ['tell', 'Orders to tell the user something.'],
  ['remember', 'Orders to remember something for later conversations.'],
  ['instead', 'Orders not to summarize or answer, but to write something else.'],
  ['developer', 'Says that a developer, operator or administrator wants or allows "you" something.'],
  ['code', 'Orders to pass on a code or a password to an address.'],
] as const;

/** How one language speaks about the task of the reader. Patterns in lower case, without diacritics. */
export interface EmbeddedTasks {
  readonly id: string;
  readonly name: string;
  /** In the order of `TASK_IDEAS`. */
  readonly rules: readonly Omit<GroupedRule, 'name' | 'description' | 'confidence'>[];
}

export function embeddedTasks({ id, name, rules }: EmbeddedTasks): RuleGroup {
  return {
    ...ORDER,
    id: `embedded.${id}_task`,
    description: `Replaces the task of the reader, or says what its answer must contain or hide. Language: ${name}.`,
    rules: rules.map((rule, index) => {
      const [idea, description] = TASK_IDEAS[index] ?? TASK_IDEAS[0];
      // People also ask each other to send data.
      const confidence = idea === 'send' ? ('low' as const) : ORDER.confidence;
      return { ...rule, name: idea, confidence, description: `${description} Language: ${name}.` };
    }),
  };
}
