/** What changed settings would do: to a text, to recorded texts, and to recorded calls. */
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  ApiError,
  type CallRequest,
  type RouteData,
  type RulesBacktestData,
  type TryPoliciesData,
} from '#client/index.js';
import { BACKTEST_CONTROLS, type BacktestControl } from '#contracts/common/control-mode.js';
import { serverNow } from '../../data/clock.js';
import { href } from '../../data/page.js';
import { pause, useResource } from '../../data/requests.js';
import { client, noteFailure } from '../../data/session.js';
import { DAY_MS, plural } from '../../text/format.js';
import { Button, Select, typed } from '../../ui/controls.js';
import { PlainText } from '../../ui/plain-text.js';
import { ErrorBox } from '../../ui/screen.js';
import { Status } from '../../ui/values.js';
import { BACKTEST_STATES, obstaclesText, removedText } from './sentences.js';
import type { Values } from './settings-data.js';

/** Screens a text with settings that are not saved. */
export function TextTrial({ candidate }: { readonly candidate: Values }) {
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
      <CandidateVerdict screened={{ prompt, candidate }} />
    </div>
  );
}

/** The verdict on a prompt with settings that are not saved. */
export function CandidateVerdict({ screened }: { readonly screened: CallRequest<'try.screen'>['body'] }) {
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
        <p class="muted">Correct the entries above first.</p>
      ) : (
        <ErrorBox error={error} retry={reload} hasFields />
      )}
      <div role="status">
        {isLoading && !isEmpty && <p class="muted">Screening …</p>}
        {data && <Verdict screened={data} />}
      </div>
    </>
  );
}

