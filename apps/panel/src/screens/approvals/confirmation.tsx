import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, ConnectionError } from '#client/index.js';
import { linkToken } from '../../data/fragment-token.js';
import type { OpenApproval } from '../../data/open-approval.js';
import { client, isSignedOut, signedIn } from '../../data/session.js';
import { useWrite } from '../../data/write.js';
import { Dialog } from '../../ui/dialog.js';
import { PlainText } from '../../ui/plain-text.js';
import type { Answer } from './answer.js';
import { ArgumentsView } from './arguments.js';
import { DecisionError } from './decision-error.js';
import { keepReason, ReasonField } from './reasons.js';
import { callText, isFinal, isWhole } from './sentences.js';

/** Asks for a second press, and shows the call that will run. */
export function Confirmation({
  verdict,
  approval,
  token: listed,
  reload,
  onAnswer,
  onClose,
}: OpenApproval & {
  readonly verdict: 'approved' | 'rejected';
  readonly reload: () => void;
  readonly onAnswer: (answer: Answer) => void;
  readonly onClose: () => void;
}) {
  const fromLink = linkToken.value?.path === location.pathname ? linkToken.value.token : null;
  // A decided call has no token, and the request is repeated after a lost answer. So the first token stays while the window is open.
  const known = useRef(listed ?? fromLink);
  const isRepeated = useRef(false);
  const [entered, setEntered] = useState('');
  const [reason, setReason] = useState('');
  const { error, isSending, setError, write } = useWrite();
  if (error instanceof ConnectionError) isRepeated.current = true;
  const isOver = isFinal(error);
  const hasWrongToken = error instanceof ApiError && error.code === 'not_found';
  const form = useRef<HTMLFormElement>(null);
  const isApproving = verdict === 'approved';
  const what = callText(approval.tool, approval.arguments);

  useEffect(() => form.current?.querySelector('[role=alert]')?.scrollIntoView({ block: 'nearest' }), [error]);

  const decide = async (event: Event): Promise<void> => {
    event.preventDefault();
    const given = reason.trim();
    await write(async () => {
      const { data } = await client.call(isApproving ? 'approvals.approve' : 'approvals.reject', {
        params: { token: known.current ?? entered.trim() },
        body: { approval_id: approval.approval_id, ...(given !== '' && { reason: given }) },
      });
      keepReason(given);
      linkToken.value = null;
      if (isSignedOut.value) signedIn();
      onAnswer({ data, isRepeated: isRepeated.current });
    });
    reload();
  };

  return (
    <Dialog
      title={isApproving ? 'Approve this call?' : 'Reject this call?'}
      isBusy={isSending}
      onClose={onClose}
    >
      <form ref={form} class="stack" onSubmit={(event) => void decide(event)}>
        <p class="call-line">
          <PlainText text={what} />
        </p>
        {!isWhole(approval.arguments) && <ArgumentsView value={approval.arguments} />}
        {isApproving && !approval.reversible && (
          <p class="notice blocked">
            <strong>This cannot be undone.</strong>
          </p>
        )}
        {(known.current === null || hasWrongToken) && (
          <label class="field">
            Token from the notification
            <input
              type="password"
              autocomplete="off"
              required
              value={entered}
              onInput={(event) => {
                known.current = null;
                setEntered(event.currentTarget.value);
                setError(undefined);
              }}
            />
          </label>
        )}
        <ReasonField value={reason} isRequired={approval.policy.reason_required} onChange={setReason} />
        {error !== undefined && <DecisionError error={error} />}
        <div class="row confirm-row">
          <button type="button" disabled={isSending} onClick={onClose}>
            {isOver ? 'Close' : 'Cancel'}
          </button>
          <button type="submit" class={isApproving ? 'primary' : 'danger'} disabled={isSending || isOver}>
            {isSending ? 'Sending…' : isApproving ? 'Approve' : 'Reject'}
            {!isSending && (
              <span class="call-name">
                <PlainText text={what} />
              </span>
            )}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
