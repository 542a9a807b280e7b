import { useComputed } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, type CannotDecide, ConnectionError } from '#client/index.js';
import type { ApprovalVerdict } from '#contracts/approvals/approvals.js';
import { serverNow } from '../../data/clock.js';
import { useMay } from '../../data/me.js';
import type { OpenApproval } from '../../data/open-approval.js';
import { linkToken } from '../../data/page.js';
import { useWrite } from '../../data/requests.js';
import { client, isSignedOut, signedIn } from '../../data/session.js';
import { useKeys } from '../../layout/shortcuts.js';
import { ArgumentsView } from '../../ui/arguments.js';
import { Button, typed } from '../../ui/controls.js';
import { Dialog } from '../../ui/dialog.js';
import { PlainText } from '../../ui/plain-text.js';
import type { Answer } from './forms.js';
import { DecisionError, keepReason, ReasonField } from './reasons.js';
import { callText, isFinal, isWhole, refusalOf } from './sentences.js';

interface Props extends OpenApproval {
  readonly reload: () => void;
  readonly onAnswer: (answer: Answer) => void;
}

/** Rejecting stays possible where only approving is refused. */
const REJECTABLE: readonly (CannotDecide | null)[] = [
  null,
  'self_approval',
  'already_voted',
  'hitl_unavailable',
  'superseded',
];

/** The buttons that open the confirmation of a decision. Opening decides nothing. */
export function DecisionBar(props: Props) {
  const { approval, reload, onAnswer } = props;
  const [verdict, setVerdict] = useState<ApprovalVerdict | null>(null);
  const approve = useMay('approvals.approve');
  const reject = useMay('approvals.reject');
  const isOver = useComputed(() => serverNow.value >= Date.parse(approval.expires_at)).value;
  const isPending = approval.status === 'pending';
  const code = isOver ? 'expired' : approval.cannot_decide_reason;
  const refusal = refusalOf(code);
  const mayApprove = approval.can_decide && !isOver;
  const cannotApprove =
    approve.reason ?? (mayApprove ? null : (refusal?.what ?? 'You cannot approve this call.'));
  const cannotReject = reject.reason ?? (REJECTABLE.includes(code) ? null : (refusal?.what ?? null));
  const cannot = cannotApprove ?? cannotReject;
  useEffect(() => {
    if (isOver) reload();
  }, [isOver]);
  useKeys({
    a: () => isPending && cannotApprove === null && setVerdict('approved'),
    r: () => isPending && cannotReject === null && setVerdict('rejected'),
  });
  const opener = (name: ApprovalVerdict, obstacle: string | null) => ({
    disabled: obstacle !== null,
    'aria-describedby': obstacle === null ? undefined : 'cannot-decide',
    onClick: () => setVerdict(name),
  });
  return (
    <>
      {isPending && (
        <div class="decision-bar">
          {cannot !== null && (
            <p id="cannot-decide" class="small">
              {cannot} {cannot === refusal?.what && refusal.next}
            </p>
          )}
          <Button class="danger" {...opener('rejected', cannotReject)}>
            Reject…
          </Button>
          <Button class="primary" {...opener('approved', cannotApprove)}>
            Approve…
          </Button>
        </div>
      )}
      {verdict !== null && (
        <Confirmation
          {...props}
          isApproving={verdict === 'approved'}
          onAnswer={(answer) => {
            setVerdict(null);
            onAnswer(answer);
          }}
          onClose={() => setVerdict(null)}
        />
      )}
    </>
  );
}

/** Asks for a second press, and shows the call that will run. */
function Confirmation({
  isApproving,
  approval,
  token: listed,
  reload,
  onAnswer,
  onClose,
}: Props & { readonly isApproving: boolean; readonly onClose: () => void }) {
  const fromLink = linkToken.value?.path === location.pathname ? linkToken.value.token : null;
  // A decided call has no token, and the request is repeated after a lost answer. So the first token stays while the window is open.
  const token = useRef(listed ?? fromLink);
  const isRepeated = useRef(false);
  const [entered, setEntered] = useState('');
  const [reason, setReason] = useState('');
  const { error, isSending, setError, write } = useWrite();
  if (error instanceof ConnectionError) isRepeated.current = true;
  const isOver = isFinal(error);
  const hasWrongToken = error instanceof ApiError && error.code === 'not_found';
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => form.current?.querySelector('[role=alert]')?.scrollIntoView({ block: 'nearest' }), [error]);

  const decide = async (event: Event): Promise<void> => {
    event.preventDefault();
    const given = reason.trim();
    await write(async () => {
      const { data } = await client.call(isApproving ? 'approvals.approve' : 'approvals.reject', {
        params: { token: token.current ?? entered.trim() },
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
          <PlainText text={callText(approval)} />
        </p>
        {!isWhole(approval) && <ArgumentsView value={approval.arguments} />}
        {isApproving && !approval.reversible && (
          <p class="notice blocked">
            <strong>This cannot be undone.</strong>
          </p>
        )}
        {(token.current === null || hasWrongToken) && (
          <label class="field">
            Token from the notification
            <input
              type="password"
              autocomplete="off"
              required
              value={entered}
              onInput={typed((text) => {
                token.current = null;
                setEntered(text);
                setError(undefined);
              })}
            />
          </label>
        )}
        <ReasonField value={reason} isRequired={approval.policy.reason_required} onChange={setReason} />
        <DecisionError error={error} />
        <div class="row confirm-row">
          <Button disabled={isSending} onClick={onClose}>
            {isOver ? 'Close' : 'Cancel'}
          </Button>
          <button type="submit" class={isApproving ? 'primary' : 'danger'} disabled={isSending || isOver}>
            {isSending ? (
              'Sending…'
            ) : (
              <>
                {isApproving ? 'Approve' : 'Reject'}
                <span class="call-name">
                  <PlainText text={callText(approval)} />
                </span>
              </>
            )}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
