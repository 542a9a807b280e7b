// Words that several rules share, as pieces of a pattern.

/** Between two words: nothing at all, as in a text whose letters were spaced out, up to a few marks. */
export const GAP = String.raw`[\W_]{0,4}`;

const words = (...alternatives: readonly string[]): string => `(?:${alternatives.join('|')})`;

/** Up to a few small words that change nothing about what is asked. */
export const FILLER = `(?:${words(
  'all',
  'any',
  'every',
  'each',
  'both',
  'of',
  'the',
  'these',
  'those',
  'this',
  'that',
  'my',
  'your',
  'our',
  'its',
  'to',
  'about',
  'absolutely',
  'completely',
  'entirely',
  'please',
  'just',
  'other',
)}${GAP}){0,6}`;

/** To stop heeding something. */
export const IGNORE = words(
  'ignor(?:e|es|ing)',
  'disregard(?:ing)?',
  'forget(?:ting)?',
  'neglect',
  'overlook',
  'bypass(?:ing)?',
  'override',
  'overrule',
  'discard',
  'abandon',
  'dismiss',
  'nullify',
  `(?:do${GAP}not|don${GAP}?t|stop|never|no${GAP}longer)${GAP}(?:follow|obey|heed|adher)\\w{0,3}`,
  `pay${GAP}no${GAP}attention`,
);

/** What came first. */
export const EARLIER = words(
  'previous(?:ly)?',
  'prior',
  'preceding',
  'above',
  'earlier',
  'foregoing',
  'former',
  'past',
  'original',
  'initial',
  'existing',
  'old',
  'last',
  'aforementioned',
);

/** What an assistant was told. */
export const ORDERS = words(
  'instructions?',
  'directions?',
  'directives?',
  'prompts?',
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
);

/** To bring something to light. */
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
  'translate',
  'encode',
  'summari[sz]e',
  'rephrase',
  'what(?: is| are| was| were|s)',
);

/** What lets one in. */
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

/** Who a model takes itself to be. */
export const ASSISTANT = words(
  'ai',
  'llms?',
  'language models?',
  'assistants?',
  'chat ?bots?',
  'chatgpt',
  'gpt',
  'claude',
  'gemini',
  'copilot',
  'agents?',
  'models?',
);
