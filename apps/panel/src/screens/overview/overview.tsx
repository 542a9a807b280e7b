import type { OverviewData } from '#client/index.js';
import { useAddress } from '../../data/address.js';
import { useLiveReload } from '../../data/live.js';
import { href } from '../../data/page.js';
import { useResource } from '../../data/resource.js';
import { client } from '../../data/session.js';
import { noteOverview, useOverviewReads } from '../../data/waiting.js';
import { count, plural } from '../../text/format.js';
import { CONTROL_LABELS } from '../../text/names.js';
import { Sparkline } from '../../ui/charts.js';
import { Screen } from '../../ui/screen.js';
import { Loaded } from '../../ui/states.js';
import { blockedWord, ModeStatus, Status, type Tone } from '../../ui/status.js';
import { Ago } from '../../ui/time.js';
import { LastChange } from './last-change.js';
import { LatestBlocked } from './latest-blocked.js';
import { Posture } from './posture.js';
import { Sinks } from './sinks.js';
import { Trend } from './trend.js';

/** The state of the controls, the last 24 hours, and what waits for somebody. */
export default function Overview() {
  const { query } = useAddress();
  const overview = useResource('overview', (signal) => load(signal));
  useLiveReload(overview.reload);
  useOverviewReads();
  return (
    <Screen title="Overview">
      <Loaded resource={overview} lines={14}>
        {(data) => (
          <>
            <Posture controls={data.controls} />
            <Waiting data={data} />
            <section class="stack-s" aria-labelledby="controls">
              <h2 id="controls">Controls, last 24 hours</h2>
              <div class="cards">
                {data.controls.map((control) => (
                  <ControlCard key={control.key} control={control} counted={data.window} />
                ))}
              </div>
            </section>
            <Trend range={query['range'] ?? '30d'} now={data.as_of} />
            <div class="overview-foot">
              <LatestBlocked />
              <InForce data={data} />
            </div>
          </>
        )}
      </Loaded>
    </Screen>
  );
}

async function load(signal: AbortSignal): Promise<OverviewData> {
  const { data } = await client.call('overview', { signal });
  noteOverview(data);
  return data;
}

function ControlCard({
  control,
  counted,
}: {
  readonly control: OverviewData['controls'][number];
  readonly counted: OverviewData['window'];
}) {
  const { key, mode, counts_24h: counts, spark } = control;
  const window = { control: key, ...counted };
  const shown = key === 'output_handler' ? 'outputs' : key === 'input_screen' ? 'prompts' : 'calls';
  return (
    <section class="card control-card" aria-label={CONTROL_LABELS[key]}>
      <div class="split">
        <h3>{CONTROL_LABELS[key]}</h3>
        <ModeStatus mode={mode} />
      </div>
      <Sparkline values={spark} />
      <div class="figures">
        <Figure
          value={counts.blocked}
          label={blockedWord(key)}
          tone={key === 'hitl' ? 'waiting' : 'blocked'}
          to={href('/audit', { ...window, outcome: 'blocked' })}
        />
        <Figure
          value={counts.observed}
          label="observed"
          tone="observed"
          to={href('/audit', { ...window, outcome: 'observed' })}
        />
        <Figure value={counts.total} label={shown} to={href('/audit', window)} />
      </div>
    </section>
  );
}

function Figure({
  value,
  label,
  tone,
  to,
}: {
  readonly value: number;
  readonly label: string;
  readonly tone?: Tone;
  readonly to: string;
}) {
  return (
    <a class="figure" href={to}>
      <b>{count(value)}</b>
      {tone === undefined || value === 0 ? <span>{label}</span> : <Status tone={tone}>{label}</Status>}
    </a>
  );
}

/** Unknown outcomes first: somebody has to find out what happened. */
function Waiting({ data }: { readonly data: OverviewData }) {
  const {
    pending,
    expiring_soon: soon,
    executing,
    outcome_unknown: unknown,
    oldest_pending_at: oldest,
  } = data.approvals;
  if (pending + executing + unknown === 0) return null;
  return (
    <section class="notice waiting" aria-label="Waiting for an operator">
      {unknown > 0 && (
        <p class="blocked">
          <Status tone="blocked">
            <a href={href('/approvals', { tab: 'history', status: 'outcome_unknown' })}>
              {plural(unknown, 'call')} with an unknown outcome
            </a>
          </Status>{' '}
          The process stopped while the tool ran. Check what happened, then resolve it.
        </p>
      )}
      {pending + executing > 0 && (
        <p>
          <Status tone="waiting">
            <a href={href('/approvals')}>{plural(pending, 'call')} waiting for a decision</a>
          </Status>
          .{soon > 0 && ' The first ones expire within 15 minutes.'}
          {oldest !== null && (
            <>
              {' The oldest came '}
              <Ago at={oldest} />.
            </>
          )}
          {executing > 0 && (
            <>
              {' '}
              <a href={href('/approvals', { tab: 'history', status: 'executing' })}>
                {plural(executing, 'call')} running now
              </a>
              .
            </>
          )}
        </p>
      )}
    </section>
  );
}

/** The ruleset, the last change of the settings and the delivery of events. */
function InForce({ data }: { readonly data: OverviewData }) {
  const used = data.rulesets_24h;
  return (
    <section class="card">
      <h2>In force</h2>
      <dl class="facts">
        <dt>Ruleset</dt>
        <dd>
          <a href={href('/rules')}>
            <code>{data.ruleset_version}</code>
          </a>
        </dd>
        <LastChange />
        <Sinks />
      </dl>
      {used.length > 1 && (
        <>
          <p>
            <Status tone="observed">{count(used.length)} versions judged prompts in the last 24 hours</Status>
          </p>
          <ul class="stack-s">
            {used.map(({ ruleset_version: version, attempts, last_seen_at: seen }) => (
              <li key={version} class="split">
                <code class="break">{version}</code>
                <span class="muted">
                  <a
                    href={href('/audit', {
                      ...data.window,
                      control: 'input_screen',
                      ruleset_version: version,
                    })}
                  >
                    {plural(attempts, 'prompt')}
                  </a>
                  , last <Ago at={seen} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
