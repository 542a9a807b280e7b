/** What changed settings would do: to a text, to recorded texts, and to recorded calls. */
import { useEffect, useState } from 'preact/hooks';
import { ApiError, type CallRequest, type RouteData, type RulesBacktestData } from '#client/index.js';
import type { BacktestFilters } from '#contracts/audit/filter.js';
import { BACKTEST_CONTROLS, type ControlKey, TRIED_SETTINGS } from '#contracts/common/control-mode.js';
import { isPlainObject } from '#contracts/common/text.js';
import { serverNow } from '../../data/clock.js';
import { href } from '../../data/page.js';
import { pause, useAnswer, useResource } from '../../data/requests.js';
import { client, noteFailure } from '../../data/session.js';
import { DAY_MS, plural } from '../../text/format.js';
import { FieldErrors, typed } from '../../ui/controls.js';
import { PlainText } from '../../ui/plain-text.js';
import { ErrorBox } from '../../ui/screen.js';
import { Status } from '../../ui/values.js';
import {
  earlierText,
  EFFECT_DAYS,
  obstaclesText,
  outputEffect,
  periodText,
  promptEffect,
} from './sentences.js';
import type { Values } from './settings-data.js';

/** Screens a text with entries that are not saved. */
export function TextTrial({ setting, entries }: { readonly setting: string; readonly entries: Values }) {
  const [prompt, setPrompt] = useState('');
  return (
    <div class="stack-s sunken">
      <label class="field">
        Text
        <textarea
          rows={3}
          value={prompt}
          placeholder="Type a prompt that should match, or should not."
          onInput={typed(setPrompt)}
        />
      </label>
      <CandidateVerdict screened={{ prompt, candidate: { [setting]: entries } }} entries={entries} />
    </div>
  );
}

/** The verdict on a prompt with settings that are not saved. */
export function CandidateVerdict({
  screened,
  entries,
}: {
  readonly screened: CallRequest<'try.screen'>['body'];
  /** The rules that are tried, if those are not all. */
  readonly entries?: Values;
}) {
  const isEmpty = screened.prompt === '';
  const { data, error, isLoading, reload } = useResource(JSON.stringify(screened), async (signal) => {
    if (isEmpty) return null;
    await pause(signal);
    return (await client.call('try.screen', { body: screened, signal })).data;
  });
  const isInvalid = error instanceof ApiError && error.code === 'invalid_settings';
  return (
    <>
      {isInvalid ? (
        <p class="muted">
          Correct the entries above first. <FieldErrors reasons={Object.values(error.fields).flat()} />
        </p>
      ) : (
        <ErrorBox error={error} retry={reload} hasFields />
      )}
      <div role="status">
        {isLoading && !isEmpty && <p class="muted">Screening …</p>}
        {data && <Verdict screened={data} entries={entries} />}
      </div>
    </>
  );
}

function Verdict({
  screened: { blocked, matched_rules: matched },
  entries,
}: {
  readonly screened: RouteData<'try.screen'>;
  readonly entries: Values | undefined;
}) {
  const isTried = (rule: string) => entries === undefined || Object.hasOwn(entries, rule);
  if (matched.length === 0)
    return (
      <p>
        <Status tone={blocked ? 'blocked' : 'quiet'}>
          {blocked ? 'could not be judged, so it counts as a match' : 'no rule matches'}
        </Status>
      </p>
    );
  return (
    <ul class="stack-s">
      {!matched.some(({ rule_id: rule }) => isTried(rule)) && <li>No entry above matches.</li>}
      {matched.map(({ rule_id: rule, text }, index) => (
        <li class="row break" key={index}>
          <Status tone={isTried(rule) ? 'blocked' : 'quiet'}>
            {isTried(rule) ? 'matches' : 'another rule matches'}
          </Status>
          <code>
            <PlainText text={rule} />
          </code>
          <q>
            <PlainText text={text} />
          </q>
        </li>
      ))}
    </ul>
  );
}

/** The server works a second on each slice, so that an effect costs it less than half a minute. */
const MAX_SLICES = 20;
const MAX_LISTED = 50;

/** Reads a search slice by slice when `key` changes, and adds the slices up. */
function useSlices<Slice extends object>(key: string, slices: (signal: AbortSignal) => AsyncIterable<Slice>) {
  const [state, setState] = useState<{ sum?: Slice; error?: Error; isRunning: boolean }>({ isRunning: true });
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    const read = async () => {
      let sum: Slice | undefined;
      let count = 0;
      setState({ isRunning: true });
      await pause(signal);
      for await (const slice of slices(signal)) {
        sum = sum === undefined ? slice : sumOf(sum, slice);
        setState({ sum, isRunning: true });
        if (++count === MAX_SLICES) break;
      }
      setState((before) => ({ ...before, isRunning: false }));
    };
    read().catch((error: Error) => {
      if (signal.aborted) return;
      noteFailure(error);
      setState({ error, isRunning: false });
    });
    return () => abort.abort();
  }, [key]);
  return state;
}

/** What the changes would have done in the last 30 days, as far as records show it. */
export function Effect({ changes }: { readonly changes: Values }) {
  const policies = changes['hitl.policies'];
  const concerns = (control: ControlKey) =>
    Object.keys(changes).some((key) => key === `modes.${control}` || key.startsWith(`${control}.`));
  return (
    <>
      <Backtest changes={changes} />
      {(['tool_firewall', 'output_handler'] as const).map(
        (control) => concerns(control) && <Earlier key={control} control={control} />,
      )}
      {isPlainObject(policies) && <PolicyTrial policies={policies} />}
    </>
  );
}

