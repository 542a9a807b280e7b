/** Loads the SDK when an adapter is used, because it is an optional peer dependency. */
export async function loadAgents(): Promise<typeof import('@openai/agents-core')> {
  try {
    return await import('@openai/agents-core');
  } catch (cause) {
    throw new Error('nest-guardrails/openai-agents needs the SDK. Run: npm install @openai/agents', {
      cause,
    });
  }
}
