/** The stop button of the top bar, and the bar above every screen while tools are frozen. */
import { useState } from 'preact/hooks';
import type { FreezeListData } from '#client/index.js';
import { useWrite } from '../data/requests.js';
import { client, useMay } from '../data/session.js';
import { freezes, readFigures } from '../data/waiting.js';
import { announce } from '../ui/announcer.js';
import { Button, FieldErrors, Form, FormEnd, Icon, Select } from '../ui/controls.js';
import { Dialog } from '../ui/dialog.js';
import { PlainText } from '../ui/plain-text.js';
import { ErrorBox } from '../ui/screen.js';
import { Time } from '../ui/values.js';

type Freeze = FreezeListData['freezes'][number];
type Scope = Freeze['scope'];

export function FreezeButton() {
  const may = useMay('freeze.create');
  const [isOpen, open] = useState(false);
  return (
    <>
      <Button class="danger" may={may} onClick={() => open(true)}>
        <Icon name="freeze" />
        Freeze
      </Button>
      {isOpen && <FreezeTools onClose={() => open(false)} />}
    </>
  );
}

/** Every freeze in force: who, when and why. */
export function FreezeBar() {
  const may = useMay('freeze.lift');
  // The state is not in the bar, which disappears when somebody else lifts the freeze.
  const [lifting, lift] = useState<Freeze | null>(null);
  return (
    <>
      {freezes.value.map((freeze) => (
        <section class="notice blocked" key={freeze.id} aria-label={`Freeze ${freeze.id}`}>
          <p>
            <strong>
              Frozen: <Covered freeze={freeze} />.
            </strong>{' '}
            <PlainText text={freeze.reason} />
          </p>
          <div class="split">
            <span>
              By <PlainText text={freeze.frozen_by} />, <Time at={freeze.frozen_at} />
            </span>
            {may.isAllowed && <Button onClick={() => lift(freeze)}>Lift</Button>}
          </div>
        </section>
      ))}
      {lifting !== null && <Lift freeze={lifting} onClose={() => lift(null)} />}
    </>
  );
}

function Covered({ freeze: { scope, name } }: { readonly freeze: Freeze }) {
  if (name === null) return <>all tools</>;
  return (
    <>
      {scope} <PlainText text={name} />
    </>
  );
}

const LABELS: Readonly<Record<Scope, string>> = {
  all: 'All tools',
  tool: 'One tool',
  application: 'One application',
};

function FreezeTools({ onClose }: { readonly onClose: () => void }) {
  const [scope, setScope] = useState<Scope>('all');
  const [warnings, warn] = useState<readonly string[]>([]);
  const { error, fields, isSending, write } = useWrite();
  const send = (textOf: (name: string) => string): Promise<void> =>
    write(async () => {
      const name = scope === 'all' ? {} : { name: textOf('name').trim() };
      const { data } = await client.call('freeze.create', {
        body: { scope, reason: textOf('reason'), ...name },
      });
      const { length } = data.running;
      announce(`The freeze is in force.${length === 0 ? '' : ` Approved calls that still run: ${length}.`}`);
      readFigures();
      warn(data.warnings);
      if (data.warnings.length === 0) onClose();
    });
  return (
    <Dialog title="Freeze tools" onClose={onClose}>
      <Form class="stack" onSend={send}>
        <p>
          Calls are refused on all instances until somebody lifts the freeze. Approved calls that have not
          started wait; calls that run end.
        </p>
        <label class="field">
          What to stop
          <Select
            value={scope}
            choices={Object.entries(LABELS)}
            onChoose={(value) => setScope(value as Scope)}
          />
        </label>
        {scope !== 'all' && (
          <label class="field">
            Name of the {scope}
            <input name="name" required maxLength={500} />
            <FieldErrors reasons={fields['name']} />
          </label>
        )}
        <Reason reasons={fields['reason']} />
        <ErrorBox error={error} />
        {warnings.map((warning) => (
          <p class="notice observed" role="alert" key={warning}>
            The freeze is in force. {warning}
          </p>
        ))}
        <FormEnd action={['Freezing …', 'Freeze']} isSending={isSending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

function Lift({ freeze, onClose }: { readonly freeze: Freeze; readonly onClose: () => void }) {
  const { error, fields, isSending, write } = useWrite();
  const send = (textOf: (name: string) => string): Promise<void> =>
    write(async () => {
      await client.call('freeze.lift', { params: { id: freeze.id }, body: { reason: textOf('reason') } });
      announce(`Freeze ${freeze.id} is lifted.`);
      readFigures();
      onClose();
    });
  return (
    <Dialog title={`Lift freeze ${freeze.id}?`} onClose={onClose}>
      <Form class="stack" onSend={send}>
        <p>
          <Covered freeze={freeze} /> can run again, and approved calls that wait start.
        </p>
        <Reason reasons={fields['reason']} />
        <ErrorBox error={error} />
        <FormEnd action={['Lifting …', 'Lift the freeze']} isSending={isSending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

function Reason({ reasons }: { readonly reasons: readonly string[] | undefined }) {
  return (
    <label class="field">
      Reason
      <textarea name="reason" rows={3} required maxLength={1000} />
      <FieldErrors reasons={reasons} />
    </label>
  );
}
