import type { Finding } from '../../../contracts/src/output.js';
import type { Span } from '../../../contracts/src/text.js';
import type { PassResult, Rest, Stretch } from './pass.js';
import type { Edit } from './traced-text.js';

const REST_OF_ADDRESS = /[^\s)]*\)?/y;

/** What a walk through a stretch of markdown changes, in the order in which it comes by. */
export class MarkdownEdits {
  private readonly edits: Edit[] = [];
  private readonly findings: Finding[] = [];
  private rest: Rest | undefined;
  private reach = 0;

  constructor(private readonly stretch: Stretch) {}

  /** Behind everything that was looked at so far. */
  get seenUntil(): number {
    return this.reach;
  }

  see(until: number): void {
    this.reach = Math.max(this.reach, until);
  }

  get result(): PassResult {
    const edits = this.edits.toSorted((one, other) => one.span[0] - other.span[0]);
    return { edits, findings: this.findings, rest: this.rest };
  }

  /** One finding, and what is edited of it. */
  change(span: Span, edits: readonly Edit[]): void {
    const { text, judged } = this.stretch;
    if (span[0] >= judged) return;
    // What is undecided by all that can be seen waits for more.
    if (judged < text.length && this.reach > text.length) return;
    this.edits.push(...edits);
    this.findings.push({ kind: 'markdown_sanitized', detector: 'markdown', span });
    if (span[1] === text.length && judged < text.length) this.rest = restOfAddress;
  }

  replace(span: Span, replacement: string): void {
    this.change(span, [{ span, replacement }]);
  }
}

function restOfAddress(next: string): number {
  REST_OF_ADDRESS.lastIndex = 0;
  REST_OF_ADDRESS.test(next);
  return REST_OF_ADDRESS.lastIndex;
}
