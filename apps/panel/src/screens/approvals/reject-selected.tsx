import { useEffect, useRef, useState } from 'preact/hooks';
import type { PendingApproval } from '#client/index.js';
import { client, noteFailure } from '../../data/session.js';
import { errorText } from '../../text/errors.js';
import { plural } from '../../text/format.js';
import { Dialog } from '../../ui/dialog.js';
import { PlainText } from '../../ui/plain-text.js';
import { keepReason, ReasonField } from './reasons.js';
import { callText, isFinal, sentenceOf } from './sentences.js';

interface Outcome {
  readonly text: string;
  /** Another press cannot change it. */
  readonly isFinal: boolean;
}

/** Rejects several calls with one reason, one after the other, and names those that failed. */
export function RejectSelected({
  calls,
  onClose,
}: {
  readonly calls: readonly PendingApproval[];
  readonly onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  const [outcomes, setOutcomes] = useState<Readonly<Record<number, Outcome>>>({});
  const [isSending, setSending] = useState(false);
  const isClosed = useRef(false);
  useEffect(
    () => () => {
      isClosed.current = true;
    },
    [],
  );
  const reject = async (event: Event): Promise<void> => {
    event.preventDefault();
    setSending(true);
    for (const { approval_id: id, token } of calls) {
      if (isClosed.current) return;
      if (token === null || outcomes[id]?.isFinal === true) continue;
      const outcome = await client
        .call('approvals.reject', { params: { token }, body: { approval_id: id, reason: reason.trim() } })
        .then(
          (): Outcome => ({ text: 'rejected', isFinal: true }),
          (error: Error): Outcome => {
            noteFailure(error);
            return { text: sentenceOf(error)?.what ?? errorText(error).message, isFinal: isFinal(error) };
          },
        );
      setOutcomes((known) => ({ ...known, [id]: outcome }));
    }
    keepReason(reason.trim());
    setSending(false);
  };
  const left = calls.filter(({ approval_id: id }) => outcomes[id]?.isFinal !== true).length;
  return (
    <Dialog title={`Reject ${plural(calls.length, 'call')}?`} isBusy={isSending} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void reject(event)}>
        <ul class="stack-s">
          {calls.map((call) => (
            <li key={call.approval_id}>
              <PlainText text={callText(call.tool, call.arguments)} />
              <strong>
                {' '}
                <PlainText text={outcomes[call.approval_id]?.text ?? ''} />
              </strong>
            </li>
          ))}
        </ul>
        {left > 0 && <ReasonField value={reason} isRequired onChange={setReason} />}
        <div class="row">
          <button type="button" disabled={isSending} onClick={onClose}>
            {left === 0 ? 'Close' : 'Cancel'}
          </button>
          {left > 0 && (
            <button type="submit" class="danger" disabled={isSending}>
              Reject {plural(left, 'call')}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
