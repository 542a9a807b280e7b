import type { Finding } from '../../../contracts/src/output.js';
import type { Edit } from './traced-text.js';

/** What one pass makes of a text; findings without an edit do not occur. Spans are of the text the pass was given. */
export interface PassResult {
  readonly edits: readonly Edit[];
  readonly findings: readonly Finding[];
}

/** Linear in the text, whatever the text is. A text that it leaves alone is clean in its eyes. */
export type Pass = (text: string) => PassResult;
