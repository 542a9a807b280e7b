import { useState } from 'preact/hooks';
import { ApiError, type HoldData } from '#client/index.js';
import { useAddress } from '../../data/address.js';
import { useMay } from '../../data/me.js';
import { href } from '../../data/page.js';
import { useLivePages, usePages } from '../../data/pages.js';
import { client } from '../../data/session.js';
import { useWrite } from '../../data/write.js';
import { dateTime } from '../../text/format.js';
import { announce } from '../../ui/announcer.js';
import { Dialog } from '../../ui/dialog.js';
import { PlainText } from '../../ui/plain-text.js';
import { rowAt, type Row } from '../../ui/rows.js';
import { Screen } from '../../ui/screen.js';
import { Empty, ErrorBox, Skeleton } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { Time } from '../../ui/time.js';
import { PlaceHold } from './place-hold.js';

export type Hold = HoldData['hold'];

/** Holds keep records from being erased or deleted. */
export default function Holds() {
  const { query, change } = useAddress();
  const isActive = query['show'] !== 'all';
  const may = useMay('holds.set');
  const [isPlacing, place] = useState(false);
  // The state is not in the card, which disappears when somebody else releases the hold.
  const [releasing, release] = useState<Hold | null>(null);
  const pages = usePages<Hold>(`holds ${isActive}`, async (cursor, signal) => {
    const { data } = await client.call('holds.index', {
      query: { cursor, limit: 50, ...(isActive && { active: true }) },
      signal,
    });
    return { items: data.holds, next: data.next_cursor };
  });
  useLivePages(pages, (name) => name.startsWith('guardrails.hold.'));
  return (
    <Screen
      title="Holds"
      lead="Records under an active hold are neither erased nor deleted, even after the retention period."
      actions={
        <button type="button" class="primary" disabled={!may.isAllowed} onClick={() => place(true)}>
          Set a hold
        </button>
      }
    >
      {may.reason !== null && <p class="notice">{may.reason}</p>}
      <div class="segments" role="group" aria-label="Which holds">
        <button type="button" aria-pressed={isActive} onClick={() => change({ show: undefined })}>
          Active
        </button>
        <button type="button" aria-pressed={!isActive} onClick={() => change({ show: 'all' })}>
          All
        </button>
      </div>
      {pages.items.map((hold, index) => (
        <HoldCard key={hold.id} hold={hold} row={rowAt(index)} onRelease={() => release(hold)} />
      ))}
      {releasing !== null && (
        <ReleaseHold hold={releasing} onClose={() => release(null)} onReleased={pages.reload} />
      )}
      {pages.error !== undefined && pages.state === 'failed' && (
        <ErrorBox error={pages.error} retry={pages.more} />
      )}
      {pages.state === 'loading' && <Skeleton lines={4} />}
      {pages.state === 'more' && (
        <p>
          <button type="button" onClick={pages.more}>
            Show older holds
          </button>
        </p>
      )}
      {pages.state === 'end' && pages.items.length === 0 && (
        <Empty title={isActive ? 'No hold is active.' : 'No hold was ever set.'}>
          Set one when records may be needed as evidence, before their retention ends.
        </Empty>
      )}
      {isPlacing && (
        <PlaceHold
          onClose={() => place(false)}
          onPlaced={() => {
            place(false);
            announce('The hold is active.');
            pages.reload();
          }}
        />
      )}
    </Screen>
  );
}

function HoldCard({
  hold,
  row,
  onRelease,
}: {
  readonly hold: Hold;
  readonly row: Row;
  readonly onRelease: () => void;
}) {
  const may = useMay('holds.release');
  const isActive = hold.released_at === null;
  return (
    <article class="card stack-s" aria-label={`Hold ${hold.id}`} {...row}>
      <header class="split">
        <h2 class="break">
          <Scope hold={hold} />
        </h2>
        <Status tone={isActive ? 'waiting' : 'quiet'}>{isActive ? 'active' : 'released'}</Status>
      </header>
      <p>
        <PlainText text={hold.reason} />
      </p>
      <footer class="row muted small">
        <span>
          Hold {hold.id}, set by <PlainText text={hold.set_by} /> <Time at={hold.set_at} />
        </span>
        {hold.released_at !== null && (
          <span>
            Released by <PlainText text={hold.released_by ?? 'unknown'} /> <Time at={hold.released_at} />
          </span>
        )}
        {isActive && (
          <button type="button" disabled={!may.isAllowed} onClick={onRelease}>
            Release
          </button>
        )}
      </footer>
    </article>
  );
}

/** What the hold covers, with a link to it. */
function Scope({ hold }: { readonly hold: Hold }) {
  switch (hold.kind) {
    case 'principal':
      return (
        <>
          Principal{' '}
          <a href={href('/audit', { principal_id: hold.principal_id ?? '' })}>
            <PlainText text={hold.principal_id ?? ''} />
          </a>
        </>
      );
    case 'run':
      return (
        <>
          Run{' '}
          <a href={href('/audit', { run_id: hold.run_id ?? '' })}>
            <PlainText text={hold.run_id ?? ''} />
          </a>
        </>
      );
    case 'application':
      return (
        <>
          Application{' '}
          <a href={href('/audit', { application: hold.application ?? '' })}>
            <PlainText text={hold.application ?? ''} />
          </a>
        </>
      );
    case 'entries':
      return (
        <>
          Entries {hold.first_id} to {hold.last_id}
        </>
      );
    default:
      return (
        <a href={href('/audit', { from: hold.from ?? '', to: hold.to ?? '' })}>
          {dateTime(hold.from ?? '')} to {dateTime(hold.to ?? '')}
        </a>
      );
  }
}

function ReleaseHold({
  hold,
  onClose,
  onReleased,
}: {
  readonly hold: Hold;
  readonly onClose: () => void;
  readonly onReleased: () => void;
}) {
  const { error, isSending, write } = useWrite();
  const release = (): Promise<void> =>
    write(async () => {
      await client.call('holds.release', { params: { id: hold.id } });
      announce(`Hold ${hold.id} is released.`);
      onReleased();
      onClose();
    });
  const released = error instanceof ApiError && error.code === 'already_released' ? error.details : null;
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
        {released !== null && (
          <p class="notice observed" role="alert">
            <PlainText text={textOr(released['released_by'], 'Somebody')} /> released it already.
          </p>
        )}
        {error !== undefined && released === null && <ErrorBox error={error} />}
        <p class="row">
          <button type="button" onClick={onClose}>
            Keep it
          </button>
          <button
            type="button"
            class="danger"
            disabled={isSending || released !== null}
            onClick={() => void release()}
          >
            Release
          </button>
        </p>
      </div>
    </Dialog>
  );
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}
