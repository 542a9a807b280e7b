import type { ApprovalFacts } from '#client/index.js';
import { useAddress } from '../../data/address.js';
import { href } from '../../data/page.js';
import { usePages } from '../../data/pages.js';
import { client } from '../../data/session.js';
import { PlainText } from '../../ui/plain-text.js';
import { Empty, ErrorBox, Skeleton } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { Time } from '../../ui/time.js';
import { STATUS_TEXT, STATUS_TONE } from './sentences.js';

const PAGE_SIZE = 50;
const FILTERS = ['status', 'tool', 'principal_id', 'actor'] as const;
const LABELS = { tool: 'Tool', principal_id: 'Requester', actor: 'Decided by' } as const;

export function History({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const { change } = useAddress();
  const filters = Object.fromEntries(FILTERS.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
  const pages = usePages<ApprovalFacts>(JSON.stringify(filters), async (cursor, signal) => {
    const { data } = await client.call('approvals.history', {
      query: { ...filters, cursor, limit: PAGE_SIZE },
      signal,
    });
    return { items: data.entries, next: data.next_cursor };
  });
  return (
    <>
      <div class="filters">
        <label class="field">
          Status
          <select
            value={query['status'] ?? ''}
            onChange={(event) => change({ status: event.currentTarget.value })}
          >
            <option value="">all</option>
            {Object.entries(STATUS_TEXT)
              .filter(([status]) => status !== 'pending')
              .map(([status, text]) => (
                <option key={status} value={status}>
                  {text}
                </option>
              ))}
          </select>
        </label>
        {(['tool', 'principal_id', 'actor'] as const).map((name) => (
          <label key={name} class="field">
            {LABELS[name]}
            <input
              value={query[name] ?? ''}
              onChange={(event) => change({ [name]: event.currentTarget.value.trim() })}
            />
          </label>
        ))}
      </div>
      {pages.items.length > 0 && (
        <ul class="queue">
          {pages.items.map((one) => (
            <li key={one.approval_id} class="queue-item">
              <div>
                <a class="call-line" href={href(`/approvals/${one.approval_id}`)} data-row>
                  <PlainText text={one.tool} />
                </a>
                <p class="small muted">
                  Approval {one.approval_id}, requested by{' '}
                  {one.principal_id === null ? 'an unknown caller' : <PlainText text={one.principal_id} />}
                  {one.decided_by !== null && (
                    <>
                      , {one.decision} by <PlainText text={one.decided_by} />
                    </>
                  )}
                  {one.reason !== null && (
                    <>
                      : <PlainText text={one.reason} />
                    </>
                  )}
                </p>
              </div>
              <p class="queue-end small">
                <Status tone={STATUS_TONE[one.status]}>{STATUS_TEXT[one.status]}</Status>
                <span class="muted">
                  <Time at={one.decided_at ?? one.created_at} />
                </span>
              </p>
            </li>
          ))}
        </ul>
      )}
      {pages.state === 'failed' && pages.error !== undefined && (
        <ErrorBox error={pages.error} retry={pages.more} />
      )}
      {pages.state === 'loading' && <Skeleton lines={pages.items.length === 0 ? 10 : 2} />}
      {pages.state === 'more' && (
        <p>
          <button type="button" onClick={pages.more}>
            Show older
          </button>
        </p>
      )}
      {pages.state === 'end' && pages.items.length === 0 && (
        <Empty
          title={
            Object.keys(filters).length === 0 ? 'No call has waited yet.' : 'No call matches these filters.'
          }
        >
          {Object.keys(filters).length > 0 && (
            <a href={href('/approvals', { tab: 'history' })}>Remove all filters</a>
          )}
        </Empty>
      )}
    </>
  );
}
