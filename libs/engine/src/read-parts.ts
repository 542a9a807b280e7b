import type { ReadResult } from '#contracts/firewall.js';
import { isRecord } from '#contracts/text.js';
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
 * Reads a part, or a list of parts: their texts, also of files with text, and the types of parts with other content. Any
 * other value is read as text.
 */
export function readParts(value: unknown): ReadResult {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length === 0 || !list.every(isPart)) return { text: resultText(value), notText: [] };
  const parts = list.map(readPart);
  return {
    text: parts
      .map(({ text }) => text)
      .filter((text) => text !== '')
      .join('\n'),
    notText: parts.flatMap(({ notText }) => notText),
  };
}

function isPart(value: unknown): value is Part & { readonly type: string } {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function readPart(part: Part & { readonly type: string }): ReadResult {
  if (part.type === 'text' && Object.keys(part).length === 2)
    return { text: resultText(part['text']), notText: [] };
  const hasData = part.type === 'custom' || Object.keys(part).some((name) => DATA.has(name));
  if (!hasData || !NOT_TEXT.test(part.type)) return { text: resultText(part), notText: [] };
  const found: string[] = [];
  const rest = withoutData(part, found);
  const mediaType = mediaTypeOf(part);
  const isText = mediaType !== null && TEXT_TYPE.test(mediaType) && found.length > 0;
  return {
    text: [resultText(rest), ...found].join('\n'),
    notText: isText ? [] : [mediaType ?? part.type],
  };
}

/** Without binary data, at any depth. Data that is text is added to `texts`. */
function withoutData(part: Part, texts: string[]): Part {
  const { type: _type, ...members } = part;
  const entries = Object.entries(members).map(([name, value]): [string, unknown] => {
    if (value instanceof Uint8Array) return [name, decoded(value, texts)];
    if (typeof value === 'string') return [name, DATA.has(name) ? contentOf(value, texts) : value];
    if (isRecord(value)) return [name, withoutData(value, texts)];
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
function contentOf(value: string, texts: string[]): string | undefined {
  const url = DATA_URL.exec(value)?.[0] ?? '';
  const base64 = value.slice(url.length);
  if (!BASE64.test(base64)) return value;
  decoded(Buffer.from(base64, 'base64'), texts);
  return base64.length <= SHORT ? value : undefined;
}

/** The text in base64 data; empty for binary data. */
export function textsIn(data: unknown): readonly string[] {
  const texts: string[] = [];
  if (typeof data === 'string') contentOf(data, texts);
  return texts;
}

/** Whether a text is encoded data that is not text, such as an image. */
export function isBinaryData(text: string): boolean {
  const texts: string[] = [];
  return contentOf(text, texts) === undefined && texts.length === 0;
}

function decoded(bytes: Uint8Array, texts: string[]): undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\u0000')) texts.push(text);
  } catch {
    // Binary data.
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
