const strict = new TextDecoder('utf-8', { fatal: true });

const UNPRINTABLE = /[\p{Cc}\p{Cn}\p{Co}\uFFFD]/gu;
const WHITE_SPACE = /\s/g;

/** The bytes as text, where they are UTF-8 that someone could have meant to be read; else `null`. */
export function readable(bytes: Uint8Array): string | null {
  let text: string;
  try {
    text = strict.decode(bytes);
  } catch {
    return null;
  }
  const unprintable = text.replaceAll(WHITE_SPACE, '').match(UNPRINTABLE)?.length ?? 0;
  return text !== '' && unprintable * 10 <= text.length ? text : null;
}
