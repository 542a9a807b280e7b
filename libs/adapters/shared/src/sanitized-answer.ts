import type { NotText } from '#contracts/firewall/firewall.js';
import type { OutputContext } from '#contracts/output/output.js';
import type { Guardrails } from '#engine/guardrails.js';
import { isBinaryData } from '#engine/tools/read-parts.js';

/** Sanitizes one text part of a stream, chunk by chunk. */
export class PartSession {
  private readonly writer: WritableStreamDefaultWriter<string>;
  private readonly reader: ReadableStreamDefaultReader<string>;
  private readonly done: Promise<void>;
  private ready: string[] = [];

  constructor({ writable, readable }: TransformStream<string, string>) {
    this.writer = writable.getWriter();
    this.reader = readable.getReader();
    this.done = this.read();
    // A failure is thrown by the next write or by `close`.
    this.done.catch(() => undefined);
  }

  async write(text: string): Promise<readonly string[]> {
    await this.writer.write(text);
    return this.takeReady();
  }

  async close(): Promise<readonly string[]> {
    await this.writer.close();
    await this.done;
    return this.takeReady();
  }

  async abort(): Promise<void> {
    await this.reader.cancel().catch(() => undefined);
  }

  private takeReady(): readonly string[] {
    const { ready } = this;
    this.ready = [];
    return ready;
  }

  private async read() {
    for (let next = await this.reader.read(); !next.done; next = await this.reader.read())
      this.ready.push(next.value);
  }
}

/**
 * Sanitizes one answer of the model: its texts, the metadata beside them, and parts that cannot be sanitized, such as raw
 * events of a provider. Each kind of these is recorded once, as `[not sanitized: raw]`.
 */
export class AnswerSanitizer {
  private readonly kinds = new Map<string, Promise<boolean>>();

  constructor(
    private readonly guardrails: Guardrails,
    private readonly context: OutputContext,
    private readonly notText: NotText,
  ) {}

  /** Sanitizes a whole text. */
  async text(text: string): Promise<string> {
    return (await this.guardrails.sanitize(text, this.context)).text;
  }

  /** Begins a text that arrives in chunks. */
  stream(): PartSession {
    return new PartSession(this.guardrails.sanitizeStream(this.context));
  }

  /** Whether images, audio and files of the model are left out: in `enforce`, where the host refuses them. */
  async isMediaDropped(kind: string): Promise<boolean> {
    return (await this.isDropped(kind)) && this.notText === 'refuse';
  }

  /** Whether this text of metadata is data that is left out, such as a generated image. */
  async isDataDropped(text: string, kind: string): Promise<boolean> {
    return this.notText === 'refuse' && isBinaryData(text) && (await this.isDropped(kind));
  }

  /** Whether a part of this kind must be left out: in `enforce`. */
  isDropped(kind: string): Promise<boolean> {
    const earlier = this.kinds.get(kind);
    if (earlier !== undefined) return earlier;
    const dropped = this.guardrails
      .sanitize(`[not sanitized: ${kind}]`, this.context)
      .then(({ mode }) => mode.enforces());
    this.kinds.set(kind, dropped);
    return dropped;
  }

  /** Sanitizes the texts of metadata, all of them in one decision. */
  async metadata<Value>(value: Value): Promise<Value> {
    const texts: string[] = [];
    const read = await mapOtherTexts(
      value,
      (text) => {
        texts.push(text);
        return text;
      },
      this,
    );
    if (texts.length === 0) return read;
    const { value: clean } = await this.guardrails.sanitizeStructured(texts, null, this.context);
    const shown = (clean ?? texts.map(() => '')) as string[];
    return mapOtherTexts(read, () => shown.shift() ?? '', this);
  }
}

/** Where a text is in a value: names of members, and indices of lists. */
export type TextPath = readonly (string | number)[];

/** Members that providers fill with identifiers and encoded data, which models do not write. */
const IDENTIFIERS = new Set(
  `id index type role object model model_name model_provider model_version created name finish_reason finishReason
   stop_reason system_fingerprint service_tier serviceTier request_id output_version status signature thoughtSignature
   itemId responseId reasoningEncryptedContent encrypted_content encryptedContent redactedData format`.split(
    /\s+/,
  ),
);
const IDENTIFIER = /^[\w.:/+=-]*$/;

/** Members with the text before sanitization, in other units: tokens, or the whole response of the provider. */
const RAW = new Set(['logprobs', '__raw_response', 'raw_response']);

/** Calls of tools, which the firewall checks. */
const CALLS = new Set(['tool_calls', 'function_call']);

/**
 * Changes every text in the metadata of an answer, such as `reasoning_content`. Identifiers and calls of tools stay, and
 * members that cannot be sanitized, or that the host refuses, are left out.
 */
export async function mapOtherTexts<Value>(
  value: Value,
  change: (text: string, path: TextPath) => string | Promise<string>,
  answer: AnswerSanitizer,
  path: TextPath = [],
): Promise<Value> {
  const visit = (inner: unknown, key: string | number) =>
    mapOtherTexts(inner, change, answer, [...path, key]);
  if (typeof value === 'string') {
    const isLeftOut = value === '' || (await answer.isDataDropped(value, String(path.at(-1) ?? 'data')));
    return (isLeftOut ? '' : await change(value, path)) as Value;
  }
  if (Array.isArray(value)) {
    const changed: unknown[] = [];
    for (const [place, item] of value.entries()) changed.push(await visit(item, indexOf(item) ?? place));
    return changed as Value;
  }
  if (!isPlain(value)) return (await isUnreadable(value, answer)) ? (undefined as Value) : value;
  const entries: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) {
    const isLeft =
      (typeof inner === 'string' && IDENTIFIERS.has(name) && IDENTIFIER.test(inner)) || CALLS.has(name);
    if (isLeft) entries.push([name, inner]);
    else if (!RAW.has(name)) entries.push([name, await visit(inner, name)]);
    else if (isEmpty(inner) || !(await answer.isDropped(name))) entries.push([name, inner]);
  }
  return Object.fromEntries(entries) as Value;
}

/** Chunks of a stream name the place of their items. */
function indexOf(item: unknown) {
  const index: unknown = isPlain(item) ? item['index'] : null;
  return typeof index === 'number' ? index : null;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Objects of classes, such as the response of a client, and bytes: their texts are not read. */
async function isUnreadable(value: unknown, answer: AnswerSanitizer) {
  if (typeof value !== 'object' || value === null || value instanceof Date) return false;
  return answer.isDropped(value.constructor.name);
}

function isEmpty(value: unknown) {
  return value === null || value === undefined;
}
