import type { Finding } from '../../../contracts/src/output.js';
import type { Pass } from './pass.js';
import type { Edit } from './traced-text.js';

/** Only these can begin markup after `<`; prose and code such as `a < b` stay readable. */
const BEGINS_MARKUP = /[A-Za-z/!?]/;

const HARMLESS = 'p|b|i|em|strong|code|pre|ul|ol|li|blockquote|h[1-6]';
const HARMLESS_TAG = new RegExp(`<(?:/?(?:${HARMLESS})|br ?/?)>`, 'iy');

/** Escapes whatever a browser would read as markup, in code as well: where a text ends up nobody knows. */
export const escapeHtml: Pass = (text) => escape(text, () => false);

/** Keeps tags that are exactly one of a few harmless ones, without attributes, and escapes all other markup. */
export const escapeAllButHarmlessHtml: Pass = (text) =>
  escape(text, (at) => {
    HARMLESS_TAG.lastIndex = at;
    return HARMLESS_TAG.test(text);
  });

function escape(text: string, isHarmless: (at: number) => boolean): ReturnType<Pass> {
  const edits: Edit[] = [];
  const findings: Finding[] = [];
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    if (!BEGINS_MARKUP.test(text.charAt(at + 1)) || isHarmless(at)) continue;
    edits.push({ span: [at, at + 1], replacement: '&lt;' });
    findings.push({ kind: 'html_stripped', detector: 'html', span: [at, endOfTag(text, at)] });
  }
  return { edits, findings };
}

/** Behind the `>` of the tag; a tag that is not closed before the next one is shown by its bracket alone. */
function endOfTag(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '>') return at + 1;
    if (text[at] === '<') break;
  }
  return start + 1;
}
