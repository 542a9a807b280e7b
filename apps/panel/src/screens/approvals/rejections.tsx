/** Above every screen: rejections that are not sent yet, with the way back, and those that failed. */
import { useEffect, useRef } from 'preact/hooks';
import { serverNow } from '../../data/clock.js';
import { drop, type Rejection, rejections, rejectSoon, send } from '../../data/rejections.js';
import { announce, announceResult } from '../../ui/announcer.js';
import { Button } from '../../ui/controls.js';
import { PlainText } from '../../ui/plain-text.js';
import { keepReason } from './reasons.js';
import { countdownText, failureOf, NOT_REJECTED, resultText, UNDONE } from './sentences.js';

/** Rejects calls unless it is taken back, says so, and reads them again. */
export function reject(calls: Rejection['calls'], reason: string, reload: () => void): void {
  keepReason('rejected', reason);
  const onEnd = (rejected: number) => {
    if (rejected > 0) announceResult(resultText(rejected));
    reload();
  };
  rejectSoon({ calls, reason, onEnd });
}

export function Rejections() {
  return (
    <div class="rejection-notes">
      {rejections.value.map((rejection) => {
        const Note = rejection.errors.length === 0 ? Waiting : Failed;
        return <Note key={rejection.calls} rejection={rejection} />;
      })}
    </div>
  );
}

/** Takes the focus, so that the next press of Tab reaches Undo. The countdown is read out once. */
function Waiting({ rejection }: { readonly rejection: Rejection }) {
  const element = useRef<HTMLElement>(null);
  const text = countdownText(rejection, serverNow.value);
  useEffect(() => {
    announce(text);
    element.current?.focus();
  }, []);
  const undo = () => {
    drop(rejection);
    announceResult(UNDONE);
  };
  return (
    <section ref={element} tabIndex={-1} class="notice observed split" aria-label="Rejection">
      <PlainText text={text} />
      {rejection.timer !== undefined && <Button onClick={undo}>Undo</Button>}
    </section>
  );
}

function Failed({ rejection }: { readonly rejection: Rejection }) {
  const { errors } = rejection;
  return (
    <section class="notice blocked" role="alert">
      <p>
        <strong>{NOT_REJECTED}</strong>
      </p>
      <ul class="stack-s">
        {errors.map(([id, error]) => (
          <li key={id}>
            Approval {id}: <PlainText text={failureOf(error)} />
          </li>
        ))}
      </ul>
      <p class="row">
        <Button onClick={() => drop(rejection)}>Close</Button>
        <Button onClick={() => void send(rejection)}>Try again</Button>
      </p>
    </section>
  );
}
