/** The state of the controls, what they decided in a range of time, and what needs attention. */
import type { OverviewData } from '#client/index.js';
import { CONTROL_KEYS, MODE_NAMES } from '#contracts/common/control-mode.js';
import { useLiveReload } from '../../data/live.js';
import { href, useAddress } from '../../data/page.js';
import { rangeQuery, useRange } from '../../data/range.js';
import { useAnswer, useResource } from '../../data/requests.js';
import { client } from '../../data/session.js';
import { isOfApprovals, useOverviewReads } from '../../data/waiting.js';
import { count } from '../../text/format.js';
import { CONTROL_WORDS, outcomeWord } from '../../text/names.js';
import { Sparkline } from '../../ui/charts.js';
import { PromptPreview } from '../../ui/plain-text.js';
import { Loaded, Screen, Skeleton } from '../../ui/screen.js';
import { ModeStatus, OutcomeStatus, Status, Time } from '../../ui/values.js';
import { Attention, readFindings } from './attention.js';
import { countsOf, type Figures, lineOf, OF_CALLS, readFigures, sumsOf } from './figures.js';
import { differenceText, FROZEN, rangeText } from './sentences.js';
import { DecisionsChart } from '../../ui/decisions-chart.js';

type Control = OverviewData['controls'][number];

export default function Overview() {
  const { query } = useAddress();
  const key = JSON.stringify(useRange());
  const figures = useResource(`figures ${key}`, (signal) => readFigures(query, signal));
  const findings = useResource(`findings ${key}`, (signal) => readFindings(query, signal));
  useLiveReload(figures.reload);
  // Matches are counted at most once a minute, because that reads more than the figures.
  useLiveReload(
    findings.reload,
    (name) => isOfApprovals(name) || Date.now() - (findings.data?.readAt ?? 0) > 60_000,
  );
  useOverviewReads();
  return (
    <Screen title="Overview">
      <Loaded resource={figures} placeholder={<Outline />}>
        {({ overview, range, now, weekBefore, calls }) => (
          <Loaded resource={findings} placeholder={<Outline />}>
            {(found) => (
              <>
                <Posture data={overview} />
                <Attention overview={overview} findings={found} />
                <section class="stack-s" aria-labelledby="controls">
                  <h2 id="controls">Controls, {rangeText(range, now.from)}</h2>
                  <div class="cards">
                    {overview.controls.map((control) => (
                      <ControlCard
                        key={control.key}
                        control={control}
                        now={now}
                        weekBefore={weekBefore}
                        calls={calls}
                      />
                    ))}
                  </div>
                </section>
                <section class="card">
                  <h2>Decisions of all controls</h2>
                  <DecisionsChart trend={now} />
                </section>
                <LatestBlocked />
              </>
            )}
          </Loaded>
        )}
      </Loaded>
    </Screen>
  );
}

/** The shape of the screen while it is read. */
function Outline() {
  return (
    <>
      <Skeleton lines={1} />
      <div class="card">
        <Skeleton lines={4} />
      </div>
      <div class="stack-s">
        <h2>Controls</h2>
        <div class="cards">
          {CONTROL_KEYS.map((key) => (
            <div class="card control-card" key={key}>
              <h3>{CONTROL_WORDS[key].label}</h3>
              <Skeleton lines={4} />
            </div>
          ))}
        </div>
      </div>
      <div class="card">
        <Skeleton lines={8} />
      </div>
    </>
  );
}

/** What the controls do now, in a sentence. The weakest control comes first. */
function Posture({ data: { controls, enabled, freezes } }: { readonly data: OverviewData }) {
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
    <p class="posture row">
      <Status tone="ok">All controls enforce.</Status>
      {freezes.length > 0 && <Status tone="blocked">{FROZEN}</Status>}
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

function ControlCard({
  control: { key, mode },
  now,
  weekBefore,
  calls,
}: { readonly control: Control } & Pick<Figures, 'now' | 'weekBefore' | 'calls'>) {
  const { label, noun } = CONTROL_WORDS[key];
  const counts = key === 'hitl' ? countsOf(calls) : sumsOf(now, key);
  const filters = key === 'hitl' ? OF_CALLS : { control: key };
  return (
    <section class="card control-card" aria-label={label}>
      <div class="split">
        <h3>{label}</h3>
        <ModeStatus mode={mode} />
      </div>
      <Sparkline values={lineOf(now, key)} />
      {counts && (
        <div class="figures">
          {(['blocked', 'observed'] as const).map((outcome) => {
            const word = outcomeWord(key, outcome);
            const tone = key === 'hitl' && outcome === 'blocked' ? 'waiting' : outcome;
            return (
              <a class="figure" key={outcome} href={href('/audit', { ...filters, outcome })}>
                <b>{count(counts[outcome])}</b>
                {counts[outcome] === 0 ? <span>{word}</span> : <Status tone={tone}>{word}</Status>}
              </a>
            );
          })}
          <a class="figure" href={href('/audit', filters)}>
            <b>{count(counts.total)}</b>
            <span>{noun}</span>
          </a>
        </div>
      )}
      {key !== 'hitl' && (
        <p class="muted small">
          {differenceText(
            sumsOf(now, key).blocked,
            sumsOf(weekBefore, key).blocked,
            `${noun} ${outcomeWord(key, 'blocked')}`,
          )}
        </p>
      )}
    </section>
  );
}

const SHOWN = 5;
const BLOCKED = { control: 'all', outcome: 'blocked' };

/** The last decisions that stopped or changed something, with links to their entries. Pending calls are shown above. */
function LatestBlocked() {
  const range = rangeQuery(useRange());
  const latest = useAnswer('audit.index', { query: { ...BLOCKED, ...range, limit: 50 } });
  useLiveReload(latest.reload);
  return (
    <section class="card">
      <div class="split">
        <h2>Latest blocked</h2>
        <a class="small" href={href('/audit', BLOCKED)}>
          All blocked decisions
        </a>
      </div>
      <Loaded resource={latest} lines={SHOWN}>
        {({ entries }) => {
          const shown = entries.filter(({ control }) => control !== 'hitl').slice(0, SHOWN);
          if (shown.length === 0) return <p class="muted">Nothing was blocked in this time.</p>;
          return (
            <ul class="latest">
              {shown.map((entry) => (
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
          );
        }}
      </Loaded>
    </section>
  );
}
