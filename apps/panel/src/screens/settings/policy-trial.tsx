import { useEffect, useState } from 'preact/hooks';
import type { TryPoliciesData } from '#client/index.js';
import { href } from '../../data/page.js';
import { client, noteFailure } from '../../data/session.js';
import { plural } from '../../text/format.js';
import { PlainText } from '../../ui/plain-text.js';
import { FailureBox } from './failure-box.js';

type Call = TryPoliciesData['stricter']['calls'][number];

interface Result {
  readonly replayed: number;
  readonly stricter: { readonly count: number; readonly calls: readonly Call[] };
  readonly looser: { readonly count: number; readonly calls: readonly Call[] };
  readonly skipped: number;
  readonly isDone: boolean;
}

const NOTHING: Result = {
  replayed: 0,
  stricter: { count: 0, calls: [] },
  looser: { count: 0, calls: [] },
  skipped: 0,
  isDone: false,
};

/** Decides the recorded calls again under edited policies. */
export function PolicyTrial({ policies }: { readonly policies: object }) {
  const [result, setResult] = useState(NOTHING);
  const [error, setError] = useState<Error>();
  const body = JSON.stringify(policies);
  useEffect(() => {
    const abort = new AbortController();
    setResult(NOTHING);
    setError(undefined);
    const timer = setTimeout(() => {
      run(policies, abort.signal, (slice) => setResult((before) => added(before, slice))).catch(
        (failure: Error) => {
          if (abort.signal.aborted) return;
          noteFailure(failure);
          setError(failure);
        },
      );
    }, 500);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [body]);
  if (error !== undefined) return <FailureBox error={error} />;
  return (
    <div class="stack-s sunken">
      <p role="status">
        {result.isDone ? 'Decided again' : 'Deciding again'}: {plural(result.replayed, 'recorded call')}
        {result.skipped > 0 && `, ${plural(result.skipped, 'call')} could not be`}.
      </p>
      <Calls title="stricter" {...result.stricter} />
      <Calls title="looser" {...result.looser} />
    </div>
  );
}

async function run(
  policies: object,
  signal: AbortSignal,
  onSlice: (slice: TryPoliciesData) => void,
): Promise<void> {
  for await (const slice of client.pages('try.policies', { body: { policies }, signal })) onSlice(slice);
}

function added(before: Result, slice: TryPoliciesData): Result {
  const sum = (name: 'stricter' | 'looser') => ({
    count: before[name].count + slice[name].count,
    calls: [...before[name].calls, ...slice[name].calls].slice(0, 50),
  });
  return {
    replayed: before.replayed + slice.replayed,
    stricter: sum('stricter'),
    looser: sum('looser'),
    skipped: before.skipped + Object.values(slice.not_replayable).reduce((total, one) => total + one, 0),
    isDone: slice.next_cursor === null,
  };
}

function Calls({
  title,
  count,
  calls,
}: {
  readonly title: string;
  readonly count: number;
  readonly calls: readonly Call[];
}) {
  return (
    <details open={count > 0 && count <= 5}>
      <summary>
        {plural(count, 'call')} {title}
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
}
