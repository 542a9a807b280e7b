// Words that several rules share, as pieces of a pattern.

/** The gap between two words: empty, as in a text with spaced letters, or a few punctuation marks. */
export const GAP = String.raw`\W{0,4}`;

/** Up to `count` words of any kind, each with the following gap. */
export const upTo = (most: number): string => String.raw`(?:\w+${GAP}){0,${most}}?`;

/** The same within a sentence. */
export const within = (most: number): string => String.raw`(?:\w+[^\w.!?:]{0,3}){0,${most}}?`;

/** The rest of the sentence. The limit is in sentences because counting characters needs many automaton states. */
export const SENTENCE = '[^.!?]*?';

/** The following text, up to this number of sentences. */
export const sentences = (most: number): string => `(?:[^.!?]*[.!?]){0,${most}}?${SENTENCE}`;

/**
 * The context of an order that is not negated: the preceding word does not end like "not", "don't", "dont" or "never".
 * The linear engine has no look-behind.
 */
export const UNNEGATED = String.raw`(?<before>^|[^rt\s]\s?|[^no'’]t\s?|[^e]r\s?|[^v]er\s?)`;

/** Verbs for ignoring something, with common misspellings. */
export const IGNORE = String.raw`(?:ig[nm]o?r|ingor|disregard|forg[eo]t|neglect|overlook|discard)\w*`;

/** Verbs for making a rule ineffective. */
export const OVERRIDE = String.raw`(?:bypass|circumvent|over(?:rid|rul|writ)|dismiss|negat|invert|subvert|defy|disobey)\w*`;

/** Verbs for removing something. Harmless for most objects, but not for the instructions of an assistant. */
export const REMOVE = String.raw`(?:cancel|eras|delet|drop|remov|clear|reset|revok|chang|disabl|break|reject)e?`;

/** "Do not follow". */
export const NOT_FOLLOW = String.raw`(?:do not|don.?t|stop|never|no longer|without|not) (?:have to )?(?:follow|obey|heed|adher|abid|comply|listen)\w*(?: to| by| with)?`;

/** Words for "previous", with common misspellings. */
export const EARLIER =
  '(?:pr?e?v[ie]+ous|prior|preceding|above|earlier|original|ini?tial|existing|current|past|old|last|first)';

/** "Instructions" with common misspellings. */
export const INSTRUCTIONS = 'i[nst]+r?[uc]+[ct]*ions?';

/** Names of the assistant. */
export const ASSISTANT = String.raw`(?:a\.?i|llms?|assistants?|chat ?bots?|(?:chat ?)?gpt|copilot|agents?|models?)`;

/** Words for credentials. */
export const CREDENTIALS = String.raw`(?:passwords?|credentials?|(?:access|auth|bearer|session|api).?tokens?|(?:api|private|ssh|secret).?keys?|env(?:ironment)? ?var\w*|connection strings?|secrets|\.env)`;

/** Names under which a text addresses the model that reads it. */
export const MODEL = String.raw`(?:(?:ai|ki|llm)s?\b(?: \w+)?|language models?|assistants?|agents?|(?:chat-?)?bots?|crawlers?|copilots?|gpt|models?)`;

/** Without words that also name people and other things. */
export const CLEAR_MODEL = String.raw`(?:(?:ai|llm)s?\b(?: \w+)?|language models?|chat-?bots?|coding \w+|copilots?|(?:chat)?gpt)`;

/** What may follow the name of a model that is addressed. Not "users" or "manager", who are people. */
export const QUALIFIED = String.raw`(?: (?:that|who|in|of|for|reading)[^.,:!?]{0,34})?`;

/** Where a clause can begin, and a few words before the name. Line ends are spaces in a normalized text. */
export const BEGIN = String.raw`(?:^|[^\w\s][\t -/>]{0,6})`;
