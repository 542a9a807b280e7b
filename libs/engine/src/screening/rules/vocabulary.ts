// Words that several rules share, as pieces of a pattern.

/** The gap between two words: empty, as in a text with spaced letters, or a few punctuation marks. */
export const GAP = String.raw`[\W_]{0,4}`;

export const words = (...alternatives: readonly string[]): string => `(?:${alternatives.join('|')})`;

/** Up to `count` words of any kind, each with the following gap. */
export const upTo = (most: number): string => String.raw`(?:[\w'’]+${GAP}){0,${most}}?`;

/** Any number of these words, each with the following gap. */
export const some = (...alternatives: readonly string[]): string => `(?:${words(...alternatives)}${GAP})*`;

/** The rest of the sentence. The limit is in sentences because counting characters needs many automaton states. */
export const SENTENCE = '[^.!?]*?';

/** The following text, up to this number of sentences. */
export const sentences = (most: number): string => `(?:[^.!?]*[.!?]){0,${most}}?${SENTENCE}`;

/** Both within this number of sentences, in either order. */
export const near = (one: string, other: string, most: number): string =>
  `(?:${one})${sentences(most)}(?:${other})|(?:${other})${sentences(most)}(?:${one})`;

/**
 * The context of an order that is not negated. The linear engine has no look-behind, so every other ending of the
 * preceding word is written out, from `[^t]` over `[^o]t` to `[^n]ot`.
 */
export function unnegated(...negations: readonly string[]): string {
  const ends = new Set(negations.flatMap((word) => Array.from(word, (_, index) => word.slice(index + 1))));
  const others = Array.from(ends, (end) => {
    const refused = negations.filter((word) => word.endsWith(end) && word !== end);
    const letters = [...new Set(refused.map((word) => word.charAt(word.length - end.length - 1)))].join('');
    return String.raw`[^${letters}${end === '' ? '\\s' : ''}]${end}\s?`;
  });
  return `(?<before>${words('^', ...others)})`;
}

/** An English order that is not negated. */
export const UNNEGATED = unnegated('not', "n't", 'n’t', 'dont', 'cant', 'wont', 'doesnt', 'didnt', 'never');

/** Filler words that do not change the meaning of a request. */
export const FILLER = some(
  'all',
  'any',
  'every',
  'each',
  'both',
  'and',
  'of',
  'the',
  'these',
  'those',
  'this',
  'that',
  'my',
  'your',
  'you',
  'our',
  'its',
  'to',
  'about',
  'in',
  'from',
  'absolutely',
  'literally',
  'simply',
  'completely',
  'entirely',
  'please',
  'just',
  'other',
  'whatever',
);

/** Verbs for ignoring something. */
export const IGNORE = words(
  'ig[nm]o?r(?:e|es|ed|en|em|ing)',
  'ingore',
  'def(?:y|ies|ying)',
  'subvert',
  'invert',
  'disregard(?:s|ed|ing)?',
  'forget(?:s|ting)?',
  'forgot(?:ten)?',
  'neglect(?:ing)?',
  'overlook(?:ing)?',
  'bypass(?:ing)?',
  'circumvent(?:ing)?',
  'overrid(?:e|ing)',
  'overrul(?:e|ing)',
  'overwrit(?:e|ing)',
  'discard(?:ing)?',
  'abandon(?:ing)?',
  'dismiss(?:ing)?',
  'nullify',
  'negate',
  'invalidate',
  'unlearn',
  'disobey(?:ing)?',
  'supersede',
  `set${GAP}aside`,
  `put${GAP}aside`,
  `(?:do${GAP}not|don${GAP}?t|stop|never|no${GAP}longer|without|not)${GAP}(?:have${GAP}to${GAP}|need${GAP}to${GAP})?(?:follow|obey|heed|adher|abid|comply|listen|pay${GAP}attention)\\w{0,5}(?:${GAP}to|${GAP}by|${GAP}with)?`,
  `pay${GAP}no${GAP}(?:attention|heed)${GAP}to`,
  `turn${GAP}off`,
);

/** Verbs for removing something. Harmless for most objects, but not for the instructions of an assistant. */
export const REMOVE = words(
  'cancel',
  'erase',
  'delete',
  'drop',
  'skip',
  'reject',
  'remove',
  'clear',
  'reset',
  'wipe',
  'revoke',
  'void',
  'suspend',
  'replace',
  'change',
  'break',
  'violate',
  'disable',
  'rewrite',
);

/** Words for "previous". */
export const EARLIER = words(
  'pr?e?v[ie]{1,2}ous(?:ly)?',
  'prior',
  'preceding',
  'above',
  'earlier',
  'foregoing',
  'former',
  'past',
  'original',
  'ini?tial',
  'existing',
  'current',
  'old',
  'last',
  'first',
  'aforementioned',
  'predefined',
);

/** "Instructions" with common misspellings. */
export const INSTRUCTIONS = 'i[nst]{1,4}r?[uc]{1,2}[ct]{0,3}i?ons?';

/** Words for the instructions of an assistant. */
export const ORDERS = words(
  INSTRUCTIONS,
  'directions?',
  'directives?',
  'promp?ts?',
  'techniques',
  'protocols?',
  'rules?',
  'guidelines?',
  'orders?',
  'commands?',
  'constraints?',
  'restrictions?',
  'assignments?',
  'programming',
  'training',
  'tasks?',
  'context',
  'guidance',
  'policies',
  'restraints?',
);

/** Verbs for revealing something. */
export const REVEAL = words(
  'reveal',
  'show',
  'print',
  'display',
  'output',
  'repeat',
  'tell',
  'give',
  'share',
  'leak',
  'dump',
  'expose',
  'disclose',
  'divulge',
  'recite',
  'provide',
  'return',
  'spell',
  'say',
  'send',
  'paste',
  'copy',
  'echo',
  'write',
  'list',
  'quote',
  'state',
  'describe',
  'explain',
  'type',
  'read',
  'translate',
  'encode',
  'encrypt',
  'enumerate',
  'outline',
  'produce',
  'duplicate',
  'summary of',
  'remember',
  'recall',
  'reverse',
  'remind',
  'confirm',
  'summari[sz]e',
  'rephrase',
  'paraphrase',
  'rewrite',
  "what(?: is| are| was| were|s|['’]s)",
);

/** Words for credentials. */
export const CREDENTIALS = words(
  `api${GAP}keys?`,
  'passwords?',
  'credentials?',
  `(?:access|auth|authentication|bearer|session|refresh|api)${GAP}tokens?`,
  `(?:private|ssh|access|encryption|signing|secret)${GAP}keys?`,
  `env(?:ironment)?${GAP}var(?:iable)?s?`,
  `connection${GAP}strings?`,
  'secrets',
  String.raw`\.env`,
);

/** Words for a persona. */
export const ASSISTANT = words(
  'a\\.?i',
  'llms?',
  'language models?',
  'assistants?',
  'chat ?bots?',
  'chat ?gpt',
  'gpt',
  'claude',
  'gemini',
  'copilot',
  'agents?',
  'models?',
);
