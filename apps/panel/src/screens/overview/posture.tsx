import type { OverviewData } from '#client/index.js';
import { href } from '../../data/page.js';
import { useResource } from '../../data/resource.js';
import { client } from '../../data/session.js';
import { CONTROL_LABELS } from '../../text/names.js';
import { Status } from '../../ui/status.js';
import { Time } from '../../ui/time.js';

type Control = OverviewData['controls'][number];

const ORDER = { off: 0, monitor: 1, enforce: 2 };

/** What the controls do now, in a sentence. The weakest control comes first. */
export function Posture({ controls }: { readonly controls: readonly Control[] }) {
  const weak = controls
    .filter(({ warning }) => warning !== null)
    .toSorted((a, b) => ORDER[a.mode] - ORDER[b.mode]);
  if (weak.length === 0) {
    return (
      <p class="posture">
        <Status tone="ok">All four controls enforce.</Status>
      </p>
    );
  }
  return (
    <div class="posture stack-s">
      {weak.map((control) => (
        <WeakControl key={control.key} control={control} />
      ))}
    </div>
  );
}

function WeakControl({ control: { key, mode, warning } }: { readonly control: Control }) {
  // A control that enforces has a warning about its authorizer only.
  const setting = mode === 'enforce' ? 'tool_authorization.enabled' : `modes.${key}`;
  const change = useResource(`change ${key} ${mode}`, async (signal) => {
    const newest = async (name: string, value: unknown) => {
      const { data } = await client.call('settings.changes', { query: { key: name, limit: 1 }, signal });
      return data.changes.find(({ new_value: set }) => set === value);
    };
    // A control is off by its mode or by its switch.
    return (
      (await newest(setting, mode === 'enforce' ? false : mode)) ??
      (mode === 'off' ? await newest(`${key}.enabled`, false) : undefined) ??
      null
    );
  });
  return (
    <p>
      <Status tone={mode === 'monitor' ? 'observed' : 'blocked'}>
        <a href={href('/settings', { key: setting })}>{CONTROL_LABELS[key]}</a>
      </Status>
      {warning?.slice(key.length)}{' '}
      {change.data !== undefined && change.data !== null && (
        <span class="muted">
          Since <Time at={change.data.occurred_at} />, by {change.data.actor_id}.
        </span>
      )}
    </p>
  );
}
