// The texts in messages of LangChain: those of the model are sanitized, whole or in chunks; those of tools are read.
// Whole messages are changed in place, because LangChain hands them on.
import type { AIMessageChunk, BaseMessage } from '@langchain/core/messages';
import {
  type AnswerSanitizer,
  mapOtherTexts,
  type PartSession,
  type TextPath,
} from '#adapters/shared/sanitized-answer.js';
import type { ReadResult } from '#contracts/firewall/firewall.js';
import { readParts, resultText } from '#engine/tools/read-parts.js';
import { isRecord, parsedJson } from '#contracts/common/text.js';

export type Content = BaseMessage['content'];
export type Block = Readonly<Record<string, unknown>> & { readonly type: string };

/** The members of content blocks that contain text of the model. */
const TEXT_OF: Readonly<Record<string, string>> = {
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
  'function_call',
  'functionCall',
]);

/** Blocks without text. A file can contain text, such as HTML, so it is left out in any case. */
const MEDIA_BLOCKS = new Set(['image', 'image_url', 'audio', 'video', 'file']);

function isCallBlock({ type }: Block) {
  return CALL_BLOCKS.has(type);
}

/** Only calls whose arguments can be read reach a tool, and so the firewall. */
function isReadableCall(call: unknown) {
  if (!isRecord(call)) return false;
  const { args, arguments: ofProvider, input, function: inner } = call;
  if (inner !== undefined) return isReadableCall(inner);
  const texts = [args, ofProvider, input].filter((each) => typeof each === 'string');
  return texts.every((text) => text === '' || isRecord(parsedJson(text)));
}

