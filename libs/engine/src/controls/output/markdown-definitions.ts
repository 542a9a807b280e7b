import type { LinkPolicy } from './link-policy.js';
import type { MarkdownChanges } from './markdown-changes.js';
import type { MarkdownTargets } from './markdown-targets.js';
import { endOf } from './next-match.js';
import type { LabelsOfText } from './reference-labels.js';

/** A definition with its end, as the renderers of `rendering: markdown` read it. */
const DEFINITION =
  /[ \t]*\r?\n?[ \t>]*(?:<|[^ \t\n\r]{100}|[^ \t\n\r]+[ \t]*(?:[\r\n]|$|["'(])|[^\s\u0085\u2424]+[ \t]*[\v\f\u0085\u2028\u2029\u2424])/y;
const DEFINED_TARGET = /[ \t]*\r?\n?[ \t>]*(?:<[^<>\n]{0,400}>|[^\s[\]<>]{0,600})/y;
/** The end of a line, and a blank line. */
const LINE_WITHOUT_ADDRESS = /[^\S\r\n]*(?:\r\n|\r|\n)[ \t]*[\r\n]/y;
const QUOTED_LINE = /(?<=^|[\r\n])[ \t]*(?=["|'(][^\r\n]*["|')][ \t]*(?:[\r\n]|$))/g;
export const MAX_LAST_LINES = 600;

/** Breaks definitions that lead where the policy forbids, and lines that a renderer takes for their titles. */
export class MarkdownDefinitions {
  /**
   * @param isAnyRenderer the renderer may read definitions across blank lines
   * @param lastLines the end of the text before, if it is a definition
   */
  constructor(
    private readonly changes: MarkdownChanges,
    private readonly targets: MarkdownTargets,
    private readonly labels: LabelsOfText,
    private readonly policy: LinkPolicy,
    private readonly isAnyRenderer: boolean,
    private readonly lastLines: string,
  ) {}

  judge(at: number): void {
    const { changes, targets, labels, policy, isAnyRenderer } = this;
    const { text } = changes;
    const target = at + 2;
    if (!isAnyRenderer && endOf(DEFINITION, text, target) < 0) {
      changes.see(at, target + 1);
      return;
    }
    // snarkdown finds the address of a definition even after blank lines.
    if (isAnyRenderer && endOf(LINE_WITHOUT_ADDRESS, text, target) > 0) {
      targets.remove(at, -1, ' :');
      return;
    }
    const isQuoted = targets.isQuoted(target);
    if (isQuoted || policy.forbidsLink(text, target)) {
      // A quote can be the end of a code span, which must stay.
      targets.remove(at, isQuoted ? -1 : endOf(DEFINED_TARGET, text, target), ' :');
      return;
    }
    changes.see(at, Math.max(target + 64, policy.reach(text, target)));
    if (!policy.forbidsImage(text, target)) return;
    const label = targets.labelBefore(at);
    if (labels.images.has(label)) targets.remove(at, at + 1, ' :');
    else labels.addForeign(at, label);
  }

  /**
   * After a definition and a blank line, showdown takes a quoted line for a title: it removes the quotes and the end of
   * the line, unless the quote is a character reference.
   */
  judgeTitles(): void {
    const { changes, lastLines } = this;
    const { text, stretch } = changes;
    if (lastLines === '' && !text.includes(']:')) return;
    QUOTED_LINE.lastIndex = 0;
    for (let found = QUOTED_LINE.exec(text); found !== null; found = QUOTED_LINE.exec(text)) {
      const { index } = found;
      const at = index + found[0].length;
      if (at >= stretch.judged) return;
      QUOTED_LINE.lastIndex = at + 1;
      const above = lastLines + text.slice(Math.max(0, index - MAX_LAST_LINES), index);
      if (!endsWithDefinition(above)) continue;
      changes.see(at, at + 1);
      if (!changes.overlapsEdit(at, at + 1)) changes.replace([at, at + 1], `&#${text.charCodeAt(at)};`);
    }
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
