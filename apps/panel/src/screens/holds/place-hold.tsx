import { useState } from 'preact/hooks';
import { client } from '../../data/session.js';
import { useWrite } from '../../data/write.js';
import { Dialog } from '../../ui/dialog.js';
import { ErrorBox } from '../../ui/states.js';
import type { Hold } from './holds.js';

interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'number' | 'datetime-local';
}

const SCOPES: Readonly<Record<Hold['kind'], { readonly label: string; readonly fields: readonly Field[] }>> =
  {
    principal: {
      label: 'All records of a principal',
      fields: [{ name: 'principal_id', label: 'Principal', type: 'text' }],
    },
    run: { label: 'One run', fields: [{ name: 'run_id', label: 'Run id', type: 'text' }] },
    application: {
      label: 'All records of an application',
      fields: [{ name: 'application', label: 'Application', type: 'text' }],
    },
    entries: {
      label: 'A range of entries',
      fields: [
        { name: 'first_id', label: 'First entry', type: 'number' },
        { name: 'last_id', label: 'Last entry', type: 'number' },
      ],
    },
    period: {
      label: 'A period',
      fields: [
        { name: 'from', label: 'From (your time zone)', type: 'datetime-local' },
        { name: 'to', label: 'To (your time zone)', type: 'datetime-local' },
      ],
    },
  };

/** A hold has exactly one scope, and a reason. */
export function PlaceHold({
  onClose,
  onPlaced,
}: {
  readonly onClose: () => void;
  readonly onPlaced: () => void;
}) {
  const [kind, setKind] = useState<Hold['kind']>('principal');
  const { error, fields, isSending, write } = useWrite();

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    await write(async () => {
      const scope = SCOPES[kind].fields.map((field) => [
        field.name,
        valueOf(field, textOf(form, field.name)),
      ]);
      const body = { reason: textOf(form, 'reason'), ...Object.fromEntries(scope) };
      await client.call('holds.set', { body });
      onPlaced();
    });
  };

  return (
    <Dialog title="Set a hold" onClose={onClose}>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <label class="field">
          Records to hold
          <select value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value as Hold['kind'])}>
            {Object.entries(SCOPES).map(([value, { label }]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        {SCOPES[kind].fields.map(({ name, label, type }) => (
          <label class="field" key={name}>
            {label}
            <input name={name} type={type} required step={type === 'datetime-local' ? 1 : undefined} />
            {(fields[name] ?? []).map((reason) => (
              <span class="field-error" key={reason}>
                {reason}
              </span>
            ))}
          </label>
        ))}
        <label class="field">
          Reason, such as a case number
          <textarea name="reason" rows={3} required maxLength={1000} />
        </label>
        {error !== undefined && <ErrorBox error={error} />}
        <p class="row">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isSending}>
            {isSending ? 'Setting …' : 'Set the hold'}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

function valueOf({ type }: Field, text: string): string | number {
  if (type === 'number') return Number(text);
  return type === 'datetime-local' ? new Date(text).toISOString() : text;
}
