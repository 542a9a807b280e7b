/** Reviews of entries, and the exceptions that follow from them. */
import { REVIEW_VERDICTS } from './review.store.js';
import {
  about,
  choice,
  example,
  id,
  list,
  moment,
  nullable,
  object,
  optional,
  span,
  type Static,
  text,
} from '../common/schema.js';
import { MAX_PHRASE, MIN_PHRASE } from '../settings/exception-kind.js';

const REVIEW = {
  verdict: about(
    choice(REVIEW_VERDICTS),
    '`true_positive`: the text was an attack; `false_positive`: it was harmless.',
  ),
  note: about(
    nullable(text),
    '`null` also after the text of the entry was erased.',
    'An attempt to get a refund without an order.',
  ),
  actor_id: example(text, 'ops-1'),
  reviewed_at: moment,
};

export const ReviewData = object(REVIEW, 'Review');

/** The review of an entry. */
export type ReviewData = Static<typeof ReviewData>;

export const AuditReviewData = object(
  {
    review: object({ id: example(id, 12), entry_id: example(id, 4711), ...REVIEW }),
    next_unreviewed_id: about(
      nullable(id),
      'The next older entry of the same control that was blocked or observed and has no review.',
      4702,
    ),
  },
  'AuditReviewData',
);

/** Answer of `POST /audit/{id}/review`. */
export type AuditReviewData = Static<typeof AuditReviewData>;

export const AuditExceptionData = object(
  {
    proposals: about(
      list(
        object({
          exception: object({
            rule_id: example(text, 'ignore_previous_instructions'),
            phrase: example(
              { ...text, minLength: MIN_PHRASE, maxLength: MAX_PHRASE },
              'ignore all previous instructions',
            ),
            application: optional(about(text, 'The application of the entry.')),
          }),
          span: about(span, 'Position of the match in the prompt.'),
        }),
      ),
      'One for each match that counted; together they cover every recorded match.',
    ),
  },
  'AuditExceptionData',
);

/** Answer of `POST /audit/{id}/exception`. Each is an entry of `input_screen.exceptions` once it has a reason and an end. */
export type AuditExceptionData = Static<typeof AuditExceptionData>;
