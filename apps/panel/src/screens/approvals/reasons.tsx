/** The reason of a decision, and why a decision was refused. */
import { useId, useState } from 'preact/hooks';
import { ApiError } from '#client/index.js';
import type { ApprovalVerdict } from '#contracts/approvals/approvals.js';
import { parsedJson } from '#contracts/common/text.js';
import { actor, loginAddress } from '../../data/session.js';
import { keep, recall } from '../../data/storage.js';
import { Button, typed } from '../../ui/controls.js';
import { PlainText } from '../../ui/plain-text.js';
import { ErrorBox } from '../../ui/screen.js';
import { sentenceOf } from './sentences.js';

/** Operators can share a browser. */
const stored = (of: Deed): string => `guardrails.reasons.${actor.peek()}.${of}`;
const STORED_REASONS = 3;
const MAX_LENGTH = 1000;

/** What has reasons of its own. */
export type Deed = ApprovalVerdict | 'edited' | 'resolved';

/** The last reasons of this operator, newest first. */
function lastReasons(of: Deed): readonly string[] {
  const last = parsedJson(recall('local', stored(of)) ?? '[]');
  return Array.isArray(last) ? last.filter((one) => typeof one === 'string').slice(0, STORED_REASONS) : [];
}

export function keepReason(of: Deed, reason: string): void {
  if (reason === '' || actor.peek() === null) return;
  const last = [reason, ...lastReasons(of).filter((one) => one !== reason)].slice(0, STORED_REASONS);
  keep('local', stored(of), JSON.stringify(last));
}

export function ReasonField({
  of,
  value,
  isRequired,
  onChange,
}: {
  readonly of: Deed;
  readonly value: string;
  readonly isRequired: boolean;
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  const [chips] = useState(() => lastReasons(of));
  return (
    <div class="stack-s">
      <label class="field" for={id}>
        Reason {isRequired ? '(required)' : '(optional)'}
      </label>
      <textarea
        id={id}
        rows={2}
        maxLength={MAX_LENGTH}
        required={isRequired}
        value={value}
        onInput={typed(onChange)}
      />
      {chips.length > 0 && (
        <div class="row" role="group" aria-label="Your last reasons">
          {chips.map((chip) => (
            <Button key={chip} class="small chip" onClick={() => onChange(chip)}>
              <PlainText text={chip} />
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

/** Why a decision, a proposal or a resolution was refused, and what to do next. */
export function DecisionError({ error }: { readonly error: Error | undefined }) {
  const sentence = error && sentenceOf(error);
  if (sentence === undefined) return <ErrorBox error={error} hasFields />;
  const login = error instanceof ApiError && error.code === 'unauthenticated' ? loginAddress() : null;
  return (
    <div class="notice blocked" role="alert">
      <p>
        <strong>
          <PlainText text={sentence.what} />
        </strong>
      </p>
      <p>{sentence.next}</p>
      {login !== null && (
        <p>
          <a href={login} target="_blank" rel="noopener">
            Log in in a new tab
          </a>
        </p>
      )}
    </div>
  );
}
