// How the result of a tool is read as a text for its screening: parts with media apart from their texts, and structures
// field by field.
import { inspect } from 'node:util';
import type { ReadResult } from '#contracts/firewall/firewall.js';
import { isRecord, parsedJson } from '#contracts/common/text.js';
import { pointerTo } from '../json/plain-json.js';

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

function textOf(item: unknown) {
  const isText = isPart(item) && item.type === 'text' && Object.keys(item).length === 2;
  return resultText(isText ? item['text'] : item);
}

/** The types of the binary data at any depth of a value that the model gets as text. */
function mediaIn(value: unknown): readonly string[] {
  const types: string[] = [];
  eachObjectIn(value, (inner) => {
    if (inner instanceof Uint8Array) {
      if (textOfBytes(inner) === null) types.push('binary data');
    } else if (isMedia(inner) && contentsOf(inner).isBinary) types.push(mediaTypeOf(inner) ?? inner.type);
    else if (!ArrayBuffer.isView(inner)) return membersOf(inner);
    return [];
  });
  return types;
}

function membersOf(value: object): Iterable<unknown> {
  return value instanceof Map || value instanceof Set ? value.values() : Object.values(value);
}

/** Visits each object of a value once, at any depth. `visit` returns what is inside the object and visited, too. */
function eachObjectIn(value: unknown, visit: (object: object) => Iterable<unknown>) {
  const seen = new Set<object>();
  const open: unknown[] = [value];
  while (open.length > 0) {
    const inner = open.pop();
    if (typeof inner !== 'object' || inner === null || seen.has(inner)) continue;
    seen.add(inner);
    for (const each of visit(inner)) open.push(each);
  }
}

/** What the data of a part contains. */
interface Contents {
  readonly texts: string[];
  isBinary: boolean;
}

const noContents = (): Contents => ({ texts: [], isBinary: false });

function contentsOf(part: Part): Contents {
  const contents = noContents();
  withoutData(part, contents);
  return contents;
}

function readMedia(part: TypedPart): ReadResult {
  const contents = noContents();
  const rest = withoutData(part, contents);
  const mediaType = mediaTypeOf(part);
  const isText =
    mediaType !== null && TEXT_TYPE.test(mediaType) && contents.texts.length > 0 && !contents.isBinary;
  return {
    text: [resultText(rest), ...contents.texts].join('\n'),
    notText: isText ? [] : [mediaType ?? part.type],
  };
}

/** Removes binary data at any depth. Data that is text is added to the texts. */
function withoutData(part: Part, contents: Contents): Part {
  const { type: _type, ...members } = part;
  const entries = Object.entries(members).map(([name, value]): [string, unknown] => {
    if (value instanceof Uint8Array) {
      addBytes(value, contents);
      return [name, undefined];
    }
    if (typeof value === 'string') return [name, DATA.has(name) ? contentOf(value, contents) : value];
    if (isRecord(value)) return [name, withoutData(value, contents)];
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
function contentOf(value: string, contents: Contents) {
  const url = DATA_URL.exec(value)?.[0] ?? '';
  const base64 = value.slice(url.length);
  if (!BASE64.test(base64)) return value;
  const isShort = base64.length <= SHORT;
  const bytes = Buffer.from(base64, 'base64');
  // A short string can be an identifier that looks like base64. It counts as bytes only if they are text.
  if (!isShort || textOfBytes(bytes) !== null) addBytes(bytes, contents);
  return isShort ? value : undefined;
}

/** The text in base64 data; empty for binary data. */
export function textsIn(data: unknown): readonly string[] {
  const contents = noContents();
  if (typeof data === 'string') contentOf(data, contents);
  return contents.texts;
}

/** Whether a text is encoded data that is not text, such as an image. */
export function isBinaryData(text: string): boolean {
  const contents = noContents();
  contentOf(text, contents);
  return contents.isBinary;
}

function addBytes(bytes: Uint8Array, contents: Contents) {
  const text = textOfBytes(bytes);
  if (text === null) contents.isBinary = true;
  else contents.texts.push(text);
}

/** `null`: not text. */
function textOfBytes(bytes: Uint8Array) {
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

const BEGINS_AS_STRUCTURE = /^\s*[[{]/;

/**
 * A result of a tool as a text for the screening. A structure is read field by field: a line with the JSON pointer of
 * each text, which contains its keys, and then the text, without the escapes of JSON. Fields that are not text
 * contribute only new keys, so that a table of numbers stays short. A text that is JSON is read in the same way.
 *
 * @throws if the result cannot be read, for example because a property throws
 */
export function resultText(result: unknown): string {
  if (typeof result === 'string')
    return (BEGINS_AS_STRUCTURE.test(result) && fieldsOf(parsedJson(result))) || result;
  if (result === undefined) return '';
  return [jsonText(result), ...contentsOutsideJson(result)].join('\n');
}

const NOT_IN_JSON = /circular|BigInt/;

function jsonText(value: unknown) {
  try {
    // The model gets the result as JSON, so that is what is screened.
    const json: unknown = JSON.parse(JSON.stringify(value) ?? 'null');
    return fieldsOf(json) ?? String(json);
  } catch (error) {
    // Any other error comes from the result itself.
    if (!(error instanceof TypeError && NOT_IN_JSON.test(error.message))) throw error;
    return inspect(value, { depth: 20, maxStringLength: null, maxArrayLength: null });
  }
}

const utf8 = new TextDecoder();

/** The contents that JSON leaves out or writes as numbers, because a caller can pass them on as text. */
function contentsOutsideJson(result: unknown): readonly string[] {
  const texts: string[] = [];
  eachObjectIn(result, (value) => {
    if (value instanceof Uint8Array) texts.push(utf8.decode(value));
    if (ArrayBuffer.isView(value)) return [];
    const contents = hiddenContentsOf(value);
    if (contents !== null) texts.push(jsonText(contents));
    return Object.values(contents ?? value);
  });
  return texts;
}

/** The contents of a map, a set or an error; `null` for other objects, whose contents are in their JSON. */
function hiddenContentsOf(value: object): object | null {
  if (value instanceof Map) return [...(value as ReadonlyMap<unknown, unknown>)].flat();
  if (value instanceof Set) return [...(value as ReadonlySet<unknown>)];
  if (value instanceof Error) return { name: value.name, message: value.message, cause: value.cause };
  return null;
}

/** The lines of a structure; `null` for any other value. */
function fieldsOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const lines: string[] = [];
  const keys = new Set<string>();
  const open: [pointer: string, key: string, value: unknown][] = [['', '', value]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [pointer, key, field] = next;
    const entries = typeof field === 'object' && field !== null ? Object.entries(field) : [];
    for (const [inner, its] of entries.toReversed()) open.push([pointer + pointerTo([inner]), inner, its]);
    if (typeof field === 'string') lines.push(pointer, field);
    else if (!keys.has(key) && !/^\d*$/.test(key)) lines.push(pointer);
    keys.add(key);
  }
  return lines.join('\n');
}
