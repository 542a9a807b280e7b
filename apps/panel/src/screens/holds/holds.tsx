import { useState } from 'preact/hooks';
import { ApiError, type HoldData } from '#client/index.js';
import { HOLD_KINDS } from '#contracts/retention/holds.js';
import { href, useAddress } from '../../data/page.js';
import { useList, useLivePages, useWrite } from '../../data/requests.js';
import { client, useMay } from '../../data/session.js';
import { dateTime } from '../../text/format.js';
import { announce } from '../../ui/announcer.js';
import { Button, FieldErrors, Form, FormEnd, Segments, Select } from '../../ui/controls.js';
import { Dialog } from '../../ui/dialog.js';
import { PlainText } from '../../ui/plain-text.js';
import { rowAt } from '../../ui/rows.js';
import { Empty, ErrorBox, ListEnd, Screen } from '../../ui/screen.js';
import { Status, Time } from '../../ui/values.js';

type Hold = HoldData['hold'];

interface OfHold {
  readonly hold: Hold;
}

/** Holds keep records from being erased or deleted. */
export default function Holds() {
  const { query, change } = useAddress();
  const isActive = query['show'] !== 'all';
  const may = useMay('holds.set');
  const mayRelease = useMay('holds.release');
  const [isPlacing, place] = useState(false);
  // The state is not in the card, which disappears when somebody else releases the hold.
  const [releasing, release] = useState<Hold | null>(null);
  const filters = { limit: 50, ...(isActive && { active: true }) };
  const pages = useList('holds.index', { query: filters }, ({ holds }) => holds);
  useLivePages(pages, (name) => name.startsWith('guardrails.hold.'));
  const onPlaced = () => {
    place(false);
    announce('The hold is active.');
    pages.reload();
  };
  return (
    <Screen
      title="Holds"
      lead="Records under an active hold are neither erased nor deleted, even after the retention period."
      actions={
        <Button class="primary" may={may} onClick={() => place(true)}>
          Set a hold
        </Button>
      }
    >
      {may.reason !== null && <p class="notice">{may.reason}</p>}
      <Segments
        aria-label="Which holds"
        choices={[
          [undefined, 'Active'],
          ['all', 'All'],
        ]}
        chosen={isActive ? undefined : 'all'}
        onChoose={(show) => change({ show })}
      />
      {pages.items.map((hold, index) => (
        <article class="card stack-s" key={hold.id} aria-label={`Hold ${hold.id}`} {...rowAt(index)}>
          <header class="split">
            <h2 class="break">
              <Scope hold={hold} />
            </h2>
            {hold.released_at === null ? (
              <Status tone="waiting">active</Status>
            ) : (
              <Status tone="quiet">released</Status>
            )}
          </header>
          <p>
            <PlainText text={hold.reason} />
          </p>
          <footer class="row muted small">
            <span>
              Hold {hold.id}, set by <PlainText text={hold.set_by} /> <Time at={hold.set_at} />
            </span>
            {hold.released_at === null ? (
              <Button may={mayRelease} onClick={() => release(hold)}>
                Release
              </Button>
            ) : (
              <span>
                Released by <PlainText text={hold.released_by ?? 'unknown'} /> <Time at={hold.released_at} />
              </span>
            )}
          </footer>
        </article>
      ))}
      {releasing !== null && (
        <ReleaseHold hold={releasing} onClose={() => release(null)} onReleased={pages.reload} />
      )}
      <ListEnd pages={pages} lines={4} older="Show older holds">
        <Empty title={isActive ? 'No hold is active.' : 'No hold was ever set.'}>
          Set one when records may be needed as evidence, before their retention ends.
        </Empty>
      </ListEnd>
      {isPlacing && <PlaceHold onClose={() => place(false)} onPlaced={onPlaced} />}
    </Screen>
  );
}

/** What the hold covers, with a link to it. */
function Scope({ hold }: OfHold) {
  switch (hold.kind) {
    case 'principal':
      return <Held word="Principal" filter="principal_id" value={hold.principal_id} />;
    case 'run':
      return <Held word="Run" filter="run_id" value={hold.run_id} />;
    case 'application':
      return <Held word="Application" filter="application" value={hold.application} />;
    case 'entries':
      return (
        <>
          Entries {hold.first_id} to {hold.last_id}
        </>
      );
    case 'period': {
      const { from, to } = { from: hold.from ?? '', to: hold.to ?? '' };
      return (
        <a href={href('/audit', { from, to })}>
          {dateTime(from)} to {dateTime(to)}
        </a>
      );
    }
  }
  return hold.kind satisfies never;
}

