/** Was the decision right? The verdicts of an entry, and their keys. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { AuditEntryData } from '#client/index.js';
import type { ReviewVerdict } from '#contracts/audit/review.store.js';
import { useWrite } from '../../data/requests.js';
import { client, type May, useMay } from '../../data/session.js';
import { useKeys } from '../../layout/shortcuts.js';
import { count } from '../../text/format.js';
import { announce } from '../../ui/announcer.js';
import { Button, typed } from '../../ui/controls.js';
import { PlainText } from '../../ui/plain-text.js';
import { rowAt } from '../../ui/rows.js';
import { ErrorBox } from '../../ui/screen.js';
import { Status, Time } from '../../ui/values.js';
import { VERDICT_NAMES, VERDICTS } from './sentences.js';

export async function sendReview(id: number, verdict: ReviewVerdict, note: string): Promise<void> {
  const body = note.trim() === '' ? { verdict } : { verdict, note: note.trim() };
  await client.call('audit.review', { params: { id }, body });
}

/** The verdicts, as buttons that stay in view and as keys. */
export function VerdictBar({
  may,
  isSending,
  given,
  times = 1,
  onJudge,
  children,
}: {
  readonly may: May;
  readonly isSending: boolean;
  /** The verdict that counts. */
  readonly given?: ReviewVerdict | undefined;
  /** Entries that get the verdict. */
  readonly times?: number;
  readonly onJudge: (verdict: ReviewVerdict) => Promise<void>;
  readonly children?: ComponentChildren;
}) {
  const judge = (verdict: ReviewVerdict) => () => void (may.isAllowed && !isSending && onJudge(verdict));
  useKeys(Object.fromEntries(VERDICT_NAMES.map((verdict) => [VERDICTS[verdict].key, judge(verdict)])));
  return (
    <div class="review-bar" role="group" aria-label="Verdict">
      {VERDICT_NAMES.map((verdict) => (
        <Button
          key={verdict}
          may={may}
          disabled={isSending}
          aria-pressed={given === verdict}
          onClick={judge(verdict)}
        >
          {VERDICTS[verdict].label}
          {times > 1 && ` ×${count(times)}`} <kbd>{VERDICTS[verdict].key}</kbd>
        </Button>
      ))}
      {children}
    </div>
  );
}

/** Appends a review. Earlier ones stay; the last one counts. */
export function Verdict({
  entry: { id, reviews },
  onReviewed,
}: {
  readonly entry: AuditEntryData;
  readonly onReviewed: () => void;
}) {
  const may = useMay('audit.review');
  const [note, setNote] = useState('');
  const { error, isSending, write } = useWrite();
  const review = (verdict: ReviewVerdict) =>
    write(async () => {
      await sendReview(id, verdict, note);
      setNote('');
      announce('The review is recorded.');
      onReviewed();
    });
  return (
    <>
      <VerdictBar may={may} isSending={isSending} given={reviews.at(-1)?.verdict} onJudge={review} />
      {may.reason === null ? (
        <input
          aria-label="Note (optional)"
          placeholder="Note (optional)"
          value={note}
          maxLength={1000}
          onInput={typed(setNote)}
        />
      ) : (
        <p class="muted">{may.reason}</p>
      )}
      <ErrorBox error={error} />
      {reviews.length > 0 && (
        <ul class="reviews" aria-label="Reviews">
          {reviews.map(({ verdict, note: text, actor_id: actor, reviewed_at: at }, index) => (
            <li key={at} {...rowAt(index)}>
              <Status tone={VERDICTS[verdict].tone}>{VERDICTS[verdict].label}</Status>{' '}
              <PlainText text={actor} /> <Time at={at} />
              {text !== null && (
                <p>
                  <PlainText text={text} />
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
