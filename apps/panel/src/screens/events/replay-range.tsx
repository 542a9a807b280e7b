import { useState } from 'preact/hooks';
import { client } from '../../data/session.js';
import { useWrite } from '../../data/write.js';
import { count } from '../../text/format.js';
import { Dialog } from '../../ui/dialog.js';
import { PlainText } from '../../ui/plain-text.js';
import { ErrorBox } from '../../ui/states.js';

/** Sends the events of a range of numbers to a sink again. */
export function ReplayRange({
  sink,
  onClose,
  onDone,
}: {
  readonly sink: string;
  readonly onClose: () => void;
  readonly onDone: (result: string) => void;
}) {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const { error, fields, isSending, write } = useWrite();

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    await write(async () => {
      const body = { sink, from: Number(from), ...(to !== '' && { to: Number(to) }) };
      const { data } = await client.call('events.replay', { body });
      const more = data.next_from === null ? '' : ` Continue with a replay from number ${data.next_from}.`;
      onDone(`${count(data.queued)} events wait for delivery again.${more}`);
    });
  };

  return (
    <Dialog title="Replay a range of events" onClose={onClose}>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <p>
          <PlainText text={sink} /> receives the events again that it selects, with their former ids.
        </p>
        <label class="field">
          First number
          <input
            type="number"
            min={1}
            required
            value={from}
            onInput={({ currentTarget }) => setFrom(currentTarget.value)}
          />
          {(fields['from'] ?? []).map((reason) => (
            <span class="field-error" key={reason}>
              {reason}
            </span>
          ))}
        </label>
        <label class="field">
          Last number (empty: up to the newest)
          <input
            type="number"
            min={1}
            value={to}
            onInput={({ currentTarget }) => setTo(currentTarget.value)}
          />
        </label>
        {error !== undefined && <ErrorBox error={error} />}
        <p class="row">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isSending}>
            {isSending ? 'Replaying …' : 'Replay'}
          </button>
        </p>
      </form>
    </Dialog>
  );
}
