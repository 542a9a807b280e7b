import { useState } from 'preact/hooks';
import { useMay } from '../../data/me.js';
import { client } from '../../data/session.js';
import { useWrite } from '../../data/write.js';
import { MODE_MEANING, type ModeName } from '../../text/names.js';
import { announce } from '../../ui/announcer.js';
import { ErrorBox } from '../../ui/states.js';

const MODES = ['enforce', 'monitor', 'off'] as const;
const KEY = 'input_screen.rule_modes';

/** A rule or a screener whose mode is changed. */
interface Changed {
  readonly id: string;
  readonly mode: ModeName;
  readonly noun: 'rule' | 'screener';
  /** Whether it enforces without an entry in the setting. */
  readonly enforcesByDefault?: boolean;
}

/** Sets the mode of one rule or screener: the first press shows what changes, the second one saves it. */
export function ModeChange({
  changed,
  onChanged,
}: {
  readonly changed: Changed;
  readonly onChanged: () => void;
}) {
  const may = useMay('settings.update');
  const [chosen, choose] = useState<ModeName | null>(null);
  const { error, isSending, write } = useWrite();

  const save = (mode: ModeName): Promise<void> =>
    write(async () => {
      await saveMode(changed, mode);
      announce(`${changed.id}: ${mode}.`);
      choose(null);
      onChanged();
    });

  return (
    <section class="stack-s">
      <h3>Change the mode of this {changed.noun}</h3>
      {may.reason !== null && <p class="muted">{may.reason}</p>}
      <div class="row" role="group" aria-label="New mode">
        {MODES.filter((mode) => mode !== changed.mode).map((mode) => (
          <button
            type="button"
            key={mode}
            disabled={!may.isAllowed || isSending}
            aria-pressed={chosen === mode}
            onClick={() => choose(chosen === mode ? null : mode)}
          >
            {mode}
          </button>
        ))}
      </div>
      {error !== undefined && <ErrorBox error={error} />}
      {chosen !== null && (
        <div class={`notice ${chosen === 'enforce' ? 'waiting' : 'blocked'}`}>
          <p>
            Now it {MODE_MEANING[changed.mode]}. Then it {MODE_MEANING[chosen]}
            {chosen !== 'enforce' && ': this weakens input screening'}.
          </p>
          <button type="button" class="primary" disabled={isSending} onClick={() => void save(chosen)}>
            {isSending ? 'Saving …' : `Set this ${changed.noun} to ${chosen}`}
          </button>
        </div>
      )}
    </section>
  );
}

/** Only this mode changes: `If-Match` refuses the request if the settings changed after they were read. */
async function saveMode({ id, enforcesByDefault }: Changed, mode: ModeName): Promise<void> {
  const { data, etag } = await client.call('settings.show');
  const { input_screen: screening } = data.settings as {
    readonly input_screen?: { readonly rule_modes?: Readonly<Record<string, ModeName>> };
  };
  const { [id]: _, ...others } = screening?.rule_modes ?? {};
  const modes = mode === 'enforce' && enforcesByDefault === true ? others : { ...others, [id]: mode };
  await client.call('settings.update', {
    body: { settings: { [KEY]: modes } },
    ifMatch: etag ?? undefined,
  });
}
