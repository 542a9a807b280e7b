import { useState } from 'preact/hooks';
import { useMay } from '../../data/me.js';
import { client } from '../../data/session.js';
import { useWrite } from '../../data/write.js';
import { DecisionError } from './decision-error.js';
import type { Approval } from './loading.js';
import { keepReason, ReasonField } from './reasons.js';

/** Records what an operator found out about a call whose instance stopped while it ran. */
export function Resolve({ approval, reload }: { readonly approval: Approval; readonly reload: () => void }) {
  const may = useMay('approvals.resolve');
  const [status, setStatus] = useState<'executed' | 'failed' | null>(null);
  const [reason, setReason] = useState('');
  const { error, write } = useWrite();
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (status === null) return;
    await write(async () => {
      await client.call('approvals.resolve', {
        params: { approval_id: approval.approval_id },
        body: { status, reason: reason.trim() },
      });
      keepReason(reason.trim());
      reload();
    });
  };
  return (
    <section class="card">
      <h2>Did it run?</h2>
      <p>
        The call was approved and started {approval.attempts === 1 ? 'once' : `${approval.attempts} times`},
        but no result arrived: its instance stopped or the tool took too long. Look it up in the system that
        the tool calls, then record what happened. This starts no run.
      </p>
      <form class="stack" onSubmit={(event) => void send(event)}>
        <fieldset class="row">
          <legend>It was</legend>
          {(['executed', 'failed'] as const).map((one) => (
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
        {error !== undefined && <DecisionError error={error} />}
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
