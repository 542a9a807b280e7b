/** What follows a decision, or takes its place: the answer of the server, other arguments, an outcome that was found out. */
import { useComputed } from '@preact/signals';
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError, type ApprovalDecisionData, ConnectionError } from '#client/index.js';
import type { CannotDecide } from '#contracts/approvals/approvals.api.js';
import { type ApprovalVerdict, type Resolution, RESOLUTIONS } from '#contracts/approvals/approvals.js';
import { isPlainObject, parsedJson } from '#contracts/common/text.js';
import { serverNow } from '../../data/clock.js';
import type { Approval, OpenApproval } from '../../data/open-approval.js';
import { linkToken, useAddress } from '../../data/page.js';
import { isBeingRejected } from '../../data/rejections.js';
import { useWrite } from '../../data/requests.js';
import { client, isSignedOut, signedIn, useMay } from '../../data/session.js';
import { Key, useKeys } from '../../layout/shortcuts.js';
import { plural } from '../../text/format.js';
import { ArgumentTable, changesBetween } from '../../ui/arguments.js';
import { Button, Form, FormEnd, typed } from '../../ui/controls.js';
import { Dialog } from '../../ui/dialog.js';
import { PlainText } from '../../ui/plain-text.js';
import { CallLine, CallNotes } from './call.js';
import { DecisionError, keepReason, ReasonField } from './reasons.js';
import { reject } from './rejections.js';
import { answerOf, isFinal, refusalOf } from './sentences.js';

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
  const mayApprove = useMay('approvals.approve');
  const mayReject = useMay('approvals.reject');
  const isOver = useComputed(() => serverNow.value >= Date.parse(approval.expires_at)).value;
  const isPending = approval.status === 'pending' && !isBeingRejected(approval.approval_id);
  const code = isOver ? 'expired' : approval.cannot_decide_reason;
  const refusal = refusalOf(code);
  const canApprove = approval.can_decide && !isOver;
  const cannotApprove =
    mayApprove.reason ?? (canApprove ? null : (refusal?.what ?? 'You cannot approve this call.'));
  const cannotReject = mayReject.reason ?? (REJECTABLE.includes(code) ? null : (refusal?.what ?? null));
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
            Reject… <Key name="r" />
          </Button>
          <Button class={approveClass(approval)} {...opener('approved', cannotApprove)}>
            Approve… <Key name="a" />
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

/** Beside risks and warnings approving looks no more inviting than rejecting. */
function approveClass({ risk, warnings }: Approval) {
  return risk.length + warnings.length > 0 ? '' : 'primary';
}

/** What an approval does. */
function effectOf({ policy: { needed, given } }: Approval) {
  const left = needed - given - 1;
  return left > 0
    ? `It does not run yet: ${plural(left, 'more approval')} must follow, by ${left > 1 ? 'other people' : 'another person'}.`
    : 'It runs at once, unless a freeze holds it.';
}

const REJECTED_SOON = 'The rejection is sent in 10 seconds. Until then you can take it back.';

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

  const decide = async (event: Event) => {
    event.preventDefault();
    const given = reason.trim();
    const sentToken = token.current ?? entered.trim();
    if (!isApproving) {
      reject([{ ...approval, token: sentToken }], given, reload);
      onClose();
      return;
    }
    await write(async () => {
      const { data } = await client.call('approvals.approve', {
        params: { token: sentToken },
        body: { approval_id: approval.approval_id, ...(given !== '' && { reason: given }) },
      });
      keepReason('approved', given);
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
      <form class="stack" onSubmit={(event) => void decide(event)}>
        <p class="call-line">
          <CallLine call={approval} />
        </p>
        {isApproving && <CallNotes approval={approval} />}
        <ArgumentTable value={approval.arguments} />
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
        <div class="stack-s confirm-row">
          <ReasonField
            of={isApproving ? 'approved' : 'rejected'}
            value={reason}
            isRequired={approval.policy.reason_required}
            onChange={setReason}
          />
          <DecisionError error={error} />
          <p class="small">{isApproving ? effectOf(approval) : REJECTED_SOON}</p>
          <div class="row">
            <Button disabled={isSending} onClick={onClose}>
              {isOver ? 'Close' : 'Cancel'}
            </Button>
            <button
              type="submit"
              class={isApproving ? approveClass(approval) : 'danger'}
              disabled={isSending || isOver}
            >
              {isSending ? (
                'Sending…'
              ) : (
                <>
                  {isApproving ? 'Approve' : 'Reject'}
                  <span class="call-name">
                    <PlainText text={approval.tool} />
                  </span>
                </>
              )}
            </button>
          </div>
        </div>
      </form>
    </Dialog>
  );
}

/** What the server answered to the approval of this operator. */
export interface Answer {
  readonly data: ApprovalDecisionData;
  /** The answer to an earlier press was lost. */
  readonly isRepeated: boolean;
}

/** Takes the focus, because the button that had it is gone. */
export function AnswerNotice({ data, isRepeated, status }: Answer & Pick<Approval, 'status'>) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.focus(), [data]);
  // Until the call is read again it still waits; later its outcome is newer than the answer.
  const [tone, sentence] = answerOf(status === 'pending' ? data : { ...data, status });
  return (
    <div ref={element} tabIndex={-1} role="status" class={`notice ${tone}`}>
      <p>
        <strong>{sentence}</strong>
      </p>
      {isRepeated && (
        <p>The first answer was lost. This is the stored outcome: nothing was decided or run twice.</p>
      )}
    </div>
  );
}

