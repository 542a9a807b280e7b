import type { ReadResult } from '#contracts/firewall/firewall.js';
import { isRecord } from '#contracts/common/text.js';
import { resultText } from './result-text.js';

type Part = Readonly<Record<string, unknown>>;

/** Types of parts in the SDKs whose content is not text. */
const NOT_TEXT =
  /^(?:(?:input_|output_)?(?:image|file|audio|video)(?:[-_](?:url|data|id|file-id|file_id))?|media|document|blob|custom|computer_screenshot)$/;

/** Members of parts with binary data, with an object that contains it, or with its address. */
const DATA = new Set(
  `data image image_url imageUrl image_data audio input_audio video file file_data source blob bytes url fileId
   file_id`.split(/\s+/),
);
const MEDIA_TYPES = ['mediaType', 'media_type', 'mimeType', 'mime_type'];
const TEXT_TYPE = /^text\/|[/+](?:json|xml|yaml|javascript|csv|html|markdown)\b/;

/** The text that is screened and recorded. */
export function markedText({ text, notText }: ReadResult): string {
  return [text, ...notText.map((type) => `[not screened: ${type}]`)].join('\n');
}

/**
 * Reads the parts that a model gets as such: their texts, also of files with text, and the types of parts with other
 * content. Other values are read as text; binary data inside them is text, too, but named as a part that is not.
 */
export function readParts(value: unknown): ReadResult {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isList = list.length > 0 && (list.every(isPart) || list.some(isMedia));
  if (!isList) return { text: resultText(value), notText: mediaIn(value) };
  const parts = list.map((item) =>
    isMedia(item) ? readMedia(item) : { text: textOf(item), notText: mediaIn(item) },
  );
  return {
    text: parts
      .map(({ text }) => text)
      .filter((text) => text !== '')
      .join('\n'),
    notText: parts.flatMap(({ notText }) => notText),
  };
}

type TypedPart = Part & { readonly type: string };

function isPart(value: unknown): value is TypedPart {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function isMedia(value: unknown): value is TypedPart {
  if (!isPart(value) || !NOT_TEXT.test(value.type)) return false;
  return value.type === 'custom' || Object.keys(value).some((name) => DATA.has(name));
}

function textOf(item: unknown): string {
  const isText = isPart(item) && item.type === 'text' && Object.keys(item).length === 2;
  return resultText(isText ? item['text'] : item);
}

/** The types of the binary data at any depth of a value that the model gets as text. */
function mediaIn(value: unknown): readonly string[] {
  const types: string[] = [];
  const seen = new Set<object>();
  const open: unknown[] = [value];
  while (open.length > 0) {
    const inner = open.pop();
    if (typeof inner !== 'object' || inner === null || seen.has(inner)) continue;
    seen.add(inner);
    if (inner instanceof Uint8Array) {
      if (textOfBytes(inner) === null) types.push('binary data');
    } else if (isMedia(inner) && contentsOf(inner).isBinary) types.push(mediaTypeOf(inner) ?? inner.type);
    else if (!ArrayBuffer.isView(inner)) for (const each of membersOf(inner)) open.push(each);
  }
  return types;
}

function membersOf(value: object): Iterable<unknown> {
  return value instanceof Map || value instanceof Set ? value.values() : Object.values(value);
}

/** What the data of a part contains. */
interface Contents {
  readonly texts: string[];
  isBinary: boolean;
}

const noContents = (): Contents => ({ texts: [], isBinary: false });

function contentsOf(part: Part): Contents {
  const found = noContents();
  withoutData(part, found);
  return found;
}

function readMedia(part: TypedPart): ReadResult {
  const found = noContents();
  const rest = withoutData(part, found);
  const mediaType = mediaTypeOf(part);
  const isText = mediaType !== null && TEXT_TYPE.test(mediaType) && found.texts.length > 0 && !found.isBinary;
  return {
    text: [resultText(rest), ...found.texts].join('\n'),
    notText: isText ? [] : [mediaType ?? part.type],
  };
}

/** Removes binary data at any depth. Data that is text is added to the texts. */
function withoutData(part: Part, found: Contents): Part {
  const { type: _type, ...members } = part;
  const entries = Object.entries(members).map(([name, value]): [string, unknown] => {
    if (value instanceof Uint8Array) {
      addBytes(value, found);
      return [name, undefined];
    }
    if (typeof value === 'string') return [name, DATA.has(name) ? contentOf(value, found) : value];
    if (isRecord(value)) return [name, withoutData(value, found)];
    return [name, value];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

const TYPE_OF_URL = /^data:([\w.+-]{1,60}\/[\w.+-]{1,100})[;,]/;
const DATA_URL = /^data:[^,]{0,200};base64,/;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
/** Shorter data is read as text, too. */
const SHORT = 256;

/** `undefined` for binary data; an address, or text that is no base64, stays. */
function contentOf(value: string, found: Contents): string | undefined {
  const url = DATA_URL.exec(value)?.[0] ?? '';
  const base64 = value.slice(url.length);
  if (!BASE64.test(base64)) return value;
  const isShort = base64.length <= SHORT;
  const bytes = Buffer.from(base64, 'base64');
  // A short string can be an identifier that looks like base64. It counts as bytes only if they are text.
  if (!isShort || textOfBytes(bytes) !== null) addBytes(bytes, found);
  return isShort ? value : undefined;
}

/** The text in base64 data; empty for binary data. */
export function textsIn(data: unknown): readonly string[] {
  const found = noContents();
  if (typeof data === 'string') contentOf(data, found);
  return found.texts;
}

/** Whether a text is encoded data that is not text, such as an image. */
export function isBinaryData(text: string): boolean {
  const found = noContents();
  contentOf(text, found);
  return found.isBinary;
}

function addBytes(bytes: Uint8Array, found: Contents): void {
  const text = textOfBytes(bytes);
  if (text === null) found.isBinary = true;
  else found.texts.push(text);
}

/** `null`: not text. */
function textOfBytes(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\u0000') ? null : text;
  } catch {
    return null;
  }
}

function mediaTypeOf(part: Part): string | null {
  for (const value of [part, ...Object.values(part)]) {
    if (typeof value === 'string') {
      const type = TYPE_OF_URL.exec(value)?.[1];
      if (type !== undefined) return type;
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const name of MEDIA_TYPES) {
      const type: unknown = Reflect.get(value, name);
      if (typeof type === 'string') return type;
    }
    const { url } = value as { url?: unknown };
    const type = typeof url === 'string' ? TYPE_OF_URL.exec(url)?.[1] : undefined;
    if (type !== undefined) return type;
  }
  return null;
}
