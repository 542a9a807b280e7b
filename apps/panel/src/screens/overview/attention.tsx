/** What an operator should look at, by cause. Each cause leads to its records. */
import type { ComponentChildren } from 'preact';
import type { OverviewData } from '#client/index.js';
import { MAX_TREND_SERIES } from '#contracts/audit/counts.js';
import { serverNow } from '../../data/clock.js';
import { href, type Query } from '../../data/page.js';
import { rangeOf, rangeQuery } from '../../data/range.js';
import { client, noteFailure, readMe } from '../../data/session.js';
import { plural } from '../../text/format.js';
import { Headline } from '../../ui/arguments.js';
import { NameText, PlainText } from '../../ui/plain-text.js';
import { Ago, Status, type Tone } from '../../ui/values.js';
import { sumsOf, trends } from './figures.js';
import { alarmText, EXPIRING, NOTHING, sinkText, spikeText, SUSPECT, UNKNOWN, UNREAD } from './sentences.js';

/** Of one cause. */
const MOST = 3;
/** Fewer are no cause. */
const SPIKE = 10;
const ALARMS = 3;

export type Findings = Awaited<ReturnType<typeof readFindings>>;

/** What cannot be read is `null`, and the screen says so. */
export async function readFindings(query: Query, signal: AbortSignal) {
  // This sets the clock of the server, if it is not set yet.
  await readMe().catch(noteFailure);
  const range = rangeOf(query);
  const read = <Data,>(answer: Promise<Data>): Promise<Data | null> =>
    answer.catch((error: unknown) => {
      noteFailure(error);
      return null;
    });
  const span = { to: new Date(serverNow.peek()).toISOString(), ...range };
  const alarms = { ...rangeQuery(range), control: 'all', field: 'rule_id', review: 'false_positive' };
  const [calls, runs, sinks, rules, judged] = await Promise.all([
    read(client.call('approvals.index', { query: { sort: 'risk', limit: MOST }, signal })),
    read(client.call('runs.index', { query: { ...rangeQuery(range), limit: 200 }, signal })),
    read(client.call('events.sinks', { signal })),
    read(trends(span, { by: 'rule_id', control: 'input_screen' }, signal)),
    read(client.call('audit.facets', { query: alarms, signal })),
  ]);
  return { calls, runs, sinks, rules, judged, readAt: Date.now() };
}

function Cause({
  tone,
  to,
  name,
  children,
}: {
  readonly tone: Tone;
  readonly to: string;
  readonly name: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  return (
    <li class="break">
      <Status tone={tone}>
        <a href={to}>{name}</a>
      </Status>{' '}
      {children}
    </li>
  );
}

export function Attention({
  overview: { approvals },
  findings,
}: {
  readonly overview: OverviewData;
  readonly findings: Findings;
}) {
  const causes = [
    approvals.outcome_unknown > 0 && (
      <Cause
        tone="blocked"
        to={href('/approvals', { tab: 'history', status: 'outcome_unknown' })}
        name={`${plural(approvals.outcome_unknown, 'call')} with an unknown outcome`}
      >
        {UNKNOWN}
      </Cause>
    ),
    approvals.pending > 0 && <Waiting approvals={approvals} calls={findings.calls} />,
    ...suspectRuns(findings),
    ...spikes(findings),
    ...falseAlarms(findings),
    ...lateSinks(findings),
    Object.values(findings).includes(null) && <li>{UNREAD}</li>,
  ].filter(Boolean);
  return (
    <section class="card" aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      {causes.length === 0 ? <Status tone="ok">{NOTHING}</Status> : <ul class="stack-s causes">{causes}</ul>}
    </section>
  );
}

/** The calls with risks come first, each with its gravest one. */
function Waiting({ approvals, calls }: Pick<Findings, 'calls'> & Pick<OverviewData, 'approvals'>) {
  const { pending, expiring_soon: soon, oldest_pending_at: oldest } = approvals;
  return (
    <Cause tone="waiting" to={href('/approvals')} name={`${plural(pending, 'call')} waiting for a decision`}>
      {soon > 0 && EXPIRING}
      {oldest !== null && (
        <>
          The oldest came <Ago at={oldest} />.
        </>
      )}
      <ul>
        {calls?.data.pending.map(
          ({ approval_id: id, tool, headline, risk: [gravest] }) =>
            gravest !== undefined && (
              <Cause
                key={id}
                tone="blocked"
                to={href(`/approvals/${id}`)}
                name={<Headline parts={headline ?? ['', tool]} />}
              >
                <PlainText text={gravest.text} />
              </Cause>
            ),
        )}
      </ul>
    </Cause>
  );
}

function suspectRuns({ runs }: Findings) {
  const suspect = runs?.data.runs.filter(({ label }) => label === 'suspect') ?? [];
  return suspect.slice(0, MOST).map(({ id, run_id: run, said }) => (
    <Cause
      key={id}
      tone="blocked"
      to={href('/audit', { run_id: run })}
      name={<PlainText text={said ?? run} />}
    >
      {SUSPECT}
    </Cause>
  ));
}

/** Rules with over three times the matches of a week earlier, where both numbers are known. */
function spikes({ rules }: Findings) {
  const [now, weekBefore] = rules ?? [{}, {}];
  const isWhole = (weekBefore.series?.length ?? 0) < MAX_TREND_SERIES;
  return (now.series ?? []).flatMap(({ value }) => {
    if (value === null) return [];
    const hits = sumsOf(now, value).total;
    const usual = sumsOf(weekBefore, value).total;
    const isSpike = hits >= SPIKE && hits > 3 * usual && (isWhole || usual > 0);
    return isSpike ? [ofRule(value, { control: 'input_screen' }, spikeText(hits, usual))] : [];
  });
}

function falseAlarms({ judged }: Findings) {
  return (judged?.data.values ?? []).flatMap(({ value, count }) =>
    value === null || count < ALARMS ? [] : [ofRule(value, { review: 'false_positive' }, alarmText(count))],
  );
}

function ofRule(rule: string, query: Query, text: string) {
  return (
    <Cause
      key={`${rule} ${text}`}
      tone="observed"
      to={href('/audit', { rule_id: rule, ...query })}
      name={<NameText text={rule} />}
    >
      {text}
    </Cause>
  );
}

function lateSinks({ sinks }: Findings) {
  const late = sinks?.data.sinks.filter((sink) => sinkText(sink) !== '') ?? [];
  return late.map((sink) => (
    <Cause key={sink.name} tone="blocked" to={href('/events')} name={<PlainText text={sink.name} />}>
      {sinkText(sink)}
    </Cause>
  ));
}
