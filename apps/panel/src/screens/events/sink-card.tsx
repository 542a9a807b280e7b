import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, type EventSinksData } from '#client/index.js';
import { useMay } from '../../data/me.js';
import { client } from '../../data/session.js';
import { useWrite } from '../../data/write.js';
import { count, duration } from '../../text/format.js';
import { PlainText } from '../../ui/plain-text.js';
import type { Row } from '../../ui/rows.js';
import { ErrorBox } from '../../ui/states.js';
import { Status, type Tone } from '../../ui/status.js';
import { Ago } from '../../ui/time.js';
import { DeadLetters } from './dead-letters.js';
import { ReplayRange } from './replay-range.js';

export type Sink = EventSinksData['sinks'][number];

/** Where a sink pauses after failures, what was replayed waits for the next attempt as well. */
const WAITS: Partial<Readonly<Record<Sink['state'], string>>> = {
  open: ' The sink pauses after failures, so they are sent when it is tried again.',
  half_open: ' The sink is tried with one event first.',
  resting: ' The sink is paused: send a test event to resume it.',
};

const STATES: Readonly<Record<Sink['state'], readonly [tone: Tone, text: string]>> = {
  closed: ['ok', 'delivers'],
  half_open: ['observed', 'tries again after failures'],
  open: ['blocked', 'waits after failures'],
  resting: ['observed', 'paused until a test event is delivered'],
  unknown: ['blocked', 'not configured on this instance'],
};

export function SinkCard({
  sink,
  row,
  onChanged,
}: {
  readonly sink: Sink;
  readonly row: Row;
  readonly onChanged: () => void;
}) {
  const [isChoosing, choose] = useState(false);
  const [result, setResult] = useState<string>();
  const { error, isSending, write } = useWrite();
  // The buttons stay after the last dead letter was replayed, so that the operator does not lose the place.
  const hadDead = useRef(false);
  hadDead.current ||= sink.dead > 0;
  const mayTest = useMay('events.test');
  const mayReplay = useMay('events.replay');
  const [tone, text] = STATES[sink.state];
  const wait = WAITS[sink.state] ?? '';
  const isKnown = sink.state !== 'unknown';

  const outcome = useRef<HTMLDivElement>(null);
  // The pressed button may be gone, so the outcome gets the focus.
  useEffect(() => {
    if (result !== undefined || error !== undefined) outcome.current?.focus();
  }, [result, error]);

  /** Resolves to what was done; `null` where it failed. */
  const perform = async (action: () => Promise<string>): Promise<string | null> => {
    let done: string | null = null as string | null;
    setResult(undefined);
    await write(async () => {
      done = await action();
      onChanged();
    });
    return done;
  };
  const run = async (action: () => Promise<string>): Promise<void> =>
    setResult((await perform(action)) ?? undefined);
  const test = async (): Promise<string> => {
    const { data } = await client.call('events.test', { params: { name: sink.name } });
    return data.delivered
      ? `The test event was delivered in ${data.duration_ms} ms.`
      : `The test event was not delivered: ${data.error ?? 'no reason given'}`;
  };
  const replayOne = async (sequence: number): Promise<string> => {
    try {
      await client.call('events.replay', { body: { sink: sink.name, sequence } });
      return `Event ${sequence} waits for delivery again.${wait}`;
    } catch (failure) {
      if (!(failure instanceof ApiError && failure.code === 'not_found')) throw failure;
      return `Event ${sequence} is no longer a dead letter: it was replayed or deleted in the meantime.`;
    }
  };
  const replayDead = async (): Promise<string> => {
    const { data } = await client.call('events.replay', { body: { sink: sink.name, dead_letters: true } });
    const queued = data.queued === 1 ? 'One dead letter waits' : `${count(data.queued)} dead letters wait`;
    return `${queued} for delivery again.${data.queued === 0 ? '' : wait}`;
  };

  return (
    <article class="card stack-s" aria-label={sink.name} {...row}>
      <header class="split">
        <h2 class="break">
          <PlainText text={sink.name} />
        </h2>
        <Status tone={tone}>{text}</Status>
      </header>
      <dl class="facts across">
        <dt>Waiting</dt>
        <dd>
          {count(sink.waiting)}
          {sink.retrying > 0 && `, of which ${count(sink.retrying)} failed before`}
        </dd>
        <dt>Lag</dt>
        <dd>{lagOf(sink)}</dd>
        <dt>Dead letters</dt>
        <dd>{sink.dead === 0 ? 'none' : count(sink.dead)}</dd>
        <dt>This instance</dt>
        <dd>
          {count(sink.delivered)} delivered, {count(sink.failed)} failed since it started{' '}
          <Ago at={sink.counted_since} />
        </dd>
        {sink.last_success_at !== null && (
          <>
            <dt>Last success</dt>
            <dd>
              <Ago at={sink.last_success_at} />
            </dd>
          </>
        )}
      </dl>
      {sink.last_error !== null && (
        <p class="break">
          <span class="muted">Last error</span> <PlainText text={sink.last_error} />{' '}
          {sink.last_failure_at !== null && <Ago at={sink.last_failure_at} />}
        </p>
      )}
      {[...new Set([mayTest.reason, mayReplay.reason])].map(
        (reason) =>
          reason !== null && (
            <p key={reason} class="notice">
              {reason}
            </p>
          ),
      )}
      {isKnown && (
        <p class="row">
          <button type="button" disabled={isSending || !mayTest.isAllowed} onClick={() => void run(test)}>
            Send a test event
          </button>
          <button type="button" disabled={isSending || !mayReplay.isAllowed} onClick={() => choose(true)}>
            Replay a range
          </button>
        </p>
      )}
      <div ref={outcome} tabIndex={-1} class="outcome">
        {result !== undefined && (
          <p class="notice">
            <PlainText text={result} />
          </p>
        )}
        {error !== undefined && <ErrorBox error={error} />}
      </div>
      {hadDead.current && (
        <DeadLetters
          sink={sink}
          isBusy={isSending}
          replay={(sequence) => perform(() => replayOne(sequence))}
          replayAll={() => run(replayDead)}
        />
      )}
      {isChoosing && (
        <ReplayRange
          sink={sink.name}
          onClose={() => choose(false)}
          onDone={(done) => {
            choose(false);
            void run(() => Promise.resolve(done));
          }}
        />
      )}
    </article>
  );
}

function lagOf({ waiting, lag_seconds: lag }: Sink): string {
  return waiting === 0 ? 'none' : `The oldest waiting event is ${duration(lag)} old.`;
}
