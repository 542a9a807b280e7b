import type { Finding } from '../../../contracts/src/output.js';
import { Pass, type PassResult, type Stretch } from './pass.js';
import type { Edit } from './traced-text.js';

/** Only these can begin markup after `<`; prose and code such as `a < b` stay readable. */
const BEGINS_MARKUP = /[A-Za-z/!?]/;

/** Escapes whatever a browser would read as markup, in code as well: where a text ends up nobody knows. */
export class EscapingPass extends Pass {
  override judge({ text, judged }: Stretch): PassResult {
    const edits: Edit[] = [];
    const findings: Finding[] = [];
    for (let at = text.indexOf('<'); at !== -1 && at < judged; at = text.indexOf('<', at + 1)) {
      if (!BEGINS_MARKUP.test(text.charAt(at + 1))) continue;
      edits.push({ span: [at, at + 1], replacement: '&lt;' });
      findings.push({ kind: 'html_stripped', detector: 'html', span: [at, endOfTag(text, at)] });
    }
    return { edits, findings };
  }

  override partBefore(text: string, limit: number): number {
    let place = limit;
    while (text[place - 1] === '<') place--;
    return place;
  }

  override settle(): void {
    // Every bracket is judged by itself.
  }
}

/** Behind the `>` of the tag; a tag that is not closed before the next one is shown by its bracket alone. */
export function endOfTag(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '>') return at + 1;
    if (text[at] === '<') break;
  }
  return start + 1;
}
