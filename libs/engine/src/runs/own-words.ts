// What of a message its author wrote: not what was quoted, forwarded or pasted, because that may be a stranger's.

/** A longer block was probably pasted. */
const MAX_BLOCK = 500;

const FENCE = /^ {0,3}(```|~~~)/u;
const QUOTE = /^\s*(?:>|&gt;|\|)/u;
/** The line before a quoted or forwarded message. What follows is the message of somebody else. */
const FOREIGN_START =
  /^\s*(?:-{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht|message transféré|mensaje reenviado|messaggio inoltrato|mensagem encaminhada|původní zpráva)|begin forwarded message|(?:from|von|de|da|od):\s.*@|(?:on|am|le|el|il|em|dne)\s.{0,200}\b(?:wrote|schrieb|a écrit|escribió|ha scritto|escreveu|napsal\(?a?\)?)(?![\p{L}]).{0,100}:\s*$)/iu;

export function ownWords(message: string): string {
  const own: string[] = [];
  let isFenced = false;
  for (const line of message.split(/\r\n?|\n/u)) {
    if (!isFenced && FOREIGN_START.test(line)) break;
    if (FENCE.test(line)) {
      isFenced = !isFenced;
      own.push('');
    } else own.push(isFenced || QUOTE.test(line) ? '' : line);
  }
  return own
    .join('\n')
    .split(/\n\s*\n/u)
    .filter((block) => block.length <= MAX_BLOCK)
    .join('\n\n');
}
