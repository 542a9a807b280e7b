/** A receiver of events: how it is, what it did not accept, and what can be sent to it again. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, type DeadLetterData } from '#client/index.js';
import { href } from '../../data/page.js';
import { useList, useWrite } from '../../data/requests.js';
import { client, useMay } from '../../data/session.js';
import { count, plural } from '../../text/format.js';
import { AskFirst, Button, Fact, FieldErrors, Form, FormEnd, typed } from '../../ui/controls.js';
import { Dialog } from '../../ui/dialog.js';
import { PlainText } from '../../ui/plain-text.js';
import { type Row, rowAt } from '../../ui/rows.js';
import { Empty, ErrorBox, ListEnd } from '../../ui/screen.js';
import { Ago, Status, Time } from '../../ui/values.js';
import {
  failedText,
  goneText,
  lagText,
  rangeText,
  replayedAllText,
  replayedText,
  type Sink,
  SINK_STATES,
  testText,
} from './sentences.js';

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
  const [tone, text] = SINK_STATES[sink.state];

  const outcome = useRef<HTMLDivElement>(null);
  // The pressed button may be gone, so the outcome gets the focus.
  useEffect(() => {
    if (result !== undefined || error !== undefined) outcome.current?.focus();
  }, [result, error]);

  /** Resolves to what was done; `undefined` where it failed. */
  const perform = async (action: () => Promise<string>): Promise<string | undefined> => {
    let done: string | undefined;
    setResult(undefined);
    await write(async () => {
      done = await action();
      onChanged();
    });
    return done;
  };
  const run = async (action: () => Promise<string>) => setResult(await perform(action));
  const test = async (): Promise<string> =>
    testText((await client.call('events.test', { params: { name: sink.name } })).data);
  const replayAll = async (): Promise<string> => {
    const { data } = await client.call('events.replay', { body: { sink: sink.name, dead_letters: true } });
    return replayedAllText(sink, data);
  };
  return (
    <article class="card stack-s" aria-label={sink.name} {...row}>
      <header class="split">
        <h2 class="break">
          <PlainText text={sink.name} />
        </h2>
        <Status tone={tone}>{text}</Status>
      </header>
      <Figures sink={sink} />
      {[...new Set([mayTest.reason, mayReplay.reason])].map(
        (reason) =>
          reason !== null && (
            <p key={reason} class="notice">
              {reason}
            </p>
          ),
      )}
      {sink.state !== 'unknown' && (
        <p class="row">
          <Button may={mayTest} disabled={isSending} onClick={() => void run(test)}>
            Send a test event
          </Button>
          <Button may={mayReplay} disabled={isSending} onClick={() => choose(true)}>
            Replay a range
          </Button>
        </p>
      )}
      <div ref={outcome} tabIndex={-1} class="outcome">
        {result !== undefined && (
          <p class="notice">
            <PlainText text={result} />
          </p>
        )}
        <ErrorBox error={error} />
      </div>
      {hadDead.current && (
        <DeadLetters
          sink={sink}
          isBusy={isSending}
          replay={(sequence) => perform(() => replayEvent(sink, sequence))}
          replayAll={() => run(replayAll)}
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

async function replayEvent(sink: Sink, sequence: number): Promise<string> {
  try {
    await client.call('events.replay', { body: { sink: sink.name, sequence } });
    return replayedText(sink, sequence);
  } catch (failure) {
    if (failure instanceof ApiError && failure.code === 'not_found') return goneText(sequence);
    throw failure;
  }
}

function Figures({ sink }: { readonly sink: Sink }) {
  return (
    <>
      <dl class="facts across">
        <Fact name="Waiting">
          {count(sink.waiting)}
          {sink.retrying > 0 && `, of which ${count(sink.retrying)} failed before`}
        </Fact>
        <Fact name="Lag">{lagText(sink)}</Fact>
        <Fact name="Dead letters">{sink.dead === 0 ? 'none' : count(sink.dead)}</Fact>
        <Fact name="This instance">
          {count(sink.delivered)} delivered, {count(sink.failed)} failed since it started{' '}
          <Ago at={sink.counted_since} />
        </Fact>
        {sink.last_success_at !== null && (
          <Fact name="Last success">
            <Ago at={sink.last_success_at} />
          </Fact>
        )}
      </dl>
      {sink.last_error !== null && (
        <p class="break">
          <span class="muted">Last error</span> <PlainText text={sink.last_error} />{' '}
          {sink.last_failure_at !== null && <Ago at={sink.last_failure_at} />}
        </p>
      )}
    </>
  );
}

const AT_ONCE = 20;

interface OfLetters {
  readonly sink: Sink;
  readonly isBusy: boolean;
}

/** Events that a sink did not accept, with the reason. Each can be sent again. */
function DeadLetters({
  sink,
  isBusy,
  replay,
  replayAll,
}: OfLetters & {
  /** Resolves to a sentence about the event, which is no longer a dead letter; `undefined` where it failed. */
  readonly replay: (sequence: number) => Promise<string | undefined>;
  readonly replayAll: () => Promise<void>;
}) {
  const [replayed, setReplayed] = useState<ReadonlyMap<number, string>>(new Map());
  const request = { params: { name: sink.name }, query: { limit: AT_ONCE } };
  const pages = useList('events.dead', request, ({ dead }) => dead);
  const may = useMay('events.replay');
  const refresh = () => {
    setReplayed(new Map());
    pages.reload();
  };
  const replayOne = async (sequence: number) => {
    const done = await replay(sequence);
    if (done !== undefined) setReplayed((before) => new Map(before).set(sequence, done));
  };
  const isUnknown = sink.state === 'unknown';
  const hasChanged = pages.state === 'end' && pages.items.length - replayed.size !== sink.dead;
  return (
    <section class="stack-s dead-letters" aria-label={`Dead letters of ${sink.name}`}>
      <header class="split">
        <h3>{sink.dead === 0 ? 'No dead letter' : plural(sink.dead, 'dead letter')}</h3>
        {!isUnknown && sink.dead > 0 && (
          <AskFirst
            may={may}
            disabled={isBusy}
            question={`Send all dead letters to ${sink.name} again? One request queues the 10,000 oldest at most.`}
            action="Replay all"
            onConfirm={() => replayAll().then(refresh)}
          >
            Replay all dead letters
          </AskFirst>
        )}
      </header>
      <p class="muted small">
        These events were not delivered within three days. They stay until they are replayed, or deleted with
        old events.
        {isUnknown && ' Only an instance that has this sink can replay them.'}
      </p>
      <ul class="letters">
        {pages.items.map((letter, index) => (
          <Letter
            key={letter.sequence}
            letter={letter}
            row={rowAt(index)}
            replayed={replayed.get(letter.sequence)}
            sink={sink}
            isBusy={isBusy}
            replay={() => replayOne(letter.sequence)}
          />
        ))}
      </ul>
      <ListEnd pages={pages} lines={3} older="Show older dead letters">
        <Empty title="No dead letter is left.">They were replayed, or erased or deleted.</Empty>
      </ListEnd>
      {hasChanged && (
        <p class="row muted small">
          The list has changed.
          <Button onClick={refresh}>Show it as it is now</Button>
        </p>
      )}
    </section>
  );
}

function Letter({
  letter,
  row,
  replayed,
  sink,
  isBusy,
  replay,
}: OfLetters & {
  readonly letter: DeadLetterData;
  readonly row: Row;
  readonly replayed: string | undefined;
  readonly replay: () => Promise<void>;
}) {
  const may = useMay('events.replay');
  const { sequence, audit_id: auditId } = letter;
  const line = useRef<HTMLLIElement>(null);
  // What replaces a letter keeps its place, and the focus.
  useEffect(() => {
    if (replayed !== undefined) line.current?.focus();
  }, [replayed]);
  if (replayed !== undefined)
    return (
      <li class="letter muted" ref={line} tabIndex={-1}>
        {replayed}
      </li>
    );
  return (
    <li class="letter" {...row}>
      <div class="stack-s">
        <strong class="break">
          <PlainText text={letter.name} />
        </strong>
        <p class="break">
          {failedText(letter)}
          {letter.error !== null && <PlainText text={letter.error} />}
        </p>
        <p class="muted small">
          Event {sequence}, {letter.severity}, <Time at={letter.occurred_at} />. Given up{' '}
          <Time at={letter.died_at} />.
          {auditId !== null && (
            <>
              {' '}
              <a href={href(`/audit/${auditId}`)}>Entry {auditId}</a>
            </>
          )}
        </p>
      </div>
      {sink.state !== 'unknown' && (
        <AskFirst
          may={may}
          disabled={isBusy}
          aria-label={`Replay event ${sequence}`}
          question={`Send event ${sequence} to ${sink.name} again, with its former id?`}
          action="Replay it"
          onConfirm={replay}
        >
          Replay
        </AskFirst>
      )}
    </li>
  );
}

/** Sends the events of a range of numbers to a sink again. */
function ReplayRange({
  sink,
  onClose,
  onDone,
}: {
  readonly sink: string;
  readonly onClose: () => void;
  readonly onDone: (result: string) => void;
}) {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const { error, fields, isSending, write } = useWrite();
  const send = () =>
    write(async () => {
      const body = { sink, from: Number(from), ...(to !== '' && { to: Number(to) }) };
      onDone(rangeText((await client.call('events.replay', { body })).data));
    });
  return (
    <Dialog title="Replay a range of events" onClose={onClose}>
      <Form class="stack" onSend={send}>
        <p>
          <PlainText text={sink} /> receives the events again that it selects, with their former ids.
        </p>
        <label class="field">
          First number
          <input type="number" min={1} required value={from} onInput={typed(setFrom)} />
          <FieldErrors reasons={fields['from']} />
        </label>
        <label class="field">
          Last number (empty: up to the newest)
          <input type="number" min={1} value={to} onInput={typed(setTo)} />
        </label>
        <ErrorBox error={error} />
        <FormEnd action={['Replaying …', 'Replay']} isSending={isSending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
