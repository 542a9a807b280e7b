/** What one open bracket holds: the keys seen so far, or `null` inside an array. */
type Keys = Set<string> | null;

/**
 * The first key that an object of a JSON text holds twice, or `null`. Parsers disagree on which of the two counts,
 * so whoever checked one of them may not have checked the one that is used. Takes a text that JSON.parse accepts.
 */
export function duplicateKey(json: string): string | null {
  const open: Keys[] = [];
  let expectsKey = false;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case '{':
        open.push(new Set());
        expectsKey = true;
        break;
      case '[':
        open.push(null);
        expectsKey = false;
        break;
      case '}':
      case ']':
        open.pop();
        expectsKey = false;
        break;
      case ',':
        expectsKey = open.at(-1) !== null;
        break;
      case '"': {
        const end = endOfText(json, at);
        const keys = open.at(-1);
        if (expectsKey && keys) {
          const key = decode(json.slice(at, end));
          if (keys.has(key)) return key;
          keys.add(key);
        }
        expectsKey = false;
        at = end - 1;
        break;
      }
      default:
    }
  }
  return null;
}

function endOfText(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** The same key may be written in different escapes. */
function decode(quoted: string): string {
  return JSON.parse(quoted) as string;
}