function Verdict({ screened: { blocked, matched_rules: matched } }: { screened: RouteData<'try.screen'> }) {
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
      {matched.map(({ rule_id: rule, text }, index) => (
        <li class="row break" key={index}>
          <Status tone="blocked">matches</Status>
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

/** Reads the slices of a search one after the other, and adds them up. */
function useSlices<Slice>(sumOf: (before: Slice, slice: Slice) => Slice) {
  const [state, setState] = useState<'ready' | keyof typeof BACKTEST_STATES>('ready');
  const [sum, setSum] = useState<Slice>();
  const [error, setError] = useState<Error>();
  const abort = useRef<AbortController>();
  const stop = (): void => abort.current?.abort();
  const run = async (slices: (signal: AbortSignal) => AsyncIterable<Slice>): Promise<void> => {
    const own = new AbortController();
    abort.current = own;
    setSum(undefined);
    setError(undefined);
    setState('running');
    try {
      for await (const slice of slices(own.signal))
        setSum((before) => (before === undefined ? slice : sumOf(before, slice)));
      setState('done');
    } catch (failure) {
      setState('stopped');
      if (own.signal.aborted) return;
      noteFailure(failure);
      setError(failure as Error);
    }
  };
  return { state, sum, error, run, stop };
}

const MAX_SAMPLES = 20;

/** What is judged of a control, and the settings that concern it. */
const BACKTESTS: Readonly<
  Record<BacktestControl, { readonly noun: string; readonly newly: string; readonly keys: RegExp }>
> = {
  input_screen: {
    noun: 'prompt',
    newly: 'newly blocked',
    keys: /^(?:modes\.input_screen$|input_screen\.|normalization\.|pattern_safety\.)/,
  },
  output_handler: {
    noun: 'output',
    newly: 'with new findings',
    keys: /^(?:modes\.output_handler$|output_handler\.)/,
  },
};

/** Judges recorded texts again with the changes, for each control that they concern. */
export function Backtest({ changes }: { readonly changes: Values }) {
  return BACKTEST_CONTROLS.map((control) => {
    const own = Object.entries(changes).filter(([key]) => BACKTESTS[control].keys.test(key));
    const candidate = Object.fromEntries(own);
    return (
      own.length > 0 && (
        <ControlBacktest
          key={`${control} ${JSON.stringify(candidate)}`}
          control={control}
          candidate={candidate}
        />
      )
    );
  });
}

function ControlBacktest({
  control,
  candidate,
}: {
  readonly control: BacktestControl;
  readonly candidate: Values;
}) {
  const [days, setDays] = useState(7);
  /** Findings that were removed from outputs in the same days. */
  const [removed, setRemoved] = useState(0);
  const { state, sum, error, run, stop } = useSlices(sumOfBacktests);
  const { noun, newly } = BACKTESTS[control];
  const start = (): Promise<void> =>
    run(async function* (signal) {
      const from = new Date(serverNow.peek() - days * DAY_MS).toISOString();
      if (control === 'output_handler')
        setRemoved((await client.call('output.stats', { query: { from }, signal })).data.enforced);
      yield* client.pages('rules.backtest', { body: { candidate, from, filters: { control } }, signal });
    });
  return (
    <section class="stack-s sunken" aria-label={`Backtest on recorded ${noun}s`}>
      <div class="row">
        <label class="row">
          Recorded {noun}s of the last
          <Select
            value={days}
            disabled={state === 'running'}
            choices={[1, 7, 30, 90].map((number) => [number, plural(number, 'day')] as const)}
            onChoose={(number) => setDays(Number(number))}
          />
        </label>
        {state === 'running' ? (
          <Button onClick={stop}>Stop</Button>
        ) : (
          <Button onClick={() => void start()}>
            {state === 'ready' ? 'Run the backtest' : 'Run it again'}
          </Button>
        )}
      </div>
      <ErrorBox error={error} hasFields />
      {state !== 'ready' && error === undefined && (
        <>
          <p role="status">
            {BACKTEST_STATES[state]}: {plural(sum?.scanned ?? 0, noun)}
            {sum && obstaclesText(sum.unjudgeable, unjudgedText)}.
          </p>
          <Changes title={newly} changes={sum?.newly_blocked} />
          {control === 'input_screen' ? (
            <Changes title="no longer blocked" changes={sum?.no_longer_blocked} />
          ) : (
            <p>{removedText(removed)}</p>
          )}
        </>
      )}
    </section>
  );
}

const unjudgedText = (total: number): string => `of which ${plural(total, 'text')} could not be judged`;

type BacktestChanges = RulesBacktestData['newly_blocked'];

function Changes({
  title,
  changes: { count, rules } = { count: 0, rules: [] },
}: {
  readonly title: string;
  readonly changes: BacktestChanges | undefined;
}) {
  return (
    <div class="stack-s">
      <h4>{`${plural(count, 'text')} ${title}`}</h4>
      {rules.map(({ rule_id: rule, count: texts, samples }) => (
        <details key={rule}>
          <summary class="break">
            <PlainText text={rule ?? 'could not be judged'} />, {plural(texts, 'text')}
          </summary>
          <ul class="stack-s">
            {samples.map(({ audit_id: id, prompt_preview: preview }) => (
              <li key={id} class="break">
                <a href={href(`/audit/${id}`)}>Entry {id}</a> <PlainText text={preview} />
              </li>
            ))}
          </ul>
        </details>
      ))}
    </div>
  );
}

function sumOfBacktests(before: RulesBacktestData, slice: RulesBacktestData): RulesBacktestData {
  return {
    ...slice,
    scanned: before.scanned + slice.scanned,
    unjudgeable: sumsOf(before.unjudgeable, slice.unjudgeable),
    newly_blocked: sumOfChanges(before.newly_blocked, slice.newly_blocked),
    no_longer_blocked: sumOfChanges(before.no_longer_blocked, slice.no_longer_blocked),
  };
}

function sumOfChanges(before: BacktestChanges, slice: BacktestChanges): BacktestChanges {
  const rules = new Map(before.rules.map((rule) => [rule.rule_id, rule]));
  for (const rule of slice.rules) {
    const { count, samples } = rules.get(rule.rule_id) ?? { count: 0, samples: [] };
    rules.set(rule.rule_id, {
      rule_id: rule.rule_id,
      count: count + rule.count,
      samples: [...samples, ...rule.samples].slice(0, MAX_SAMPLES),
    });
  }
  return {
    count: before.count + slice.count,
    rules: [...rules.values()].toSorted((a, b) => b.count - a.count),
  };
}

const POLICY_PAUSE_MS = 500;
const MAX_CALLS = 50;

/** Decides the recorded calls again under edited policies. */
export function PolicyTrial({ policies }: { readonly policies: Values }) {
  const { state, sum, error, run, stop } = useSlices(sumOfPolicies);
  useEffect(() => {
    const start = (): Promise<void> =>
      run((signal) => client.pages('try.policies', { body: { policies }, signal }));
    const timer = setTimeout(() => void start(), POLICY_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [JSON.stringify(policies)]);
  if (error !== undefined) return <ErrorBox error={error} hasFields />;
  return (
    <div class="stack-s sunken">
      <p role="status">
        {state === 'done' ? 'Decided again' : 'Deciding again'}: {plural(sum?.replayed ?? 0, 'recorded call')}
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

function sumOfPolicies(before: TryPoliciesData, slice: TryPoliciesData): TryPoliciesData {
  const sum = (name: 'stricter' | 'looser') => ({
    count: before[name].count + slice[name].count,
    calls: [...before[name].calls, ...slice[name].calls].slice(0, MAX_CALLS),
  });
  return {
    ...slice,
    replayed: before.replayed + slice.replayed,
    stricter: sum('stricter'),
    looser: sum('looser'),
    not_replayable: sumsOf(before.not_replayable, slice.not_replayable),
  };
}

function sumsOf<Name extends string>(
  one: Readonly<Record<Name, number>>,
  other: Readonly<Record<Name, number>>,
) {
  const names = Object.keys(one) as Name[];
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as Record<Name, number>;
}
