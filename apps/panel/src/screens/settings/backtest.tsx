import { useRef, useState } from 'preact/hooks';
import type { RulesBacktestData } from '#client/index.js';
import { serverNow } from '../../data/clock.js';
import { href } from '../../data/page.js';
import { client, noteFailure } from '../../data/session.js';
import { plural } from '../../text/format.js';
import { PlainText } from '../../ui/plain-text.js';
import { FailureBox } from './failure-box.js';
import type { Values } from './settings-data.js';

type Changes = RulesBacktestData['newly_blocked'];

interface Result {
  readonly scanned: number;
  readonly unjudgeable: RulesBacktestData['unjudgeable'];
  readonly newly: Changes;
  readonly noLonger: Changes;
}

const NONE: Changes = { count: 0, rules: [] };
const NOTHING: Result = {
  scanned: 0,
  unjudgeable: { hashed: 0, erased: 0, truncated: 0, changed_by_hygiene: 0, structured: 0, host_screener: 0 },
  newly: NONE,
  noLonger: NONE,
};
const DAY_MS = 86_400_000;
const MAX_SAMPLES = 20;

const CANDIDATES = {
  input_screen: /^(?:modes\.input_screen$|input_screen\.|normalization\.|pattern_safety\.)/,
  output_handler: /^(?:modes\.output_handler$|output_handler\.)/,
} as const;

type Control = keyof typeof CANDIDATES;

/** Judges recorded texts again with the changes, for each control that they concern. */
export function Backtest({ changes }: { readonly changes: Values }) {
  return (
    <>
      {(Object.keys(CANDIDATES) as Control[]).map((control) => {
        const candidate = Object.fromEntries(
          Object.entries(changes).filter(([key]) => CANDIDATES[control].test(key)),
        );
        return Object.keys(candidate).length === 0 ? null : (
          <ControlBacktest
            key={`${control} ${JSON.stringify(candidate)}`}
            control={control}
            candidate={candidate}
          />
        );
      })}
    </>
  );
}

function ControlBacktest({ control, candidate }: { readonly control: Control; readonly candidate: Values }) {
  const [days, setDays] = useState(7);
  const [state, setState] = useState<'ready' | 'running' | 'stopped' | 'done'>('ready');
  const [result, setResult] = useState(NOTHING);
  /** Findings that were removed from outputs in the same days. */
  const [removed, setRemoved] = useState(0);
  const [error, setError] = useState<Error>();
  const abort = useRef<AbortController>();
  const noun = control === 'input_screen' ? 'prompt' : 'output';

  const start = async (): Promise<void> => {
    const own = new AbortController();
    abort.current = own;
    setResult(NOTHING);
    setError(undefined);
    setState('running');
    const from = new Date(serverNow.peek() - days * DAY_MS).toISOString();
    try {
      if (control === 'output_handler') {
        const { data } = await client.call('output.stats', { query: { from }, signal: own.signal });
        setRemoved(data.enforced);
      }
      for await (const slice of client.pages('rules.backtest', {
        body: { candidate, from, filters: { control } },
        signal: own.signal,
      }))
        setResult((before) => added(before, slice));
      setState('done');
    } catch (failure) {
      setState('stopped');
      if (own.signal.aborted) return;
      noteFailure(failure);
      setError(failure as Error);
    }
  };

  return (
    <section class="stack-s sunken" aria-label={`Backtest on recorded ${noun}s`}>
      <div class="row">
        <label class="row">
          Recorded {noun}s of the last
          <select
            value={days}
            disabled={state === 'running'}
            onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}
          >
            {[1, 7, 30, 90].map((number) => (
              <option key={number} value={number}>
                {plural(number, 'day')}
              </option>
            ))}
          </select>
        </label>
        {state === 'running' ? (
          <button type="button" onClick={() => abort.current?.abort()}>
            Stop
          </button>
        ) : (
          <button type="button" onClick={() => void start()}>
            {state === 'ready' ? 'Run the backtest' : 'Run it again'}
          </button>
        )}
      </div>
      {error !== undefined && <FailureBox error={error} />}
      {state !== 'ready' && error === undefined && (
        <>
          <p role="status">
            {state === 'running'
              ? 'Judging again, newest first'
              : state === 'stopped'
                ? 'Stopped; older texts were not judged'
                : 'Judged again'}
            : {plural(result.scanned, noun)}
            {unjudged(result)}.
          </p>
          <ChangeList
            title={control === 'input_screen' ? 'newly blocked' : 'with new findings'}
            changes={result.newly}
          />
          {control === 'input_screen' ? (
            <ChangeList title="no longer blocked" changes={result.noLonger} />
          ) : (
            <p>
              {plural(removed, 'finding')} {removed === 1 ? 'was' : 'were'} removed from outputs in these
              days. Users see everything that a weaker setting no longer removes; a backtest cannot count it.
            </p>
          )}
        </>
      )}
    </section>
  );
}

function ChangeList({
  title,
  changes: { count, rules },
}: {
  readonly title: string;
  readonly changes: Changes;
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

/** How many texts could not be judged, by reason. */
function unjudged({ unjudgeable }: Result): string {
  const reasons = Object.entries(unjudgeable).filter(([, count]) => count > 0);
  const total = reasons.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return '';
  const named = reasons.map(([reason, count]) => `${count} ${reason.replaceAll('_', ' ')}`);
  return `, of which ${plural(total, 'text')} could not be judged (${named.join(', ')})`;
}

function added(before: Result, slice: RulesBacktestData): Result {
  return {
    scanned: before.scanned + slice.scanned,
    unjudgeable: Object.fromEntries(
      Object.entries(slice.unjudgeable).map(([reason, count]) => [
        reason,
        count + before.unjudgeable[reason as keyof Result['unjudgeable']],
      ]),
    ) as Result['unjudgeable'],
    newly: merged(before.newly, slice.newly_blocked),
    noLonger: merged(before.noLonger, slice.no_longer_blocked),
  };
}

function merged(before: Changes, slice: Changes): Changes {
  const rules = new Map(before.rules.map((rule) => [rule.rule_id, rule]));
  for (const rule of slice.rules) {
    const known = rules.get(rule.rule_id);
    rules.set(rule.rule_id, {
      rule_id: rule.rule_id,
      count: (known?.count ?? 0) + rule.count,
      samples: [...(known?.samples ?? []), ...rule.samples].slice(0, MAX_SAMPLES),
    });
  }
  return {
    count: before.count + slice.count,
    rules: [...rules.values()].toSorted((a, b) => b.count - a.count),
  };
}
