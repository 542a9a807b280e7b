import { Redactor, type Redaction } from '../ports.js';
import type { Diagnostics } from '../ports.js';

/** Stands for a text that could not be cleaned. */
const WITHHELD = '[withheld]';

/** A host's detector may throw. What then cannot be cleaned is not kept, and no control fails for it. */
export class CautiousRedactor extends Redactor {
  constructor(
    private readonly redactor: Redactor,
    private readonly diagnostics: Diagnostics,
  ) {
    super();
  }

  override redact(text: string): Redaction {
    try {
      return this.redactor.redact(text);
    } catch {
      this.tell();
      return { text: WITHHELD, edits: [{ span: [0, text.length], replacement: WITHHELD }] };
    }
  }

  override redactSecrets(text: string): string {
    try {
      return this.redactor.redactSecrets(text);
    } catch {
      this.tell();
      return WITHHELD;
    }
  }

  private tell(): void {
    this.diagnostics.warn('a detector failed: the text is not kept');
  }
}
