/** The stop button of the top bar, and the bar above every screen while tools are frozen. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { OverviewData } from '#client/index.js';
import { rangeOf } from '../data/range.js';
import { useAnswer, useWrite } from '../data/requests.js';
import { actor, client, useMay } from '../data/session.js';
import { freezes, readFigures } from '../data/waiting.js';
import { announce } from '../ui/announcer.js';
import { Button, Form, FormEnd, Icon, Select, typed } from '../ui/controls.js';
import { Dialog } from '../ui/dialog.js';
import { PlainText } from '../ui/plain-text.js';
import { ErrorBox } from '../ui/screen.js';
import { Time } from '../ui/values.js';

type Freeze = OverviewData['freezes'][number];
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
  const [name, setName] = useState('');
  const { data: used } = useAnswer('audit.facets', {
    query: { control: 'all', field: scope === 'all' ? 'tool' : scope, from: rangeOf({ last: '30d' }).from },
  });
  const [warnings, warn] = useState<readonly string[]>([]);
  const send = async (textOf: (name: string) => string) => {
    const body = { scope, name: scope === 'all' ? null : name.trim(), reason: textOf('reason') };
    const { running, warnings: found } = (await client.call('freeze.create', { body })).data;
    announce(`The freeze is in force. Approved calls that still run: ${running.length}.`);
    warn(found);
    if (found.length === 0) onClose();
  };
  return (
    <Reasoned
      title="Freeze tools"
      action={['Freezing …', scope === 'all' ? 'Freeze all tools' : 'Freeze']}
      tone="danger"
      reason={`Stopped by ${actor.value ?? 'an operator'} from the panel`}
      onSend={send}
      onClose={onClose}
    >
      <p>
        Calls of tools are refused on all instances until somebody lifts the freeze. Approved calls that have
        not started wait; those that already run go on to their end. The assistant still answers, and its
        input and output stay guarded.
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
        <>
          <label class="field">
            Name of the {scope}
            <input list="used" required maxLength={500} value={name} onInput={typed(setName)} />
          </label>
          <datalist id="used">{used?.values.map(({ value }) => value && <option value={value} />)}</datalist>
          {name !== '' && used?.values.every(({ value }) => value !== name.trim()) && (
            <p class="small">
              This {scope} is not among those with the most entries of the last 30 days. Check the name.
            </p>
          )}
        </>
      )}
      {warnings.map((warning) => (
        <p class="notice observed" role="alert" key={warning}>
          The freeze is in force. {warning}
        </p>
      ))}
    </Reasoned>
  );
}

function Lift({ freeze, onClose }: { readonly freeze: Freeze; readonly onClose: () => void }) {
  const { id } = freeze;
  const send = async (textOf: (name: string) => string) => {
    await client.call('freeze.lift', { params: { id }, body: { reason: textOf('reason') } });
    announce(`Freeze ${id} is lifted.`);
    onClose();
  };
  return (
    <Reasoned
      title={`Lift freeze ${id}?`}
      action={['Lifting …', 'Lift the freeze']}
      onSend={send}
      onClose={onClose}
    >
      <p>
        Calls of <Covered freeze={freeze} /> run again, and approved ones that wait start.
      </p>
    </Reasoned>
  );
}

/** A window with a reason, which changes the freezes. */
function Reasoned({
  title,
  action,
  tone,
  reason,
  onSend,
  onClose,
  children,
}: {
  readonly title: string;
  readonly action: readonly [sending: string, send: string];
  readonly tone?: 'danger';
  /** What is sent unless the operator changes it. */
  readonly reason?: string;
  readonly onSend: (textOf: (name: string) => string) => Promise<void>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const { error, isSending, write } = useWrite();
  return (
    <Dialog title={title} onClose={onClose}>
      <Form class="stack" onSend={(textOf) => write(() => onSend(textOf).then(readFigures))}>
        {children}
        <label class="field">
          Reason{reason === undefined && ' (required)'}
          <textarea name="reason" rows={3} required maxLength={1000} defaultValue={reason} />
        </label>
        <ErrorBox error={error} />
        <FormEnd action={action} tone={tone} isSending={isSending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
