import type { LinkPolicy } from './link-policy.js';
import type { MarkdownEdits } from './markdown-edits.js';
import type { MarkdownState } from './markdown-state.js';

const AUTOLINK_OR_PART = /<[^\s<>]{0,1013}(?: ?\/?>)?/y;
const AUTOLINK = /<[^\s<>]{0,900}>/y;
/** Without attributes only these two load or run anything. */
const BARE_TAG = /<\/?(?!(?:script|style)\b)[a-z][a-z0-9]{0,15} ?\/?>/iy;
/** One of which not even a browser could make anything: the one attribute that it may have has no name that is known. */
const PLAIN_AUTOLINK =
  /<(?:https?:\/\/|mailto:)[^\s<>"'`=?#]{1,400}(?:[?#][^\s<>"'`=/]{0,200}(?:=[^\s<>"'`]{0,400})?)?>/y;

/** Judges what an angle bracket begins, and answers where the walk goes on. */
export function passAngle(
  text: string,
  at: number,
  state: MarkdownState,
  edits: MarkdownEdits,
  policy: LinkPolicy,
  alsoHtml: boolean,
): number {
  edits.see(at + 2);
  if (!/[A-Za-z/!?]/.test(text.charAt(at + 1))) return at + 1;
  state.doubtful = true;
  AUTOLINK_OR_PART.lastIndex = at;
  AUTOLINK_OR_PART.test(text);
  const behind = AUTOLINK_OR_PART.lastIndex;
  edits.see(text[behind - 1] === '>' ? behind : behind + 3);
  AUTOLINK.lastIndex = at;
  if (AUTOLINK.test(text) && policy.forbidsDefinition(text, at)) {
    const end = AUTOLINK.lastIndex;
    edits.change(
      [at, end],
      [
        { span: [at, at + 1], replacement: '' },
        { span: [end - 1, end], replacement: '' },
      ],
    );
    return end;
  }
  // A blank behind the bracket is enough for a browser, and leaves it a bracket for everything else that reads it.
  if (alsoHtml && !isHarmlessTag(text, at)) edits.replace([at, at + 1], '< ');
  return at + 1;
}

function isHarmlessTag(text: string, at: number): boolean {
  BARE_TAG.lastIndex = at;
  PLAIN_AUTOLINK.lastIndex = at;
  return BARE_TAG.test(text) || PLAIN_AUTOLINK.test(text);
}
