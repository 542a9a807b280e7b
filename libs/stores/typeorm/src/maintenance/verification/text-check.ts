import type { StoredContent, StoredEntry } from './stored-entry.js';
import type { CommitmentCheck, Findings } from './verification.js';

/** Holds every text and name that is still there against what was committed to. */
export class TextCheck {
  erased = 0;
  forgotten = 0;

  constructor(
    private readonly broken: CommitmentCheck,
    private readonly findings: Findings,
  ) {}

  check(entry: StoredEntry): void {
    const { id, content, principal, principalRef } = entry;
    if (content === null) {
      this.findings.add(
        'text_missing',
        id,
        `The text of entry ${id} is gone, and retention would have left its row.`,
      );
      return;
    }
    const isForgotten = principalRef !== null && principal === null;
    if (isForgotten) this.forgotten += 1;
    if (content.storage === 'erased') this.erased += 1;
    else if (isForgotten)
      this.findings.add(
        'unrecorded_removal',
        id,
        `Whom entry ${id} is about is gone, and its text is not: no run of retention does so.`,
      );
    for (const field of this.alteredFields(entry, content))
      if (!(isForgotten && field === 'principal'))
        this.findings.add(
          'text_altered',
          id,
          `${FIELDS[field] ?? field} of entry ${id} is not what was committed to.`,
        );
  }

  private alteredFields({ commitments, principal }: StoredEntry, content: StoredContent): readonly string[] {
    const { storage, prompt, matchedText, salt } = content;
    if (storage === 'erased') return prompt === '' && matchedText === null && salt === null ? [] : ['prompt'];
    return this.broken(commitments, { prompt, matchedText, principal }, salt) ?? ['salt'];
  }
}

const FIELDS: Readonly<Record<string, string>> = {
  prompt: 'The text',
  matchedText: 'The matched text',
  principal: 'The principal',
  salt: 'The salt',
};
