import { useRoute } from 'preact-iso';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { AuditListItem } from '#client/index.js';
import { useLive, useLiveReload } from '../../data/live.js';
import { href, type Query, useAddress } from '../../data/page.js';
import { inTurn, type Pages, useList } from '../../data/requests.js';
import { client, noteFailure } from '../../data/session.js';
import { useKeys } from '../../layout/shortcuts.js';
import { dateTime, plural } from '../../text/format.js';
import { CONTROL_WORDS } from '../../text/names.js';
import { announceArrived } from '../../ui/announcer.js';
import { Button, CopyButton, Icon } from '../../ui/controls.js';
import { Dialog } from '../../ui/dialog.js';
import { TextCell } from '../../ui/plain-text.js';
import { WindowedRows } from '../../ui/rows.js';
import { Empty, ErrorBox, Loaded, Screen, Skeleton } from '../../ui/screen.js';
import { exactTime, OutcomeStatus, Time } from '../../ui/values.js';
import { EntryDetail, useEntry } from './entry.js';
import { Filters, filtersOf } from './filters.js';

const PAGE_SIZE = 100;
/** Decisions that commit at the same time can become visible out of order. */
const RECHECKED_IDS = 100;
/** Pages of 200 that are read after events. With more new entries the list is read again. */
const MAX_ARRIVED_PAGES = 5;

