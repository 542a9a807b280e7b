// What of a message its author wrote: not what was quoted, forwarded or pasted, because that may be a stranger's.

/** A longer block was probably pasted. */
const MAX_BLOCK = 500;

/** Also within a list. */
const FENCE = /^[\s*+\d.)-]{0,12}?(`{3,}|~{3,})(.*)$/u;
const QUOTE = /^[\s\p{Default_Ignorable_Code_Point}]*(?:[>＞»│┃|]|&gt;)/u;
/**
 * The line before a quoted or forwarded message, or its HTML. What follows is the message of somebody else. In other
 * languages mail programs write a time, an address and a colon at the end.
 */
const FOREIGN_START =
  /^\s*(?:(?=.*\d{1,2}[:.h]\d{2})(?=.*@).*[:：]\s*$|-{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht|message transféré|mensaje reenviado|messaggio inoltrato|mensagem encaminhada|původní zpráva)|-{4,}[^-\n]{1,60}-{4,}\s*$|_{10,}\s*$|begin forwarded message|(?:from|von|de|da|od|van|från|fra|от|kimden|发件人|寄件者|差出人|보낸 사람)\s?[:：].*@|.*<(?:!doctype|html|body|div|table|blockquote)\b|(?:on|am|le|el|il|em|dne|op|den|w dniu)\s.{0,200}\b(?:wrote|schrieb|a écrit|escribió|ha scritto|escreveu|napsal\(?a?\)?|schreef|skrev|napisał\(?a?\)?)(?![\p{L}]).{0,100}:\s*$)/iu;
/** A header without addresses, up to five lines below its sender. */
const FROM =
  /^[\s*]*(?:from|von|de|da|od|van|från|fra|от|от кого|kimden|发件人|寄件者|差出人|보낸 사람)[\s*]*[:：]/iu;
const SUBJECT =
  /^[\s*]*(?:subject|betreff|objet|asunto|oggetto|assunto|onderwerp|temat|ämne|emne|předmět|тема|konu|主题|主旨|件名|제목)[\s*]*[:：]/iu;
export function ownWords(message: string): string {
  const own: string[] = [];
  /** The characters that opened a code fence. */
  let fence: string | null = null;
  const lines = message.split(/\r\n?|[\n\v\f\u0085\u2028\u2029]/u);
  for (const [index, line] of lines.entries()) {
    if (fence === null && isForeignFrom(lines, index)) break;
    const [, signs = '', info = ''] = FENCE.exec(line) ?? [];
    const isInside = fence !== null;
    if (fence === null) fence = signs === '' ? null : signs;
    else if (signs.startsWith(fence) && info.trim() === '') fence = null;
    own.push(isInside || fence !== null || QUOTE.test(line) ? '' : line);
  }
  return own
    .join('\n')
    .split(/\n\s*\n/u)
    .filter((block) => block.length <= MAX_BLOCK)
    .join('\n\n');
}

function isForeignFrom(lines: readonly string[], index: number) {
  const [line = '', next = ''] = lines.slice(index, index + 2);
  if (FOREIGN_START.test(line)) return true;
  // Long introductions continue on the next line.
  if (!FOREIGN_START.test(next) && FOREIGN_START.test(`${line} ${next}`)) return true;
  return FROM.test(line) && lines.slice(index + 1, index + 6).some((other) => SUBJECT.test(other));
}
