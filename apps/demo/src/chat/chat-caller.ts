/** Whom the chat works for. A real product takes the principal from its own session. */
export const CHAT = { principalId: 'customer-42', application: 'support-chat' } as const;
