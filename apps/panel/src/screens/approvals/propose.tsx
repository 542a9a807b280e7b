import { useId, useMemo, useState } from 'preact/hooks';
import { useAddress } from '../../data/address.js';
import { useMay } from '../../data/me.js';
import { client } from '../../data/session.js';
import { useWrite } from '../../data/write.js';
import { Changes, changesBetween } from './arguments.js';
import { DecisionError } from './decision-error.js';
import type { Approval } from './loading.js';
import { keepReason, ReasonField } from './reasons.js';

/** Replaces the call by one with other arguments, which waits for somebody else. */
export function Propose({ approval }: { readonly approval: Approval }) {
  const { open } = useAddress();
  const may = useMay('approvals.propose');
  const id = useId();
  const before = approval.arguments;
  const [text, setText] = useState<string | null>(null);
  const [reason, setReason] = useState('');
  const { error, isSending, write } = useWrite();
  const edited = useMemo(() => (text === null ? before : parsed(text)), [text, before]);
  if (before === null) return null;
  if (text === null)
    return (
      <p>
        <button
          type="button"
          disabled={!may.isAllowed}
          onClick={() => setText(JSON.stringify(before, null, 2))}
        >
          Edit the arguments…
        </button>{' '}
        {may.reason}
      </p>
    );
  const changes = edited === null ? [] : changesBetween(before, edited);
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (edited === null) return;
    await write(async () => {
      const { data } = await client.call('approvals.propose', {
        params: { approval_id: approval.approval_id },
        body: { arguments: edited, reason: reason.trim() },
      });
      keepReason(reason.trim());
      open(`/approvals/${data.approval_id}`);
    });
  };
  return (
    <section class="card">
      <h2>Edit the arguments</h2>
      <p class="muted">The edited call waits for another operator. Earlier votes do not count for it.</p>
      <form class="stack" onSubmit={(event) => void send(event)}>
        <label class="field" for={id}>
          Arguments as JSON
        </label>
        <textarea
          id={id}
          class="mono"
          rows={Math.min(24, text.split('\n').length + 1)}
          spellcheck={false}
          value={text}
          aria-invalid={edited === null}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        {edited === null && <p class="field-error">This is not a JSON object.</p>}
        {edited !== null && changes.length === 0 ? (
          <p class="muted">Nothing differs yet.</p>
        ) : (
          <Changes changes={changes} />
        )}
        <ReasonField value={reason} isRequired onChange={setReason} />
        {error !== undefined && <DecisionError error={error} />}
        <div class="row">
          <button type="button" onClick={() => setText(null)}>
            Cancel
          </button>
          <button
            type="submit"
            class="primary"
            disabled={isSending || edited === null || changes.length === 0}
          >
            Propose these arguments
          </button>
        </div>
      </form>
    </section>
  );
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
