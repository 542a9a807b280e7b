import { useState } from 'preact/hooks';
import { useMay } from '../../data/me.js';
import { client } from '../../data/session.js';
import { useWrite } from '../../data/write.js';
import { announce } from '../../ui/announcer.js';
import { PlainText } from '../../ui/plain-text.js';
import { rowAt } from '../../ui/rows.js';
import { ErrorBox } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { Time } from '../../ui/time.js';
import type { Entry } from './entry.js';

export type Verdict = Entry['reviews'][number]['verdict'];

export const VERDICTS: readonly (readonly [Verdict, string, string])[] = [
  ['false_positive', 'False alarm', 'f'],
  ['true_positive', 'Attack', 't'],
  ['unsure', 'Unsure', 'u'],
];

/** Appends a review. Earlier ones stay; the last one counts. */
export function ReviewForm({
  entry,
  onReviewed,
}: {
  readonly entry: Entry;
  readonly onReviewed: () => void;
}) {
  const may = useMay('audit.review');
  const [note, setNote] = useState('');
  const { error, isSending, write } = useWrite();
  const review = (verdict: Verdict): Promise<void> =>
    write(async () => {
      await sendReview(entry.id, verdict, note);
      setNote('');
      announce('The review is recorded.');
      onReviewed();
    });
  return (
    <section class="stack-s" aria-label="Review">
      <h3>Review</h3>
      <Reviews reviews={entry.reviews} />
      {may.reason !== null && <p class="muted">{may.reason}</p>}
      <label class="field">
        Note (optional)
        <input
          value={note}
          maxLength={1000}
          disabled={!may.isAllowed}
          onInput={({ currentTarget }) => setNote(currentTarget.value)}
        />
      </label>
      <div class="row" role="group" aria-label="Verdict">
        {VERDICTS.map(([verdict, label]) => (
          <button
            type="button"
            key={verdict}
            disabled={!may.isAllowed || isSending}
            onClick={() => void review(verdict)}
          >
            {label}
          </button>
        ))}
      </div>
      {error !== undefined && <ErrorBox error={error} />}
    </section>
  );
}

export async function sendReview(id: number, verdict: Verdict, note: string): Promise<void> {
  const body = note.trim() === '' ? { verdict } : { verdict, note: note.trim() };
  await client.call('audit.review', { params: { id }, body });
}

function Reviews({ reviews }: { readonly reviews: Entry['reviews'] }) {
  return (
    <ul class="reviews">
      {reviews.map(({ verdict, note, actor_id: actor, reviewed_at: at }, index) => (
        <li key={at} {...rowAt(index)}>
          <Status
            tone={verdict === 'false_positive' ? 'observed' : verdict === 'unsure' ? 'quiet' : 'blocked'}
          >
            {VERDICTS.find(([name]) => name === verdict)?.[1]}
          </Status>{' '}
          <PlainText text={actor} /> <Time at={at} />
          {note !== null && (
            <p>
              <PlainText text={note} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
