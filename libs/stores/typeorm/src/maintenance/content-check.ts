import type { Commitments } from '#contracts/audit.js';
import type { Findings, StoredEntry } from './findings.js';

/** Returns the fields that do not match their commitments; `null` if the salt is missing. */
export type CommitmentCheck = (
  commitments: Commitments,
  texts: Readonly<Record<'matchedText' | 'principal' | 'policy', string | null>> & {
    readonly prompt: string;
  },
  salt: string | null,
) => readonly string[] | null;

const FIELDS: Readonly<Record<string, string>> = {
  prompt: 'The text',
  matchedText: 'The matched text',
  principal: 'The principal',
  policy: 'The record of the policy',
  salt: 'The salt',
};

/** Compares texts and names with the commitments of the evidence. */
export class ContentCheck {
  erased = 0;
  /** Entries whose principal was erased. */
  forgotten = 0;

  constructor(
    private readonly brokenCommitments: CommitmentCheck,
    private readonly findings: Findings,
  ) {}

  check(entry: StoredEntry): void {
    const { id, storage, principal, principal_ref: principalRef } = entry;
    if (storage === null) {
      this.findings.add('text_missing', id, `The text of entry ${id} is missing. Retention keeps its row.`);
      return;
    }
    const hasErasedPrincipal = principalRef !== null && principal === null;
    if (hasErasedPrincipal) this.forgotten += 1;
    if (storage === 'erased') this.erased += 1;
    else if (hasErasedPrincipal)
      this.findings.add(
        'unrecorded_removal',
        id,
        `The principal of entry ${id} is missing, but its text is not. No retention run does this.`,
      );
    for (const field of this.brokenFields(entry))
      if (!(hasErasedPrincipal && field === 'principal'))
        this.findings.add(
          'text_altered',
          id,
          `${FIELDS[field] ?? field} of entry ${id} does not match its commitment.`,
        );
  }

  private brokenFields(entry: StoredEntry): readonly string[] {
    const { storage, principal, policy, matched_text: matchedText } = entry;
    const prompt = entry.prompt ?? '';
    const salt = base64url(entry.salt);
    if (storage === 'erased')
      return prompt === '' && matchedText === null && policy === null && salt === null ? [] : ['prompt'];
    const commitments = {
      prompt: base64url(entry.prompt_commitment) ?? '',
      matchedText: base64url(entry.matched_text_commitment),
      principal: base64url(entry.principal_commitment),
      policy: base64url(entry.policy_commitment),
    };
    return this.brokenCommitments(commitments, { prompt, matchedText, principal, policy }, salt) ?? ['salt'];
  }
}

function base64url(bytes: Buffer | null): string | null {
  return bytes === null ? null : bytes.toString('base64url');
}
