/** The packages of LangChain that the adapter uses. */
export type LangChain = typeof import('langchain') &
  typeof import('@langchain/core/language_models/chat_models') &
  typeof import('@langchain/core/messages') &
  typeof import('@langchain/core/outputs') &
  typeof import('@langchain/core/runnables') &
  typeof import('@langchain/core/tools') &
  typeof import('@langchain/core/utils/json_schema');

/** Loads the SDK when an adapter is used, because it is an optional peer dependency. */
export async function loadLangChain(): Promise<LangChain> {
  try {
    const parts = await Promise.all([
      import('langchain'),
      import('@langchain/core/language_models/chat_models'),
      import('@langchain/core/messages'),
      import('@langchain/core/outputs'),
      import('@langchain/core/runnables'),
      import('@langchain/core/tools'),
      import('@langchain/core/utils/json_schema'),
    ]);
    return Object.assign({}, ...parts) as LangChain;
  } catch (cause) {
    throw new Error(
      'nest-guardrails/langchain needs the SDK. Run: npm install langchain @langchain/core @langchain/langgraph',
      { cause },
    );
  }
}

export async function loadInterrupt(): Promise<typeof import('@langchain/langgraph').interrupt> {
  try {
    return (await import('@langchain/langgraph')).interrupt;
  } catch (cause) {
    throw new Error('Interrupts need LangGraph. Run: npm install @langchain/langgraph', { cause });
  }
}
