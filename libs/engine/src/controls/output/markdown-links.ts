/* Links, images and definitions of Markdown: those that run code or lead where the policy forbids are removed or broken. */

import type { MarkdownText } from './markdown-text.js';
import { endOf } from '../../text/next-match.js';

const BLANKS = /[ \t]+/y;
/** Blanks between a label and its target; with more, they hide the target. */
const MAX_BLANKS = 64;
/** No renderer reads a target after a blank and with two blanks within, and code means the same. */
const BROKEN_TARGET = ' (  ';

const IMAGE_REMOVED = '[image removed]';

/** Text between brackets that every renderer takes as a label. */
const ALT =
  /!\[([^[\]`\\<>$|]{0,300})\](\(|[\s>\u2424]{0,64}\[([^[\]`\\<>$|]{0,200})\]|(?![\s>\u2424]{0,64}[[(]|[\s>\u2424]{64}))/y;
const LOCAL_IMAGE =
  /\([ \t]?[A-Za-z0-9_\-./]{1,300}(?:[ \t\n](?:"[^"'`\\<>\n$()]{0,200}"|'[^"'`\\<>\n$()]{0,200}'))?[ \t]?\)/y;
const HOSTED_IMAGE =
  /\([ \t]?https?:\/\/[A-Za-z0-9_\-./?=&%:,+~#@;]{1,800}(?:[ \t]"[^"'`\\<>\n$()]{0,200}")?[ \t]?\)/iy;

/** A definition with its end, as the renderers of `rendering: markdown` read it. */
const DEFINITION =
  /[ \t]*\r?\n?[ \t>]*(?:<|[^ \t\n\r]{100}|[^ \t\n\r]+[ \t]*(?:[\r\n]|$|["'(])|[^\s\u0085\u2424]+[ \t]*[\v\f\u0085\u2028\u2029\u2424])/y;
const DEFINED_TARGET = /[ \t]*\r?\n?[ \t>]*(?:<[^<>\n]{0,400}>|[^\s[\]<>]{0,600})/y;
/** The end of a line, and a blank line. */
const LINE_WITHOUT_ADDRESS = /[^\S\r\n]*(?:\r\n|\r|\n)[ \t]*[\r\n]/y;
const QUOTED_LINE = /(?<=^|[\r\n])[ \t]*(?=["|'(][^\r\n]*["|')][ \t]*(?:[\r\n]|$))/g;
export const MAX_LAST_LINES = 600;

/** Removes the target of a link that runs code or leads where the policy forbids. */
export function judgeLink(markdown: MarkdownText, at: number): void {
  const { text, policy } = markdown;
  const end = policy.forbidsLink(text, at + 2)
    ? markdown.endOfTarget(at + 1)
    : (markdown.isAnyRenderer && markdown.isExtendedBySnarkdown(at + 2)) || markdown.isQuoted(at + 2)
      ? -1
      : null;
  if (end === null) markdown.see(at, Math.max(at + 64, policy.reach(text, at + 2)));
  else markdown.remove(at, end, BROKEN_TARGET);
}

/** showdown accepts blanks between a label and its target. */
export function judgeDetachedTarget(markdown: MarkdownText, at: number): void {
  const { text, policy } = markdown;
  if (!markdown.isAnyRenderer) return;
  const target = endOf(BLANKS, text, at + 1);
  const label = markdown.labelBefore(at);
  const isImage = label === null || text[at - label.length - 2] === '!';
  const isForbidden =
    target - at > MAX_BLANKS ||
    (text[target] === '(' &&
      !text.startsWith('  ', target + 1) &&
      (policy.forbidsLink(text, target + 1) ||
        markdown.isQuoted(target + 1) ||
        (isImage && policy.forbidsImage(text, target + 1))));
  markdown.see(at, target + (isForbidden ? 1 : 64));
  if (!isForbidden) return;
  const [start, replacement] = target - at > MAX_BLANKS ? [at, ']-'] : [target, '(  '];
  markdown.change([at, target + 1], [{ span: [start, start + 1], replacement }]);
}

/** Removes an image of another site: each can carry data out without a click. */
export function judgeImage(markdown: MarkdownText, at: number): void {
  const { text, labels, policy } = markdown;
  ALT.lastIndex = at;
  const found = ALT.exec(text);
  if (found === null) {
    markdown.see(at, at + 2);
    breakImage(markdown, at);
    return;
  }
  const [, alt = '', opening = '', label = ''] = found;
  const target = at + alt.length + 3;
  if (opening === '(') {
    const isForbidden = policy.forbidsImage(text, target + 1, false);
    const end = Math.max(endOf(LOCAL_IMAGE, text, target), endOf(HOSTED_IMAGE, text, target));
    if (end > 0 && !isForbidden && !labels.foreign.has(alt)) {
      markdown.see(at, Math.max(end, policy.reach(text, target + 1)));
      labels.addImage(at, alt);
      if (policy.forbidsImage(text, target + 1)) {
        const query = target + text.slice(target).search(/[?#]/);
        markdown.replace([query, query + text.slice(query).search(/[\s)]/)], '');
      }
      return;
    }
    const removed = markdown.endOfTarget(target);
    markdown.see(at, Math.max(removed, target + 1));
    if (removed < 0 || markdown.isCode(at)) breakImage(markdown, at);
    else {
      markdown.change(
        [at, removed],
        [
          { span: [at, at + 2], replacement: '' },
          { span: [target - 1, removed], replacement: alt === '' ? IMAGE_REMOVED : ` ${IMAGE_REMOVED}` },
        ],
      );
    }
    return;
  }
  const end = ALT.lastIndex;
  markdown.see(at, end + 1);
  if (labels.foreign.has(alt) || (opening !== '' && labels.foreign.has(label === '' ? alt : label))) {
    markdown.change(
      [at, end],
      [
        { span: [at, at + 2], replacement: '' },
        { span: [target - 1, end], replacement: ` ${IMAGE_REMOVED}` },
      ],
    );
    return;
  }
  labels.addImage(at, alt);
  if (label !== '') labels.addImage(at, label);
}

/** With a space between the two characters, no renderer reads an image. */
function breakImage(markdown: MarkdownText, at: number) {
  markdown.replace([at, at + 2], '! [');
}

/** Breaks a definition that leads where the policy forbids. */
export function judgeDefinition(markdown: MarkdownText, at: number): void {
  const { text, labels, policy, isAnyRenderer } = markdown;
  const target = at + 2;
  if (!isAnyRenderer && endOf(DEFINITION, text, target) < 0) {
    markdown.see(at, target + 1);
    return;
  }
  // snarkdown finds the address of a definition even after blank lines.
  if (isAnyRenderer && endOf(LINE_WITHOUT_ADDRESS, text, target) > 0) {
    markdown.remove(at, -1, ' :');
    return;
  }
  const isQuoted = markdown.isQuoted(target);
  if (isQuoted || policy.forbidsLink(text, target)) {
    // A quote can be the end of a code span, which must stay.
    markdown.remove(at, isQuoted ? -1 : endOf(DEFINED_TARGET, text, target), ' :');
    return;
  }
  markdown.see(at, Math.max(target + 64, policy.reach(text, target)));
  if (!policy.forbidsImage(text, target)) return;
  const label = markdown.labelBefore(at);
  if (labels.images.has(label)) markdown.remove(at, at + 1, ' :');
  else labels.addForeign(at, label);
}

/**
 * After a definition and a blank line, showdown takes a quoted line for a title: it removes the quotes and the end of
 * the line, unless the quote is a character reference.
 *
 * @param lastLines the end of the text before, if it is a definition
 */
export function judgeTitles(markdown: MarkdownText, lastLines: string): void {
  const { text, stretch } = markdown;
  if (lastLines === '' && !text.includes(']:')) return;
  QUOTED_LINE.lastIndex = 0;
  for (let found = QUOTED_LINE.exec(text); found !== null; found = QUOTED_LINE.exec(text)) {
    const { index } = found;
    const at = index + found[0].length;
    if (at >= stretch.judged) return;
    QUOTED_LINE.lastIndex = at + 1;
    const above = lastLines + text.slice(Math.max(0, index - MAX_LAST_LINES), index);
    if (!endsWithDefinition(above)) continue;
    markdown.see(at, at + 1);
    if (!markdown.overlapsEdit([at, at + 1])) markdown.replace([at, at + 1], `&#${text.charCodeAt(at)};`);
  }
}

/** Whether the last content, before a blank line or at the end of a stretch, is a definition. */
export function endsWithDefinition(text: string): boolean {
  if (!text.includes(']:')) return false;
  const content = text.trimEnd();
  const isFollowed = /(?:\r\n|\r|\n)[ \t]*(?:\r|\n)/.test(text.slice(content.length));
  const lines = content.slice(-MAX_LAST_LINES).split(/\r\n?|\n/);
  return isFollowed && lines.slice(-2).some((line) => line.includes(']:'));
}