/** Calls cannot be judged again, and outputs are stored as they were shown: so this is what the control did. */
function Earlier({ control }: { readonly control: ControlKey }) {
  const [from] = useState(monthAgo);
  const { data } = useAnswer('audit.trend', { query: { control, outcome: 'blocked', from } });
  return (
    <p class="sunken" role="status">
      {earlierText(
        control,
        data?.points.reduce((sum, { blocked }) => sum + blocked, 0),
      )}
    </p>
  );
}

interface Candidate {
  readonly candidate: Values;
  readonly from: string;
}

/** Judges recorded texts again with the changes, for each control that they concern. */
export function Backtest({ changes }: { readonly changes: Values }) {
  const [from] = useState(monthAgo);
  return BACKTEST_CONTROLS.map((control) => {
    const own = Object.entries(changes).filter(([key]) => TRIED_SETTINGS[control].test(key));
    const ControlEffect = control === 'input_screen' ? PromptEffect : OutputEffect;
    return own.length > 0 && <ControlEffect key={control} candidate={Object.fromEntries(own)} from={from} />;
  });
}

function monthAgo() {
  return new Date(serverNow.peek() - EFFECT_DAYS * DAY_MS).toISOString();
}

function useBacktest({ candidate, from }: Candidate, filters: BacktestFilters) {
  const body = { candidate, from, filters };
  return useSlices(JSON.stringify(body), (signal) => client.pages('rules.backtest', { body, signal }));
}

function PromptEffect(props: Candidate) {
  const control = 'input_screen';
  const all = useBacktest(props, { control });
  const attacks = useBacktest(props, { control, review: 'true_positive' });
  const alarms = useBacktest(props, { control, review: 'false_positive' });
  const verdicts = [attacks, alarms].flatMap(({ sum, isRunning }) =>
    sum === undefined || isRunning ? [] : [sum.no_longer_blocked.count],
  );
  return (
    <BacktestEffect
      noun="prompt"
      backtest={all}
      effect={promptEffect(all.sum, verdicts.length === 2 ? verdicts : [])}
    />
  );
}

function OutputEffect(props: Candidate) {
  const all = useBacktest(props, { control: 'output_handler' });
  return <BacktestEffect noun="output" backtest={all} effect={outputEffect(all.sum)} />;
}

function BacktestEffect({
  noun,
  backtest: { sum, error, isRunning },
  effect,
}: {
  readonly noun: string;
  readonly backtest: ReturnType<typeof useBacktest>;
  readonly effect: string;
}) {
  if (error !== undefined) return <ErrorBox error={error} hasFields />;
  return (
    <section class="stack-s sunken effect" aria-label={`Effect on recorded ${noun}s`}>
      <p role="status">
        <strong>
          {periodText(sum, isRunning, noun)}: {effect}.
        </strong>
      </p>
      <p class="muted small">
        {plural(sum?.scanned ?? 0, noun)} judged again
        {obstaclesText(sum?.unjudgeable, (total) => `of which ${plural(total, 'text')} could not be judged`)}.
      </p>
      <Changes title="The newest that would pass" changes={sum?.no_longer_blocked} />
      <Changes title="The newest with new matches" changes={sum?.newly_blocked} />
    </section>
  );
}

function Changes({
  title,
  changes: { rules } = { rules: [] },
}: {
  readonly title: string;
  readonly changes: Pick<RulesBacktestData['newly_blocked'], 'rules'> | undefined;
}) {
  if (rules.length === 0) return null;
  return (
    <details>
      <summary>{title}</summary>
      <ul class="stack-s">
        {rules.map(({ rule_id: rule, samples }) =>
          samples.map(({ audit_id: id, prompt_preview: preview }) => (
            <li key={id} class="break">
              <a href={href(`/audit/${id}`)}>Entry {id}</a>,{' '}
              <PlainText text={rule ?? 'could not be judged'} />: <PlainText text={preview} />
            </li>
          )),
        )}
      </ul>
    </details>
  );
}

/** Decides the recorded calls again under edited policies. */
function PolicyTrial({ policies }: { readonly policies: Values }) {
  const body = { policies };
  const { sum, error, isRunning } = useSlices(JSON.stringify(body), (signal) =>
    client.pages('try.policies', { body, signal }),
  );
  if (error !== undefined) return <ErrorBox error={error} hasFields />;
  return (
    <div class="stack-s sunken">
      <p role="status">
        {isRunning ? 'Deciding again' : 'Decided again'}: {plural(sum?.replayed ?? 0, 'recorded call')}
        {sum && obstaclesText(sum.not_replayable, (total) => `${plural(total, 'call')} could not be`)}.
      </p>
      {(['stricter', 'looser'] as const).map((direction) => {
        const { count, calls } = sum?.[direction] ?? { count: 0, calls: [] };
        return (
          <details key={direction} open={count > 0 && count <= 5}>
            <summary>
              {plural(count, 'call')} {direction}
            </summary>
            <ul>
              {calls.map(({ audit_id: id, tool, before, after }) => (
                <li key={id}>
                  <a href={href(`/audit/${id}`)}>Entry {id}</a> <PlainText text={tool} />: {before.require} →{' '}
                  {after.require}
                </li>
              ))}
            </ul>
          </details>
        );
      })}
    </div>
  );
}

/** Slices are added up: counts are sums, and of listed things the first ones stay. */
function sumOf<Value>(before: Value, slice: Value): Value {
  if (typeof before === 'number' && typeof slice === 'number') return (before + slice) as Value;
  if (Array.isArray(before) && Array.isArray(slice))
    return [...before, ...slice].slice(0, MAX_LISTED) as Value;
  if (!isPlainObject(before) || !isPlainObject(slice)) return slice;
  const members = Object.entries(slice).map(([name, value]) => [
    name,
    name === 'next_cursor' ? value : sumOf(before[name], value),
  ]);
  return Object.fromEntries(members) as Value;
}
