import type { Span } from '#contracts/text.js';
import type { CodeRegions } from './code-regions.js';
import { Pass, UNCHANGED, type PassResult, type Stretch } from './pass.js';
import type { Edit } from './traced-text.js';

/** What the passes for HTML and Markdown look at one by one. */
const CONSTRUCT = /!\[|\](?=[(:[]|[ \t]{1,64}\()|<(?=[A-Za-z/!?])|&(?=#)/g;

/** Constructs that a text may have in any case, and, beyond them, units of text for each. */
const FREE_CONSTRUCTS = 2000;
const UNITS_PER_CONSTRUCT = 10;

/** Constructs this close are replaced in one edit, because every edit has a cost. */
const MAX_EDIT = 64;

const WORD_JOINER = '\u2060';

/**
 * Bounds the cost of a text that consists of little else than markup: beyond a generous number of constructs it breaks
 * all of them in one step. The passes after it judge the result like any other text, so nothing depends on this one.
 */
export class CrowdedMarkupPass extends Pass {
  private constructs = 0;
  private units = 0;
  /** The end of the held text in which constructs were counted. */
  private counted = 0;

  /** @param code no text is code once the markup is crowded */
  constructor(private readonly code: CodeRegions | null) {
    super();
  }

  override judge({ text, judged }: Stretch): PassResult {
    const isFound = this.count(text, judged);
    const isCrowded = this.constructs > FREE_CONSTRUCTS + (this.units + judged) / UNITS_PER_CONSTRUCT;
    if (!isFound || !isCrowded) return UNCHANGED;
    this.code?.distrust();
    const edits = editsOf(text, judged);
    const span: Span = [edits[0]?.span[0] ?? 0, edits.at(-1)?.span[1] ?? judged];
    return { edits, findings: [{ kind: 'markdown_sanitized', detector: 'markdown', span }] };
  }

  override settle(_text: string, end: number): void {
    this.units += end;
    this.counted = Math.max(0, this.counted - end);
  }

  /** Counts what was not counted yet. Returns whether there is any construct. */
  private count(text: string, end: number): boolean {
    CONSTRUCT.lastIndex = 0;
    let isFound = false;
    while (CONSTRUCT.test(text) && CONSTRUCT.lastIndex <= end) {
      isFound = true;
      if (CONSTRUCT.lastIndex > this.counted) this.constructs++;
    }
    this.counted = end;
    return isFound;
  }
}

function editsOf(text: string, end: number): readonly Edit[] {
  const edits: Edit[] = [];
  let start = -1;
  let read = -1;
  let replacement = '';
  CONSTRUCT.lastIndex = 0;
  for (let found = CONSTRUCT.exec(text); found !== null; found = CONSTRUCT.exec(text)) {
    const stop = found.index + found[0].length;
    if (stop > end) break;
    if (stop - start > MAX_EDIT || start < 0) {
      if (start >= 0) edits.push({ span: [start, read], replacement });
      start = found.index;
      read = start;
      replacement = '';
    }
    replacement += text.slice(read, found.index) + broken(found[0]);
    read = stop;
  }
  if (start >= 0) edits.push({ span: [start, read], replacement });
  return edits;
}

function broken(construct: string): string {
  switch (construct) {
    case '<':
      return '&lt;';
    case '&':
      return '&amp;';
    case '![':
      return `!${WORD_JOINER}[`;
    default:
      return `${construct}${WORD_JOINER}`;
  }
}
