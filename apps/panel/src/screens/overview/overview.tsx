/** The state of the controls, the last 24 hours, and what waits for somebody. */
import type { EventSinksData, OverviewData } from '#client/index.js';
import { MODE_NAMES } from '#contracts/common/control-mode.js';
import { useLiveReload } from '../../data/live.js';
import { href } from '../../data/page.js';
import { useAnswer, useResource } from '../../data/requests.js';
import { client } from '../../data/session.js';
import { noteOverview, useOverviewReads } from '../../data/waiting.js';
import { count, duration, plural } from '../../text/format.js';
import { CONTROL_WORDS, outcomeWord } from '../../text/names.js';
import { Sparkline } from '../../ui/charts.js';
import { Fact } from '../../ui/controls.js';
import { NameText, PlainText, PromptPreview } from '../../ui/plain-text.js';
import { Loaded, Screen } from '../../ui/screen.js';
import { Ago, ModeStatus, OutcomeStatus, Status, Time } from '../../ui/values.js';
import { Trend } from './trend.js';

type Control = OverviewData['controls'][number];

interface OfOverview {
  readonly data: OverviewData;
}

export default function Overview() {
  const overview = useResource('overview', async (signal) => {
    const { data } = await client.call('overview', { signal });
    noteOverview(data);
    return data;
  });
  useLiveReload(overview.reload);
  useOverviewReads();
  return (
    <Screen title="Overview">
      <Loaded resource={overview} lines={14}>
        {(data) => (
          <>
            <Posture data={data} />
            <Waiting data={data} />
            <section class="stack-s" aria-labelledby="controls">
              <h2 id="controls">Controls, last 24 hours</h2>
              <div class="cards">
                {data.controls.map((control) => (
                  <ControlCard key={control.key} control={control} counted={data.window} />
                ))}
              </div>
            </section>
            <Trend now={data.as_of} />
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

/** What the controls do now, in a sentence. The weakest control comes first. */
function Posture({ data: { controls, enabled } }: OfOverview) {
  const weak = controls
    .filter(({ warning }) => warning !== null)
    .toSorted((a, b) => MODE_NAMES.indexOf(b.mode) - MODE_NAMES.indexOf(a.mode));
  if (weak.length > 0)
    return (
      <div class="posture stack-s">
        {!enabled && (
          <Status tone="blocked">
            The master switch is off: calls run unguarded, and no freeze stops them.
          </Status>
        )}
        {weak.map((control) => (
          <WeakControl key={control.key} control={control} />
        ))}
      </div>
    );
  return (
    <p class="posture">
      <Status tone="ok">All controls enforce.</Status>
    </p>
  );
}

function WeakControl({ control: { key, mode, warning } }: { readonly control: Control }) {
  // A control that enforces has a warning about its authorizer only.
  const setting = mode === 'enforce' ? 'tool_authorization.enabled' : `modes.${key}`;
  const change = useResource(`change ${key} ${mode}`, async (signal) => {
    const newest = async (name: string, value: unknown) => {
      const { data } = await client.call('settings.changes', { query: { key: name, limit: 1 }, signal });
      return data.changes.find(({ new_value: set }) => set === value);
    };
    // A control is off by its mode or by its switch.
    const byMode = await newest(setting, mode === 'enforce' ? false : mode);
    return byMode ?? (mode === 'off' ? await newest(`${key}.enabled`, false) : undefined);
  });
  return (
    <p>
      <Status tone={mode === 'monitor' ? 'observed' : 'blocked'}>
        <a href={href('/settings', { key: setting })}>{CONTROL_WORDS[key].label}</a>
      </Status>
      {warning?.slice(key.length)}{' '}
      {change.data && (
        <span class="muted">
          Since <Time at={change.data.occurred_at} />, by {change.data.actor_id}.
        </span>
      )}
    </p>
  );
}

/** Unknown outcomes first: somebody has to find out what happened. */
function Waiting({ data: { approvals } }: OfOverview) {
  const { pending, executing, outcome_unknown: unknown, oldest_pending_at: oldest } = approvals;
  if (pending + executing + unknown === 0) return null;
  const inHistory = (status: string): string => href('/approvals', { tab: 'history', status });
  return (
    <section class="notice waiting" aria-label="Waiting for an operator">
      {unknown > 0 && (
        <p class="blocked">
          <Status tone="blocked">
            <a href={inHistory('outcome_unknown')}>{plural(unknown, 'call')} with an unknown outcome</a>
          </Status>{' '}
          The process stopped while the tool ran. Check what happened, then resolve it.
        </p>
      )}
      {pending + executing > 0 && (
        <p>
          <Status tone="waiting">
            <a href={href('/approvals')}>{plural(pending, 'call')} waiting for a decision</a>
          </Status>
          .{approvals.expiring_soon > 0 && ' The first ones expire within 15 minutes.'}
          {oldest !== null && (
            <>
              {' The oldest came '}
              <Ago at={oldest} />.
            </>
          )}
          {executing > 0 && (
            <>
              {' '}
              <a href={inHistory('executing')}>{plural(executing, 'call')} running now</a>.
            </>
          )}
        </p>
      )}
    </section>
  );
}

function ControlCard({
  control,
  counted,
}: {
  readonly control: Control;
  readonly counted: OverviewData['window'];
}) {
  const { key, mode, counts_24h: counts, spark } = control;
  const window = { control: key, ...counted };
  const { label, noun } = CONTROL_WORDS[key];
  return (
    <section class="card control-card" aria-label={label}>
      <div class="split">
        <h3>{label}</h3>
        <ModeStatus mode={mode} />
      </div>
      <Sparkline values={spark} />
      <div class="figures">
        {(['blocked', 'observed'] as const).map((outcome) => {
          const word = outcomeWord(key, outcome);
          const tone = key === 'hitl' && outcome === 'blocked' ? 'waiting' : outcome;
          return (
            <a class="figure" key={outcome} href={href('/audit', { ...window, outcome })}>
              <b>{count(counts[outcome])}</b>
              {counts[outcome] === 0 ? <span>{word}</span> : <Status tone={tone}>{word}</Status>}
            </a>
          );
        })}
        <a class="figure" href={href('/audit', window)}>
          <b>{count(counts.total)}</b>
          <span>{noun}</span>
        </a>
      </div>
    </section>
  );
}

const SHOWN = 5;
const BLOCKED = { control: 'all', outcome: 'blocked' };

/** The last decisions that stopped or changed something, with links to their entries. */
function LatestBlocked() {
  const latest = useAnswer('audit.index', { query: { ...BLOCKED, limit: SHOWN } });
  useLiveReload(latest.reload);
  return (
    <section class="card">
      <div class="split">
        <h2>Latest blocked and pending</h2>
        <a class="small" href={href('/audit', BLOCKED)}>
          All blocked decisions
        </a>
      </div>
      <Loaded resource={latest} lines={SHOWN}>
        {({ entries }) =>
          entries.length === 0 ? (
            <p class="muted">Nothing has been blocked yet.</p>
          ) : (
            <ul class="latest">
              {entries.map((entry) => (
                <li key={entry.id}>
                  <a href={href(`/audit/${entry.id}`, BLOCKED)}>
                    <span class="muted">
                      <Time at={entry.occurred_at} />
                    </span>
                    <OutcomeStatus entry={entry} />
                    <span class="cut">{CONTROL_WORDS[entry.control].label}</span>
                    <span class="cut">
                      <PromptPreview text={entry.prompt_preview} />
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

/** The ruleset, the last change of the settings and the delivery of events. */
function InForce({ data }: OfOverview) {
  const { rulesets_24h: used } = data;
  const window = { ...data.window, control: 'input_screen' };
  return (
    <section class="card">
      <h2>In force</h2>
      <dl class="facts">
        <Fact name="Ruleset">
          <a href={href('/rules')}>
            <code>{data.ruleset_version}</code>
          </a>
        </Fact>
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
                  <a href={href('/audit', { ...window, ruleset_version: version })}>
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

/** The newest change of a setting, with a link to all of them. */
function LastChange() {
  const newest = useAnswer('settings.changes', { query: { limit: 1 } });
  useLiveReload(newest.reload, (name) => name === 'guardrails.settings.changed');
  if (newest.data === undefined) return null;
  const [change] = newest.data.changes;
  if (change === undefined) return <Fact name="Settings">as configured</Fact>;
  return (
    <Fact name="Settings">
      <a href={href('/settings/history')}>
        <NameText text={change.key} />
      </a>{' '}
      <span class="muted">
        changed <Ago at={change.occurred_at} /> by <PlainText text={change.actor_id} />
      </span>
    </Fact>
  );
}

/** Whether the sinks deliver, with those that receive events late or not at all. */
function Sinks() {
  const sinks = useAnswer('events.sinks');
  useLiveReload(sinks.reload);
  if (sinks.data === undefined) return null;
  const all = sinks.data.sinks;
  const late = all.filter((sink) => problemsOf(sink).length > 0);
  if (all.length === 0) return <Fact name="Events">sent nowhere: no sink is configured</Fact>;
  return (
    <Fact name="Events">
      {late.length === 0 ? (
        <Status tone="ok">
          <a href={href('/events')}>{plural(all.length, 'sink')}</a>{' '}
          {all.length === 1 ? 'delivers' : 'deliver'}
        </Status>
      ) : (
        <ul class="stack-s">
          {late.map((sink) => (
            <li key={sink.name}>
              <Status tone={sink.dead > 0 || sink.state === 'open' ? 'blocked' : 'observed'}>
                <a href={href('/events')}>
                  <PlainText text={sink.name} />
                </a>
              </Status>{' '}
              {problemsOf(sink).join(', ')}
            </li>
          ))}
        </ul>
      )}
    </Fact>
  );
}

const LATE_SECONDS = 60;

function problemsOf({ state, lag_seconds: lag, dead }: EventSinksData['sinks'][number]): readonly string[] {
  return [
    (state === 'open' || state === 'half_open') && 'refuses events at present',
    lag > LATE_SECONDS && `${duration(lag)} behind`,
    dead > 0 && 'has events that were not delivered',
  ].filter((problem) => problem !== false);
}
