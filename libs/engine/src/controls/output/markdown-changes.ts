import type { Finding } from '#contracts/output/output.js';
import type { Span } from '#contracts/common/text.js';
import type { PassResult, Rest, Stretch } from './pass.js';
import type { Edit } from './traced-text.js';

const REST_OF_TARGET = /^[^\s)]*\)?/;

/** The changes of one stretch, and how much of the text they depend on. */
export class MarkdownChanges {
  /** Pairs: where something begins, and how far it was looked at. One list of numbers, because a text can have many. */
  readonly judged: number[] = [];
  readonly text: string;
  private readonly edits: Edit[] = [];
  private readonly findings: Finding[] = [];
  private rest: Rest | undefined;
  private end = 0;
  /** The units that edits replace, once a rule needs them. */
  private taken: Uint8Array | null = null;

  constructor(readonly stretch: Stretch) {
    this.text = stretch.text;
  }

  get result(): PassResult {
    const edits = this.edits.toSorted((one, other) => one.span[0] - other.span[0]);
    return { edits, findings: this.findings, rest: this.rest };
  }

  /** The end of the last edit. */
  get edited(): number {
    return this.end;
  }

  see(from: number, until: number): void {
    this.judged.push(from, Math.min(until, this.text.length));
  }

  change(span: Span, edits: readonly Edit[]): void {
    const { text, judged } = this.stretch;
    if (span[0] >= judged) return;
    this.edits.push(...edits);
    if (this.taken !== null) for (const edit of edits) this.taken.fill(1, ...edit.span);
    this.findings.push({ kind: 'markdown_sanitized', detector: 'markdown', span });
    this.end = Math.max(this.end, span[1]);
    if (span[1] === text.length && judged < text.length)
      this.rest = (next) => REST_OF_TARGET.exec(next)?.[0].length ?? 0;
  }

  replace(span: Span, replacement: string): void {
    this.change(span, [{ span, replacement }]);
  }

  overlapsEdit(from: number, to: number): boolean {
    if (this.edits.length === 0) return false;
    if (this.taken === null) {
      this.taken = new Uint8Array(this.text.length);
      for (const { span } of this.edits) this.taken.fill(1, ...span);
    }
    return this.taken.subarray(from, to).includes(1);
  }
}
