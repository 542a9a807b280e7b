import type { Span } from '#contracts/common/text.js';
import { countWhile } from './ordered-list.js';

/** Styles and attributes of an element that is not shown. */
export const HIDING =
  /display\s?:\s?none|visibility\s?:\s?hidden|opacity\s?:\s?0(?![.\d])|font-size\s?:\s?[01](?![.\d])|color\s?:\s?(?:#fff|white|transparent)|left\s?:\s?-\d{3}|\shidden\b|aria-hidden\s?=\s?"?true/i;

/** Units before a position in which an open tag is searched. */
const REACH = 2000;

/** The parts of a text that are not shown: comments, tags, and elements that are hidden. */
export class HiddenText {
  private comments: readonly Span[] | null = null;

  constructor(private readonly text: string) {}

  at(start: number): boolean {
    this.comments ??= [...this.text.matchAll(/<!--[^]*?(?:-->|$)/g)].map(({ index, 0: comment }): Span => [
      index,
      index + comment.length,
    ]);
    const last = this.comments[countWhile(this.comments, ([from]) => from <= start) - 1];
    if (last !== undefined && start < last[1]) return true;
    const before = this.text.slice(Math.max(0, start - REACH), start);
    let until = before.length;
    for (let tags = 0; tags < 4; tags++) {
      const open = before.lastIndexOf('<', until - 1);
      if (open === -1 || until <= 0) return false;
      const tag = before.slice(open, until);
      if (!/^<[a-z!/]/i.test(tag)) return false;
      if (tag.startsWith('</')) return false;
      if (!tag.includes('>') || HIDING.test(tag.slice(0, tag.indexOf('>')))) return true;
      until = open;
    }
    return false;
  }
}
