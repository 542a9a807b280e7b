/** The range of time in the top bar, which every screen reads from the address. */
import { useState } from 'preact/hooks';
import { useAddress } from '../data/page.js';
import { type Last, LASTS, useRange } from '../data/range.js';
import { dateTime, isoOf, isUtc, wallClock } from '../text/format.js';
import { keep, recall } from '../data/storage.js';
import { asChoices, Button, Form, Segments } from '../ui/controls.js';
import { Dialog } from '../ui/dialog.js';

const UTC = 'guardrails.utc';
isUtc.value = recall('local', UTC) === 'on';

function switchUtc(): void {
  isUtc.value = !isUtc.value;
  keep('local', UTC, isUtc.value ? 'on' : null);
}

export function TimeRange() {
  const { from, to, last } = useRange();
  const [isOpen, open] = useState(false);
  const exact = `${dateTime(from)} to ${to === undefined ? 'now' : dateTime(to)}`;
  const label = last === undefined ? exact : `last ${last}`;
  return (
    <>
      <Button
        class="range-button"
        aria-label={`Time range: ${label}`}
        title={exact}
        onClick={() => open(true)}
      >
        {last ?? 'Custom'}
      </Button>
      {isOpen && <ChooseRange onClose={() => open(false)} />}
    </>
  );
}

function ChooseRange({ onClose }: { readonly onClose: () => void }) {
  const { change } = useAddress();
  const { from, to, last } = useRange();
  const show = (members: { readonly last?: Last; readonly from?: string; readonly to?: string }) => {
    change({ last: undefined, from: undefined, to: undefined, ...members });
    onClose();
  };
  const showCustom = (textOf: (name: string) => string) => {
    const end = textOf('to');
    show({ from: isoOf(textOf('from')), ...(end !== '' && { to: isoOf(end) }) });
  };
  const field = (name: 'from' | 'to', label: string, time: string | undefined) => (
    <label class="field">
      {label}
      <input
        type="datetime-local"
        name={name}
        // Written again when the zone changes.
        key={`${name} ${isUtc.value}`}
        required={name === 'from'}
        defaultValue={time && wallClock(time).slice(0, 16)}
      />
    </label>
  );
  return (
    <Dialog title="Time range" onClose={onClose}>
      <Segments
        aria-label="Last"
        choices={asChoices(LASTS)}
        chosen={last}
        onChoose={(name) => show({ last: name })}
      />
      <Form class="stack" onSend={showCustom}>
        {field('from', 'From', from)}
        {field('to', 'To (now if empty)', to)}
        <label class="check">
          <input type="checkbox" checked={isUtc.value} onChange={switchUtc} />
          All times in UTC
        </label>
        <button type="submit">Show this range</button>
      </Form>
    </Dialog>
  );
}