function Held({
  word,
  filter,
  value,
}: {
  readonly word: string;
  readonly filter: string;
  readonly value: string | null;
}) {
  return (
    <>
      {word}{' '}
      <a href={href('/audit', { [filter]: value ?? '' })}>
        <PlainText text={value ?? ''} />
      </a>
    </>
  );
}

function ReleaseHold({
  hold,
  onClose,
  onReleased,
}: OfHold & { readonly onClose: () => void; readonly onReleased: () => void }) {
  const { error, isSending, write } = useWrite();
  const release = () =>
    write(async () => {
      await client.call('holds.release', { params: { id: hold.id } });
      announce(`Hold ${hold.id} is released.`);
      onReleased();
      onClose();
    });
  const isReleased = error instanceof ApiError && error.code === 'already_released';
  const by = isReleased ? error.details['released_by'] : null;
  return (
    <Dialog title={`Release hold ${hold.id}?`} onClose={onClose}>
      <div class="stack">
        <p>
          <Scope hold={hold} />
        </p>
        <p>
          Retention applies again at its next run. It may erase or delete these records, and a release cannot
          be undone.
        </p>
        {isReleased ? (
          <p class="notice observed" role="alert">
            <PlainText text={typeof by === 'string' ? by : 'Somebody'} /> released it already.
          </p>
        ) : (
          <ErrorBox error={error} />
        )}
        <p class="row">
          <Button onClick={onClose}>Keep it</Button>
          <Button class="danger" disabled={isSending || isReleased} onClick={() => void release()}>
            Release
          </Button>
        </p>
      </div>
    </Dialog>
  );
}

type Field = readonly [name: string, label: string, type: 'text' | 'number' | 'datetime-local'];

/** What a hold can cover, with the fields that name it. */
const SCOPES: Readonly<Record<Hold['kind'], { readonly label: string; readonly fields: readonly Field[] }>> =
  {
    principal: {
      label: 'All records of a principal',
      fields: [['principal_id', 'Principal', 'text']],
    },
    run: { label: 'One run', fields: [['run_id', 'Run id', 'text']] },
    application: {
      label: 'All records of an application',
      fields: [['application', 'Application', 'text']],
    },
    entries: {
      label: 'A range of entries',
      fields: [
        ['first_id', 'First entry', 'number'],
        ['last_id', 'Last entry', 'number'],
      ],
    },
    period: {
      label: 'A period',
      fields: [
        ['from', 'From (your time zone)', 'datetime-local'],
        ['to', 'To (your time zone)', 'datetime-local'],
      ],
    },
  };

/** A hold has exactly one scope, and a reason. */
function PlaceHold({ onClose, onPlaced }: { readonly onClose: () => void; readonly onPlaced: () => void }) {
  const [kind, setKind] = useState<Hold['kind']>('principal');
  const { error, fields, isSending, write } = useWrite();
  const send = (textOf: (name: string) => string) =>
    write(async () => {
      const scope = SCOPES[kind].fields.map(([name, , type]) => [name, valueOf(type, textOf(name).trim())]);
      const body = { reason: textOf('reason').trim(), ...Object.fromEntries(scope) };
      await client.call('holds.set', { body });
      onPlaced();
    });
  return (
    <Dialog title="Set a hold" onClose={onClose}>
      <Form class="stack" onSend={send}>
        <label class="field">
          Records to hold
          <Select
            value={kind}
            choices={HOLD_KINDS.map((value) => [value, SCOPES[value].label] as const)}
            onChoose={(value) => setKind(value as Hold['kind'])}
          />
        </label>
        {SCOPES[kind].fields.map(([name, label, type]) => (
          <label class="field" key={name}>
            {label}
            <input name={name} type={type} required step={type === 'datetime-local' ? 1 : undefined} />
            <FieldErrors reasons={fields[name]} />
          </label>
        ))}
        <label class="field">
          Reason, such as a case number
          <textarea name="reason" rows={3} required maxLength={1000} />
        </label>
        <ErrorBox error={error} />
        <FormEnd action={['Setting …', 'Set the hold']} isSending={isSending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

function valueOf(type: Field[2], text: string): string | number {
  if (type === 'number') return Number(text);
  return type === 'datetime-local' ? new Date(text).toISOString() : text;
}
