import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { FirewallListData } from '#client/index.js';
import { useLiveReload } from '../../data/live.js';
import { href, useAddress } from '../../data/page.js';
import { rangeQuery, useRange } from '../../data/range.js';
import { useAnswer, useList, useLivePages, useResource } from '../../data/requests.js';
import { client } from '../../data/session.js';
import { count } from '../../text/format.js';
import { OUTCOME_WORDS } from '../../text/names.js';
import { RecordedArguments, Violations } from '../../ui/arguments.js';
import { Button, CountLink, Table, useFilters } from '../../ui/controls.js';
import { Fold, grouped } from '../../ui/groups.js';
import { PlainText } from '../../ui/plain-text.js';
import { Empty, ListEnd, Loaded, Screen } from '../../ui/screen.js';
import { Ago, Status, Time } from '../../ui/values.js';

type Rejection = FirewallListData['entries'][number];

const PAGE_SIZE = 50;

const isOfTools = (name: string): boolean => name.startsWith('guardrails.tool.');

/** Tool calls whose arguments broke the schema of the tool or named another owner. */
export default function Firewall() {
  const { change } = useAddress();
  const filters = useFilters(['tool', 'reason', 'principal_id', 'application', 'q']);
  const pages = useList(
    'firewall.index',
    { query: { ...filters, ...rangeQuery(useRange()), limit: PAGE_SIZE } },
    ({ entries }) => entries,
  );
  useLivePages(pages, isOfTools);
  const given = Object.entries(filters);
  const older = pages.searchedTo === null ? 'Show older calls' : `Search before entry ${pages.searchedTo}`;
  return (
    <Screen
      title="Firewall"
      lead="Rejected tool calls. A call whose owner keys were replaced is allowed; the audit lists it."
    >
      <div class="breakdowns">
        <ByTool chosen={filters.tool} />
        <ByReason tool={filters.tool} />
      </div>
      <section class="stack" aria-label="Rejected calls">
        {given.length > 0 && (
          <p class="row">
            {given.map(([name, value]) => (
              <Button key={name} onClick={() => change({ [name]: undefined })}>
                {name.replace('_id', '')}: <PlainText text={value} /> ✕
                <span class="visually-hidden"> Remove this filter</span>
              </Button>
            ))}
          </p>
        )}
        {pages.items.length > 0 && (
          <div class="rejections">
            {grouped(pages.items, sameFault).map(([key, rows]) => (
              <div key={key}>
                <Rejected rejection={rows[0]} />
                <Fold rows={rows}>
                  {(rejection) => <Rejected key={rejection.id} rejection={rejection} />}
                </Fold>
              </div>
            ))}
          </div>
        )}
        <ListEnd pages={pages} lines={10} older={older}>
          {given.length > 0 ? (
            <Empty title="No rejected call matches.">
              <a href={href('/firewall')}>Remove all filters</a>
            </Empty>
          ) : (
            <Empty title="No call was rejected in this period.">
              Calls appear here as soon as a model sends arguments that a tool does not accept.
            </Empty>
          )}
        </ListEnd>
      </section>
    </Screen>
  );
}

function sameFault({ tool, enforced, violations, violation_count: faults }: Rejection): unknown {
  return [tool, enforced, violations, faults];
}

/** Rejected calls per value. Each count is a link to the rows that it counts. */
function Breakdown({
  title,
  partial,
  children,
}: {
  readonly title: ComponentChildren;
  /** What was counted only in part. */
  readonly partial: string | false;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="card">
      <h2>{title}</h2>
      {children}
      {partial !== false && <p class="muted">Counted over the newest {partial} only.</p>}
    </section>
  );
}

function ByTool({ chosen }: { readonly chosen: string | undefined }) {
  const { change } = useAddress();
  const range = rangeQuery(useRange());
  const facets = useResource(`firewall tools ${JSON.stringify(range)}`, (signal) =>
    Promise.all(
      (['blocked', 'observed'] as const).map(async (outcome) => {
        const query = { ...range, control: 'tool_firewall', outcome, field: 'tool' };
        return { outcome, ...(await client.call('audit.facets', { query, signal })).data };
      }),
    ),
  );
  useLiveReload(facets.reload, isOfTools);
  return (
    <Loaded resource={facets} lines={5}>
      {(outcomes) => {
        const tools = new Set(outcomes.flatMap(({ values }) => values.map(({ value }) => value)));
        return (
          <Breakdown title="By tool" partial={outcomes.some(({ partial }) => partial) && 'entries'}>
            <Table texts={['Tool']} numbers={['Blocked', 'Monitored']}>
              {[...tools].map((tool) => (
                <tr key={tool ?? ''}>
                  <td>
                    {tool === null ? (
                      <span class="muted">no tool</span>
                    ) : (
                      <Button
                        class="link mono"
                        aria-pressed={chosen === tool}
                        onClick={() => change({ tool: chosen === tool ? undefined : tool })}
                      >
                        <PlainText text={tool} />
                      </Button>
                    )}
                  </td>
                  {outcomes.map(({ outcome, values }) => (
                    <td class="number" key={outcome}>
                      <CountLink
                        value={values.find(({ value }) => value === tool)?.count ?? 0}
                        to={href('/audit', { ...range, control: 'tool_firewall', outcome, tool: tool ?? '' })}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </Table>
          </Breakdown>
        );
      }}
    </Loaded>
  );
}

/** Of one tool or of all. */
function ByReason({ tool }: { readonly tool: string | undefined }) {
  const reasons = useAnswer('firewall.reasons', { query: { ...rangeQuery(useRange()), tool } });
  useLiveReload(reasons.reload, isOfTools);
  const title = tool !== undefined && (
    <>
      , of <PlainText text={tool} />
    </>
  );
  return (
    <Loaded resource={reasons} lines={5}>
      {({ values, partial }) => (
        <Breakdown title={<>By reason{title}</>} partial={partial === true && 'calls'}>
          <Table texts={['Reason']} numbers={['Calls']}>
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
          </Table>
        </Breakdown>
      )}
    </Loaded>
  );
}

function Rejected({ rejection }: { readonly rejection: Rejection }) {
  const [isOpen, setOpen] = useState(false);
  const { id, tool, enforced, application, occurred_at: at } = rejection;
  const reasons = Object.entries(rejection.violations).map(([name, reason]) => ({ name, reason }));
  const missing = rejection.violation_count - reasons.length;
  const outcome = enforced ? 'blocked' : 'observed';
  return (
    <article class="rejection">
      <header class="split">
        <h2 class="mono break">
          <PlainText text={tool} />
        </h2>
        <Status tone={outcome}>{OUTCOME_WORDS[outcome]}</Status>
      </header>
      <Violations of={reasons} class="reasons" />
      {missing > 0 && <p class="muted">{count(missing)} more are not recorded.</p>}
      <footer class="row muted small">
        <a href={href(`/audit/${id}`)} data-row>
          Entry {id}
        </a>
        <Time at={at} />
        <Ago at={at} />
        {[rejection.principal_id ?? 'no principal', application].map(
          (text) =>
            text !== null && (
              <span class="break" key={text}>
                <PlainText text={text} />
              </span>
            ),
        )}
        <Button class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide the arguments' : 'Show the arguments'}
        </Button>
      </footer>
      {isOpen && <Arguments rejection={rejection} />}
    </article>
  );
}

function Arguments({ rejection: { id, violations } }: { readonly rejection: Rejection }) {
  return (
    <Loaded resource={useAnswer('audit.show', { params: { id } })} lines={5}>
      {({ entry }) => <RecordedArguments call={entry} violations={violations} />}
    </Loaded>
  );
}
