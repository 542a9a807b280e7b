/** Names under which a text addresses the model that reads it. */
export const MODEL = String.raw`(?:(?:ai|ki|llm)s?\b(?: \w+)?|language models?|assistants?|agents?|(?:chat-?)?bots?|crawlers?|copilots?|gpt|models?)`;

/** Without words that also name people and other things. */
export const CLEAR_MODEL = String.raw`(?:(?:ai|llm)s?\b(?: \w+)?|language models?|chat-?bots?|coding \w+|copilots?|(?:chat)?gpt)`;

/** Where a clause can begin, and a few words before the name. Line ends are spaces in a normalized text. */
export const BEGIN = String.raw`(?:^|[^\w\s][\t -/>]{0,6})`;

export const DOCUMENTS = {
  origins: ['document', 'tool_result'],
  severity: 'high',
  tags: ['embedded'],
} as const;
