import { useEffect, useRef, useState } from 'preact/hooks';
import type { DeadLetterData } from '#client/index.js';
import { href } from '../../data/page.js';
import { useMay } from '../../data/me.js';
import { usePages } from '../../data/pages.js';
import { client } from '../../data/session.js';
import { plural } from '../../text/format.js';
import { PlainText } from '../../ui/plain-text.js';
import { rowAt, type Row } from '../../ui/rows.js';
import { Empty, ErrorBox, Skeleton } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { Confirm } from './confirm.js';
import type { Sink } from './sink-card.js';

const AT_ONCE = 20;

/** Events that a sink did not accept, with the reason. Each can be sent again. */
export function DeadLetters({
  sink,
  isBusy,
  replay,
  replayAll,
}: {
  readonly sink: Sink;
  readonly isBusy: boolean;
  /** Resolves to a sentence about the event, which is no longer a dead letter; `null` where it failed. */
  readonly replay: (sequence: number) => Promise<string | null>;
  readonly replayAll: () => Promise<void>;
}) {
  const [replayed, setReplayed] = useState<ReadonlyMap<number, string>>(new Map());
  const pages = usePages<DeadLetterData>(`dead letters of ${sink.name}`, async (cursor, signal) => {
    const query = { cursor, limit: AT_ONCE };
    const { data } = await client.call('events.dead', { params: { name: sink.name }, query, signal });
    return { items: data.dead, next: data.next_cursor };
  });
  const readAgain = (): void => {
    setReplayed(new Map());
    pages.reload();
  };
  const replayOne = async (sequence: number): Promise<void> => {
    const done = await replay(sequence);
    if (done !== null) setReplayed((before) => new Map(before).set(sequence, done));
  };
  const everything = async (): Promise<void> => {
    await replayAll();
    readAgain();
  };
  const isKnown = sink.state !== 'unknown';
  const hasChanged = pages.state === 'end' && pages.items.length - replayed.size !== sink.dead;

  return (
    <section class="stack-s dead-letters" aria-label={`Dead letters of ${sink.name}`}>
      <header class="split">
        <h3>{sink.dead === 0 ? 'No dead letter' : plural(sink.dead, 'dead letter')}</h3>
        {isKnown && sink.dead > 0 && <ReplayAll sink={sink} isBusy={isBusy} replayAll={everything} />}
      </header>
      <p class="muted small">
        These events were not delivered within three days. They stay until they are replayed, or deleted with
        old events.
        {!isKnown && ' Only an instance that has this sink can replay them.'}
      </p>
      <ul class="letters">
        {pages.items.map((letter, index) =>
          replayed.has(letter.sequence) ? (
            <Replayed key={letter.sequence} text={replayed.get(letter.sequence) ?? ''} />
          ) : (
            <Letter
              key={letter.sequence}
              letter={letter}
              row={rowAt(index)}
              sink={sink}
              isBusy={isBusy}
              replay={replayOne}
            />
          ),
        )}
      </ul>
      {pages.state === 'failed' && pages.error !== undefined && (
        <ErrorBox error={pages.error} retry={pages.more} />
      )}
      {pages.state === 'loading' && <Skeleton lines={3} />}
      {pages.state === 'more' && (
        <p>
          <button type="button" onClick={pages.more}>
            Show older dead letters
          </button>
        </p>
      )}
      {pages.state === 'end' && pages.items.length === 0 && (
        <Empty title="No dead letter is left.">They were replayed, or erased or deleted.</Empty>
      )}
      {hasChanged && (
        <p class="row muted small">
          The list has changed.
          <button type="button" onClick={readAgain}>
            Show it as it is now
          </button>
        </p>
      )}
    </section>
  );
}

function Letter({
  letter,
  row,
  sink,
  isBusy,
  replay,
}: {
  readonly letter: DeadLetterData;
  readonly row: Row;
  readonly sink: Sink;
  readonly isBusy: boolean;
  readonly replay: (sequence: number) => Promise<void>;
}) {
  const [isAsking, ask] = useState(false);
  const may = useMay('events.replay');
  const { sequence, name, severity, attempts, error, audit_id: auditId } = letter;
  return (
    <li class="letter" {...row}>
      <div class="stack-s">
        <strong class="break">
          <PlainText text={name} />
        </strong>
        <p class="break">
          {attempts === 0 ? 'Never sent, because earlier events failed' : `Failed ${timesOf(attempts)}`}
          {error === null ? '.' : ': '}
          {error !== null && <PlainText text={error} />}
        </p>
        <p class="muted small">
          Event {sequence}, {severity}, <Time at={letter.occurred_at} />. Given up{' '}
          <Time at={letter.died_at} />.
          {auditId !== null && (
            <>
              {' '}
              <a href={href(`/audit/${auditId}`)}>Entry {auditId}</a>
            </>
          )}
        </p>
      </div>
      {sink.state !== 'unknown' && !isAsking && (
        <button
          type="button"
          disabled={isBusy || !may.isAllowed}
          title={may.reason ?? undefined}
          aria-label={`Replay event ${sequence}`}
          onClick={() => ask(true)}
        >
          Replay
        </button>
      )}
      {isAsking && (
        <Confirm
          question={`Send event ${sequence} to ${sink.name} again, with its former id?`}
          action="Replay it"
          isBusy={isBusy}
          onCancel={() => ask(false)}
          onConfirm={() => {
            ask(false);
            void replay(sequence);
          }}
        />
      )}
    </li>
  );
}

/** Keeps the place of a letter, and the focus. */
function Replayed({ text }: { readonly text: string }) {
  const line = useRef<HTMLLIElement>(null);
  useEffect(() => line.current?.focus(), []);
  return (
    <li class="letter muted" ref={line} tabIndex={-1}>
      {text}
    </li>
  );
}

function ReplayAll({
  sink,
  isBusy,
  replayAll,
}: {
  readonly sink: Sink;
  readonly isBusy: boolean;
  readonly replayAll: () => Promise<void>;
}) {
  const [isAsking, ask] = useState(false);
  const may = useMay('events.replay');
  if (isAsking)
    return (
      <Confirm
        question={`Send all dead letters to ${sink.name} again? One request queues the 10,000 oldest at most.`}
        action="Replay all"
        isBusy={isBusy}
        onCancel={() => ask(false)}
        onConfirm={() => {
          ask(false);
          void replayAll();
        }}
      />
    );
  return (
    <button
      type="button"
      disabled={isBusy || !may.isAllowed}
      title={may.reason ?? undefined}
      onClick={() => ask(true)}
    >
      Replay all dead letters
    </button>
  );
}

function timesOf(attempts: number): string {
  return attempts === 1 ? 'once' : plural(attempts, 'time');
}
