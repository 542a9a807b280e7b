/** The difference before saving, as the server would record it, and what others saved in the meantime. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError, type SettingChangeData, type SettingsPreviewData } from '#client/index.js';
import { href } from '../../data/page.js';
import { useWrite } from '../../data/requests.js';
import { client, type May } from '../../data/session.js';
import { plural } from '../../text/format.js';
import { Button, Segments } from '../../ui/controls.js';
import { Dialog } from '../../ui/dialog.js';
import { NameText, PlainText } from '../../ui/plain-text.js';
import { ErrorBox, Skeleton } from '../../ui/screen.js';
import { Ago } from '../../ui/values.js';
import { Differences } from './changed-value.js';
import { countChanges, discard, draft, draftedValue, othersOf, type Preview, rebase } from './draft.js';
import { labelOf, SAVE_OBSTACLES, warningText } from './sentences.js';
import { settingOf, type Settings } from './settings-data.js';
import { Effect } from './trials.js';

interface OfSettings {
  readonly settings: Settings;
}

export function Review({
  settings,
  preview,
  may,
  onClose,
  reload,
  onSaved,
}: OfSettings & {
  readonly preview: Preview;
  readonly may: May;
  readonly onClose: () => void;
  readonly reload: () => void;
  readonly onSaved: (etag: string | null) => void;
}) {
  const { error, isSending, write } = useWrite();
  const [accepted, accept] = useState('');
  const [since, setSince] = useState<readonly SettingChangeData[] | null>(null);
  const [staleEtag, setStaleEtag] = useState<string | null>(null);
  const changes = draft.value?.changes ?? {};
  const { changed, conflicts } = othersOf(settings);
  useEffect(() => {
    if (changed.length > 0 && conflicts.length === 0) rebase(settings, []);
  }, [settings]);

  const isWeaker = preview.data?.changes.some(({ weakens }) => weakens) ?? false;
  // A confirmation counts only for exactly what was shown.
  const shown = JSON.stringify(preview.data);
  const obstacles = {
    // The server would refuse to save until the settings are read again.
    reading: staleEtag !== null && staleEtag === settings.etag,
    conflict: conflicts.length > 0,
    refused: Object.keys(preview.errors).length > 0,
    failed: preview.error !== undefined,
    checking: preview.data === undefined,
    weaker: isWeaker && accepted !== shown,
  };
  const [first] = (Object.keys(SAVE_OBSTACLES) as (keyof typeof obstacles)[]).filter(
    (name) => obstacles[name],
  );
  const obstacle = may.reason ?? (first === undefined ? null : SAVE_OBSTACLES[first]);

  const save = () =>
    write(async () => {
      setSince(null);
      try {
        const ifMatch = settings.etag ?? undefined;
        onSaved((await client.call('settings.update', { body: { settings: changes }, ifMatch })).etag);
      } catch (failure) {
        if (!(failure instanceof ApiError && failure.code === 'stale_settings')) throw failure;
        setStaleEtag(settings.etag);
        setSince((failure.details['changes'] ?? []) as readonly SettingChangeData[]);
        reload();
      }
    });

  return (
    <Dialog
      kind="drawer"
      title={`Review ${plural(countChanges(settings), 'change')}`}
      isBusy={isSending}
      onClose={onClose}
    >
      <ErrorBox error={error} hasFields />
      {(conflicts.length > 0 || since !== null) && (
        <Conflicts key={conflicts.join(' ')} settings={settings} conflicts={conflicts} since={since ?? []} />
      )}
      <ErrorBox error={preview.error} retry={preview.reload} hasFields />
      {conflicts.length === 0 && preview.error === undefined && <Effect changes={changes} />}
      {conflicts.length === 0 && preview.data === undefined && preview.error === undefined && (
        <Skeleton lines={6} />
      )}
      {conflicts.length === 0 && preview.data !== undefined && (
        <Consequences settings={settings} preview={preview.data}>
          {isWeaker && (
            <label class="check">
              <input
                type="checkbox"
                checked={accepted === shown}
                onChange={() => accept(accepted === shown ? '' : shown)}
              />
              I want this weaker protection.
            </label>
          )}
        </Consequences>
      )}
      <div class="review-foot">
        {obstacle !== null && (
          <p id="save-obstacle" class="muted">
            {obstacle}
          </p>
        )}
        <span class="row">
          <Button
            disabled={isSending}
            onClick={() => {
              discard();
              onClose();
            }}
          >
            Discard
          </Button>
          <Button disabled={isSending} onClick={onClose}>
            Keep editing
          </Button>
          <Button
            class="primary"
            disabled={obstacle !== null || isSending}
            aria-describedby={obstacle === null ? undefined : 'save-obstacle'}
            onClick={() => void save()}
          >
            {isSending ? 'Saving …' : 'Save'}
          </Button>
        </span>
      </div>
    </Dialog>
  );
}

function Consequences({
  settings,
  preview: { changes, warnings, superseded },
  children,
}: OfSettings & { readonly preview: SettingsPreviewData; readonly children: ComponentChildren }) {
  return (
    <>
      {warnings.length > 0 && (
        <div class="notice blocked stack-s" role="alert">
          <ul>
            {warnings.map((warning) => (
              <li class="break" key={warning}>
                <PlainText text={warningText(warning)} />
              </li>
            ))}
          </ul>
          {children}
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
              {labelOf(settingOf(settings, key)?.key ?? key)}
              <code class="muted small break">
                <NameText text={key} />
              </code>
              {weakens && <span class="tag blocked">weaker</span>}
            </h3>
            <Differences before={before} after={after} />
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

const SIDES = [
  ['theirs', 'Keep theirs'],
  ['mine', 'Use mine'],
] as const;

/** Asks only about keys that both changed. */
function Conflicts({
  settings,
  conflicts,
  since,
}: OfSettings & {
  readonly conflicts: readonly string[];
  /** The changes that the server listed when it refused to save. */
  readonly since: readonly SettingChangeData[];
}) {
  const [chosen, choose] = useState<Readonly<Record<string, 'mine' | 'theirs'>>>({});
  const goOn = () =>
    rebase(
      settings,
      conflicts.filter((key) => chosen[key] === 'theirs'),
    );
  return (
    <section class="notice observed stack-s" role="alert">
      <p>
        <strong>Somebody else saved settings after you began.</strong>{' '}
        {conflicts.length === 0
          ? 'Your changes concern other settings, so they stay. Check them and save again.'
          : 'You both changed the settings below. Your other changes stay.'}
      </p>
      {since.length > 0 && (
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
          <h4>Theirs</h4>
          <Differences before={draft.value?.base[key]} after={settings.values[key]} />
          <h4>Yours</h4>
          <Differences before={draft.value?.base[key]} after={draftedValue(settings, key)} />
          <Segments
            aria-label={`Which value of ${labelOf(key)}?`}
            choices={SIDES}
            chosen={chosen[key]}
            onChoose={(side) => choose({ ...chosen, [key]: side })}
          />
        </div>
      ))}
      {conflicts.length > 0 && (
        <p>
          <Button
            class="primary"
            disabled={conflicts.some((key) => chosen[key] === undefined)}
            onClick={goOn}
          >
            Go on
          </Button>
        </p>
      )}
    </section>
  );
}
