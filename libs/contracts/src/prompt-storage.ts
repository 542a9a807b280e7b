/** How the text behind a decision is kept. */
export const PROMPT_STORAGES = ['redact', 'hash', 'truncate', 'raw'] as const;

export type PromptStorage = (typeof PROMPT_STORAGES)[number] | 'erased';
