import { useRoute } from 'preact-iso';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { AuditListItem } from '#client/index.js';
import { useLive, useLiveReload } from '../../data/live.js';
import { href, type Query, useAddress } from '../../data/page.js';
import { inTurn, type Pages, useList, useWrite } from '../../data/requests.js';
import { client, noteFailure, useMay } from '../../data/session.js';
import { useKeys } from '../../layout/shortcuts.js';
import { dateTime, plural } from '../../text/format.js';
import { CONTROL_WORDS } from '../../text/names.js';
import { announceArrived } from '../../ui/announcer.js';
import { EntryPreview } from '../../ui/arguments.js';
import { Button, CopyButton, Icon, Tabs } from '../../ui/controls.js';
import { Dialog } from '../../ui/dialog.js';
import { PlainText } from '../../ui/plain-text.js';
import { WindowedRows } from '../../ui/rows.js';
import { Empty, ErrorBox, Loaded, Screen, Skeleton } from '../../ui/screen.js';
import { exactTime, OutcomeStatus, Time } from '../../ui/values.js';
import { EntryDetail, useEntry } from './entry.js';
import { Counts } from './counts.js';
import { areAmong, Filters, OF_RUNS, useAuditFilters } from './filters.js';
import { Runs } from './runs.js';
import { ALL_OF_THE_MONTH, LEAD, NO_ENTRY, NO_ENTRY_HELP } from './sentences.js';

const PAGE_SIZE = 100;
/** So many new entries are counted. */
const COUNTED = 200;

/** The runs or the recorded decisions, newest first, with the open decision in a drawer. */
export default function Audit() {
  const { query } = useAddress();
  const { id } = useRoute().params;
  const filters = useAuditFilters();
  const areRunsShown = areAmong(OF_RUNS, filters) && query['view'] !== 'entries';
  const ofRuns = Object.entries(query).filter(([name]) => OF_RUNS.includes(name));
  return (
    <Screen title="Audit" lead={LEAD} actions={<Export filters={filters} />}>
      <Filters />
      <Counts filters={filters} />
      <Tabs
        label="View"
        tabs={[
          [href('/audit', Object.fromEntries(ofRuns)), 'Runs', areRunsShown],
          [href('/audit', { ...query, view: 'entries' }), 'Entries', !areRunsShown],
        ]}
      />
      {areRunsShown ? <Runs filters={filters} /> : <Entries filters={filters} />}
      {id !== undefined && <EntryDrawer id={Number(id)} />}
    </Screen>
  );
}

/** Saves the selected entries as a table. The error of the server is shown, also where no right to export is known. */
function Export({ filters }: { readonly filters: Query }) {
  const may = useMay('audit.export');
  const { error, isSending, write } = useWrite();
  const save = () =>
    write(async () => {
      const file = await client.download('audit.export', { query: { ...filters, format: 'csv' } });
      const link = document.createElement('a');
      link.href = URL.createObjectURL(await new Response(file).blob());
      link.download = 'audit.csv';
      link.click();
      URL.revokeObjectURL(link.href);
    });
  return (
    <>
      <Button may={may} disabled={isSending} onClick={() => void save()}>
        {isSending ? 'Exporting …' : 'Export entries as CSV'}
      </Button>
      <ErrorBox error={error} />
    </>
  );
}

/** Every decision, also those outside of a run. */
function Entries({ filters }: { readonly filters: Query }) {
  const pages = useList('audit.index', { query: { ...filters, limit: PAGE_SIZE } }, ({ entries }) => entries);
  const arrived = useArrivals(filters, pages);
  useLiveReload(() => {
    if (pages.state === 'end' && pages.items.length === 0 && filters['to'] === undefined) pages.reload();
  });
  return (
    <>
      {arrived.text !== '' && (
        <p class="arrivals">
          <Button class="primary" onClick={arrived.show}>
            {arrived.text}
          </Button>
        </p>
      )}
      {pages.items.length > 0 && <AuditTable pages={pages} />}
      <AuditEnd pages={pages} />
    </>
  );
}

/** Entries that were recorded after the list was loaded. The list is read again when the operator requests them. */
function useArrivals(filters: Query, pages: Pages<AuditListItem>) {
  const newest = pages.items[0]?.id;
  const key = JSON.stringify([filters, newest]);
  const [state, setState] = useState({ key, entries: 0, blocked: 0, isCut: false });
  const now = state.key === key ? state : { ...state, entries: 0, blocked: 0 };
  const latest = useRef({ ...now, key, filters, newest });
  latest.current = { ...now, key, filters, newest };
  const read = async () => {
    const before = latest.current;
    if (before.newest === undefined || before.filters['to'] !== undefined) return;
    const { data } = await client.call('audit.index', { query: { ...before.filters, limit: COUNTED } });
    const added = data.entries.filter(({ id }) => id > (before.newest ?? 0));
    const blocked = added.filter(({ outcome }) => outcome === 'blocked').length;
    const isCut = added.length === data.entries.length;
    const decisions = added.length - before.entries;
    if (decisions <= 0 || latest.current.key !== before.key) return;
    announceArrived({ decisions, blocked: blocked - before.blocked, isCut });
    setState({ key: before.key, entries: added.length, blocked, isCut });
  };
  const readInTurn = useMemo(() => inTurn(() => read().catch(noteFailure)), []);
  useLive(readInTurn);
  const show = () => {
    pages.reload();
    scrollTo({ top: 0 });
  };
  const text = now.entries === 0 ? '' : plural(now.entries, 'new entry', 'new entries');
  return { text: text !== '' && now.isCut ? `At least ${text}` : text, show };
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
              <td class="cut mono">
                <PlainText text={[entry.tool, entry.rule_id].filter((name) => name !== null).join(' · ')} />
              </td>
              <td class="cut text">
                <EntryPreview entry={entry} />
              </td>
              <td class="cut">
                <PlainText text={entry.principal_id ?? ''} />
              </td>
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
}: {
  readonly pages: Pages<AuditListItem>;
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
      return (
        <Empty title={NO_ENTRY}>
          {NO_ENTRY_HELP} <a href={href('/audit', { view: 'entries', last: '30d' })}>{ALL_OF_THE_MONTH}</a>
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
  const openEntry = (entry: number | null) => {
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
