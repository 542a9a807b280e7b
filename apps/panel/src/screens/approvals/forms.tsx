/** What follows a decision, or takes its place: the answer of the server, other arguments, an outcome that was found out. */
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import type { ApprovalDecisionData } from '#client/index.js';
import { type Resolution, RESOLUTIONS } from '#contracts/approvals/approvals.js';
import { isPlainObject, parsedJson } from '#contracts/common/text.js';
import { useMay } from '../../data/me.js';
import type { Approval } from '../../data/open-approval.js';
import { useAddress } from '../../data/page.js';
import { useWrite } from '../../data/requests.js';
import { client } from '../../data/session.js';
import { Changes, changesBetween } from '../../ui/arguments.js';
import { Button, FormEnd, typed } from '../../ui/controls.js';
import { DecisionError, keepReason, ReasonField } from './reasons.js';
import { answerOf } from './sentences.js';

/** What the server answered to a decision of this operator. */
export interface Answer {
  readonly data: ApprovalDecisionData;
  /** The answer to an earlier press was lost. */
  readonly isRepeated: boolean;
}

/** Takes the focus, because the button that had it is gone. */
export function AnswerNotice({ answer: { data, isRepeated } }: { readonly answer: Answer }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.focus(), [data]);
  const [tone, sentence] = answerOf(data);
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
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!isObject) return;
    await write(async () => {
      const body = { arguments: edited, reason: reason.trim() };
      const { data } = await client.call('approvals.propose', { params: { approval_id: id }, body });
      keepReason(reason.trim());
      open(`/approvals/${data.approval_id}`);
    });
  };
  return (
    <section class="card">
      <h2>Edit the arguments</h2>
      <p class="muted">The edited call waits for another operator. Earlier votes do not count for it.</p>
      <form class="stack" onSubmit={(event) => void send(event)}>
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
          <Changes changes={changes} />
        )}
        <ReasonField value={reason} isRequired onChange={setReason} />
        <DecisionError error={error} />
        <FormEnd
          action={['Propose these arguments', 'Propose these arguments']}
          isSending={isSending}
          isSendable={changes.length > 0}
          onCancel={onClose}
        />
      </form>
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
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (status === null) return;
    await write(async () => {
      const body = { status, reason: reason.trim() };
      await client.call('approvals.resolve', { params: { approval_id: id }, body });
      keepReason(reason.trim());
      reload();
    });
  };
  return (
    <section class="card">
      <h2>Did it run?</h2>
      <p>
        The call was approved and started {attempts === 1 ? 'once' : `${attempts} times`}, but no result
        arrived: its instance stopped or the tool took too long. Look it up in the system that the tool calls,
        then record what happened. This starts no run.
      </p>
      <form class="stack" onSubmit={(event) => void send(event)}>
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
        <ReasonField value={reason} isRequired onChange={setReason} />
        <DecisionError error={error} />
        <p class="row">
          <button type="submit" class="primary" disabled={!may.isAllowed}>
            Record this outcome
          </button>
          {may.reason}
        </p>
      </form>
    </section>
  );
}
