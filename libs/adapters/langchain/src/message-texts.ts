import type { BaseMessage } from '@langchain/core/messages';
import type { AnswerExtras } from '#adapters/shared/sanitized-answer.js';
import { resultText } from '#engine/result-text.js';
import { readParts, type ReadResult } from '#adapters/shared/read-parts.js';

export type Content = BaseMessage['content'];
export type Block = Readonly<Record<string, unknown>> & { readonly type: string };

/** The members of content blocks that contain text of the model. */
export const TEXT_OF: Readonly<Record<string, string>> = {
  text: 'text',
  reasoning: 'reasoning',
  thinking: 'thinking',
};

/** Blocks with calls of tools, which the firewall checks. */
const CALL_BLOCKS = new Set([
  'tool_call',
  'tool_call_chunk',
  'tool_use',
  'input_json_delta',
  'invalid_tool_call',
  'function_call',
  'functionCall',
]);

/** Blocks without text. A file can contain text, such as HTML, so it is left out. */
const MEDIA_BLOCKS = new Set(['image', 'image_url', 'audio', 'video', 'file']);

/** Changes the texts of a content: the text of each block, and what else the block contains. */
export async function mapText(
  content: Content,
  change: (text: string, block: Block | null) => Promise<string>,
  changeOthers: (others: Readonly<Record<string, unknown>>, block: Block) => Promise<object>,
  extras: AnswerExtras,
): Promise<Content> {
  if (typeof content === 'string') return content === '' ? content : change(content, null);
  const blocks: unknown[] = [];
  for (const block of content as readonly Block[]) {
    if (CALL_BLOCKS.has(block.type)) {
      blocks.push(block);
      continue;
    }
    if (MEDIA_BLOCKS.has(block.type)) {
      const isDropped = await extras.isDropped(block.type);
      if (!isDropped || block.type !== 'file') blocks.push(block);
      continue;
    }
    const member = TEXT_OF[block.type] ?? '';
    const { [member]: text, type, ...others } = block;
    const isText = typeof text === 'string' && text !== '';
    blocks.push({
      type,
      ...(await changeOthers(
        member !== '' && !isText && text !== undefined ? { ...others, [member]: text } : others,
        block,
      )),
      ...(isText && { [member]: await change(text, block) }),
    });
  }
  return blocks as Content;
}

/** Sanitizes the content and the metadata of a whole message in place. */
export async function sanitizedMessage(
  message: BaseMessage,
  change: (text: string) => Promise<string>,
  extras: AnswerExtras,
  generationInfo?: Record<string, unknown>,
): Promise<{ readonly generationInfo?: Record<string, unknown> }> {
  const { additional_kwargs, response_metadata } = message;
  const metadata = await extras.sanitized({
    additional_kwargs,
    response_metadata,
    ...(generationInfo && { generationInfo }),
  });
  message.additional_kwargs = metadata.additional_kwargs;
  message.response_metadata = metadata.response_metadata;
  message.content = await mapText(message.content, change, (others) => extras.sanitized(others), extras);
  return metadata;
}

/** Reads the result of a tool as LangChain passes it to the model: as blocks, or as text. */
export function readToolResult(result: unknown): ReadResult {
  if (!isToolMessage(result)) return readContent(result);
  const [content, artifact] = [readContent(result.content), readParts(result.artifact)];
  const text = [content.text, artifact.text].filter((each) => each !== '').join('\n');
  return { text, notText: [...content.notText, ...artifact.notText] };
}

export function readContent(content: unknown): ReadResult {
  return Array.isArray(content) ? readParts(content) : { text: resultText(content), notText: [] };
}

/** A tool can return its message itself. */
function isToolMessage(
  result: unknown,
): result is { readonly content: BaseMessage['content']; readonly artifact?: unknown } {
  return (
    typeof result === 'object' && result !== null && 'lc_direct_tool_output' in result && 'content' in result
  );
}
