import { useId, useState } from 'preact/hooks';
import { actor } from '../../data/me.js';
import { keep, recall } from '../../data/storage.js';
import { PlainText } from '../../ui/plain-text.js';

/** Operators can share a browser. */
const stored = (): string => `guardrails.reasons.${actor.peek()}`;
const KEPT = 3;
const MAX_LENGTH = 1000;

/** The last reasons of this operator, newest first. */
function lastReasons(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(recall('local', stored()) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string').slice(0, KEPT) : [];
  } catch {
    return [];
  }
}

export function keepReason(reason: string): void {
  if (reason === '' || actor.peek() === null) return;
  const kept = [reason, ...lastReasons().filter((one) => one !== reason)].slice(0, KEPT);
  keep('local', stored(), JSON.stringify(kept));
}

export function ReasonField({
  value,
  isRequired,
  onChange,
}: {
  readonly value: string;
  readonly isRequired: boolean;
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  const [chips] = useState(lastReasons);
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
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {chips.length > 0 && (
        <div class="row" role="group" aria-label="Your last reasons">
          {chips.map((chip) => (
            <button key={chip} type="button" class="small chip" onClick={() => onChange(chip)}>
              <PlainText text={chip} />
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