/** The recorded decisions, newest first, with the open one in a drawer. */
export default function Audit() {
  const { query } = useAddress();
  const { id } = useRoute().params;
  const filters = useMemo(() => filtersOf(query), [JSON.stringify(query)]);
  const pages = useList('audit.index', { query: { ...filters, limit: PAGE_SIZE } }, ({ entries }) => entries);
  const arrived = useArrivals(filters, pages);
  useLiveReload(() => {
    if (pages.state === 'end' && pages.items.length === 0 && filters['to'] === undefined) pages.reload();
  });
  return (
    <Screen title="Audit" lead="Every decision of the controls, newest first. Nothing here can be changed.">
      <Filters />
      {arrived.text !== '' && (
        <p class="arrivals">
          <Button class="primary" onClick={arrived.show}>
            {arrived.text}
          </Button>
        </p>
      )}
      {pages.items.length > 0 && <AuditTable pages={pages} />}
      <AuditEnd pages={pages} isFiltered={Object.keys(filters).some((name) => name !== 'control')} />
      {id !== undefined && <EntryDrawer id={Number(id)} />}
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
function useArrivals(filters: Query, pages: Pages<AuditListItem>) {
  const key = JSON.stringify(filters);
  const [state, setState] = useState<Arrivals>({ key, items: [], isCut: false });
  const { items, isCut } = state.key === key ? state : { items: [], isCut: false };
  const latest = useRef({ key, filters, items, shown: pages.items, isCut });
  latest.current = { key, filters, items, shown: pages.items, isCut };
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
  // Two reads at a time could add the same entries.
  const readInTurn = useMemo(() => inTurn(() => read().catch(noteFailure)), []);
  useLive(readInTurn);
  const show = (): void => {
    setState({ key, items: [], isCut: false });
    if (isCut) pages.reload();
    else pages.prepend(items);
    scrollTo({ top: 0 });
  };
  if (items.length === 0) return { text: '', show };
  const text = plural(items.length, 'new entry', 'new entries');
  return { text: isCut ? `More than ${text}` : text, show };
}

/** Newest first, with the entries shortly before `id`. */
async function newerThan(id: number, filters: Query): Promise<Omit<Arrivals, 'key'>> {
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

const ROW_HEIGHT = 40;
const ROW_HEIGHT_ON_PHONES = 76;
const isPhone = matchMedia('(max-width: 39.99rem)');
const HEADS = ['Time', 'Outcome', 'Control', 'Tool or rule', 'Text', 'Principal'];

function AuditTable({ pages }: { readonly pages: Pages<AuditListItem> }) {
  const { query } = useAddress();
  return (
    <div class="table-scroll">
      <table class="rows audit-table" aria-rowcount={-1}>
        <thead>
          <tr>
            {HEADS.map((head) => (
              <th key={head}>{head}</th>
            ))}
          </tr>
        </thead>
        <WindowedRows
          items={pages.items}
          height={isPhone.matches ? ROW_HEIGHT_ON_PHONES : ROW_HEIGHT}
          onEnd={() => pages.searchedTo === null && pages.more()}
        >
          {(entry, index) => (
            <tr aria-rowindex={index + 2}>
              <td>
                <a
                  data-row
                  href={href(`/audit/${entry.id}`, query)}
                  aria-label={`${dateTime(entry.occurred_at)}, entry ${entry.id}`}
                  title={exactTime(entry.occurred_at)}
                >
                  <time dateTime={entry.occurred_at}>{dateTime(entry.occurred_at)}</time>
                </a>
              </td>
              <td>
                <OutcomeStatus entry={entry} />
              </td>
              <td class="cut">{CONTROL_WORDS[entry.control].label}</td>
              <TextCell
                class="cut mono"
                text={[entry.tool, entry.rule_id].filter((name) => name !== null).join(' · ')}
              />
              {entry.prompt_preview === null ? (
                <td class="cut text muted">not stored</td>
              ) : (
                <TextCell class="cut text" text={entry.prompt_preview} />
              )}
              <TextCell class="cut" text={entry.principal_id ?? ''} />
            </tr>
          )}
        </WindowedRows>
      </table>
    </div>
  );
}

/** The server reads a search in slices. It is never called empty while older rows are left. */
function AuditEnd({
  pages: { state, items, error, searchedTo, more },
  isFiltered,
}: {
  readonly pages: Pages<AuditListItem>;
  readonly isFiltered: boolean;
}) {
  const oldest = items.at(-1);
  switch (state) {
    case 'failed':
      return <ErrorBox error={error} retry={more} hasFields />;
    case 'loading':
      return <Skeleton lines={oldest === undefined ? 12 : 2} />;
    case 'more':
      return (
        searchedTo !== null && (
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
              <Button onClick={more}>Search older entries</Button>
            </p>
          </div>
        )
      );
    case 'end':
      if (oldest !== undefined) return <p class="muted">The oldest matching entry is above.</p>;
      return isFiltered ? (
        <Empty title="No entry matches these filters.">
          <a href={href('/audit')}>Remove all filters</a>
        </Empty>
      ) : (
        <Empty title="No decision has been recorded yet.">
          Entries appear as soon as the application screens a prompt, calls a guarded tool or sanitizes an
          output.
        </Empty>
      );
  }
  return state satisfies never;
}

/** One recorded decision. */
function EntryDrawer({ id }: { readonly id: number }) {
  const { query, open } = useAddress();
  const resource = useEntry(id);
  const { previous_id: previous = null, next_id: next = null } = resource.data ?? {};
  const openEntry = (entry: number | null): void => {
    if (entry !== null) open(`/audit/${entry}`, query);
  };
  useKeys({ j: () => openEntry(previous), k: () => openEntry(next) });
  return (
    <Dialog kind="drawer" title={`Entry ${id}`} onClose={() => open('/audit', query)}>
      <div class="row">
        <Button disabled={previous === null} onClick={() => openEntry(previous)}>
          <Icon name="previous" /> Older
        </Button>
        <Button disabled={next === null} onClick={() => openEntry(next)}>
          Newer <Icon name="next" />
        </Button>
        <CopyButton text={`${location.origin}${href(`/audit/${id}`, query)}`} label="Copy link" />
      </div>
      <Loaded resource={resource} lines={10}>
        {(entry) => <EntryDetail entry={entry} onReviewed={resource.reload} />}
      </Loaded>
    </Dialog>
  );
}
