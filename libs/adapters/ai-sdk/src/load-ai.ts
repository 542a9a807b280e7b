/** Loads the SDK when an adapter is used, because it is an optional peer dependency. */
export async function loadAi(): Promise<typeof import('ai')> {
  try {
    return await import('ai');
  } catch (cause) {
    throw new Error('nest-guardrails/ai-sdk needs the package `ai`. Run: npm install ai', { cause });
  }
}
