import type { LinkPolicy } from './link-policy.js';
import type { MarkdownChanges } from './markdown-changes.js';
import type { MarkdownTargets } from './markdown-targets.js';
import { endOf } from './next-match.js';
import type { LabelsOfText } from './reference-labels.js';

const BLANKS = /[ \t]+/y;
/** Blanks between a label and its target; with more, they hide the target. */
const MAX_BLANKS = 64;
/** No renderer reads a target after a blank and with two blanks within, and code means the same. */
const BROKEN_TARGET = ' (  ';

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
    const end = policy.forbidsLink(changes.text, at + 2)
      ? targets.endOfTarget(at + 1)
      : (this.isAnyRenderer && targets.isExtendedBySnarkdown(at + 2)) || targets.isQuoted(at + 2)
        ? -1
        : null;
    if (end === null) changes.see(at, Math.max(at + 64, policy.reach(changes.text, at + 2)));
    else targets.remove(at, end, BROKEN_TARGET);
  }

  /** showdown accepts blanks between a label and its target. */
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
        !text.startsWith('  ', target + 1) &&
        (policy.forbidsLink(text, target + 1) ||
          targets.isQuoted(target + 1) ||
          (isImage && policy.forbidsImage(text, target + 1))));
    changes.see(at, target + (isForbidden ? 1 : 64));
    if (!isForbidden) return;
    const [start, replacement] = target - at > MAX_BLANKS ? [at, ']-'] : [target, '(  '];
    changes.change([at, target + 1], [{ span: [start, start + 1], replacement }]);
  }
}

const IMAGE_REMOVED = '[image removed]';

/** Text between brackets that every renderer takes as a label. */
const ALT =
  /!\[([^[\]`\\<>$|]{0,300})\](\(|[\s>\u2424]{0,64}\[([^[\]`\\<>$|]{0,200})\]|(?![\s>\u2424]{0,64}[[(]|[\s>\u2424]{64}))/y;
const LOCAL_IMAGE =
  /\([ \t]?[A-Za-z0-9_\-./]{1,300}(?:[ \t\n](?:"[^"'`\\<>\n$()]{0,200}"|'[^"'`\\<>\n$()]{0,200}'))?[ \t]?\)/y;
const HOSTED_IMAGE =
  /\([ \t]?https?:\/\/[A-Za-z0-9_\-./?=&%:,+~#@;]{1,800}(?:[ \t]"[^"'`\\<>\n$()]{0,200}")?[ \t]?\)/iy;

/** Removes images of other sites: each can carry data out without a click. */
export class MarkdownImages {
  constructor(
    private readonly changes: MarkdownChanges,
    private readonly targets: MarkdownTargets,
    private readonly labels: LabelsOfText,
    private readonly policy: LinkPolicy,
  ) {}

  judge(at: number): void {
    const { changes, targets, labels, policy } = this;
    const { text } = changes;
    ALT.lastIndex = at;
    const found = ALT.exec(text);
    if (found === null) {
      changes.see(at, at + 2);
      this.break(at);
      return;
    }
    const [, alt = '', opening = '', label = ''] = found;
    const target = at + alt.length + 3;
    if (opening === '(') {
      const isForbidden = policy.forbidsImage(text, target + 1, false);
      const end = Math.max(endOf(LOCAL_IMAGE, text, target), endOf(HOSTED_IMAGE, text, target));
      if (end > 0 && !isForbidden && !labels.foreign.has(alt)) {
        changes.see(at, Math.max(end, policy.reach(text, target + 1)));
        labels.addImage(at, alt);
        if (policy.forbidsImage(text, target + 1)) {
          const query = target + text.slice(target).search(/[?#]/);
          changes.replace([query, query + text.slice(query).search(/[\s)]/)], '');
        }
        return;
      }
      const removed = targets.endOfTarget(target);
      changes.see(at, Math.max(removed, target + 1));
      if (removed < 0 || targets.isCode(at)) this.break(at);
      else {
        changes.change(
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
    changes.see(at, end + 1);
    if (labels.foreign.has(alt) || (opening !== '' && labels.foreign.has(label === '' ? alt : label))) {
      changes.change(
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
  private break(at: number): void {
    this.changes.replace([at, at + 2], '! [');
  }
}
