import type { Utf16Span } from '#contracts/common/spans.js';
import type { CodeRegions } from './code-regions.js';
import { endOf } from '../../text/next-match.js';
import { Pass, UNCHANGED, type PassResult, type Stretch } from './pass.js';
import type { Edit } from '../../text/mapped-text.js';

/** What a construct costs more than ordinary text, in units of text. */
const UNITS_PER_CONSTRUCT = 10;
/** Tags and colons are denser in harmless tables, style sheets and code. */
const UNITS_PER_DENSE_CONSTRUCT = 5;
/** Where tags are kept, one with attributes is parsed. */
const UNITS_PER_PARSED_TAG = 20;
/** A construct that the Markdown pass had to change. */
const UNITS_PER_FINDING = 15;
/** What a text may cost in any case, in units. */
const FREE_UNITS = 20_000;

/** Constructs this close are replaced in one edit, because every edit has a cost. */
const MAX_EDIT = 256;

/** The first character of each construct. */
const CONSTRUCT =
  /!(?=\[)|\](?=[([:]|[ \t]+\(|[ \t]{64})|<(?=[A-Za-z/!?])|&(?=#|(?:bsol|colon|sol|period|Tab|NewLine);)|:(?=[A-Za-z\u0080-\uffff]|\/\/)|\\(?=href|html|includeg|bbox|mmlT|cssId|requ|unicode|data|url|style|class)|[`~](?=[`~]{2}[^`~\n]{0,200}["'])/g;
const FULL_TAG = /<[A-Za-z][A-Za-z0-9]{0,15}[^A-Za-z0-9>]/y;
/** What replaces the first character. Others get a blank. */
const BROKEN: Readonly<Record<string, string>> = { ']': ']-', '<': '&lt;', '&': '&amp;' };

/**
 * Bounds the cost of a text that consists of little else than markup. Where the constructs exceed the limit for the text so
 * far, it breaks all of them in one step. The passes after it judge the result like any other text, so only the cost depends
 * on this pass.
 */
export class CrowdedMarkupPass extends Pass {
  /** The cost of the text so far, without its length, in units. */
  private debt = 0;
  /** The end of the held text in which constructs were counted. Edits before it move it. */
  private counted = 0;
  /** The length of the held text when it was last judged; `null` after a release. */
  private lastLength: number | null = null;
  private crowded = false;

  /**
   * @param code no text is code once the markup is crowded
   * @param keepsTags tags of harmless elements are kept
   */
  constructor(
    private readonly code: CodeRegions,
    private readonly keepsTags: boolean,
  ) {
    super();
  }

  override get isCrowded(): boolean {
    return this.crowded;
  }

  /** Counts constructs that another pass changed. */
  addFindings(count: number): void {
    this.debt += count * UNITS_PER_FINDING;
  }

  override judge({ text, judged, isPreview }: Stretch): PassResult {
    if (isPreview === true) return UNCHANGED;
    this.count(text, judged);
    if (!this.crowded) return UNCHANGED;
    this.code.makeRestContent();
    const edits = editsOf(text, judged);
    const last = edits.at(-1);
    if (edits[0] === undefined || last === undefined) return UNCHANGED;
    const span: Utf16Span = [edits[0].span[0], last.span[1]];
    return { edits, findings: [{ kind: 'markdown_sanitized', detector: 'markdown', span }] };
  }

  override settle(text: string, end: number) {
    this.counted = Math.max(0, this.countedIn(text) - end);
    this.lastLength = null;
    // Not within a stretch, of which a part may be shown.
    this.crowded = this.debt > FREE_UNITS;
  }

  /** Counts the units that were not counted yet. */
  private count(text: string, end: number) {
    const start = this.countedIn(text);
    for (const { index, 0: sign } of constructsIn(text, start, end)) {
      const isDense = sign === '<' || sign === ':';
      if (sign === '<' && this.keepsTags && endOf(FULL_TAG, text, index) > 0)
        this.debt += UNITS_PER_PARSED_TAG;
      else this.debt += isDense ? UNITS_PER_DENSE_CONSTRUCT : UNITS_PER_CONSTRUCT;
    }
    this.debt -= Math.max(0, end - start);
    this.counted = Math.max(start, end);
    this.lastLength = text.length;
  }

  private countedIn({ length }: string) {
    return Math.max(0, this.counted + length - (this.lastLength ?? length));
  }
}

function editsOf(text: string, end: number): readonly Edit[] {
  const edits: Edit[] = [];
  let start = -1;
  let read = 0;
  let replacement = '';
  for (const { index, 0: sign } of constructsIn(text, 0, end)) {
    const broken = BROKEN[sign] ?? `${sign} `;
    if (start >= 0 && index - start > MAX_EDIT) {
      edits.push({ span: [start, read], replacement });
      start = -1;
    }
    if (start < 0) {
      start = index;
      replacement = broken;
    } else replacement += text.slice(read, index) + broken;
    read = index + 1;
  }
  if (start >= 0) edits.push({ span: [start, read], replacement });
  return edits;
}

function* constructsIn(text: string, start: number, end: number): Generator<RegExpExecArray> {
  for (let found = execAt(start); found !== null && found.index < end; found = execAt(found.index + 1))
    yield found;

  function execAt(at: number) {
    CONSTRUCT.lastIndex = at;
    return CONSTRUCT.exec(text);
  }
}
