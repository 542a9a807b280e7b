import type { Span } from '#contracts/text.js';
import { bareAddress } from './bare-address.js';
import { isAsciiPunctuation } from './characters.js';
import type { LinkPolicy } from './link-policy.js';
import { WORD_JOINER, type MarkdownChanges } from './markdown-changes.js';
import { NextMatch } from './next-match.js';

const LINK_REMOVED = '[link removed]';

const SCHEME_UNIT = /[A-Za-z0-9+.\-\u0080-\uffff]/;
const SCHEME_END = /[A-Za-z0-9+.\-\u0080-\uffff]*$/;
/** A plus, a hyphen or a digit of a scheme. References of letters and dots are broken everywhere. */
const SCHEME_REFERENCE = /&(?:#0{0,9}(?:4[3589]|5[0-7])|#[xX]0{0,9}(?:2[bBdD]|3\d)|plus);/g;
const ENDS_WITH_REFERENCE = new RegExp(`${SCHEME_REFERENCE.source}$`);
const MAX_REFERENCE = 16;
const ESCAPE = /\\(?=[!-/:-@[-`{-~]|$)/g;
const MAX_SCHEME = 40;
const WEB_SCHEME = /(?:^|[^A-Za-z])https?$/i;
const ENDS_LABEL = /[\s.<>()[\]"'`]/g;
/** The longest label of a domain that some renderer makes a link of. */
const MAX_DOMAIN_LABEL = 60;

/** Breaks addresses in text that renderers make links of. */
export class MarkdownAddresses {
  private readonly labelEnds: NextMatch;

  /** @param before the end of the text before */
  constructor(
    private readonly changes: MarkdownChanges,
    private readonly policy: LinkPolicy,
    private readonly before: string,
  ) {
    this.labelEnds = new NextMatch(ENDS_LABEL, changes.text);
  }

  judge([start, end]: Span): void {
    const { changes, policy, before } = this;
    const { text, stretch } = changes;
    const goesOn = stretch.judged < text.length;
    let at = start;
    for (;;) {
      const address = bareAddress(text, at, end, at === 0 ? before : '', goesOn);
      if (address === null) return;
      const { span, host, isExplicit, seenUntil, resumeAt } = address;
      const isAllowed = policy.allows(host);
      at = Math.max(isAllowed ? resumeAt : span[1], at + 1);
      changes.see(span[0], seenUntil);
      if (isAllowed || changes.overlapsEdit(span[0], span[1])) continue;
      if (isExplicit) changes.change(span, [{ span, replacement: LINK_REMOVED }]);
      else
        changes.change(span, [
          { span: [span[0], span[1]], replacement: text.slice(...span).replaceAll('.', `.${WORD_JOINER}`) },
        ]);
    }
  }

  /** Some renderers link every bare address with any scheme. An invisible joiner prevents that. */
  judgeScheme(at: number): void {
    const { changes } = this;
    const start = this.startOfScheme(at);
    const scheme = this.schemeIn(start, at);
    changes.see(start, at + 64);
    const isFollowed = /[/\\]/.test(changes.text.charAt(at + 1));
    const isHarmless = isFollowed ? WEB_SCHEME.test(scheme) : !this.isGuessed(scheme, at + 1);
    if (isHarmless) return;
    changes.change([at, at + 1], [{ span: [at, at + 1], replacement: `:${WORD_JOINER}` }]);
  }

  private startOfScheme(at: number): number {
    const { text } = this.changes;
    let start = at;
    while (start > 0 && at - start < MAX_SCHEME) {
      const unit = text.charAt(start - 1);
      const isUnit = SCHEME_UNIT.test(unit) || (unit === '\\' && isAsciiPunctuation(text.charCodeAt(start)));
      const length = isUnit ? 1 : unit === ';' ? this.referenceBefore(start) : 0;
      if (length === 0) break;
      start -= length;
    }
    return start;
  }

  private referenceBefore(end: number): number {
    const [reference = ''] =
      ENDS_WITH_REFERENCE.exec(this.changes.text.slice(Math.max(0, end - MAX_REFERENCE), end)) ?? [];
    return reference.length;
  }

  /** As it is shown. A reference counts as a letter and a mark. */
  private schemeIn(start: number, end: number): string {
    const [released = ''] = start > 0 ? [] : (SCHEME_END.exec(this.before) ?? []);
    return (released + this.changes.text.slice(start, end))
      .replaceAll(SCHEME_REFERENCE, 'x.')
      .replaceAll(ESCAPE, '');
  }

  /** Some renderers make a link of any word, colon and domain. */
  private isGuessed(scheme: string, at: number): boolean {
    if (/^(?:mailto|tel)$/i.test(scheme) || !/[A-Za-z]/.test(scheme)) return false;
    if (/^https?$/i.test(scheme) && !this.policy.namesHosts) return false;
    if (scheme.includes('.')) return true;
    const end = this.labelEnds.from(at);
    return (
      end > at && end - at <= MAX_DOMAIN_LABEL && /^\.[A-Za-z]/.test(this.changes.text.slice(end, end + 2))
    );
  }
}
