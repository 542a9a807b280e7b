import { useEffect, useState } from 'preact/hooks';
import { ApiError, type SettingChangeData, type SettingsPreviewData } from '#client/index.js';
import type { May } from '../../data/me.js';
import { href } from '../../data/page.js';
import { client, noteFailure } from '../../data/session.js';
import { plural } from '../../text/format.js';
import { Dialog } from '../../ui/dialog.js';
import { NameText, PlainText } from '../../ui/plain-text.js';
import { Skeleton } from '../../ui/states.js';
import { Backtest } from './backtest.js';
import { ChangedValue } from './changed-value.js';
import { Conflicts } from './conflicts.js';
import { draft, othersOf, rebase } from './draft.js';
import { FailureBox } from './failure-box.js';
import type { Preview } from './preview.js';
import { labelOf, settingOf, type Loaded } from './settings-data.js';

/** The difference before saving, as the server would record it. */
export function Review({
  loaded,
  preview,
  may,
  onClose,
  onStale,
  onSaved,
}: {
  readonly loaded: Loaded;
  readonly preview: Preview;
  readonly may: May;
  readonly onClose: () => void;
  /** The settings have to be read again. */
  readonly onStale: () => void;
  readonly onSaved: () => void;
}) {
  const [error, setError] = useState<Error>();
  const [isSaving, setSaving] = useState(false);
  const [accepted, accept] = useState('');
  const [since, setSince] = useState<readonly SettingChangeData[] | null>(null);
  const [staleEtag, setStaleEtag] = useState<string | null>(null);
  const changes = draft.value?.changes ?? {};
  const { changed, conflicts } = othersOf(loaded);
  useEffect(() => {
    if (changed.length > 0 && conflicts.length === 0) rebase(loaded, new Set());
  }, [loaded]);

  const isWeaker = preview.data?.changes.some(({ weakens }) => weakens) ?? false;
  // A confirmation counts only for exactly what was shown.
  const shown = JSON.stringify(preview.data);
  const isAccepted = accepted === shown;
  const obstacle =
    may.reason ??
    // The server would refuse to save until the settings are read again.
    (staleEtag !== null && staleEtag === loaded.etag ? 'The settings are being read again.' : null) ??
    (conflicts.length > 0 ? 'First decide which values to keep.' : null) ??
    (Object.keys(preview.errors).length > 0
      ? 'The server refuses these changes. Correct them first.'
      : null) ??
    (preview.error === undefined ? null : 'The server could not check the changes.') ??
    (preview.data === undefined ? 'The server is checking the changes.' : null) ??
    (isWeaker && !isAccepted ? 'Confirm first that protection becomes weaker.' : null);

  const save = async (): Promise<void> => {
    setSaving(true);
    setError(undefined);
    setSince(null);
    try {
      await client.call('settings.update', {
        body: { settings: changes },
        ifMatch: loaded.etag ?? undefined,
      });
      onSaved();
    } catch (failure) {
      setSaving(false);
      noteFailure(failure);
      if (failure instanceof ApiError && failure.code === 'stale_settings') {
        setStaleEtag(loaded.etag);
        setSince((failure.details['changes'] ?? []) as readonly SettingChangeData[]);
        onStale();
      } else setError(failure as Error);
    }
  };

  return (
    <Dialog kind="drawer" title={`Review ${plural(Object.keys(changes).length, 'change')}`} onClose={onClose}>
      {error !== undefined && <FailureBox error={error} />}
      <Conflicts key={conflicts.join(' ')} loaded={loaded} since={since} />
      {preview.error !== undefined && <FailureBox error={preview.error} retry={preview.reload} />}
      {preview.data === undefined
        ? preview.error === undefined && conflicts.length === 0 && <Skeleton lines={6} />
        : conflicts.length === 0 && (
            <Difference
              loaded={loaded}
              data={preview.data}
              isWeaker={isWeaker}
              isAccepted={isAccepted}
              onAccept={() => accept(isAccepted ? '' : shown)}
            />
          )}
      {preview.error === undefined && <Backtest changes={changes} />}
      <div class="review-foot">
        {obstacle !== null && (
          <p id="save-obstacle" class="muted">
            {obstacle}
          </p>
        )}
        <button
          type="button"
          class="primary"
          disabled={obstacle !== null || isSaving}
          aria-describedby={obstacle === null ? undefined : 'save-obstacle'}
          onClick={() => void save()}
        >
          {isSaving ? 'Saving …' : 'Save'}
        </button>
      </div>
    </Dialog>
  );
}

function Difference({
  loaded,
  data: { changes, warnings, superseded },
  isWeaker,
  isAccepted,
  onAccept,
}: {
  readonly loaded: Loaded;
  readonly data: SettingsPreviewData;
  readonly isWeaker: boolean;
  readonly isAccepted: boolean;
  readonly onAccept: () => void;
}) {
  return (
    <>
      {warnings.length > 0 && (
        <div class="notice blocked stack-s" role="alert">
          <ul>
            {warnings.map((warning) => (
              <li class="break" key={warning}>
                <PlainText text={warning} />
              </li>
            ))}
          </ul>
          {isWeaker && (
            <label class="check">
              <input type="checkbox" checked={isAccepted} onChange={onAccept} />I want this weaker protection.
            </label>
          )}
        </div>
      )}
      {superseded.count > 0 && <Superseded {...superseded} />}
      {changes.length === 0 && (
        <p class="muted">No value changes. Overrides that equal the configured value are removed.</p>
      )}
      <ul class="stack">
        {changes.map(({ key, old_value: before, new_value: after, weakens }) => (
          <li class="stack-s" key={key}>
            <h3 class="row">
              {labelOf(settingOf(loaded, key)?.key ?? key)}
              <code class="muted small break">
                <NameText text={key} />
              </code>
              {weakens && <span class="tag blocked">weaker</span>}
            </h3>
            <ChangedValue before={['Now', before]} after={['After', after]} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Superseded({ count, approvals }: SettingsPreviewData['superseded']) {
  return (
    <div class="notice observed stack-s">
      <p>
        <strong>{plural(count, 'pending call')} can no longer be approved after this change.</strong> The
        policy that they were requested under changes. Decide them first, or they have to be requested again.
      </p>
      <ul class="row">
        {approvals.map(({ approval_id: id, tool }) => (
          <li key={id}>
            <a href={href(`/approvals/${id}`)}>
              #{id} <PlainText text={tool} />
            </a>
          </li>
        ))}
        {approvals.length < count && <li>and {plural(count - approvals.length, 'older one')}</li>}
      </ul>
    </div>
  );
}
