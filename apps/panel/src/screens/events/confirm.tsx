import { useEffect, useRef } from 'preact/hooks';
import { PlainText } from '../../ui/plain-text.js';

/** Asks in place before an action. The focus goes to Cancel, so that a second Enter does nothing. */
export function Confirm({
  question,
  action,
  isBusy,
  onCancel,
  onConfirm,
}: {
  readonly question: string;
  readonly action: string;
  readonly isBusy: boolean;
  readonly onCancel: () => void;
  readonly onConfirm: () => void;
}) {
  const cancel = useRef<HTMLButtonElement>(null);
  useEffect(() => cancel.current?.focus(), []);
  return (
    <div
      class="notice confirm"
      role="group"
      aria-label={question}
      onKeyDown={({ key }) => key === 'Escape' && onCancel()}
    >
      <p class="break">
        <PlainText text={question} />
      </p>
      <p class="row">
        <button type="button" ref={cancel} onClick={onCancel}>
          Cancel
        </button>
        <button type="button" class="primary" disabled={isBusy} onClick={onConfirm}>
          {action}
        </button>
      </p>
    </div>
  );
}
