import { describe } from '@jest/globals';

// The installed package `ai` is version 6, and `ai-7` is version 7.
for (const [version, query] of [
  ['6', ''],
  ['7', '?ai=ai-7'],
] as const) {
  const { default: behaves } = (await import(
    `./ai-sdk.suite.js${query}`
  )) as typeof import('./ai-sdk.suite.js');
  describe(`the AI SDK ${version}`, behaves);
}