/** Changes the texts of a content: the text of each block, and what else the block contains. */
async function mapText(
  content: Content,
  change: (text: string, block: Block | null) => Promise<string>,
  changeOthers: (others: Readonly<Record<string, unknown>>, block: Block) => Promise<object>,
  answer: AnswerSanitizer,
  isKept = (block: Block) => isCallBlock(block) && isReadableCall(block),
): Promise<Content> {
  if (typeof content === 'string') return content === '' ? content : change(content, null);
  const blocks: unknown[] = [];
  for (const block of content as readonly Block[]) {
    if (isKept(block)) {
      blocks.push(block);
      continue;
    }
    if (MEDIA_BLOCKS.has(block.type)) {
      const isDropped = block.type === 'file' ? answer.isDropped('file') : answer.isMediaDropped(block.type);
      if (!(await isDropped)) blocks.push(block);
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

type Unread = Pick<AIMessageChunk, 'invalid_tool_calls' | 'tool_call_chunks'>;

/** Sanitizes calls whose arguments cannot be read, in place: LangChain shows them to the host as the model wrote them. */
async function sanitizeUnreadCalls(
  message: BaseMessage,
  change: (text: string) => Promise<string>,
  answer: AnswerSanitizer,
): Promise<void> {
  const { invalid_tool_calls: invalid = [], tool_call_chunks: chunks = [] } = message as Partial<Unread>;
  const { tool_calls: raw = [] } = message.additional_kwargs;
  const clean = <Call>(calls: readonly Call[]): Promise<Call[]> =>
    Promise.all(
      calls.map(async (call) =>
        isReadableCall(call) ? call : mapOtherTexts(call, (text) => change(text), answer),
      ),
    );
  const changed = {
    ...(invalid.length > 0 && {
      invalid_tool_calls: await mapOtherTexts(invalid, (text) => change(text), answer),
    }),
    ...(chunks.length > 0 && { tool_call_chunks: await clean(chunks) }),
    ...(raw.length > 0 && {
      additional_kwargs: { ...message.additional_kwargs, tool_calls: await clean(raw) },
    }),
  };
  Object.assign(message, changed);
  Object.assign(message.lc_kwargs, changed);
}

/** Sanitizes, in place, the calls of a streamed message whose arguments cannot be read. */
export async function sanitizeRest(
  message: BaseMessage,
  change: (text: string) => Promise<string>,
  answer: AnswerSanitizer,
): Promise<void> {
  const changeOthers = async (others: object, block: Block) =>
    isCallBlock(block) ? mapOtherTexts(others, (text) => change(text), answer) : others;
  message.content = await mapText(message.content, change, changeOthers, answer);
  Object.assign(message.lc_kwargs, { content: message.content });
  await sanitizeUnreadCalls(message, change, answer);
}

/** Sanitizes the content and the metadata of a whole message in place. */
export async function sanitizedMessage(
  message: BaseMessage,
  change: (text: string) => Promise<string>,
  answer: AnswerSanitizer,
  generationInfo?: Record<string, unknown>,
): Promise<{ readonly generationInfo?: Record<string, unknown> }> {
  const { additional_kwargs, response_metadata } = message;
  const metadata = await answer.metadata({
    additional_kwargs,
    response_metadata,
    ...(generationInfo && { generationInfo }),
  });
  message.additional_kwargs = metadata.additional_kwargs;
  message.response_metadata = metadata.response_metadata;
  message.content = await mapText(message.content, change, (others) => answer.metadata(others), answer);
  const { content, additional_kwargs: kwargs, response_metadata: response } = message;
  Object.assign(message.lc_kwargs, { content, additional_kwargs: kwargs, response_metadata: response });
  await sanitizeUnreadCalls(message, change, answer);
  withoutUnreadFields(message);
  return metadata;
}

/** `lc_kwargs` has the arguments of the constructor, also `contentBlocks` and fields that are no members. */
export function withoutUnreadFields<Message extends BaseMessage>(message: Message): Message {
  for (const name of Object.keys(message.lc_kwargs))
    if (!Object.hasOwn(message, name)) Reflect.deleteProperty(message.lc_kwargs, name);
  return message;
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

/** The members of a chunk that contain texts of the model. */
export interface ChunkFields {
  readonly content: unknown;
  readonly additional_kwargs?: object;
  readonly response_metadata?: object;
}

interface OpenText {
  readonly session: PartSession;
  shown: string;
  /** A chunk that adds this text at its place. */
  readonly at: (text: string) => ChunkFields;
}

/** The texts of one streamed answer. Each is sanitized by itself, wherever its parts are in the chunks. */
export class StreamTexts {
  private readonly open = new Map<string, OpenText>();
  constructor(private readonly answer: AnswerSanitizer) {}

  async write({ content, additional_kwargs, response_metadata }: BaseMessage): Promise<ChunkFields> {
    const within = <Value extends object>(name: keyof ChunkFields, value: Value) =>
      this.others(value, name, (inner) => ({ content: '', [name]: inner }));
    return {
      content: await mapText(
        content,
        (text, block) => this.add(text, ['content', ...keyOf(block)], (rest) => contentWith(block, rest)),
        (others, block) =>
          this.others(others, ['content', ...keyOf(block)].join(' '), (inner) => ({
            content: [{ ...placeOf(block), ...inner }],
          })),
        this.answer,
        isCallBlock,
      ),
      additional_kwargs: await within('additional_kwargs', additional_kwargs),
      response_metadata: await within('response_metadata', response_metadata),
    };
  }

  /** Metadata that is not part of the message. */
  metadata(value: Record<string, unknown> | undefined): Promise<Record<string, unknown> | undefined> {
    return this.answer.metadata(value);
  }

  /** Ends every text. Returns the part that was held back, and the whole text. */
  async *close(): AsyncGenerator<{ readonly shown: string; readonly rest: ChunkFields | null }> {
    for (const { session, shown, at } of this.open.values()) {
      const rest = (await session.close()).join('');
      yield { shown: shown + rest, rest: rest === '' ? null : at(rest) };
    }
    this.open.clear();
  }

  async abort(): Promise<void> {
    await Promise.all([...this.open.values()].map(({ session }) => session.abort()));
  }

  private others<Value extends object>(value: Value, name: string, at: (inner: object) => ChunkFields) {
    return mapOtherTexts(
      value,
      (text, path) => this.add(text, [name, ...path], (rest) => at(nested(path, rest) as object)),
      this.answer,
    );
  }

  private async add(text: string, path: TextPath, at: OpenText['at']) {
    const key = JSON.stringify(path);
    const part = this.open.get(key) ?? { session: this.answer.stream(), shown: '', at };
    this.open.set(key, part);
    const delta = (await part.session.write(text)).join('');
    part.shown += delta;
    return delta;
  }
}

function keyOf(block: Block | null) {
  return block === null ? [] : [block.type, JSON.stringify(block['index'] ?? null)];
}

function contentWith(block: Block | null, rest: string): ChunkFields {
  if (block === null) return { content: rest };
  return { content: [{ ...placeOf(block), [TEXT_OF[block.type] ?? 'text']: rest }] };
}

/** The members that identify a block when LangChain merges chunks. */
function placeOf({ type, index }: Block): object {
  return { type, ...(index !== undefined && { index }) };
}

/** `text` at this path, in the form that LangChain merges with the chunks before. */
function nested([first, ...path]: TextPath, text: string): unknown {
  if (first === undefined) return text;
  const inner = nested(path, text);
  if (typeof first === 'string') return { [first]: inner };
  return [typeof inner === 'object' ? { index: first, ...inner } : inner];
}