/** Replaces the call by one with other arguments, which waits for somebody else. */
export function Propose({ approval }: { readonly approval: Approval }) {
  const may = useMay('approvals.propose');
  const [isEditing, setEditing] = useState(false);
  const { arguments: before, approval_id: id } = approval;
  if (before === null) return null;
  if (isEditing) return <Editing id={id} before={before} onClose={() => setEditing(false)} />;
  return (
    <p>
      <Button may={may} onClick={() => setEditing(true)}>
        Edit the arguments…
      </Button>{' '}
      {may.reason}
    </p>
  );
}

type Arguments = NonNullable<Approval['arguments']>;

function Editing({
  id,
  before,
  onClose,
}: {
  readonly id: number;
  readonly before: Arguments;
  readonly onClose: () => void;
}) {
  const { open } = useAddress();
  const field = useId();
  const [text, setText] = useState(() => JSON.stringify(before, null, 2));
  const [reason, setReason] = useState('');
  const { error, isSending, write } = useWrite();
  const edited = useMemo(() => parsedJson(text), [text]);
  const isObject = isPlainObject(edited);
  const changes = isObject ? changesBetween(before, edited) : [];
  const send = () =>
    write(async () => {
      if (!isObject) return;
      const body = { arguments: edited, reason: reason.trim() };
      const { data } = await client.call('approvals.propose', { params: { approval_id: id }, body });
      keepReason('edited', reason.trim());
      open(`/approvals/${data.approval_id}`);
    });
  return (
    <section class="card">
      <h2>Edit the arguments</h2>
      <p class="muted">The edited call waits for another operator. Earlier votes do not count for it.</p>
      <Form class="stack" onSend={send}>
        <label class="field" for={field}>
          Arguments as JSON
        </label>
        <textarea
          id={field}
          class="mono"
          rows={Math.min(24, text.split('\n').length + 1)}
          spellcheck={false}
          value={text}
          aria-invalid={!isObject}
          onInput={typed(setText)}
        />
        {!isObject && <p class="field-error">This is not a JSON object.</p>}
        {isObject && changes.length === 0 ? (
          <p class="muted">Nothing differs yet.</p>
        ) : (
          <ArgumentTable changes={changes} />
        )}
        <ReasonField of="edited" value={reason} isRequired onChange={setReason} />
        <DecisionError error={error} />
        <FormEnd
          action={['Propose these arguments', 'Propose these arguments']}
          isSending={isSending}
          isSendable={changes.length > 0}
          onCancel={onClose}
        />
      </Form>
    </section>
  );
}

/** Records what an operator found out about a call whose instance stopped while it ran. */
export function Resolve({ approval, reload }: { readonly approval: Approval; readonly reload: () => void }) {
  const may = useMay('approvals.resolve');
  const [status, setStatus] = useState<Resolution | null>(null);
  const [reason, setReason] = useState('');
  const { error, write } = useWrite();
  const { approval_id: id, attempts } = approval;
  const send = () =>
    write(async () => {
      if (status === null) return;
      const body = { status, reason: reason.trim() };
      await client.call('approvals.resolve', { params: { approval_id: id }, body });
      keepReason('resolved', reason.trim());
      reload();
    });
  return (
    <section class="card">
      <h2>Did it run?</h2>
      <p>
        The call was approved and started {attempts === 1 ? 'once' : `${attempts} times`}, but no result
        arrived: its instance stopped or the tool took too long. Look it up in the system that the tool calls,
        then record what happened. This starts no run.
      </p>
      <Form class="stack" onSend={send}>
        <fieldset class="row">
          <legend>It was</legend>
          {RESOLUTIONS.map((one) => (
            <label key={one} class="check">
              <input
                type="radio"
                name="status"
                required
                checked={status === one}
                onChange={() => setStatus(one)}
              />
              {one}
            </label>
          ))}
        </fieldset>
        <ReasonField of="resolved" value={reason} isRequired onChange={setReason} />
        <DecisionError error={error} />
        <p class="row">
          <button type="submit" class="primary" disabled={!may.isAllowed}>
            Record this outcome
          </button>
          {may.reason}
        </p>
      </Form>
    </section>
  );
}
