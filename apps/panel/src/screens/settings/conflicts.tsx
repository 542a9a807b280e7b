import { useState } from 'preact/hooks';
import type { SettingChangeData } from '#client/index.js';
import { PlainText } from '../../ui/plain-text.js';
import { Ago } from '../../ui/time.js';
import { draft, draftedValue, othersOf, rebase } from './draft.js';
import { Side } from './changed-value.js';
import { labelOf, type Loaded } from './settings-data.js';

/** What others saved in the meantime. Asks only about keys that both changed. */
export function Conflicts({
  loaded,
  since,
}: {
  readonly loaded: Loaded;
  /** The changes that the server listed when it refused to save; `null` if it did not. */
  readonly since: readonly SettingChangeData[] | null;
}) {
  const [chosen, choose] = useState<Readonly<Record<string, 'mine' | 'theirs'>>>({});
  const { conflicts } = othersOf(loaded);
  const base = draft.value?.base ?? {};
  if (conflicts.length === 0 && since === null) return null;
  const isOpen = conflicts.some((key) => chosen[key] === undefined);
  return (
    <section class="notice observed stack-s" role="alert">
      <p>
        <strong>Somebody else saved settings after you began.</strong>{' '}
        {conflicts.length === 0
          ? 'Your changes concern other settings, so they stay. Check them and save again.'
          : 'You both changed the settings below. Your other changes stay.'}
      </p>
      {since !== null && (
        <ul>
          {since.map(({ id, actor_id: actor, key, occurred_at: at }) => (
            <li class="break" key={id}>
              <PlainText text={actor} /> changed{' '}
              <code>
                <PlainText text={key} />
              </code>{' '}
              <Ago at={at} isAlone />.
            </li>
          ))}
        </ul>
      )}
      {conflicts.map((key) => (
        <div class="stack-s" key={key}>
          <h3>{labelOf(key)}</h3>
          <div class="difference">
            <Side name="When you began" value={base[key]} />
            <Side name="Theirs" value={loaded.values[key]} />
            <Side name="Yours" value={draftedValue(loaded, key)} />
          </div>
          <div class="segments" role="group" aria-label={`Which value of ${labelOf(key)}?`}>
            {(['theirs', 'mine'] as const).map((side) => (
              <button
                type="button"
                key={side}
                aria-pressed={chosen[key] === side}
                onClick={() => choose({ ...chosen, [key]: side })}
              >
                {side === 'mine' ? 'Use mine' : 'Keep theirs'}
              </button>
            ))}
          </div>
        </div>
      ))}
      {conflicts.length > 0 && (
        <p>
          <button
            type="button"
            class="primary"
            disabled={isOpen}
            onClick={() => rebase(loaded, new Set(conflicts.filter((key) => chosen[key] === 'theirs')))}
          >
            Go on
          </button>
        </p>
      )}
    </section>
  );
}
