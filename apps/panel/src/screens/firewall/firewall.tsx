import { useState } from 'preact/hooks';
import type { AuditFacetsData, FirewallListData } from '#client/index.js';
import { useAddress } from '../../data/address.js';
import { useLiveReload } from '../../data/live.js';
import { href } from '../../data/page.js';
import { useLivePages, usePages } from '../../data/pages.js';
import { useResource } from '../../data/resource.js';
import { client } from '../../data/session.js';
import { count } from '../../text/format.js';
import { CountLink } from '../../ui/count-link.js';
import { PlainText } from '../../ui/plain-text.js';
import { Screen } from '../../ui/screen.js';
import { Empty, ErrorBox, Loaded, Skeleton } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { Ago, Time } from '../../ui/time.js';
import { RejectedCall } from './rejected-call.js';

type Rejection = FirewallListData['entries'][number];

const PAGE_SIZE = 50;
const FILTERS = ['tool', 'reason', 'principal_id', 'application', 'q', 'from', 'to'] as const;

const isOfTools = (name: string): boolean => name.startsWith('guardrails.tool.');

/** Tool calls whose arguments broke the schema of the tool or named another owner. */
export default function Firewall() {
  const { query, change } = useAddress();
  const filters = Object.fromEntries(
    FILTERS.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
  );
  const key = JSON.stringify(filters);
  const pages = usePages<Rejection>(key, async (cursor, signal) => {
    const { data } = await client.call('firewall.index', {
      query: { ...filters, limit: PAGE_SIZE, cursor },
      signal,
    });
    return { items: data.entries, next: data.next_cursor, isPartial: data.partial };
  });
  useLivePages(pages, isOfTools);
  const given = Object.entries(filters);
  return (
    <Screen
      title="Firewall"
      lead="Rejected tool calls. A call whose owner keys were replaced is allowed; the audit lists it."
    >
      <div class="breakdowns">
        <ByTool chosen={filters['tool']} onChoose={(tool) => change({ tool })} />
        <ByReason tool={filters['tool']} />
      </div>
      <section class="stack" aria-label="Rejected calls">
        {given.length > 0 && (
          <p class="row">
            {given.map(([name, value]) => (
              <button type="button" key={name} onClick={() => change({ [name]: undefined })}>
                {name.replace('_id', '')}: <PlainText text={value} /> ✕
                <span class="visually-hidden"> Remove this filter</span>
              </button>
            ))}
          </p>
        )}
        {pages.items.length > 0 && (
          <div class="rejections">
            {pages.items.map((rejection) => (
              <Row key={rejection.id} rejection={rejection} />
            ))}
          </div>
        )}
        {pages.error !== undefined && pages.state === 'failed' && (
          <ErrorBox error={pages.error} retry={pages.more} />
        )}
        {pages.state === 'loading' && <Skeleton lines={pages.items.length === 0 ? 10 : 2} />}
        {pages.state === 'more' && (
          <p>
            <button type="button" onClick={pages.more}>
              {pages.searchedTo === null ? 'Show older calls' : `Search before entry ${pages.searchedTo}`}
            </button>
          </p>
        )}
        {pages.state === 'end' && pages.items.length === 0 && (
          <Empty title={given.length > 0 ? 'No rejected call matches.' : 'No call was rejected.'}>
            {given.length > 0 ? (
              <a href={href('/firewall')}>Remove all filters</a>
            ) : (
              'Calls appear here as soon as a model sends arguments that a tool does not accept.'
            )}
          </Empty>
        )}
      </section>
    </Screen>
  );
}

