import { useMemo, useRef, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import type { AuditListItem } from '#client/index.js';
import { useAddress } from '../../data/address.js';
import { useLive, useLiveReload } from '../../data/live.js';
import { href } from '../../data/page.js';
import { usePages } from '../../data/pages.js';
import { client, noteFailure } from '../../data/session.js';
import { count, plural } from '../../text/format.js';
import { announceArrived } from '../../ui/announcer.js';
import { Screen } from '../../ui/screen.js';
import { Empty, ErrorBox, Skeleton } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { EntryDrawer } from './entry-drawer.js';
import { AuditTable } from './audit-table.js';
import { Filters, filtersOf } from './filters.js';

const PAGE_SIZE = 100;
/** Decisions that commit at the same time can become visible out of order. */
const RECHECKED_IDS = 100;
/** Pages of 200 that are read after events. With more new entries the list is read again. */
const MAX_ARRIVED_PAGES = 5;

/** The recorded decisions, newest first, with the open one in a drawer. */
export default function Audit() {
  const { query, open } = useAddress();
  const { id } = useRoute().params;
  const filters = useMemo(() => filtersOf(query), [JSON.stringify(query)]);
  const key = JSON.stringify(filters);
  const pages = usePages<AuditListItem>(key, async (cursor, signal) => {
    const { data } = await client.call('audit.index', {
      query: { ...filters, limit: PAGE_SIZE, cursor },
      signal,
    });
    return { items: data.entries, next: data.next_cursor, isPartial: data.partial };
  });
  const arrived = useArrivals(key, filters, pages.items);
  useLiveReload(() => {
    if (pages.state === 'end' && pages.items.length === 0 && filters['to'] === undefined) pages.reload();
  });
  const openEntry = (entry: number): void => open(`/audit/${entry}`, query);

  const showArrived = (): void => {
    const added = arrived.take();
    if (added === null) pages.reload();
    else pages.prepend(added);
    scrollTo({ top: 0 });
  };

  return (
    <Screen
      title="Audit"
      lead="Every decision of the four controls, newest first. Nothing here can be changed."
    >
      <Filters query={query} />
      {arrived.text !== '' && (
        <p class="arrivals">
          <button type="button" class="primary" onClick={showArrived}>
            {arrived.text}
          </button>
        </p>
      )}
      {pages.items.length > 0 && (
        <AuditTable
          entries={pages.items}
          query={query}
          onEnd={() => pages.searchedTo === null && pages.more()}
        />
      )}
      {pages.error !== undefined && pages.state === 'failed' && (
        <ErrorBox error={pages.error} retry={pages.more} />
      )}
      {pages.state === 'loading' && <Skeleton lines={pages.items.length === 0 ? 12 : 2} />}
      {pages.state === 'more' && pages.searchedTo !== null && (
        <Searching entries={pages.items} searchedTo={pages.searchedTo} more={pages.more} />
      )}
      {pages.state === 'end' &&
        (pages.items.length === 0 ? (
          <NoEntries isFiltered={Object.keys(filters).some((name) => name !== 'control')} />
        ) : (
          <p class="muted">The oldest matching entry is above.</p>
        ))}
      {id !== undefined && (
        <EntryDrawer
          id={Number(id)}
          onClose={() => open('/audit', query)}
          onOpen={openEntry}
          queryOfList={query}
        />
      )}
    </Screen>
  );
}

interface Arrivals {
  readonly key: string;
  readonly items: readonly AuditListItem[];
  /** There are more than were read, so a gap would remain between them and the list. */
  readonly isCut: boolean;
}

/** Entries that were recorded after the list was loaded. They are shown when the operator requests them. */
function useArrivals(
  key: string,
  filters: Readonly<Record<string, string>>,
  shown: readonly AuditListItem[],
) {
  const [state, setState] = useState<Arrivals>({ key, items: [], isCut: false });
  const { items, isCut } = state.key === key ? state : { items: [], isCut: false };
  const latest = useRef({ key, filters, items, shown, isCut });
  latest.current = { key, filters, items, shown, isCut };
  const isReading = useRef(false);
  const isDue = useRef(false);
  const read = async (): Promise<void> => {
    const before = latest.current;
    const newest = before.items[0]?.id ?? before.shown[0]?.id;
    if (newest === undefined || before.filters['to'] !== undefined || before.isCut) return;
    const found = await newerThan(newest, before.filters);
    // The operator may have taken entries into the list in the meantime, or changed the filters.
    const now = latest.current;
    const present = new Set([...now.items, ...now.shown.slice(0, RECHECKED_IDS)].map((entry) => entry.id));
    const added = found.items.filter((entry) => !present.has(entry.id));
    if (added.length === 0 || now.key !== before.key) return;
    const blocked = added.filter(({ outcome }) => outcome === 'blocked').length;
    announceArrived({ decisions: added.length, blocked, isCut: found.isCut });
    setState({ key: now.key, items: [...added, ...now.items], isCut: found.isCut });
  };
  /** One read at a time, so that two of them do not add the same entries. */
  const readInTurn = async (): Promise<void> => {
    isDue.current = true;
    if (isReading.current) return;
    isReading.current = true;
    while (isDue.current) {
      isDue.current = false;
      await read().catch(noteFailure);
    }
    isReading.current = false;
  };
  useLive(() => void readInTurn());
  return {
    text: items.length === 0 ? '' : textOf(items.length, isCut),
    /** `null`: the list must be read again. */
    take: (): readonly AuditListItem[] | null => {
      setState({ key, items: [], isCut: false });
      return isCut ? null : items;
    },
  };
}

function textOf(entries: number, isCut: boolean): string {
  return isCut ? `More than ${count(entries)} new entries` : plural(entries, 'new entry', 'new entries');
}

/** Newest first, with the entries shortly before `id`. */
async function newerThan(
  id: number,
  filters: Readonly<Record<string, string>>,
): Promise<{ readonly items: readonly AuditListItem[]; readonly isCut: boolean }> {
  const after = Math.max(0, id - RECHECKED_IDS);
  const items: AuditListItem[] = [];
  let cursor: number | undefined;
  for (let page = 0; page < MAX_ARRIVED_PAGES; page++) {
    const { data } = await client.call('audit.index', { query: { ...filters, limit: 200, cursor } });
    items.push(...data.entries.filter((entry) => entry.id > after));
    cursor = data.next_cursor ?? undefined;
    if (cursor === undefined || cursor <= after) return { items, isCut: false };
  }
  return { items, isCut: true };
}

/** The server reads a search in slices. It is never called empty while older rows are left. */
function Searching({
  entries,
  searchedTo,
  more,
}: {
  readonly entries: readonly AuditListItem[];
  readonly searchedTo: number;
  readonly more: () => void;
}) {
  const oldest = entries.at(-1);
  return (
    <div class="notice waiting">
      <p>
        Searched back to entry {searchedTo}
        {oldest !== undefined && (
          <>
            ; the oldest match is from <Time at={oldest.occurred_at} isAlone />
          </>
        )}
        . Older entries may match too.
      </p>
      <p>
        <button type="button" onClick={more}>
          Search older entries
        </button>
      </p>
    </div>
  );
}

function NoEntries({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <Empty title="No entry matches these filters.">
      <a href={href('/audit')}>Remove all filters</a>
    </Empty>
  ) : (
    <Empty title="No decision has been recorded yet.">
      Entries appear as soon as the application screens a prompt, calls a guarded tool or sanitizes an output.
    </Empty>
  );
}
