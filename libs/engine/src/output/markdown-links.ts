import type { LinkPolicy } from './link-policy.js';
import { WORD_JOINER, type MarkdownChanges } from './markdown-changes.js';
import type { MarkdownTargets } from './markdown-targets.js';
import { endOf } from './next-match.js';

const BLANKS = /[ \t]+/y;
/** Blanks between a label and its target; with more, they hide the target. */
const MAX_BLANKS = 64;

/** Removes the targets of links that run code or lead where the policy forbids. */
export class MarkdownLinks {
  /** @param isAnyRenderer the renderer may read links across lines */
  constructor(
    private readonly changes: MarkdownChanges,
    private readonly targets: MarkdownTargets,
    private readonly policy: LinkPolicy,
    private readonly isAnyRenderer: boolean,
  ) {}

  judge(at: number): void {
    const { changes, targets, policy } = this;
    const isForbidden =
      (this.isAnyRenderer && targets.isExtendedBySnarkdown(at + 2)) ||
      policy.forbidsLink(changes.text, at + 2) ||
      targets.isQuoted(at + 2);
    if (!isForbidden) {
      changes.see(at, at + 64);
      return;
    }
    targets.remove(at, targets.endOfTarget(at + 1), '&#40;');
  }

  /** showdown accepts blanks between a label and its target. An invisible joiner prevents that. */
  judgeDetached(at: number): void {
    if (!this.isAnyRenderer) return;
    const { changes, targets, policy } = this;
    const { text } = changes;
    const target = endOf(BLANKS, text, at + 1);
    const label = targets.labelBefore(at);
    const isImage = label === null || text[at - label.length - 2] === '!';
    const isForbidden =
      target - at > MAX_BLANKS ||
      (text[target] === '(' &&
        (policy.forbidsLink(text, target + 1) ||
          targets.isQuoted(target + 1) ||
          (isImage && policy.forbidsImage(text, target + 1))));
    changes.see(at, target + (isForbidden ? 1 : 64));
    if (isForbidden) changes.change([at, at + 1], [{ span: [at, at + 1], replacement: `]${WORD_JOINER}` }]);
  }
}