/** Rejected calls per tool. The counts cover everything recorded, and are links to the rows that they count. */
function ByTool({
  chosen,
  onChoose,
}: {
  readonly chosen: string | undefined;
  readonly onChoose: (tool: string | undefined) => void;
}) {
  const facets = useResource('firewall tools', async (signal) => {
    const read = async (outcome: 'blocked' | 'observed'): Promise<AuditFacetsData> => {
      const query = { control: 'tool_firewall', outcome, field: 'tool' } as const;
      return (await client.call('audit.facets', { query, signal })).data;
    };
    const [blocked, observed] = await Promise.all([read('blocked'), read('observed')]);
    return { blocked, observed };
  });
  useLiveReload(facets.reload, isOfTools);
  return (
    <Loaded resource={facets} lines={8}>
      {({ blocked, observed }) => {
        const tools = [...new Set([...blocked.values, ...observed.values].map(({ value }) => value))];
        const isPartial = blocked.partial === true || observed.partial === true;
        if (tools.length === 0) return null;
        return (
          <section class="card">
            <h2>By tool</h2>
            <div class="table-scroll">
              <table>
                <thead>
                  <tr>
                    <th>Tool</th>
                    <th class="number">Blocked</th>
                    <th class="number">Observed</th>
                  </tr>
                </thead>
                <tbody>
                  {tools.map((tool) => (
                    <tr key={tool ?? ''}>
                      <td>
                        {tool === null ? (
                          <span class="muted">no tool</span>
                        ) : (
                          <button
                            type="button"
                            class="link mono"
                            aria-pressed={chosen === tool}
                            onClick={() => onChoose(chosen === tool ? undefined : tool)}
                          >
                            <PlainText text={tool} />
                          </button>
                        )}
                      </td>
                      {([blocked, observed] as const).map((data, index) => (
                        <td class="number" key={index}>
                          <CountLink
                            value={data.values.find(({ value }) => value === tool)?.count ?? 0}
                            to={href('/audit', {
                              control: 'tool_firewall',
                              outcome: index === 0 ? 'blocked' : 'observed',
                              ...(tool !== null && { tool }),
                            })}
                          />
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            {isPartial && <p class="muted">Counted over the newest entries only.</p>}
          </section>
        );
      }}
    </Loaded>
  );
}

/** Rejected calls per reason, of one tool or of all. Each count is a link to the rows that it counts. */
function ByReason({ tool }: { readonly tool: string | undefined }) {
  const reasons = useResource(`firewall reasons ${tool ?? ''}`, async (signal) => {
    return (await client.call('firewall.reasons', { query: { tool }, signal })).data;
  });
  useLiveReload(reasons.reload, isOfTools);
  return (
    <Loaded resource={reasons} lines={8}>
      {({ values, partial }) =>
        values.length === 0 ? null : (
          <section class="card">
            <h2>
              By reason
              {tool !== undefined && (
                <>
                  , of <PlainText text={tool} />
                </>
              )}
            </h2>
            <div class="table-scroll">
              <table>
                <thead>
                  <tr>
                    <th>Reason</th>
                    <th class="number">Calls</th>
                  </tr>
                </thead>
                <tbody>
                  {values.map(({ reason, count: calls }) => (
                    <tr key={reason}>
                      <td class="break">
                        <PlainText text={reason} />
                      </td>
                      <td class="number">
                        <CountLink value={calls} to={href('/firewall', { tool, reason })} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            {partial === true && <p class="muted">Counted over the newest calls only.</p>}
          </section>
        )
      }
    </Loaded>
  );
}

function Row({ rejection }: { readonly rejection: Rejection }) {
  const [isOpen, setOpen] = useState(false);
  const reasons = Object.entries(rejection.violations);
  return (
    <article class="rejection">
      <header class="split">
        <h2 class="mono break">
          <PlainText text={rejection.tool} />
        </h2>
        <Status tone={rejection.enforced ? 'blocked' : 'observed'}>
          {rejection.enforced ? 'blocked' : 'observed'}
        </Status>
      </header>
      <ul class="reasons">
        {reasons.map(([name, reason]) => (
          <li key={name}>
            <code class="break">
              <PlainText text={name} />
            </code>{' '}
            <PlainText text={reason} />
          </li>
        ))}
      </ul>
      {rejection.violation_count > reasons.length && (
        <p class="muted">{count(rejection.violation_count - reasons.length)} more are not recorded.</p>
      )}
      <footer class="row muted small">
        <a href={href(`/audit/${rejection.id}`)} data-row>
          Entry {rejection.id}
        </a>
        <Time at={rejection.occurred_at} />
        <Ago at={rejection.occurred_at} />
        <span class="break">
          {rejection.principal_id === null ? 'no principal' : <PlainText text={rejection.principal_id} />}
        </span>
        {rejection.application !== null && (
          <span class="break">
            <PlainText text={rejection.application} />
          </span>
        )}
        <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide the arguments' : 'Show the arguments'}
        </button>
      </footer>
      {isOpen && <RejectedCall id={rejection.id} violations={rejection.violations} />}
    </article>
  );
}
